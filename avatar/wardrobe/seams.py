"""Seams: the lines along which pieces are sewn on, and the strips sewn to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from avatar.body.mesh import boundary_edges, unit, vertex_normals
from avatar.wardrobe.tailor import Cloth

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Seam:
    """A line on cloth, its points evenly spaced.

    Attributes:
        points, normals: float [n, 3]; normals point out of the cloth.
        away: float [n, 3], unit, along the cloth and out over its edge.
        closed: whether the last point joins the first.
    """

    points: Floats
    normals: Floats
    away: Floats
    closed: bool

    @property
    def length(self) -> Floats:
        """Return the way [n] from the first point, metres."""
        steps = np.linalg.norm(np.diff(self.points, axis=0), axis=1)
        return np.concatenate([[0.0], np.cumsum(steps)])


def edge_seam(cloth: Cloth, near: Floats, count: int, rounds: int = 3) -> Seam:
    """Return the open edge of unrimmed `cloth` whose middle is nearest to `near` [3].

    It runs with the cloth on its left, seen from outside. `rounds` of smoothing.
    """
    loops = _loops(boundary_edges(cloth.triangles))
    middles = [np.linalg.norm(cloth.positions[loop].mean(0) - near) for loop in loops]
    # A speck of cloth left by a cut has an edge, too, but a short one.
    sizes = [np.ptp(cloth.positions[loop], axis=0).max() for loop in loops]
    usable = [i for i, size in enumerate(sizes) if size > 0.1 * max(sizes)]
    loop = loops[min(usable, key=lambda i: middles[i])]
    rows = np.concatenate([cloth.positions[loop], cloth.normals[loop]], 1)
    rows = _resampled(rows, count, closed=True)
    for _ in range(rounds):
        rows = 0.5 * rows + 0.25 * (np.roll(rows, 1, 0) + np.roll(rows, -1, 0))
    points, normals = rows[:, :3], unit(rows[:, 3:])
    along = unit(np.roll(points, -1, 0) - np.roll(points, 1, 0))
    return Seam(points, normals, unit(np.cross(along, normals)), closed=True)


def _loops(edges: NDArray[np.int32]) -> list[list[int]]:
    following = dict(edges.tolist())
    loops: list[list[int]] = []
    while following:
        start, at = following.popitem()
        loop = [start]
        while at in following:
            loop.append(at)
            at = following.pop(at)
        loops.append(loop)
    return loops


def _resampled(rows: Floats, count: int, *, closed: bool) -> Floats:
    """Return `count` rows [count, k] evenly spaced along the line of their first three columns."""
    line = np.concatenate([rows, rows[:1]]) if closed else rows
    way = np.linalg.norm(np.diff(line[:, :3], axis=0), axis=1)
    place = np.concatenate([[0.0], np.cumsum(way + 1e-9)])
    wanted = np.linspace(0.0, place[-1], count, endpoint=not closed)
    return np.stack([np.interp(wanted, place, column) for column in line.T], 1)


def strip(seam: Seam, rows: Sequence[Floats], cloth: Cloth) -> Cloth:
    """Return cloth spanned by lines of points [n, 3], one under the other, along a seam.

    The first row is the one sewn on. It moves as the parts of `cloth` nearest to it do.
    """
    grid = np.stack(rows)
    if seam.closed:
        grid = np.concatenate([grid, grid[:, :1]], 1)
    count, width = grid.shape[:2]
    faces = grid_faces(count, width)
    flat = grid.reshape(-1, 3)
    middle = count // 2
    across = np.cross(np.gradient(grid[middle], axis=0), grid[-1] - grid[middle])
    outwards = seam.normals if not seam.closed else np.concatenate([seam.normals, seam.normals[:1]])
    if (across * outwards).sum() < 0.0:
        faces = faces[:, ::-1]
    # Normals as of a closed ring: both copies of the joining line have the same.
    welded = np.arange(count * width).reshape(count, width)
    if seam.closed:
        welded[:, -1] = welded[:, 0]
    normals = vertex_normals(flat, welded.ravel()[faces].astype(np.int32))[welded.ravel()]
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(grid[0], axis=0), axis=1))])
    steps = np.linalg.norm(np.diff(grid, axis=0), axis=2).mean(1)
    down = np.concatenate([[0.0], np.cumsum(steps)])
    uv = np.stack(np.broadcast_arrays(along[None, :], down[:, None]), -1).reshape(-1, 2)
    points = flat.astype(np.float32)
    return Cloth(
        points,
        normals,
        following(cloth, flat),
        uv.astype(np.float32),
        points,
        np.zeros(len(flat), np.float32),
        faces,
    )


def following(cloth: Cloth, points: Floats) -> Floats:
    """Return skinning weights [n, 104] of `points` as of the parts of `cloth` nearest to them."""
    distance, nearest = cKDTree(cloth.positions).query(points, k=6)
    share = 1.0 / (distance + 0.004) ** 2
    share = share / share.sum(1, keepdims=True)
    return np.asarray((share[..., None] * cloth.weights[nearest]).sum(1), np.float32)


def grid_faces(rows: int, columns: int) -> NDArray[np.int32]:
    """Return the triangles [t, 3] of a grid of points, row after row."""
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    a = i * columns + j
    b, c, d = a + 1, a + columns, a + columns + 1
    return (
        np.stack([np.stack([a, b, c], -1), np.stack([b, d, c], -1)], 2)
        .reshape(-1, 3)
        .astype(np.int32)
    )


class Ground:
    """A surface that strips are laid on."""

    def __init__(self, points: Floats, normals: Floats) -> None:
        self._points = points
        self._normals = normals
        self._tree = cKDTree(points)

    def height(self, points: Floats) -> tuple[Floats, Floats]:
        """Return the heights [n] of points over the surface, and its normals [n, 3] there."""
        distance, nearest = self._tree.query(points, k=4)
        share = 1.0 / (distance + 1e-3) ** 2
        share = (share / share.sum(1, keepdims=True))[..., None]
        normals = unit((share * self._normals[nearest]).sum(1))
        foot = (share * self._points[nearest]).sum(1)
        return ((points - foot) * normals).sum(1), normals

    def lack(self, points: Floats, least: float, reach: float) -> Floats:
        """Return how much points [n] within `reach` lack of `least` metres over the surface."""
        distance, _ = self._tree.query(points)
        height, _ = self.height(points)
        near = np.clip(2.0 - 2.0 * distance / reach, 0.0, 1.0)
        return np.asarray(np.clip(least - height, 0.0, 0.03) * near)

    def clear(self, points: Floats, least: Floats | float) -> Floats:
        """Return points [n, 3] lifted to `least` metres over the surface, by at most 2 cm."""
        height, normals = self.height(points)
        return np.asarray(points + np.clip(least - height, 0.0, 0.02)[:, None] * normals)
