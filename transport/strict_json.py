"""JSON from outside, read more strictly than Python does by itself."""

import json
import reprlib
from typing import Any, Final, NoReturn

# What is read is written again within other things, with more on the stack.
MARGIN: Final = 50

_SHORT: Final = reprlib.Repr()
_SHORT.maxlevel = 3
_SHORT.maxstring = _SHORT.maxlong = _SHORT.maxother = 80


def read_json(data: str | bytes) -> Any:
    """Return the value of a JSON text that can also be written again as UTF-8.

    Python takes NaN, infinities (1e400 is one), and escaped halves of surrogate pairs, which
    RFC 8259 leaves out or leaves open and which nothing beyond this point can send on.

    Raises:
        ValueError: the text is no such JSON, or is nested too deep.
    """
    try:
        value = json.loads(data, parse_constant=_refuse_constant)
        deep = value
        for _ in range(MARGIN if len(data) > 4 * MARGIN else 0):  # a short text is nowhere deep
            deep = [deep]
        json.dumps(deep, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start])
        raise ValueError(
            f"{half} is half of a surrogate pair; accepted: whole characters"
        ) from None
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    return value


def write_json(value: object) -> bytes:
    """Return a value as UTF-8, which has no form for half a surrogate pair: it becomes "?"."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def shown(value: object) -> str:
    """Return a value of any size and depth as a refusal quotes it, within a few hundred letters."""
    return _SHORT.repr(value)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
