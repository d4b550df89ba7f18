"""Waiting for something no longer than a clock allows."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from pipeline.clock import Clock

T = TypeVar("T")


async def within(work: Coroutine[Any, Any, T], clock: Clock, seconds: float) -> T:
    """Return what `work` returns; cancel it, and wait until it has ended, after `seconds`.

    Raises:
        TimeoutError: it was not done by then.
    """
    task = asyncio.create_task(work)
    timer = asyncio.create_task(clock.sleep_until(clock.now() + seconds))
    try:
        await asyncio.wait({task, timer}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise TimeoutError
        return task.result()
    finally:
        running = [each for each in (task, timer) if not each.done()]
        for each in running:
            each.cancel()
        if running:
            await asyncio.wait(running)
