"""A voice activity whose probabilities are written into the samples themselves."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from encoder.activity import WINDOW


class ScriptedActivity:
    """A VoiceActivity: the probability of a window is its first sample."""

    def __init__(self) -> None:
        self.resets = 0

    def probability(self, window: NDArray[np.float32]) -> float:
        assert window.shape == (WINDOW,)
        return float(window[0])

    def reset(self) -> None:
        self.resets += 1


def script(*runs: tuple[float, float]) -> NDArray[np.float32]:
    """Return samples for (probability, seconds) one after the other, in whole windows."""
    counts = [(probability, round(seconds * 16_000 / WINDOW)) for probability, seconds in runs]
    return windows(probability for probability, count in counts for _ in range(count))


def windows(probabilities: Iterable[float]) -> NDArray[np.float32]:
    """Return samples for one probability per window."""
    return np.repeat(np.array(list(probabilities), np.float32), WINDOW)
