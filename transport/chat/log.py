"""Logs of a room's chat: JSON lines {"at": seconds since the log began, and an event}."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from agents.show.viewers import ViewerEvent
from transport.chat.events import read_event, written
from transport.errors import EventError, PayloadError
from transport.strict_json import read_json, shown

MOST_ENTRIES: Final = 200_000
LONGEST_S: Final = 7 * 86_400.0
_LONGEST_LINE: Final = 16_384


@dataclass(frozen=True, slots=True)
class Entry:
    """An event and when it came, in seconds since the log began."""

    at: float
    event: ViewerEvent

    def line(self) -> str:
        """Return it as a line of a log."""
        return json.dumps({"at": self.at, **written(self.event)}, ensure_ascii=False)


def read_log(text: str) -> list[Entry]:
    """Return the entries of a log in their order of time.

    Raises:
        PayloadError: a line is no entry; the message says which, and why.
    """
    entries = [
        _entry(line, number) for number, line in enumerate(text.splitlines(), 1) if line.strip()
    ]
    if not 1 <= len(entries) <= MOST_ENTRIES:
        raise PayloadError(f"the log has {len(entries)} events; accepted: 1 to {MOST_ENTRIES}")
    return sorted(entries, key=lambda entry: entry.at)


def write_log(entries: Iterable[Entry]) -> str:
    """Return a log as text."""
    return "".join(f"{entry.line()}\n" for entry in entries)


def renamed(entries: Iterable[Entry], run: str) -> Iterator[Entry]:
    """Yield entries under other ids, so that a room takes a log it has heard before once more."""
    for entry in entries:
        yield replace(entry, event=replace(entry.event, id=f"{run}-{entry.event.id}"[:120]))


def _entry(line: str, number: int) -> Entry:
    try:
        if len(line) > _LONGEST_LINE:
            raise PayloadError(f"it has {len(line)} characters; accepted: {_LONGEST_LINE}")
        value: Any = read_json(line)
        if not isinstance(value, dict):
            raise PayloadError("it is no JSON object")
        at = value.pop("at", None)
        if isinstance(at, bool) or not isinstance(at, int | float) or not 0 <= at <= LONGEST_S:
            raise PayloadError(f"at is {shown(at)}; accepted: 0 to {LONGEST_S:g} seconds")
        return Entry(float(at), read_event(value))
    except (EventError, PayloadError, ValueError) as error:
        raise PayloadError(f"line {number} of the log: {error}") from None
