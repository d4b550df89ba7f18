"""`RoomClock`: what time it is in a room, whatever the machine's clock does."""

import time
from collections.abc import Callable

from pipeline.clock import Clock, SystemClock


class RoomClock:
    """Seconds since the epoch that never jump: the wall clock's at the beginning, and what has
    passed since by the monotonic clock. So a wall clock that is set, an hour on or back, makes
    nothing too long or too short, and nothing late.

    Args:
        clock: measures what passes.
        wall: seconds since the epoch as the machine has them; for moments that others have set,
            such as the end of an offer.
    """

    def __init__(self, clock: Clock | None = None, wall: Callable[[], float] = time.time) -> None:
        self.clock = clock or SystemClock()
        self.wall = wall
        self._offset = wall() - self.clock.now()

    def now(self) -> float:
        """Return seconds since the epoch."""
        return self._offset + self.clock.now()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await self.clock.sleep_until(self.clock.now() + seconds)
