"""One session's sound and pictures, encoded once, for any number of viewers.

A viewer's queue is bounded, its requests for keyframes are put together with everybody's, and one
that is too slow for the stream (`transport.pace`) gets keyframes alone. A second, smaller rendition
would show it more, and cost what drawing needs: decoding and encoding again take a third of a core
for each. The bitrate is the stream's own and follows no viewer.
"""

import logging
import math
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from pipeline.contract import WIRE_RATE, EncodedPicture, PoseFrame, SoundFrame
from pipeline.events import SessionEvent, SessionFailed
from transport.aiortc_hooks import Feedback
from transport.connection import SESSION_BROKE
from transport.outgoing import OpusEncoder, OpusTrack, PictureTrack
from transport.pace import SPACING_S, Pace

# Viewers that come together are to share one keyframe, each within a second of coming.
GATHER_S: Final = 0.1
JOIN_GAP_S: Final = 0.4
# Between keyframes that are made because pictures were lost.
REPAIR_GAP_S: Final = 1.0
# A keyframe that has not come by then is asked for again.
PATIENCE_S: Final = 1.0
# Part of the time between a slow viewer's keyframes that one of them takes to be sent.
SPREAD: Final = 0.5
# What the stream's bitrate is measured over.
RATE_S: Final = 2.0

logger = logging.getLogger(__name__)


class Source(Protocol):
    """The part of a session that a broadcast orders from."""

    def request_keyframe(self) -> None: ...


class Seat:
    """One viewer's place: the tracks it is sent, and what it reports of the pictures.

    Attributes:
        sound: Opus packets.
        pictures: encoded pictures.
        feedback: for `transport.aiortc_hooks.watch_feedback` on the pictures' sender.
    """

    def __init__(self, broadcast: "Broadcast") -> None:
        self._broadcast = broadcast
        self._pace = Pace(broadcast.now)
        self._flowing = False
        self._shown_at = -math.inf
        self._bytes_per_second = math.inf
        self.sound = OpusTrack()
        self.pictures = PictureTrack(self._fell_behind)
        self.feedback = Feedback(
            keyframe_wanted=self._repair,
            bitrate_estimated=self._estimated,
            loss_reported=self._lost,
        )

    @property
    def slow(self) -> bool:
        """Whether it gets keyframes alone."""
        return self._pace.slow

    def take(self, picture: EncodedPicture, now: float) -> None:
        """Send a picture, unless this viewer is not to have it."""
        self._pace.look(now)
        if picture.keyframe:
            self._flowing = self._pace.recovers(now)
            if self._flowing or now - self._shown_at >= self._pace.spacing:
                self._shown_at = now
                self._bytes_per_second = len(picture.data) / (SPREAD * self._pace.spacing)
                self.pictures.put(picture)
        elif self._flowing and not self._pace.slow:
            self.pictures.put(picture)
        elif self._flowing:
            self._flowing = False
            logger.info("a viewer gets keyframes alone: %s", self._pace.reason)

    def wait(self, size: int) -> float:
        """Return how many seconds a packet of `size` bytes of a picture waits before it leaves:
        a thin link is given a keyframe bit by bit, for it would lose most of it at once.
        """
        return size / self._bytes_per_second if self._pace.slow else 0.0

    def stop(self) -> None:
        """End both tracks."""
        self.sound.stop()
        self.pictures.stop()

    def _repair(self) -> None:
        if self._pace.repair(self._broadcast.now):
            self._broadcast.repair()

    def _estimated(self, bits_per_second: int) -> None:
        self._pace.estimated(bits_per_second, self._broadcast.rate, self._broadcast.now)

    def _lost(self, part: float) -> None:
        self._pace.lost(part, self._broadcast.now)

    def _fell_behind(self) -> None:
        self._pace.fell_behind(self._broadcast.now)


class Broadcast:
    """A `SessionSink` that sends to those who sit in it. Opus is encoded here, once.

    Args:
        changed: called when there are more or fewer viewers.

    Attributes:
        now: media time in seconds.
        keyframes: how many were sent on.
        broke: called when the session has broken and closed itself.
    """

    def __init__(self, changed: Callable[[], None] = lambda: None) -> None:
        self.now = 0.0
        self.keyframes = 0
        self.broke: Callable[[], None] = lambda: None
        self._changed = changed
        self._source: Source | None = None
        self._encoder = OpusEncoder()
        self._seats: tuple[Seat, ...] = ()
        self._keyframe_at = -math.inf
        self._due = math.inf
        self._asked_at: float | None = None
        self._sizes: deque[tuple[float, int]] = deque()

    @property
    def viewers(self) -> int:
        """How many sit here."""
        return len(self._seats)

    @property
    def slow_viewers(self) -> int:
        """How many of them get keyframes alone."""
        return sum(seat.slow for seat in self._seats)

    @property
    def rate(self) -> float:
        """Bits per second of the pictures of late."""
        return 8 * sum(size for _, size in self._sizes) / RATE_S

    def attach(self, source: Source) -> None:
        """Order keyframes from `source`."""
        self._source = source

    def seat(self) -> Seat:
        """Return a place for a viewer, who has yet to join."""
        return Seat(self)

    def join(self, seat: Seat) -> None:
        """Send to `seat` from now on, pictures from the next keyframe, which is asked for."""
        self._seats = (*self._seats, seat)
        self._want(max(self.now + GATHER_S, self._keyframe_at + JOIN_GAP_S))
        self._changed()

    def leave(self, seat: Seat) -> None:
        """Send nothing more to `seat`. No-op where it does not sit here."""
        self._seats = tuple(each for each in self._seats if each is not seat)
        self._changed()

    def repair(self) -> None:
        """Ask for a keyframe because a viewer has lost pictures."""
        self._want(max(self.now, self._keyframe_at + REPAIR_GAP_S))

    # --- what the session tells (SessionSink)

    def sound(self, frame: SoundFrame) -> None:
        """Send 20 ms of sound to everybody."""
        self.now = frame.position / WIRE_RATE
        data = self._encoder.encode(frame)
        for seat in self._seats:
            seat.sound.put_packet(data, frame.position)

    def picture(self, picture: EncodedPicture) -> None:
        """Send a picture to everybody who is to have it."""
        now = picture.position / WIRE_RATE
        self._measure(now, len(picture.data))
        if picture.keyframe:
            self.keyframes += 1
            self._keyframe_at, self._due, self._asked_at = now, math.inf, None
        for seat in self._seats:
            seat.take(picture, now)
        self._ask(now)

    def pose(self, frame: PoseFrame) -> None:
        """Viewers see pictures."""

    def event(self, event: SessionEvent) -> None:
        """Tell when the session has broken."""
        if isinstance(event, SessionFailed) and event.code == SESSION_BROKE:
            self.broke()

    def _want(self, due: float) -> None:
        if self._asked_at is None:  # else one is on its way, which will do
            self._due = min(self._due, due)

    def _ask(self, now: float) -> None:
        if self._asked_at is not None and now >= self._asked_at + PATIENCE_S:
            self._asked_at, self._due = None, now
        elif self.slow_viewers:
            self._want(self._keyframe_at + SPACING_S)
        if now >= self._due and self._source is not None:
            self._due, self._asked_at = math.inf, now
            self._source.request_keyframe()

    def _measure(self, now: float, size: int) -> None:
        self._sizes.append((now, size))
        while self._sizes[0][0] <= now - RATE_S:
            self._sizes.popleft()
