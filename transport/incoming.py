"""Sound from the peer, as a session hears it."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from av.audio.frame import AudioFrame
from numpy.typing import NDArray

from pipeline.contract import WIRE_RATE

# A longer gap is a new stream, not lost packets.
MAX_GAP: Final = WIRE_RATE


class HeardSound:
    """Turns decoded frames into mono float32 at 48 kHz without holes: lost packets become
    silence, so that time in the session and time at the peer stay the same.
    """

    def __init__(self) -> None:
        self._next: int | None = None

    def take(self, frame: AudioFrame) -> Iterator[NDArray[np.float32]]:
        """Yield float32 [n] in [-1, 1]: silence for what was lost before `frame`, then the frame.

        Args:
            frame: s16 or fltp at 48 kHz with one or two channels, `pts` in samples.
        """
        assert frame.pts is not None
        gap = 0 if self._next is None else frame.pts - self._next
        if 0 < gap <= MAX_GAP:
            yield np.zeros(gap, np.float32)
        self._next = frame.pts + frame.samples
        yield mono(frame)


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
