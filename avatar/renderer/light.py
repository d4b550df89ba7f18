"""The lamps of the studio, in the world's axes (x to the body's left, y to its back, z up)."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def _direction(x: float, y: float, z: float) -> Floats:
    vector = np.array([x, y, z], np.float64)
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


KEY_DIRECTION: Final = _direction(0.50, -0.80, 0.62)
# The axes of a picture taken from the key lamp [3, 3]: across, up, and towards the lamp.
KEY_AXES: Final[Floats] = np.stack(
    [
        _direction(0.80, 0.50, 0.0),
        np.asarray(np.cross(KEY_DIRECTION, _direction(0.80, 0.50, 0.0)), np.float32),
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
        [1.12, 1.04, 0.963],
        [0.245, 0.279, 0.340],
        [0.88, 0.99, 1.10],
        [0.90, 0.774, 0.648],
    ],
    np.float32,
)
SKY: Final[Floats] = np.array([0.26, 0.27, 0.30], np.float32)
GROUND: Final[Floats] = np.array([0.17, 0.13, 0.11], np.float32)
