"""A clock that stands still until the test moves it."""

import asyncio
import heapq
from itertools import count

# Rounds of the event loop after which everything that can go on without time passing has.
_ROUNDS = 24


class VirtualClock:
    """`run(seconds)` lets simulated time pass, waking sleepers one by one in order."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._order = count()

    def now(self) -> float:
        return self._now

    async def sleep_until(self, moment: float) -> None:
        if moment <= self._now:
            await asyncio.sleep(0)
            return
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (moment, next(self._order), waiting))
        await waiting

    async def run(self, seconds: float) -> None:
        """Let `seconds` pass."""
        end = self._now + seconds
        await self.settle()
        while self._sleepers and self._sleepers[0][0] <= end + 1e-9:
            moment, _, waiting = heapq.heappop(self._sleepers)
            if waiting.done():
                continue
            self._now = max(self._now, moment)
            waiting.set_result(None)
            await self.settle()
        self._now = max(self._now, end)

    async def settle(self) -> None:
        """Let everything happen that needs no time."""
        for _ in range(_ROUNDS):
            await asyncio.sleep(0)
