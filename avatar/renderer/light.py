"""The lamps of the studio, in the world's axes (x to the body's left, y to its back, z up)."""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.spec.scene import Light

Floats = NDArray[np.float32]


def _direction(x: float, y: float, z: float) -> Floats:
    vector = np.array([x, y, z], np.float64)
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


KEY_DIRECTION: Final = _direction(0.72, -0.66, 0.58)
# The axes of a picture taken from the key lamp [3, 3]: across, up, and towards the lamp.
KEY_AXES: Final[Floats] = np.stack(
    [
        _direction(0.66, 0.72, 0.0),
        np.asarray(np.cross(KEY_DIRECTION, _direction(0.66, 0.72, 0.0)), np.float32),
        KEY_DIRECTION,
    ]
)

# Towards each lamp: key, fill, two rims.
DIRECTIONS: Final[Floats] = np.stack(
    [
        KEY_DIRECTION,
        _direction(-0.85, -0.55, 0.12),
        _direction(-0.55, 0.75, 0.42),
        _direction(0.75, 0.62, 0.35),
    ]
)
COLOURS: Final[Floats] = np.array(
    [
        [1.46, 1.32, 1.17],
        [0.170, 0.206, 0.270],
        [1.00, 1.12, 1.24],
        [1.05, 0.92, 0.78],
    ],
    np.float32,
)
SKY: Final[Floats] = np.array([0.215, 0.232, 0.268], np.float32)
GROUND: Final[Floats] = np.array([0.125, 0.100, 0.088], np.float32)

# Where the shaders' block of lamps is bound.
LAMPS: Final = 1

# What presets make of key, fill, the two rims, the sky and the ground: factors, linear RGB.
_ONE: Final = (1.0, 1.0, 1.0)
_PRESETS: Final[Mapping[str, tuple[tuple[float, float, float], ...]]] = {
    "neutral": (_ONE,) * 6,
    "warm": (
        (1.05, 0.98, 0.87),
        (1.08, 0.94, 0.79),
        (1.06, 0.94, 0.80),
        (1.08, 0.96, 0.83),
        (1.04, 0.97, 0.87),
        (1.04, 0.97, 0.88),
    ),
    "cool": (
        (0.92, 0.99, 1.09),
        (0.86, 1.00, 1.18),
        (0.90, 1.02, 1.16),
        (0.82, 1.02, 1.32),
        (0.92, 1.00, 1.10),
        (0.92, 1.00, 1.10),
    ),
    "dramatic": (
        (1.12, 1.06, 0.98),
        (0.30, 0.32, 0.38),
        (1.50, 1.60, 1.75),
        (1.60, 1.40, 1.15),
        (0.46, 0.48, 0.54),
        (0.40, 0.40, 0.42),
    ),
}


def lamp_colours(scene_light: Light) -> Floats:
    """Return the colours of key, fill, two rims, sky and ground: linear RGB and 0, [6, 4]."""
    own = np.concatenate([COLOURS, SKY[None], GROUND[None]])
    factors = np.array(_PRESETS[scene_light.preset], np.float32) * _warmth(scene_light.warmth)
    out = np.zeros((6, 4), np.float32)
    out[:, :3] = own * factors * np.float32(scene_light.intensity)
    return out


def room_tint(scene_light: Light) -> tuple[float, float, float]:
    """Return the factor on the light of a modelled room, linear RGB."""
    factors = np.array(_PRESETS[scene_light.preset], np.float32)
    tint = factors[[0, 4]].mean(0) * _warmth(scene_light.warmth)
    if scene_light.preset == "dramatic":
        tint = 0.55 * tint
    r, g, b = (tint * scene_light.intensity).tolist()
    return r, g, b


def _warmth(warmth: float) -> Floats:
    return np.array([1.0 + 0.12 * warmth, 1.0, 1.0 - 0.18 * warmth], np.float32)
