"""What a client could send by mistake or on purpose: damaged events, torn JSON, noise."""

import copy
import json
from typing import Any, Final

from hypothesis import strategies as st

from transport.protocol.examples import client_example
from transport.protocol.schema import CLIENT_EVENTS

HUGE: Final = (2**31, 2**53 + 1, 10**400, -(10**400), 1e308, -1e-320)
ODD: Final = ("", "\x00", "\ud800", "😀" * 40, "../../etc/passwd", "x" * 5_000, "root", "inf")

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(HUGE)
    | st.sampled_from(ODD)
    | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)


@st.composite
def damaged_events(draw: st.DrawFn) -> dict[str, Any]:
    """Return a client event with up to three of its values replaced, lost or foreign."""
    event = copy.deepcopy(client_example(draw(st.sampled_from(sorted(CLIENT_EVENTS)))))
    for _ in range(draw(st.integers(0, 3))):
        holders = list(_holders(event))
        holder = draw(st.sampled_from(holders)) if holders else event
        key = draw(st.sampled_from(_keys(holder) or ["type"]))
        change = draw(st.sampled_from(("replace", "lose", "foreign")))
        if change == "lose":
            del holder[key]
        elif change == "foreign" and isinstance(holder, dict):
            holder[draw(st.text(max_size=12))] = draw(json_values)
        else:
            holder[key] = draw(json_values)
        if not event:
            break
    return event


@st.composite
def torn_messages(draw: st.DrawFn) -> str:
    """Return the JSON of an event that has been cut, doubled or had a piece put into it."""
    text = json.dumps(draw(damaged_events()))
    at = draw(st.integers(0, len(text)))
    piece = draw(st.sampled_from(("", text, "NaN", "\x00", "\\ud800", "[" * 2_000, "9" * 5_000)))
    return text[:at] + piece + text[draw(st.integers(0, len(text))) :]


messages: st.SearchStrategy[str | bytes] = (
    damaged_events().map(json.dumps)
    | torn_messages()
    | st.text(max_size=60)
    | st.binary(max_size=60)
    | json_values.map(json.dumps)
)


def _holders(value: Any) -> list[Any]:
    """Return every object and list within a value that is not empty."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    own = [value] if isinstance(value, dict | list) and value else []
    return own + [each for part in inner for each in _holders(part)]


def _keys(holder: Any) -> list[Any]:
    return list(holder) if isinstance(holder, dict) else list(range(len(holder)))
