"""Buttons."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import unit, vertex_normals
from avatar.body.surface import Surface
from avatar.spec.colour import RGB

Floats = NDArray[np.floating[Any]]

_AROUND = 20
# Radius and height of the rings from rim to middle, in shares of the radius.
_PROFILE = ((1.0, 0.0), (0.96, 0.22), (0.78, 0.26), (0.62, 0.14), (0.0, 0.14))


def button(
    cloth: Surface,
    x: float,
    height: float,
    radius: float = 0.0072,
    *,
    name: str = "button",
    colour: RGB = (0.020, 0.022, 0.030),
) -> Surface:
    """Sew a button on the front of `cloth` at `x`, `height` (metres)."""
    away = np.hypot(cloth.positions[:, 0] - x, cloth.positions[:, 2] - height)
    away = away + np.where(cloth.normals[:, 1] < 0.0, 0.0, 1.0)
    nearest = np.argsort(away, kind="stable")[:6]
    share = (1.0 / (away[nearest] + 1e-4))[:, None]
    share = share / share.sum()
    normal = unit((share * cloth.normals[nearest]).sum(0))
    centre = (share * cloth.positions[nearest]).sum(0)
    centre = np.array([x, centre[1], height]) + 0.0045 * normal
    across = unit(np.cross(normal, np.array([0.0, 0.0, 1.0])))
    positions, triangles = _disc(centre, across, np.cross(across, normal), normal, radius)
    if (vertex_normals(positions, triangles) @ normal).sum() < 0.0:
        triangles = triangles[:, ::-1]
    count = len(positions)
    weights = np.repeat((share * cloth.weights[nearest]).sum(0)[None], count, 0)
    return Surface(
        name=name,
        material="cloth",
        texture="cotton-plain",
        positions=positions,
        normals=vertex_normals(positions, triangles),
        uv=np.zeros((count, 2), np.float32),
        weights=weights.astype(np.float32),
        triangles=triangles,
        floor=0.5,
        values={
            "colour": list(colour),
            "second": list(colour),
            "sheen": [0.5, 0.5, 0.5],
            "repeat": [1.0],
        },
    )


def _disc(
    centre: Floats, across: Floats, up: Floats, normal: Floats, radius: float
) -> tuple[Floats, NDArray[np.int32]]:
    angle = 2.0 * np.pi * np.arange(_AROUND) / _AROUND
    circle = np.cos(angle)[:, None] * across + np.sin(angle)[:, None] * up
    rings = [centre + radius * (share * circle + rise * normal) for share, rise in _PROFILE]
    i, j = np.meshgrid(np.arange(len(_PROFILE) - 1), np.arange(_AROUND), indexing="ij")
    a, b = i * _AROUND + j, i * _AROUND + (j + 1) % _AROUND
    c, d = a + _AROUND, b + _AROUND
    faces = np.stack([np.stack([a, b, c], -1), np.stack([b, d, c], -1)], 2)
    return np.concatenate(rings).astype(np.float32), faces.reshape(-1, 3).astype(np.int32)
