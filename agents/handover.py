"""Hands items from a worker thread to the event loop, never more than a few ahead."""

import asyncio
import threading
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Handover(Generic[T]):
    """A bounded queue written by one thread and iterated by one task.

    Args:
        loop: the loop of the reading task.
        capacity: most items that wait; the writing thread then waits for the reader.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, capacity: int) -> None:
        self._loop = loop
        self._capacity = capacity
        self._items: deque[T] = deque()
        self._changed = threading.Condition()
        self._ready = asyncio.Event()
        self._finished = False
        self._closed = False
        self._error: Exception | None = None

    @property
    def closed(self) -> bool:
        """Whether the reader has lost interest."""
        return self._closed

    def put(self, item: T) -> bool:
        """Add an item from the thread; False once the reader is gone. Blocks while full."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self._items) < self._capacity)
            if self._closed:
                return False
            self._items.append(item)
        return self._wake()

    def finish(self, error: Exception | None = None) -> None:
        """End the iteration from the thread, with an error to raise in the reader if any."""
        with self._changed:
            self._finished = True
            self._error = error
        self._wake()

    def close(self) -> None:
        """Tell the thread from any side that nothing more is wanted; drops what waits."""
        with self._changed:
            self._closed = True
            self._items.clear()
            self._changed.notify_all()

    def __aiter__(self) -> "Handover[T]":
        return self

    async def __anext__(self) -> T:
        while True:
            with self._changed:
                if self._items:
                    self._changed.notify_all()
                    return self._items.popleft()
                if self._finished or self._closed:
                    if self._error is not None:
                        raise self._error
                    raise StopAsyncIteration
                self._ready.clear()
            await self._ready.wait()

    def _wake(self) -> bool:
        if self._loop.is_closed():
            self.close()
            return False
        self._loop.call_soon_threadsafe(self._ready.set)
        return True
