"""Time, injected: the engines never ask the machine for it themselves."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Monotonic seconds, and a way to wait for a moment on the same axis."""

    def now(self) -> float: ...

    async def sleep_until(self, moment: float) -> None:
        """Return at `moment` or as soon after it as possible; at once when it has passed."""


class SystemClock:
    """The machine's monotonic clock."""

    def now(self) -> float:
        return time.monotonic()

    async def sleep_until(self, moment: float) -> None:
        await asyncio.sleep(max(0.0, moment - time.monotonic()))
