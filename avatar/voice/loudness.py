"""Loudness after ITU-R BS.1770-4, and the fixed gain that brings each voice to -16 LUFS."""

from collections.abc import Mapping
from math import pi, tan
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.errors import AvatarValueError

TARGET_LUFS: Final = -16.0

_BLOCK_SECONDS: Final = 0.4
_STEP_SECONDS: Final = 0.1
_ABSOLUTE_GATE: Final = -70.0
_RELATIVE_GATE: Final = -10.0
_OFFSET: Final = -0.691

_MEASURED: Final[Mapping[str, float]] = {
    "light": -25.2,
    "zf_xiaobei": -20.1,
    "af_heart": -22.6,
    "zf_xiaoni": -18.1,
    "zf_xiaoxiao": -16.1,
    "zf_xiaoyi": -18.7,
    "zm_yunjian": -20.8,
    "zm_yunxi": -20.6,
    "zm_yunxia": -20.4,
    "zm_yunyang": -23.1,
    "af_alloy": -20.7,
    "af_aoede": -17.5,
    "af_bella": -21.9,
    "af_jessica": -21.4,
    "af_kore": -18.3,
    "af_nicole": -21.8,
    "af_nova": -25.8,
    "af_river": -20.6,
    "af_sarah": -20.2,
    "af_sky": -23.1,
}
"""LUFS of each speaker before any gain, over the sentences of `measure.measure_loudness`. The light
voice counts 0.7 less than it is: the limiter takes that much from its peaks.
"""

_TYPICAL: Final = -21.5


def gain(speaker: str) -> float:
    """Return the factor for the samples of `speaker`; a typical one where it was not measured."""
    return 10 ** ((TARGET_LUFS - _MEASURED.get(speaker, _TYPICAL)) / 20)


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
    """Apply the K weighting: a high shelf for the head, then a high pass.

    The filters of BS.1770 at 48 kHz, for any rate (De Man, Evaluation of implementations of the
    EBU R128 loudness measurement, 2018).
    """
    from scipy.signal import lfilter  # takes a second to import, which no speech need wait for

    turn = tan(pi * 1681.974450955533 / rate)
    high = 10 ** (3.999843853973347 / 20)
    middle = high**0.4996667741545416
    slope = turn / 0.7071752369554196
    b = [
        high + middle * slope + turn**2,
        2 * (turn**2 - high),
        high - middle * slope + turn**2,
    ]
    shelved = lfilter(b, _poles(turn, slope), samples)
    turn = tan(pi * 38.13547087602444 / rate)
    a = _poles(turn, turn / 0.5003270373238773)
    return np.asarray(lfilter([a[0], -2 * a[0], a[0]], a, shelved), np.float64)


def _poles(turn: float, slope: float) -> list[float]:
    return [1 + slope + turn**2, 2 * (turn**2 - 1), 1 - slope + turn**2]
