"""Strand paths become surfaces: closed sheets, and ribbons for loose locks.

Rows are float32 [n, 12]: position, normal, direction along the strand, u, v, and the place along
the strand from 0 at the root to 1 at the tip.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import unit, vertex_normals
from avatar.body.noise import smoothstep

Floats = NDArray[np.floating[Any]]
Triangles = NDArray[np.int32]

_STRIPS = 4
_LOCK_WIDTH = 0.014


def sheet(
    paths: Floats, centre: Floats, *, mirrored: bool, tips: int
) -> tuple[Floats, Triangles, Triangles]:
    """Close paths [n, s, 3] into a sheet.

    Args:
        paths: neighbouring strands, roots first.
        centre: of the head, [3]; the sheet faces away from it.
        mirrored: turn the triangles round.
        tips: how many steps at the end fray.

    Returns:
        Rows, the triangles of the closed part, and those of the frayed tips.
    """
    count, steps = paths.shape[:2]
    faces = _grid(count, steps)
    if mirrored:
        faces = faces[..., ::-1]
    positions = paths.reshape(-1, 3).astype(np.float32)
    normals = vertex_normals(positions, faces.reshape(-1, 3).astype(np.int32))
    if (normals * (positions - centre)).sum(1).mean() < 0.0:
        normals = -normals
    # Both sides face straight out where they meet, so that the parting is no crease of light.
    t = np.linspace(0.0, 1.0, steps)
    share = np.tile(smoothstep(0.0, 0.30, t), count)[:, None]
    normals = unit(unit(positions - centre) * (1.0 - share) + normals * share)
    tangents = unit(np.gradient(paths, axis=1)).reshape(-1, 3)
    v = np.interp(np.arange(steps), [0, steps - 1 - tips, steps - 1], [0.0, 0.45, 1.0])
    u = 0.30 * np.arange(count)
    uv = np.stack(np.broadcast_arrays(u[:, None], v[None]), -1).reshape(-1, 2)
    rows = np.concatenate([positions, normals, tangents, uv, np.tile(t, count)[:, None]], 1)
    closed, frayed = (part.reshape(-1, 3) for part in (faces[:, :-tips], faces[:, -tips:]))
    return rows.astype(np.float32), closed.astype(np.int32), frayed.astype(np.int32)


def _grid(count: int, steps: int) -> NDArray[np.intp]:
    """Return two triangles per cell, [count - 1, steps - 1, 2, 3]."""
    i, j = np.meshgrid(np.arange(count - 1), np.arange(steps - 1), indexing="ij")
    a = i * steps + j
    first = np.stack([a, a + steps, a + 1], -1)
    second = np.stack([a + steps, a + steps + 1, a + 1], -1)
    return np.stack([first, second], 2)


def ribbons(
    paths: Floats, centre: Floats, rng: np.random.Generator, wide: float = _LOCK_WIDTH
) -> tuple[Floats, Triangles]:
    """Widen paths [n, s, 3] into ribbons `wide` metres that lie flat around `centre` [3]."""
    count, steps = paths.shape[:2]
    t = np.linspace(0.0, 1.0, steps)
    tangents = unit(np.gradient(paths, axis=1))
    across = unit(np.cross(tangents, unit(paths - centre)))
    facing = np.cross(across, tangents)
    half = 0.5 * wide * (0.75 + 0.5 * rng.random((count, 1)))
    width = half * np.interp(t, [0, 0.35, 1], [0.55, 1.0, 0.5])
    sides = np.array([-1.0, 1.0])
    positions = paths[:, :, None] + sides[:, None] * (across * width[..., None])[:, :, None]
    normals = unit(facing[:, :, None] + 0.45 * sides[:, None] * across[:, :, None])
    strip = rng.integers(0, _STRIPS, (count, 1)) + np.array([0.02, 0.98])[None]
    u = np.broadcast_to(strip[:, None] / _STRIPS, (count, steps, 2))
    v = np.broadcast_to(0.99 * t[None, :, None], u.shape)
    tip = np.broadcast_to(t[None, :, None], u.shape)
    along = np.broadcast_to(tangents[:, :, None], positions.shape)
    columns = [positions, normals, along, u[..., None], v[..., None], tip[..., None]]
    rows = np.concatenate(columns, -1).reshape(-1, 12).astype(np.float32)
    return rows, _strips(count, steps)


def _strips(count: int, steps: int) -> Triangles:
    """Return the triangles of `count` ribbons of `steps` pairs of vertices."""
    i, j = np.meshgrid(np.arange(count), np.arange(steps - 1), indexing="ij")
    a = 2 * (i * steps + j)
    faces = np.stack([np.stack([a, a + 1, a + 2], -1), np.stack([a + 1, a + 3, a + 2], -1)], 2)
    return faces.reshape(-1, 3).astype(np.int32)
