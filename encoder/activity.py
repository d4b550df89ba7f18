"""The contract of a voice activity detector."""

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

WINDOW: Final = 512
"""Samples per window at 16 kHz: 32 ms."""


class VoiceActivity(Protocol):
    """Tells speech from everything else, window by window, in order. One signal, one thread."""

    def probability(self, window: NDArray[np.float32]) -> float:
        """Return the probability in [0, 1] that `window`, float32 [512] at 16 kHz, is speech."""

    def reset(self) -> None:
        """Forget the signal heard so far."""
