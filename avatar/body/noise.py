"""Small numeric helpers for painting: smooth steps and seeded value noise."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import ndimage

Floats = NDArray[np.floating[Any]]


def smoothstep(low: float, high: float, values: ArrayLike) -> Floats:
    """Return 0 below `low`, 1 above `high`, cubic between (`low` may exceed `high`)."""
    t = np.clip((np.asarray(values, np.float32) - low) / (high - low), 0.0, 1.0)
    return np.asarray(t * t * (3.0 - 2.0 * t), np.float32)


def bump(distance: ArrayLike, width: float) -> Floats:
    """Return a Gaussian of `distance` with standard deviation `width`, 1 at 0."""
    return np.asarray(np.exp(-0.5 * (np.asarray(distance) / width) ** 2), np.float32)


def value_noise(shape: tuple[int, int], scale: float, seed: int, octaves: int = 1) -> Floats:
    """Return tiling value noise [height, width] of unit deviation; `scale` is pixels per cell."""
    rng = np.random.default_rng(seed)
    total = np.zeros(shape, np.float32)
    amplitude = 1.0
    for _ in range(octaves):
        cells = tuple(max(2, round(size / scale)) for size in shape)
        grid = rng.standard_normal(cells).astype(np.float32)
        factors = [size / count for size, count in zip(shape, cells, strict=True)]
        total += amplitude * _resize(grid, shape, factors)
        amplitude *= 0.5
        scale = max(1.0, scale / 2.0)
    return np.asarray(total / (total.std() + 1e-6), np.float32)


def _resize(grid: Floats, shape: tuple[int, int], factors: list[float]) -> Floats:
    rows = (np.arange(shape[0]) / factors[0]).astype(np.float32)
    columns = (np.arange(shape[1]) / factors[1]).astype(np.float32)
    where = np.meshgrid(rows, columns, indexing="ij")
    return np.asarray(ndimage.map_coordinates(grid, where, order=1, mode="grid-wrap"), np.float32)
