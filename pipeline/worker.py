"""Workers: one thread per heavy model, with a bounded inbox, where blocking calls run."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from threading import Event, Lock, Semaphore
from typing import ParamSpec, TypeVar

from pipeline.errors import VivantError

P = ParamSpec("P")
T = TypeVar("T")


class WorkerBusyError(VivantError):
    """The worker's inbox is full."""

    retryable = True


class Worker:
    """One thread that runs the calls of one model in order.

    At most `inbox` calls wait; one more raises WorkerBusyError. An `executor` may be given in
    place of the thread (tests run calls inline with one).
    """

    def __init__(self, name: str, inbox: int = 16, executor: Executor | None = None) -> None:
        self.name = name
        self._executor = executor or ThreadPoolExecutor(1, thread_name_prefix=name)
        self._inbox = inbox
        self._waiting = 0
        self._lock = Lock()

    async def run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `call` on the worker.

        When the awaiting task is cancelled, a call that has not begun never runs; one that has
        begun is waited for before the cancellation goes on, so its buffers are free afterwards.
        """
        future = self._submit(lambda: call(*args, **kwargs))
        return await _finish(future)

    async def stream(
        self, make: Callable[[Event], Iterator[T]], ahead: int = 64
    ) -> AsyncGenerator[T, None]:
        """Iterate `make(cancelled)` on the worker; at most `ahead` results wait to be taken.

        A worker shared by several sessions stands still while one of them lets results wait, so
        `ahead` should hold all that one call is likely to make.

        Closing the iterator (or cancelling its task) sets `cancelled` and returns only after the
        worker has left the generator: that is the acknowledgement.
        """
        loop = asyncio.get_running_loop()
        results: asyncio.Queue[T | None] = asyncio.Queue()  # bounded by `room`
        room = Semaphore(ahead)
        cancelled = Event()

        def work() -> None:
            source: Iterator[T] | None = None
            try:
                source = make(cancelled)
                for result in source:
                    room.acquire()
                    if cancelled.is_set():
                        break
                    loop.call_soon_threadsafe(results.put_nowait, result)
            finally:
                close = getattr(source, "close", None)
                if close is not None:
                    close()
                loop.call_soon_threadsafe(results.put_nowait, None)

        future = self._submit(work)
        try:
            while (result := await results.get()) is not None:
                room.release()
                yield result
            await asyncio.wrap_future(future)
        finally:
            cancelled.set()
            room.release()
            await _settle(future)

    def close(self) -> None:
        """Wait for the call in progress, drop the rest, end the thread."""
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _submit(self, call: Callable[[], T]) -> Future[T]:
        with self._lock:
            if self._waiting > self._inbox:
                raise WorkerBusyError(
                    f"worker {self.name!r} has {self._inbox} calls waiting; try again shortly"
                )
            self._waiting += 1
        future = self._executor.submit(call)
        future.add_done_callback(self._done)
        return future

    def _done(self, _future: "Future[T]") -> None:
        with self._lock:
            self._waiting -= 1


async def _finish(future: Future[T]) -> T:
    try:
        return await asyncio.shield(asyncio.wrap_future(future))
    except asyncio.CancelledError:
        await _settle(future)
        raise


async def _settle(future: Future[T]) -> None:
    """Wait until `future` runs no more, whatever became of it."""
    if future.cancel() or future.done():
        return
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    future.add_done_callback(lambda _: loop.call_soon_threadsafe(ended.set))
    await ended.wait()
