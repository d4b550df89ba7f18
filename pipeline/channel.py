"""Bounded channels between stages, and the envelope that travels in them."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Envelope(Generic[T]):
    """What passes between stages: the payload and the turn it belongs to.

    Media time is given by the move stage's timeline, and travels with poses and pictures.
    """

    turn: int
    payload: T


class Channel(Generic[T]):
    """A queue of at most `capacity` envelopes that forgets turns which are over.

    `drop_through(n)` throws away what belongs to turns up to n and refuses any more of it, so a
    stage that is still busy with an old turn can put whatever it has left without harm.
    """

    def __init__(self, capacity: int) -> None:
        if capacity < 1:
            raise ValueError(f"channel capacity is {capacity}; accepted: 1 or more")
        self.capacity = capacity
        self._items: deque[Envelope[T]] = deque()
        self._floor = 0
        self._filled = asyncio.Event()
        self._drained = asyncio.Event()

    def __len__(self) -> int:
        return len(self._items)

    async def put(self, envelope: Envelope[T]) -> bool:
        """Wait for room, then add. Return False when the turn is over (nothing was added)."""
        while envelope.turn > self._floor and len(self._items) >= self.capacity:
            self._drained.clear()
            await self._drained.wait()
        return self._add(envelope)

    def force(self, envelope: Envelope[T], spare: Callable[[T], bool] = lambda _: False) -> int:
        """Add without waiting, dropping the oldest where there is no room; return how many.

        What `spare` holds for is dropped only when there is nothing else to drop.
        """
        dropped = 0
        while len(self._items) >= self.capacity:
            index = next((i for i, one in enumerate(self._items) if not spare(one.payload)), 0)
            del self._items[index]
            dropped += 1
        self._add(envelope)
        return dropped

    async def get(self) -> Envelope[T]:
        """Wait for the next envelope of a turn that is not over."""
        while not self._items:
            self._filled.clear()
            await self._filled.wait()
        envelope = self._items.popleft()
        self._drained.set()
        return envelope

    def count(self, size: Callable[[T], int]) -> int:
        """Return the sum of `size` over what waits."""
        return sum(size(item.payload) for item in self._items)

    async def drained(self) -> None:
        """Wait until something is taken out, unless nothing is in it."""
        if self._items:
            self._drained.clear()
            await self._drained.wait()

    def drop_through(self, turn: int) -> int:
        """Drop all turns up to `turn`, now and from now on; return how many were dropped."""
        self._floor = max(self._floor, turn)
        kept = [item for item in self._items if item.turn > self._floor]
        dropped = len(self._items) - len(kept)
        self._items = deque(kept)
        self._drained.set()
        return dropped

    def _add(self, envelope: Envelope[T]) -> bool:
        if envelope.turn <= self._floor:
            return False
        self._items.append(envelope)
        self._filled.set()
        return True
