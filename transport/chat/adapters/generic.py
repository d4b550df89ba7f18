"""Our own form: one event, or {"events": [...]}. Unlike the others it refuses what is wrong."""

from collections.abc import Mapping

from agents.show.viewers import ViewerEvent
from transport.chat.events import MOST, read_event
from transport.errors import EventError, PayloadError


def read(payload: object) -> list[ViewerEvent]:
    """Return the events.

    Raises:
        EventError: a field of one is not accepted; `param` names it.
        PayloadError: there is none, or more than 100.
    """
    if not isinstance(payload, Mapping) or "events" not in payload:
        return [read_event(payload)]
    listed = payload["events"]
    if not isinstance(listed, list) or len(payload) != 1:
        raise PayloadError("events is no list, or not alone; accepted: a list of events, alone")
    if not 1 <= len(listed) <= MOST:
        raise PayloadError(f"events are {len(listed)}; accepted: 1 to {MOST}")
    return [_read(each, f"events.{place}") for place, each in enumerate(listed)]


def _read(value: object, place: str) -> ViewerEvent:
    try:
        return read_event(value, place)
    except EventError as error:
        param = f"{place}.{error.param}" if error.param else place
        raise EventError(error.code, f"{place}: {error}", param) from None
