"""Small solid forms that ornaments are put together from: tubes along a path, turned shapes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import unit, vertex_normals

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Solid:
    """A closed form.

    Attributes:
        positions, normals: float32 [n, 3]. triangles: int32 [t, 3].
    """

    positions: Floats
    normals: Floats
    triangles: NDArray[np.int32]


def joined(solids: list[Solid]) -> Solid:
    """Return all `solids` as one."""
    starts = np.cumsum([0, *(len(solid.positions) for solid in solids[:-1])])
    faces = [s.triangles + start for s, start in zip(solids, starts, strict=True)]
    return Solid(
        np.concatenate([solid.positions for solid in solids]),
        np.concatenate([solid.normals for solid in solids]),
        np.concatenate(faces).astype(np.int32),
    )


def mirrored(solid: Solid) -> Solid:
    """Return `solid` with left and right changed over."""
    flip = np.array([-1.0, 1.0, 1.0], np.float32)
    return Solid(solid.positions * flip, solid.normals * flip, solid.triangles[:, ::-1])


def tube(
    path: Floats,
    across: Floats,
    half: Floats | tuple[float, float],
    *,
    closed: bool = False,
    sides: int = 8,
) -> Solid:
    """Sweep an oval along `path`.

    Args:
        path: [n, 3] metres.
        across: [3] or [n, 3], roughly the direction of the oval's first half axis.
        half: the oval's half axes, metres, [2] or [n, 2]: along `across`, and at right angles.
        closed: whether the end joins the start; open ends are capped.
        sides: corners of the oval.
    """
    ahead = np.roll(path, -1, 0) - np.roll(path, 1, 0)
    if not closed:
        ahead[0], ahead[-1] = path[1] - path[0], path[-1] - path[-2]
    along = unit(ahead)
    first = np.broadcast_to(np.asarray(across, np.float64), path.shape)
    first = unit(first - (first * along).sum(1, keepdims=True) * along)
    second = np.cross(along, first)
    size = np.broadcast_to(np.asarray(half, np.float64), (len(path), 2))
    angle = 2.0 * np.pi * np.arange(sides) / sides
    u, w = np.cos(angle)[None, :, None], np.sin(angle)[None, :, None]
    a, b = size[:, None, :1], size[:, None, 1:]
    rings = path[:, None] + u * a * first[:, None] + w * b * second[:, None]
    outward = unit(u * b * first[:, None] + w * a * second[:, None])
    faces = grid(len(path) if closed else len(path) - 1, sides, len(path))
    solid = Solid(
        rings.reshape(-1, 3).astype(np.float32),
        outward.reshape(-1, 3).astype(np.float32),
        faces,
    )
    return solid if closed else _capped(solid, sides, along)


def _capped(solid: Solid, sides: int, along: Floats) -> Solid:
    """Close both ends with flat fans of their own normals."""
    count = len(solid.positions)
    fan = np.stack([np.zeros(sides - 2), np.arange(1, sides - 1), np.arange(2, sides)], 1)
    start, end = solid.positions[:sides], solid.positions[-sides:]
    ends = np.repeat(np.stack([-along[0], along[-1]]), sides, 0)
    return Solid(
        np.concatenate([solid.positions, start, end]),
        np.concatenate([solid.normals, ends]).astype(np.float32),
        np.concatenate([solid.triangles, fan[:, ::-1] + count, fan + count + sides]).astype(
            np.int32
        ),
    )


def turned(
    profile: tuple[tuple[float, float], ...],
    centre: Floats,
    axis: Floats,
    around: int = 20,
    flat: bool = False,
) -> Solid:
    """Turn a `profile` of (radius, height) in metres about `axis` through `centre`.

    A flat one has creases along its rings instead of a smooth face.
    """
    axis = unit(np.asarray(axis, np.float64))
    helper = np.array([1.0, 0.0, 0.0]) if abs(axis[0]) < 0.8 else np.array([0.0, 0.0, 1.0])
    side = unit(np.cross(axis, helper))
    up = np.cross(axis, side)
    angle = 2.0 * np.pi * np.arange(around) / around
    circle = np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * up
    bands = [profile[i : i + 2] for i in range(len(profile) - 1)] if flat else [profile]
    solids = []
    for band in bands:
        rings = [centre + radius * circle + height * axis for radius, height in band]
        positions = np.concatenate(rings).astype(np.float32)
        faces = grid(len(band) - 1, around, len(band))
        solids.append(Solid(positions, vertex_normals(positions, faces), faces))
    return joined(solids)


def grid(rows: int, columns: int, rows_held: int) -> NDArray[np.int32]:
    """Return triangles between rings of `columns` vertices; row `rows_held` is row 0 again."""
    i, j = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    nxt, beside = (i + 1) % rows_held, (j + 1) % columns
    a, b = i * columns + j, i * columns + beside
    c, d = nxt * columns + j, nxt * columns + beside
    faces = np.stack([np.stack([a, b, c], -1), np.stack([b, d, c], -1)], 2)
    return faces.reshape(-1, 3).astype(np.int32)
