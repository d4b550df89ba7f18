"""Randomness that is a function of time: the same seed gives the same life, whenever asked.

Nothing is stored between calls, so memory stays constant however long a body lives, and a pose
does not depend on how often poses were asked for.
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

_MASK: Final = (1 << 64) - 1
_STEP: Final = 0x9E3779B97F4A7C15
_FIRST: Final = 0xBF58476D1CE4E5B9
_SECOND: Final = 0x94D049BB133111EB


def draw(seed: int, *keys: int) -> float:
    """Return a number in [0, 1) that depends on the seed and the keys alone.

    The mixing step of SplitMix64 (Steele, Lea and Flood, 2014), once for each key.
    """
    state = seed & _MASK
    for key in keys:
        state = (state + (key + 1) * _STEP) & _MASK
        state = ((state ^ (state >> 30)) * _FIRST) & _MASK
        state = ((state ^ (state >> 27)) * _SECOND) & _MASK
        state ^= state >> 31
    return (state >> 11) / float(1 << 53)


def spread(seed: int, *keys: int) -> float:
    """Return a number in [-1, 1) that depends on the seed and the keys alone."""
    return 2.0 * draw(seed, *keys) - 1.0


class Drift:
    """Several independent slow wanderings about zero, twice continuously differentiable.

    Each is a uniform cubic B-spline through random values one `period` (seconds) apart: it stays
    within [-1, 1], mostly within [-0.6, 0.6].
    """

    def __init__(self, seed: int, periods: Sequence[float]) -> None:
        self._periods = np.array(periods, np.float64)
        salt = [int(draw(seed, 977, channel) * 2**62) for channel in range(len(periods))]
        self._salt = np.array(salt, np.uint64)[:, None]

    def __call__(self, at: float) -> NDArray[np.float64]:
        """Return the values [n] at `at` seconds."""
        position = at / self._periods
        cell = np.floor(position)
        share = position - cell
        knots = cell.astype(np.int64)[:, None] + np.arange(-1, 3)
        weights = np.stack(_spline_weights(share), -1)
        return np.asarray((self._values(knots) * weights).sum(-1), np.float64)

    def _values(self, knots: NDArray[np.int64]) -> NDArray[np.float64]:
        state = knots.astype(np.uint64) * np.uint64(_STEP) + self._salt
        state = (state ^ (state >> np.uint64(30))) * np.uint64(_FIRST)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(_SECOND)
        state ^= state >> np.uint64(31)
        return (state >> np.uint64(11)).astype(np.float64) / float(1 << 52) - 1.0


def _spline_weights(share: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    rest = 1.0 - share
    square, cube = share * share, share * share * share
    return (
        rest * rest * rest / 6.0,
        (3.0 * cube - 6.0 * square + 4.0) / 6.0,
        (-3.0 * cube + 3.0 * square + 3.0 * share + 1.0) / 6.0,
        cube / 6.0,
    )


def cell_of(at: float, period: float) -> int:
    """Return the number of the stretch of `period` seconds that holds `at`."""
    return math.floor(at / period)
