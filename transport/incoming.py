"""Sound from the peer, as a session hears it."""

import time
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
from aiortc.mediastreams import MediaStreamError, MediaStreamTrack
from av.audio.frame import AudioFrame
from numpy.typing import NDArray

from pipeline.contract import WIRE_RATE

# A longer gap is a new stream, not lost packets.
MAX_GAP: Final = WIRE_RATE
# How far sound may be ahead of the time that has passed: what the network holds back at first.
ALLOWANCE_S: Final = 0.2


class HeardSound:
    """Turns decoded frames into mono float32 at 48 kHz without holes: lost packets become
    silence, so that time in the session and time at the peer stay the same.

    The time stamps are the peer's word. Silence is believed only as far as that much time has
    passed between the frames' arrivals, else a few packets could claim hours of it.

    Args:
        clock: seconds since any moment, never backwards.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._next: int | None = None
        self._arrived: float | None = None
        self._credit = ALLOWANCE_S

    def take(self, frame: AudioFrame) -> Iterator[NDArray[np.float32]]:
        """Yield float32 [n] in [-1, 1]: silence for what was lost before `frame`, then the frame.

        Args:
            frame: s16 or fltp at 48 kHz with one or two channels, `pts` in samples.
        """
        assert frame.pts is not None
        gap = 0 if self._next is None else frame.pts - self._next
        self._next = frame.pts + frame.samples
        believed = self._believed(gap if 0 < gap <= MAX_GAP else 0, frame.samples)
        if believed:
            yield np.zeros(believed, np.float32)
        yield mono(frame)

    def _believed(self, gap: int, samples: int) -> int:
        """Return how many of `gap` samples of silence the passed time has room for."""
        now = self._clock()
        passed = 0.0 if self._arrived is None else now - self._arrived
        self._arrived = now
        room = min(self._credit + passed, MAX_GAP / WIRE_RATE + ALLOWANCE_S) - samples / WIRE_RATE
        believed = min(gap, max(0, int(room * WIRE_RATE)))
        self._credit = max(0.0, room - believed / WIRE_RATE)
        return believed


async def listen(track: MediaStreamTrack, take: Callable[[NDArray[np.float32]], None]) -> None:
    """Hand what a peer says to `take`, float32 [n] in [-1, 1], until its track ends."""
    heard = HeardSound()
    while True:
        try:
            frame = await track.recv()
        except MediaStreamError:
            return
        assert isinstance(frame, AudioFrame)
        for samples in heard.take(frame):
            take(samples)


def mono(frame: AudioFrame) -> NDArray[np.float32]:
    """Return the mean of a frame's channels, float32 [n] in [-1, 1]."""
    channels = frame.layout.nb_channels
    values = frame.to_ndarray()
    if frame.format.is_packed:
        values = values.reshape(-1, channels).T
    mixed: NDArray[np.float32] = values.mean(axis=0, dtype=np.float32)
    if values.dtype == np.int16:
        mixed /= np.float32(32_768)
    return mixed
