"""Tasks that somebody owns: none is forgotten, none outlives its owner."""

import asyncio
from collections.abc import Coroutine


class Tasks:
    """A set of running tasks. What one of them raises reaches the event loop's error handler."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[None, None, None], name: str) -> asyncio.Task[None]:
        """Run `work` until it ends or the owner closes."""
        task = asyncio.create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    async def close(self) -> None:
        """Cancel all and wait until they have ended."""
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(set(self._running))

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error
