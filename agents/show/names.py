"""A viewer's name as it may be said aloud."""

import re
from collections.abc import Callable
from typing import Final

# Returns a name as it may be said, None where it may not.
CleanName = Callable[[str], str | None]

_WORDS: Final = re.compile(r"[^\W_]+(?:[ '’.-][^\W_]+)*")
_LONGEST: Final = 20


def plain_name(name: str) -> str | None:
    """Return the part of a name that is letters and figures, if it is short enough to be said."""
    match = _WORDS.search(name)
    if match is None or len(match.group()) > _LONGEST or match.group().isdigit():
        return None
    return match.group()
