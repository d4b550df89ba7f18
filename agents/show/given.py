"""`Trail`: what was given to be said, how far it has come, and what went before it."""

from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from agents.show.cursor import Piece
from agents.show.line import Line
from agents.show.waiting import Entry

_MOST_PAST: Final = 64  # lines looked back at, to tell whose turn it is


@dataclass(slots=True, eq=False)
class Given:
    """A line that was given: what it came from, and how it stands.

    Attributes:
        seconds: about how long it takes.
        piece: of the script, which it says.
        entry: of what waits, which it says.
        began_at: when its first sound was heard; None before.
        stale: what it answers from has changed before it began.
    """

    line: Line
    seconds: float
    piece: Piece | None = None
    entry: Entry | None = None
    began_at: float | None = None
    stale: bool = False

    @property
    def is_bridge(self) -> bool:
        """Whether the script must follow."""
        return self.line.kind == "bridge"

    @property
    def is_script(self) -> bool:
        """Whether it is of the script, or leads back to it."""
        return self.piece is not None or self.is_bridge


class Trail:
    """Lines that were given and have not ended, oldest first; and the order of the last ones given,
    ended or not.
    """

    def __init__(self) -> None:
        self._out: OrderedDict[str, Given] = OrderedDict()
        self._past: deque[Given] = deque(maxlen=_MOST_PAST)

    def __len__(self) -> int:
        return len(self._out)

    def __iter__(self) -> Iterator[Given]:
        return iter(self._out.values())

    def add(self, given: Given) -> None:
        """Note a line that is given after all others."""
        self._out[given.line.id] = given
        self._past.append(given)

    def began(self, line: Line, now: float) -> Given | None:
        """Note that a line's first sound is heard; None where it was not given."""
        given = self._out.get(line.id)
        if given is not None:
            given.began_at = now
        return given

    def take(self, line: Line) -> Given | None:
        """Note that a line is over; None where it was not given."""
        return self._out.pop(line.id, None)

    def withdraw(self, given: Given) -> None:
        """Note that nothing of a line was heard: what follows follows what was before it."""
        if given in self._past:
            self._past.remove(given)

    @property
    def last(self) -> Given | None:
        """What was given last."""
        return self._past[-1] if self._past else None

    @property
    def running(self) -> Given | None:
        """What is heard now."""
        begun = [one for one in self if one.began_at is not None]
        return begun[-1] if begun else None

    @property
    def prepared(self) -> Given | None:
        """What was given last of that which has not begun."""
        return next((one for one in reversed(self._out.values()) if one.began_at is None), None)

    def follows_bridge(self, given: Given) -> bool:
        """Say whether a bridge leads to what was given."""
        past = list(self._past)
        at = past.index(given) if given in past else 0
        return at > 0 and past[at - 1].is_bridge

    def run(self, but: Given | None = None) -> list[Given]:
        """Return what was given since the last line of the script or bridge, oldest first.

        `but`: were this line not given.
        """
        run = takewhile(lambda one: not one.is_script, self._backwards(but))
        return list(run)[::-1]

    def turn(self, but: Given | None = None) -> tuple[list[Given], list[Given]]:
        """Return what was given of the script since anything else, bridges included, and what was
        given between that and the script before; newest first.

        `but`: were this line not given.
        """
        script: list[Given] = []
        before: list[Given] = []
        for given in self._backwards(but):
            if given.is_script and before:
                break
            (script if given.is_script else before).append(given)
        return script, before

    def _backwards(self, but: Given | None) -> Iterator[Given]:
        return (one for one in reversed(self._past) if one is not but)

    def free_at(self, now: float) -> float:
        """Return when all lines given will have been said, about."""
        at = now
        for given in self:
            if given.began_at is not None:
                # What lies ahead began before the clock was set back.
                at = max(at, min(given.began_at, now) + given.seconds)
            else:
                at += given.seconds
        return at

    @property
    def since(self) -> float:
        """When the running line began, minus infinity where none runs."""
        running = self.running
        began = None if running is None else running.began_at
        return float("-inf") if began is None else began

    def till(self, now: float) -> float:
        """Return when the running line will have been said, about."""
        running = self.running
        return now if running is None else max(now, min(self.since, now) + running.seconds)
