"""Plays a room's chat again from a log, at any speed, by the way it came in at first."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from agents.show.viewers import ViewerEvent
from pipeline.clock import Clock
from pipeline.errors import ConfigurationError
from pipeline.rooms.receipt import Receipt
from transport.chat.events import MOST
from transport.chat.log import Entry, renamed

# Events of a log that are due within so long are brought together, as platforms do.
TOGETHER_S: Final = 0.1
SPEEDS: Final = (0.1, 1000.0)

Bring = Callable[[Sequence[ViewerEvent]], Awaitable[Sequence[Receipt]]]


@dataclass(slots=True)
class Progress:
    """How far a log has been played: events brought, of how many; what became of them."""

    total: int
    sent: int = 0
    taken: int = 0
    refused: int = 0
    seconds: float = 0.0


class Player:
    """Brings the events of a log to a room when they are due.

    Args:
        entries: of the log, in their order.
        bring: brings events to the room, and returns their receipts.
        clock: by which they are due.
        speed: 2 is twice as fast as they came, 0.1 to 1000.
        run: put before the events' ids.
        brought: called with each batch that was brought, and when it was.

    Raises:
        ConfigurationError: the speed is not accepted.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        bring: Bring,
        clock: Clock,
        *,
        speed: float = 1.0,
        run: str = "",
        brought: Callable[[Sequence[ViewerEvent], float], None] = lambda _events, _at: None,
    ) -> None:
        low, high = SPEEDS
        if isinstance(speed, bool) or not low <= speed <= high:
            raise ConfigurationError(f"speed is {speed}; accepted: {low:g} to {high:g}")
        self.progress = Progress(len(entries))
        self._entries = list(renamed(entries, run)) if run else list(entries)
        self._bring = bring
        self._clock = clock
        self._speed = speed
        self._brought = brought

    async def play(self) -> Progress:
        """Play the log to its end, and return what became of it."""
        began = self._clock.now()
        place = 0
        while place < len(self._entries):
            due = self._entries[place].at
            batch = self._batch(place, due)
            await self._clock.sleep_until(began + due / self._speed)
            receipts = await self._bring(batch)
            self._brought(batch, self._clock.now())
            self._note(receipts, due)
            place += len(batch)
        return self.progress

    def _batch(self, place: int, due: float) -> list[ViewerEvent]:
        within = due + TOGETHER_S * self._speed
        batch = self._entries[place : place + MOST]
        return [entry.event for entry in batch if entry.at <= within]

    def _note(self, receipts: Sequence[Receipt], at: float) -> None:
        self.progress.sent += len(receipts)
        self.progress.taken += sum(receipt.status != "refused" for receipt in receipts)
        self.progress.refused += sum(receipt.status == "refused" for receipt in receipts)
        self.progress.seconds = at
