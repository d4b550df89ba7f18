"""Bounded queues between the connection, which never waits, and whoever reads."""

import asyncio
from collections import deque
from typing import Final, Generic, Protocol, Self, TypeVar

from transport.client.errors import ClientError, SlowConsumerError
from transport.client.media import MotionFrame, VideoPacket

EVENTS_KEPT: Final = 1_024
MOTION_KEPT: Final = 250  # 10 s
VIDEO_KEPT: Final = 250  # 10 s
SOUND_KEPT_S: Final = 120.0

T = TypeVar("T")


class Timed(Protocol):
    """Something that takes up time; text takes none."""

    @property
    def seconds(self) -> float: ...


S = TypeVar("S", bound=Timed)


class Stream(Generic[T]):
    """An async iterator over what arrives. The newest `limit` items are kept for a slow reader.

    One task reads at a time. Iteration may stop and go on later.

    Attributes:
        dropped: items that a slow reader has missed.
    """

    def __init__(self, limit: int) -> None:
        self.dropped = 0
        self._limit = limit
        self._items: deque[T] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self._ended = False
        self._error: BaseException | None = None

    def __len__(self) -> int:
        """Return how many items wait to be read."""
        return len(self._items)

    def put(self, item: T) -> None:
        """Add an item; where there is no room the oldest goes."""
        if self._ended:
            return
        self._make_room(item)
        self._items.append(item)
        self._wake()

    def end(self, error: BaseException | None = None) -> None:
        """Let the reader have what is left, and then `error`, or the end."""
        if not self._ended:
            self._ended, self._error = True, error
            self._wake()

    def clear(self) -> None:
        """Forget what has not been read."""
        self._items.clear()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        """Return the next item.

        Raises:
            ClientError: another task is waiting for it.
        """
        while not self._items:
            if self._ended:
                raise StopAsyncIteration if self._error is None else self._error
            if self._waiting is not None:
                raise ClientError("this stream is being read by another task; accepted: one")
            self._waiting = asyncio.get_running_loop().create_future()
            try:
                await self._waiting
            finally:
                self._waiting = None
        return self._items.popleft()

    def _make_room(self, item: T) -> None:  # noqa: ARG002 - what comes may decide
        while len(self._items) >= self._limit:
            self._items.popleft()
            self.dropped += 1

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


class SoundStream(Stream[S]):
    """Sound, of which nothing may be missing unnoticed: reading raises where some was lost.

    Args:
        limit_s: seconds kept for a slow reader.
    """

    def __init__(self, limit_s: float = SOUND_KEPT_S) -> None:
        super().__init__(limit=round(limit_s * 50))
        self._limit_s = limit_s
        self._kept_s = 0.0
        self._lost_s = 0.0

    def clear(self) -> None:
        """Forget sound that has not been read: it is not to be heard any more."""
        self._items = deque(item for item in self._items if not item.seconds)
        self._kept_s = self._lost_s = 0.0

    async def __anext__(self) -> S:
        """Return the next item.

        Raises:
            SlowConsumerError: sound was lost before it; reading again goes on after the gap.
            ClientError: another task is waiting for it.
        """
        if self._lost_s:
            lost, self._lost_s = self._lost_s, 0.0
            raise SlowConsumerError(lost)
        item = await super().__anext__()
        self._kept_s -= item.seconds
        return item

    def _make_room(self, item: S) -> None:
        while self._items and (
            self._kept_s + item.seconds > self._limit_s or len(self._items) >= self._limit
        ):
            oldest = self._items.popleft()
            self._kept_s -= oldest.seconds
            self._lost_s += oldest.seconds
            self.dropped += 1
        self._kept_s += item.seconds


class MotionStream(Stream[MotionFrame]):
    """Poses as they come, or by the reader's own clock."""

    def __init__(self) -> None:
        super().__init__(MOTION_KEPT)

    def at(self, position_ms: float) -> MotionFrame | None:
        """Return the newest pose that is not after a position of the sound, and forget those
        before it; None where there is none.

        A renderer that plays `AudioChunk`s calls it with the position it plays.
        """
        frame: MotionFrame | None = None
        while self._items and self._items[0].position_ms <= position_ms:
            frame = self._items.popleft()
        return frame


class VideoStream(Stream[VideoPacket]):
    """Coded pictures, which need those before them: a slow reader goes on at a keyframe."""

    def __init__(self) -> None:
        super().__init__(VIDEO_KEPT)
        self._broken = False

    def put(self, item: VideoPacket) -> None:
        """Add a picture; those that nothing can be made of are left out."""
        if len(self._items) >= self._limit:
            self._go_on_at_a_keyframe()
        self._broken = self._broken and not item.keyframe
        if self._broken:
            self.dropped += 1
        else:
            super().put(item)

    def _go_on_at_a_keyframe(self) -> None:
        """Keep what begins with the newest keyframe, unless that is all there is."""
        newest = max((i for i, packet in enumerate(self._items) if packet.keyframe), default=0)
        kept = list(self._items)[newest:] if newest else []
        self.dropped += len(self._items) - len(kept)
        self._items = deque(kept)
        self._broken = not kept
