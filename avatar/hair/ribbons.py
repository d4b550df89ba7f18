"""Strand paths become surfaces: closed sheets, strips that fray, and ribbons for loose locks.

Rows are float32 [n, 13]: position, normal, direction along the strand, u, v, the place along the
strand from 0 at the root to 1 at the tip, and how much brighter than the rest it is, -1 to 1.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import unit, vertex_normals
from avatar.body.noise import smoothstep
from avatar.hair.texture import CLOSED, TILE

Floats = NDArray[np.floating[Any]]
Triangles = NDArray[np.int32]

ROW: Final = 13


def sheet(
    paths: Floats, centre: Floats, *, mirrored: bool, tips: int, u: Floats | None = None
) -> tuple[Floats, Triangles, Triangles]:
    """Close paths [n, s, 3] into a sheet.

    Args:
        paths: neighbouring strands, roots first.
        centre: of the head, [3]; the sheet faces away from it.
        mirrored: turn the triangles round.
        tips: how many steps at the end fray, 0 for none.
        u: place [n] across the picture of strands; None to measure it.

    Returns:
        Rows, the triangles of the closed part, and those of the frayed tips.
    """
    count, steps = paths.shape[:2]
    faces = grid(count, steps)
    if mirrored:
        faces = faces[..., ::-1]
    positions = paths.reshape(-1, 3).astype(np.float32)
    normals = _facing(paths, faces.reshape(-1, 3).astype(np.int32), centre)
    t = np.linspace(0.0, 1.0, steps)
    tangents = unit(np.gradient(paths, axis=1)).reshape(-1, 3)
    across = across_of(paths) if u is None else u
    v = np.broadcast_to(_along(steps, tips), (count, steps)).ravel()
    tone = np.broadcast_to(_tone(across)[:, None], (count, steps)).ravel()
    rows = np.column_stack(
        [positions, normals, tangents, np.repeat(across, steps), v, np.tile(t, count), tone]
    )
    closed = faces[:, : steps - 1 - tips].reshape(-1, 3)
    frayed = faces[:, steps - 1 - tips :].reshape(-1, 3)
    return rows.astype(np.float32), closed.astype(np.int32), frayed.astype(np.int32)


def across_of(paths: Floats) -> Floats:
    """Return u [n] of neighbouring strands [n, s, 3], by how far apart they run at their widest."""
    gap = np.linalg.norm(np.diff(paths, axis=0), axis=-1)
    return np.concatenate([[0.0], np.cumsum(np.quantile(gap, 0.75, axis=1))]) / TILE


def strip(
    inner: Floats, points: Floats, centre: Floats, lean: float | None
) -> tuple[Floats, Triangles]:
    """Return a strip of short hairs that thin out from closed hair to points beyond it.

    Args:
        inner: rows [n, 13] of the closed hair where the strip begins; it is lit as they are.
        points: [n, 3, 3], where it begins, passes the edge of the closed hair, and ends.
        lean: how far hairs lean along the strip, metres; None where strands of the closed hair go
            on into it.
    """
    gaps = np.linalg.norm(np.diff(points, axis=1), axis=2)
    share = (gaps[:, :1] / (gaps.sum(1, keepdims=True) + 1e-9)) * np.array([0.0, 1.0, 0.0])
    share[:, 2] = 1.0
    rows = np.repeat(inner[:, None], 3, axis=1)
    rows[..., :3] = points
    straight = unit(points - centre)
    rows[..., 3:6] = unit(rows[..., 3:6] + (straight - rows[..., 3:6]) * share[..., None])
    if lean is not None:
        step = np.linalg.norm(np.diff(points[:, 2], axis=0), axis=1)
        along = np.concatenate([[0.0], np.cumsum(step)]) / TILE
        rows[..., 9] = along[:, None] - share * lean / TILE
    rows[..., 10] = CLOSED + share * (0.995 - CLOSED)
    faces = grid(len(inner), 3).reshape(-1, 3).astype(np.int32)
    return rows.reshape(-1, ROW).astype(np.float32), faces


def ribbons(
    paths: Floats, centre: Floats, rng: np.random.Generator, wide: float
) -> tuple[Floats, Triangles]:
    """Widen paths [n, s, 3] into ribbons `wide` metres that lie flat around `centre` [3].

    They fray over all of their length.
    """
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
    u = rng.random((count, 1, 1)) + 0.5 * sides * wide / TILE
    u = np.broadcast_to(u, (count, steps, 2))
    v = np.broadcast_to((CLOSED + 0.05 + 0.49 * t)[None, :, None], u.shape)
    tip = np.broadcast_to(t[None, :, None], u.shape)
    tone = np.broadcast_to(0.5 * rng.standard_normal((count, 1, 1)), u.shape)
    along = np.broadcast_to(tangents[:, :, None], positions.shape)
    rest = [u[..., None], v[..., None], tip[..., None], tone[..., None]]
    rows = np.concatenate([positions, normals, along, *rest], -1)
    return rows.reshape(-1, ROW).astype(np.float32), _strips(count, steps)


def grid(count: int, steps: int) -> NDArray[np.intp]:
    """Return two triangles per cell, [count - 1, steps - 1, 2, 3]."""
    i, j = np.meshgrid(np.arange(count - 1), np.arange(steps - 1), indexing="ij")
    a = i * steps + j
    first = np.stack([a, a + steps, a + 1], -1)
    second = np.stack([a + steps, a + steps + 1, a + 1], -1)
    return np.stack([first, second], 2)


def _facing(paths: Floats, faces: Triangles, centre: Floats) -> Floats:
    """Return normals [n * s, 3] of a sheet that faces away from `centre`."""
    count, steps = paths.shape[:2]
    positions = paths.reshape(-1, 3).astype(np.float32)
    normals = vertex_normals(positions, faces)
    if (normals * (positions - centre)).sum(1).mean() < 0.0:
        normals = -normals
    # Both sides face straight out where they meet, so that the parting is no crease of light.
    share = np.tile(smoothstep(0.0, 0.20, np.linspace(0.0, 1.0, steps)), count)[:, None]
    return np.asarray(unit(unit(positions - centre) * (1.0 - share) + normals * share))


def _along(steps: int, tips: int) -> Floats:
    """Return v by step: closed hair down to the last `tips` steps."""
    if tips == 0:
        return np.linspace(0.0, 1.0, steps)
    # Closed hair may show all of the picture; it ends one whole picture above the tips.
    closed = np.linspace(CLOSED - 1.0, CLOSED, steps - tips)
    return np.concatenate([closed, np.linspace(CLOSED, 0.995, tips + 1)[1:]])


def _tone(u: Floats) -> Floats:
    """Return how much brighter than the rest strands are; neighbours share it in part."""
    return np.asarray(0.5 * np.sin(7.1 * u) + 0.3 * np.sin(18.3 * u + 1.0) + 0.2 * np.sin(41.0 * u))


def _strips(count: int, steps: int) -> Triangles:
    """Return the triangles of `count` ribbons of `steps` pairs of vertices."""
    i, j = np.meshgrid(np.arange(count), np.arange(steps - 1), indexing="ij")
    a = 2 * (i * steps + j)
    faces = np.stack([np.stack([a, a + 1, a + 2], -1), np.stack([a + 1, a + 3, a + 2], -1)], 2)
    return faces.reshape(-1, 3).astype(np.int32)
