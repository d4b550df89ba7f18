"""`Said`: what was said within the last hour, so that it is not said again."""

import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Final

from agents.errors import AgentValueError
from agents.rundown.marks import plain

HORIZON_S: Final = 3600.0
# Sentences remembered at most: five a second for an hour.
_MOST: Final = 18_000
_IDLE: Final = re.compile(r"[\W_]+")


def normalised(text: str) -> str:
    """Return what is left of a text when case, marks, spaces and punctuation do not count."""
    return _IDLE.sub("", plain(text).casefold())


def fingerprint(text: str) -> str:
    """Return 16 hexadecimal digits that stand for a text as `normalised`."""
    return blake2b(normalised(text).encode(), digest_size=8).hexdigest()


class Said:
    """Remembers texts by their fingerprint, for an hour; nothing of their words is kept.

    Times are seconds since the epoch by the room's clock. A clock that is set back forgets
    nothing: what seems to have been said later was said now.
    """

    def __init__(self, horizon: float = HORIZON_S) -> None:
        self._horizon = horizon
        self._times: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._times)

    def add(self, text: str, at: float) -> None:
        """Remember that a text was said."""
        key = fingerprint(text)
        self._times[key] = at
        self._times.move_to_end(key)
        self._forget(at)

    def discard(self, text: str) -> None:
        """Forget a text that was not said after all."""
        self._times.pop(fingerprint(text), None)

    def is_fresh(self, text: str, now: float) -> bool:
        """Say whether a text was not said within the hour; one that says nothing is."""
        at = self._times.get(fingerprint(text))
        return at is None or now - at >= self._horizon

    def last(self, text: str) -> float | None:
        """Return when a text was said last, None where that is forgotten."""
        return self._times.get(fingerprint(text))

    def snapshot(self) -> list[list[str | float]]:
        """Return all that is remembered, oldest first: [fingerprint, seconds]."""
        return [[key, at] for key, at in self._times.items()]

    def restore(self, entries: Iterable[object]) -> None:
        """Take what `snapshot` returned.

        Raises:
            AgentValueError: an entry is something else.
        """
        times: dict[str, float] = {}
        for entry in entries:
            match entry:
                case [str(key), int(at) | float(at)]:
                    times[key] = float(at)
                case _:
                    raise AgentValueError(
                        f"said: {entry!r:.60}; accepted is [fingerprint, seconds since the epoch]"
                    )
        self._times = _ordered(times)

    def _forget(self, now: float) -> None:
        while self._times:
            key, at = next(iter(self._times.items()))
            if len(self._times) <= _MOST and now - at < self._horizon:
                return
            del self._times[key]


def _ordered(times: Mapping[str, float]) -> OrderedDict[str, float]:
    newest = sorted(times.items(), key=lambda each: each[1])[-_MOST:]
    return OrderedDict(newest)
