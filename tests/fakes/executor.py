"""Executors that run every call in the caller's thread, and tell at once or later."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from pipeline.clock import Clock


class InlineExecutor(Executor):
    """Makes workers deterministic: a call is over when `submit` returns."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        try:
            future.set_result(fn(*args, **kwargs))
        except (RuntimeError, ValueError) as error:
            future.set_exception(error)
        return future


class SlowExecutor(InlineExecutor):
    """One call after the other, each takes `seconds` of the clock."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self._seconds = seconds
        self._free = 0.0
        self._tasks: set[asyncio.Task[None]] = set()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        done = super().submit(fn, *args, **kwargs)
        later: Future[Any] = Future()
        later.set_running_or_notify_cancel()
        self._free = max(self._free, self._clock.now()) + self._seconds
        task = asyncio.create_task(self._tell(done, later, self._free))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return later

    async def _tell(self, done: "Future[Any]", later: "Future[Any]", moment: float) -> None:
        await self._clock.sleep_until(moment)
        error = done.exception()
        if error is not None:
            later.set_exception(error)
        else:
            later.set_result(done.result())
