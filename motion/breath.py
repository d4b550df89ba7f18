"""Breathing and postural sway: what a body does while it does nothing."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from motion.controls import CONTROL_INDEX, CONTROLS
from motion.noise import Drift
from motion.style import NATURAL, StyleSpec

_BREATH: Final = 4.3  # seconds; 14 breaths a minute
_INHALE: Final = 0.42  # share of a breath

# control, period in seconds, greatest size in its unit. Two periods an octave or more apart each,
# so that no swing repeats.
_SWAYS: Final = (
    ("sway_x", 7.3, 1.6),
    ("sway_x", 2.9, 0.25),
    ("sway_y", 6.1, 0.6),
    ("torso_pitch", 5.3, 0.9),
    ("torso_tilt", 6.7, 1.7),
    ("torso_turn", 4.7, 2.6),
    ("head_pitch", 3.7, 1.8),
    ("head_pitch", 1.3, 0.5),
    ("head_tilt", 4.1, 3.0),
    ("head_turn", 3.1, 3.8),
    ("head_turn", 1.1, 0.6),
    ("forward_left", 3.9, 3.0),
    ("forward_right", 4.3, 3.0),
    ("flex_left", 3.3, 4.0),
    ("flex_right", 2.9, 4.0),
    ("inward_left", 5.1, 2.0),
    ("inward_right", 4.9, 2.0),
    ("supinate_left", 2.7, 7.0),
    ("supinate_right", 3.5, 7.0),
    ("wrist_flex_left", 2.3, 4.0),
    ("wrist_flex_right", 2.1, 4.0),
    ("index_left", 2.2, 4.0),
    ("index_right", 2.5, 4.0),
    ("ring_left", 2.8, 5.0),
    ("ring_right", 2.6, 5.0),
)


class Sway:
    """Slow wandering of the whole body, and the breath, as controls. A function of time."""

    def __init__(self, seed: int, style: StyleSpec = NATURAL) -> None:
        self._drift = Drift(seed, [period / style.tempo for _, period, _ in _SWAYS])
        self._sizes = np.zeros((len(_SWAYS), CONTROLS))
        for row, (control, _, size) in enumerate(_SWAYS):
            self._sizes[row, CONTROL_INDEX[control]] = size * _share(control, style)

    def __call__(self, at: float) -> NDArray[np.float64]:
        """Return controls float64 [CONTROLS] to be added to a posture."""
        controls = self._drift(at) @ self._sizes
        controls[CONTROL_INDEX["breath"]] = breath(at)
        return np.asarray(controls, np.float64)


def _share(control: str, style: StyleSpec) -> float:
    if control.startswith("head"):
        return style.head
    return style.torso if control.startswith(("sway", "torso")) else style.amplitude


def breath(at: float) -> float:
    """Return how full the chest is, 0 to 1: in faster than out, with no corner."""
    phase = math.fmod(at, _BREATH) / _BREATH
    if phase < _INHALE:
        return 0.5 - 0.5 * math.cos(math.pi * phase / _INHALE)
    return 0.5 + 0.5 * math.cos(math.pi * (phase - _INHALE) / (1.0 - _INHALE))
