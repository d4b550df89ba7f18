"""How much of a sound is silent at its ends: voices leave some tenths of a second there."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.speech import SPEECH_RATE

_WINDOW: Final = SPEECH_RATE // 200  # 5 ms
# What counts as silent: RMS of a window, of full scale and of the loudest window.
_FLOOR: Final = 0.003
_SHARE: Final = 0.015


def quiet_ends(samples: NDArray[np.float32]) -> tuple[int, int]:
    """Return how many of samples (float32 [n], 24 kHz) are silent at the start and at the end.

    Of a sound that is silent throughout all of it is, at both.
    """
    count = len(samples) // _WINDOW
    if not count:
        return len(samples), len(samples)
    windows = samples[: count * _WINDOW].reshape(count, _WINDOW)
    level = np.sqrt(np.mean(np.square(windows), axis=1))
    loud = np.flatnonzero(level > max(_FLOOR, _SHARE * float(level.max())))
    if not len(loud):
        return len(samples), len(samples)
    return int(loud[0]) * _WINDOW, len(samples) - (int(loud[-1]) + 1) * _WINDOW
