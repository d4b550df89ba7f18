"""Cutting cloth: keep a part of a surface, and give its open edges thickness."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import boundary_edges, compact, unit

Floats = NDArray[np.floating[Any]]
Triangles = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Cloth:
    """A surface with the columns cloth needs.

    Attributes:
        positions, normals: float32 [n, 3]. weights: float32 [n, 104]. uv: float32 [n, 2].
        base: float32 [n, 3], where each point lies on the uncut mannequin.
        edge: float32 [n], 1 on the turned-in rim of an edge.
        triangles: int32 [t, 3].
    """

    positions: Floats
    normals: Floats
    weights: Floats
    uv: Floats
    base: Floats
    edge: Floats
    triangles: Triangles

    def packed(self) -> Floats:
        """Return all columns side by side, float32 [n, 116]."""
        columns = (self.positions, self.normals, self.weights, self.uv, self.base)
        return np.concatenate([*columns, self.edge[:, None]], 1)

    @classmethod
    def unpacked(cls, rows: Floats, triangles: Triangles) -> "Cloth":
        """Undo `packed`."""
        joints = rows.shape[1] - 12
        bounds = np.cumsum([3, 3, joints, 2, 3])
        positions, normals, weights, uv, base, edge = np.split(rows, bounds, axis=1)
        return cls(positions, normals, weights, uv, base, edge[:, 0], triangles)


def cut(cloth: Cloth, keep: Floats) -> Cloth:
    """Keep where `keep` [n] is positive; triangles it crosses are split along its zero line."""
    rows, triangles = cloth.packed(), cloth.triangles
    inside = keep > 0.0
    count = inside[triangles].sum(1)
    whole = triangles[count == 3]
    crossed = triangles[(count == 1) | (count == 2)]
    fresh: list[Floats] = []
    known: dict[tuple[int, int], int] = {}

    def crossing(a: int, b: int) -> int:
        key = (min(a, b), max(a, b))
        if key not in known:
            share = keep[key[0]] / (keep[key[0]] - keep[key[1]])
            fresh.append(rows[key[0]] * (1.0 - share) + rows[key[1]] * share)
            known[key] = len(rows) + len(fresh) - 1
        return known[key]

    pieces: list[tuple[int, int, int]] = []
    for triangle in crossed.tolist():
        polygon: list[int] = []
        for a, b in zip(triangle, triangle[1:] + triangle[:1], strict=True):
            if inside[a]:
                polygon.append(a)
            if inside[a] != inside[b]:
                polygon.append(crossing(a, b))
        pieces += [(polygon[0], polygon[i], polygon[i + 1]) for i in range(1, len(polygon) - 1)]
    extra = np.array(fresh, np.float32).reshape(-1, rows.shape[1])
    faces = np.concatenate([whole, np.array(pieces, np.int32).reshape(-1, 3)])
    used, numbered = compact(faces)
    return Cloth.unpacked(np.concatenate([rows, extra])[used], numbered)


def rim(cloth: Cloth, thickness: float, sewn_on: int = 0) -> Cloth:
    """Turn open edges inwards by `thickness` metres, with a crease of its own normals.

    `sewn_on`: edges between the first so many points stay as they are: they never show.
    """
    edges = boundary_edges(cloth.triangles)
    edges = edges[(edges >= sewn_on).any(1)]
    used, numbered = np.unique(edges, return_inverse=True)
    first, second = numbered.reshape(-1, 2).T
    start, count = len(cloth.positions), len(used)
    outward = np.zeros((start, 3), np.float32)
    along = cloth.positions[edges[:, 1]] - cloth.positions[edges[:, 0]]
    across = unit(np.cross(along, cloth.normals[edges[:, 0]])).astype(np.float32)
    np.add.at(outward, edges[:, 0], across)
    np.add.at(outward, edges[:, 1], across)
    outer = cloth.packed()[used]
    # Where an edge folds back on itself its directions cancel: the cloth's own normal serves.
    away = unit(outward[used] + 1e-3 * cloth.normals[used])
    outer[:, 3:6] = unit(away + 0.6 * cloth.normals[used])
    inner = outer.copy()
    inner[:, :3] -= thickness * cloth.normals[used]
    # The edge of a thin strip is narrower than a pixel: it is not to glint or break up in dashes.
    thin = 1.5 if thickness < 0.003 else 0.0
    inner[:, 3:6] = unit(away + thin * cloth.normals[used])
    inner[:, -1] = 0.6 if thin else 1.0
    rows = np.concatenate([cloth.packed(), outer, inner])
    a, b = start + first, start + second
    strip = np.concatenate(
        [np.stack([b, a, a + count], 1), np.stack([b, a + count, b + count], 1)]
    ).astype(np.int32)
    return Cloth.unpacked(rows, np.concatenate([cloth.triangles, strip]))


def select(cloth: Cloth, chosen: NDArray[np.bool_]) -> Cloth:
    """Keep the triangles where `chosen` [t] holds."""
    used, numbered = compact(cloth.triangles[chosen])
    return Cloth.unpacked(cloth.packed()[used], numbered)


def offset(cloth: Cloth, distance: Floats | float) -> Cloth:
    """Push every point out along its normal by `distance` metres."""
    step = np.broadcast_to(np.asarray(distance, np.float32), len(cloth.positions))
    return replace(cloth, positions=cloth.positions + cloth.normals * step[:, None])


def joined(pieces: Sequence[Cloth]) -> Cloth:
    """Put pieces side by side into one, without joining their edges."""
    starts = np.cumsum([0, *(len(piece.positions) for piece in pieces[:-1])])
    triangles = [p.triangles + start for p, start in zip(pieces, starts, strict=True)]
    rows = np.concatenate([piece.packed() for piece in pieces])
    return Cloth.unpacked(rows, np.concatenate(triangles).astype(np.int32))


def refined(
    rows: Floats, triangles: Triangles, chosen: NDArray[np.bool_]
) -> tuple[Floats, Triangles]:
    """Split the `chosen` [t] triangles in four, and their neighbours so that no gap opens.

    Rows [n, k] are averaged along split edges.
    """
    edges = np.sort(np.stack([triangles, np.roll(triangles, -1, 1)], -1), 2)
    unique, number = np.unique(edges.reshape(-1, 2), axis=0, return_inverse=True)
    number = number.reshape(-1, 3)
    split = np.zeros(len(unique), bool)
    split[number[chosen]] = True
    index = np.where(split, len(rows) + np.cumsum(split) - 1, -1)
    fresh = 0.5 * (rows[unique[split, 0]] + rows[unique[split, 1]])
    middle, cuts = index[number], split[number]
    faces = [triangles[cuts.sum(1) == 0]]
    for count in (1, 2, 3):
        some = cuts.sum(1) == count
        # Turn each triangle so that its first edge is split and, of two split ones, its second.
        pattern = cuts[some]
        first = pattern & (np.roll(pattern, -1, 1) if count == 2 else True)
        turn = (first.argmax(1)[:, None] + np.arange(3)) % 3
        a, b, c = np.take_along_axis(triangles[some], turn, 1).T
        ab, bc, ca = np.take_along_axis(middle[some], turn, 1).T
        corners = {
            1: ((a, ab, c), (ab, b, c)),
            2: ((ab, b, bc), (a, ab, bc), (a, bc, c)),
            3: ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)),
        }[count]
        faces += [np.stack(corner, 1) for corner in corners]
    return np.concatenate([rows, fresh]), np.concatenate(faces).astype(np.int32)
