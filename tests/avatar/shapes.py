"""Small surfaces for tests."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]


def tube(rings: int = 60, around: int = 64) -> tuple[Floats, Ints]:
    """Return an open tube of radius 5 cm along z."""
    ring, step = np.mgrid[0:rings, 0:around]
    angle = 2.0 * np.pi * step / around
    points = np.stack([0.05 * np.cos(angle), 0.05 * np.sin(angle), 0.005 * ring], -1)
    at = (ring * around + step)[:-1]
    beside = (ring * around + (step + 1) % around)[:-1]
    quads = np.stack([at, beside, beside + around, at, beside + around, at + around], -1)
    return points.reshape(-1, 3).astype(np.float32), quads.reshape(-1, 3).astype(np.int32)
