"""Cords: piping along an edge, drawstrings, and the knots of a qipao."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import unit, vertex_normals
from avatar.wardrobe.seams import following
from avatar.wardrobe.tailor import Cloth

Floats = NDArray[np.floating[Any]]

_SIDES: Final = 5


def cord(cloth: Cloth, line: Floats, radius: float) -> Cloth:
    """Return a round cord along `line` [n, 3] that moves with `cloth`."""
    along = unit(np.gradient(line, axis=0))
    side = unit(np.cross(along, np.array([0.0, -1.0, 0.0]) + 1e-3))
    up = np.cross(side, along)
    turns = 2.0 * np.pi * np.arange(_SIDES + 1) / _SIDES
    ring = np.cos(turns)[None, :, None] * side[:, None] + np.sin(turns)[None, :, None] * up[:, None]
    points = (line[:, None] + radius * ring).reshape(-1, 3)
    count, width = len(line), _SIDES + 1
    i, j = np.meshgrid(np.arange(count - 1), np.arange(width - 1), indexing="ij")
    a = i * width + j
    faces = np.stack(
        [np.stack([a, a + 1, a + width], -1), np.stack([a + 1, a + width + 1, a + width], -1)], 2
    )
    faces = faces.reshape(-1, 3).astype(np.int32)
    normals = ring.reshape(-1, 3).astype(np.float32)
    if (vertex_normals(points, faces) * normals).sum() < 0.0:
        faces = faces[:, ::-1]
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    uv = np.stack(np.broadcast_arrays(radius * turns[None], way[:, None]), -1).reshape(-1, 2)
    flat = np.zeros(len(points), np.float32)
    points = points.astype(np.float32)
    weights = np.repeat(following(cloth, line), width, 0)
    return Cloth(points, normals, weights, uv.astype(np.float32), points, flat, faces)


def on_cloth(cloth: Cloth, line: Floats, height: float) -> Floats:
    """Return the front view line [n, 2] (x, z), seen from in front, on `cloth`: points [n, 3]."""
    front = cloth.normals[:, 1] < 0.15
    points, normals = cloth.positions[front], cloth.normals[front]
    away = np.hypot(*(points[None, :, i] - line[:, j, None] for i, j in ((0, 0), (2, 1))))
    nearest = np.argsort(away, axis=1)[:, :6]
    share = 1.0 / (np.take_along_axis(away, nearest, 1) + 1e-3)
    share = (share / share.sum(1, keepdims=True))[..., None]
    normal = unit((share * normals[nearest]).sum(1))
    depth = (share[..., 0] * points[nearest][..., 1]).sum(1)
    return np.stack([line[:, 0], depth, line[:, 1]], 1) + height * normal


def knot(cloth: Cloth, at: Floats, radius: float) -> Cloth:
    """Return a knotted button at `at` [3]: a ball a little flattened."""
    rings, sides = 7, 12
    polar, around = np.meshgrid(
        np.linspace(0.05, np.pi - 0.05, rings), np.linspace(0.0, 2.0 * np.pi, sides), indexing="ij"
    )
    ball = np.stack(
        [np.sin(polar) * np.cos(around), -0.8 * np.cos(polar), np.sin(polar) * np.sin(around)], -1
    ).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(rings - 1), np.arange(sides - 1), indexing="ij")
    a = i * sides + j
    faces = np.stack(
        [np.stack([a, a + 1, a + sides], -1), np.stack([a + 1, a + sides + 1, a + sides], -1)], 2
    )
    points = (at + radius * ball).astype(np.float32)
    uv = np.stack([around, polar], -1).reshape(-1, 2).astype(np.float32) * radius
    weights = np.repeat(following(cloth, at[None]), len(points), 0)
    return Cloth(
        points, unit(ball).astype(np.float32), weights, uv, points,
        np.zeros(len(points), np.float32), faces.reshape(-1, 3).astype(np.int32),
    )  # fmt: skip
