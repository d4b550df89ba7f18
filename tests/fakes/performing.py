"""What a fake session speaks of itself: a tone for each line of a programme."""

from dataclasses import dataclass
from typing import Final

from agents.show.line import Line
from pipeline.contract import WIRE_RATE
from pipeline.programme import Programme

PAUSE: Final = 0.2


@dataclass
class FakePerformance:
    """Gives every line `seconds` of sound and 0.2 s of pause; one is prepared ahead.

    A line whose text holds "broken" fails.
    """

    seconds: float
    programme: Programme | None = None
    running: Line | None = None
    prepared: Line | None = None
    position: int = 0
    _owner: Programme | None = None
    _until: int = 0
    _free: int = 0

    def perform(self, programme: Programme | None) -> None:
        """See `pipeline.contract.Session`."""
        self._drop("cancelled")
        self.programme = programme

    def wake(self) -> None:
        """See `pipeline.contract.Session`."""
        self._drop("withdrawn")

    def hush(self) -> None:
        """See `pipeline.contract.Session`."""
        self._end(whole=False)
        self._drop("withdrawn")

    def close(self) -> None:
        """The session ends."""
        self._end(whole=False)
        self._drop("cancelled")
        self.programme = None

    def tick(self, position: int, *, waits: bool) -> bool:
        """Come to wire `position`; return whether a line sounds. `waits`: none may begin."""
        self.position = position
        if self.running is not None and position >= self._until:
            self._end(whole=True)
        if self.running is None and not waits and position >= self._free:
            self._begin()
        if self.prepared is None and self.programme is not None and self.running is not None:
            self.prepared = self.programme.next_line()
        return self.running is not None

    def _begin(self) -> None:
        line, self.prepared = self.prepared, None
        if line is None and self.programme is not None:
            line = self.programme.next_line()
        if line is None or self.programme is None:
            return
        if "broken" in line.text:
            self.programme.dropped(line, "failed", "the voice broke")
            return
        self.running, self._owner = line, self.programme
        self._until = self.position + round(self.seconds * WIRE_RATE)
        self._owner.began(line, self.position)

    def _end(self, *, whole: bool) -> None:
        line, self.running = self.running, None
        if line is None or self._owner is None:
            return
        self._free = self.position + round(PAUSE * WIRE_RATE)
        share = 1 - max(0, self._until - self.position) / (self.seconds * WIRE_RATE)
        words = line.text.split()
        heard = line.text if whole else " ".join(words[: int(share * len(words))])
        self._owner.ended(line, heard, whole=whole)

    def _drop(self, why: str) -> None:
        line, self.prepared = self.prepared, None
        if line is not None and self.programme is not None:
            self.programme.dropped(line, "withdrawn" if why == "withdrawn" else "cancelled")
