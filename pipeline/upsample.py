"""From the voice's 24 kHz to the wire's 48 kHz, one continuous signal with a constant delay."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.speech import SPEECH_RATE
from encoder.resample import Resampler
from pipeline.contract import FRAME_SAMPLES, WIRE_RATE

# The filter holds back up to 39 ms; two whole frames make the delay the same for every frame, so
# pictures can be delayed by exactly as much.
DELAY_FRAMES: Final = 2
DELAY_SAMPLES: Final = DELAY_FRAMES * FRAME_SAMPLES
FADE_SAMPLES: Final = WIRE_RATE // 100


class Upsampler:
    """Takes 20 ms at 24 kHz (float32 [480]), gives 20 ms at 48 kHz (int16 [960]).

    What comes out of call k is what went into call k - DELAY_FRAMES.
    """

    def __init__(self) -> None:
        self._resampler: Resampler
        self._ready: NDArray[np.float32]
        self._start(np.zeros(0, np.float32))

    def push(self, frame: NDArray[np.float32]) -> NDArray[np.int16]:
        """Convert one frame; what lies outside [-1, 1] is clipped."""
        self._ready = np.concatenate([self._ready, self._resampler.push(frame)])
        out, self._ready = self._ready[:FRAME_SAMPLES], self._ready[FRAME_SAMPLES:]
        sound: NDArray[np.int16] = (np.clip(out, -1, 1) * 32767).astype(np.int16)
        return sound

    def cut(self) -> None:
        """Throw away what is under way, but for a fade of 10 ms."""
        tail = self._ready[:FADE_SAMPLES].copy()
        tail *= np.linspace(1, 0, len(tail), endpoint=False, dtype=np.float32)
        self._start(tail)

    def _start(self, tail: NDArray[np.float32]) -> None:
        self._resampler = Resampler(SPEECH_RATE, WIRE_RATE, "HQ")
        self._ready = np.zeros(DELAY_SAMPLES, np.float32)
        self._ready[: len(tail)] = tail
