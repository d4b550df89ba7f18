"""Loudness after ITU-R BS.1770-4, and the fixed gain that brings each voice to -16 LUFS."""

from collections.abc import Mapping
from math import cos, pi, sin, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.signal import lfilter

from avatar.errors import AvatarValueError

TARGET_LUFS: Final = -16.0

_BLOCK_SECONDS: Final = 0.4
_STEP_SECONDS: Final = 0.1
_ABSOLUTE_GATE: Final = -70.0
_RELATIVE_GATE: Final = -10.0
_OFFSET: Final = -0.691

_MEASURED: Final[Mapping[str, float]] = {}
"""LUFS of each speaker before any gain, over the passage of `measure.measure_loudness`."""


def gain(speaker: str) -> float:
    """Return the factor for the samples of `speaker`; 1 where it was not measured."""
    return 10 ** ((TARGET_LUFS - _MEASURED.get(speaker, TARGET_LUFS)) / 20)


def integrated_loudness(samples: NDArray[np.float32], rate: int) -> float:
    """Return the gated loudness in LUFS of mono `samples`, float32 [n].

    Raises:
        AvatarValueError: shorter than 0.4 s, or silent throughout.
    """
    block, step = round(_BLOCK_SECONDS * rate), round(_STEP_SECONDS * rate)
    if len(samples) < block:
        raise AvatarValueError(f"{len(samples) / rate:.2f} s is too short; loudness needs 0.4 s")
    power = np.square(_weighted(samples.astype(np.float64), rate))
    sums = np.concatenate([[0.0], np.cumsum(power)])
    starts = np.arange(0, len(samples) - block + 1, step)
    blocks = (sums[starts + block] - sums[starts]) / block
    audible = blocks[_lufs(blocks) > _ABSOLUTE_GATE]
    if not len(audible):
        raise AvatarValueError("the sound is silent throughout; it has no loudness")
    loud = audible[_lufs(audible) > _lufs(audible.mean()) + _RELATIVE_GATE]
    return float(_lufs(loud.mean()))


def _lufs(power: NDArray[np.float64]) -> NDArray[np.float64]:
    return _OFFSET + 10 * np.log10(np.maximum(power, 1e-12))


def _weighted(samples: NDArray[np.float64], rate: int) -> NDArray[np.float64]:
    """Apply the K weighting: a high shelf for the head, then a high pass."""
    shelf = _high_shelf(1681.974450955533, 3.999843853973347, 0.7071752369554196, rate)
    passing = _high_pass(38.13547087602444, 0.5003270373238773, rate)
    weighted: NDArray[np.float64] = lfilter(*passing, lfilter(*shelf, samples))
    return weighted


def _high_shelf(
    frequency: float, decibels: float, quality: float, rate: int
) -> tuple[list[float], list[float]]:
    """Return (b, a) of the shelf of the Audio EQ Cookbook, which BS.1770 was derived with."""
    level = 10 ** (decibels / 40)
    omega = 2 * pi * frequency / rate
    alpha, turn = sin(omega) / (2 * quality), cos(omega)
    root = 2 * sqrt(level) * alpha
    plus, minus = level + 1, level - 1
    b = [
        level * (plus + minus * turn + root),
        -2 * level * (minus + plus * turn),
        level * (plus + minus * turn - root),
    ]
    return b, [plus - minus * turn + root, 2 * (minus - plus * turn), plus - minus * turn - root]


def _high_pass(frequency: float, quality: float, rate: int) -> tuple[list[float], list[float]]:
    omega = 2 * pi * frequency / rate
    alpha, turn = sin(omega) / (2 * quality), cos(omega)
    b = [(1 + turn) / 2, -(1 + turn), (1 + turn) / 2]
    return b, [1 + alpha, -2 * turn, 1 - alpha]
