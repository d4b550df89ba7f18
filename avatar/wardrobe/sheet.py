"""Sheets: cloth laid out in rows and columns, and what is sewn onto them by row and column."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.spatial import cKDTree

from avatar.body.mesh import unit, vertex_normals
from avatar.wardrobe.tailor import Cloth
from motion.skeleton import JOINT_INDEX, JOINT_NAMES

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Cloth in a grid; rows run down, columns to the wearer's left, seen from outside.

    Attributes:
        points: [r, c, 3] metres. weights: [r, c, 104].
        uv: [r, c, 2] metres, around and up.
        closed: whether the last column lies on the first.
    """

    points: Floats
    weights: Floats
    uv: Floats
    closed: bool

    @property
    def normals(self) -> Floats:
        """Return unit normals [r, c, 3], alike where a closed sheet meets itself."""
        rows, columns = self.points.shape[:2]
        numbers = np.arange(rows * columns).reshape(rows, columns)
        if self.closed:
            numbers[:, -1] = numbers[:, 0]
        faces = numbers.ravel()[sheet_faces(rows, columns)].astype(np.int32)
        flat = self.points.reshape(-1, 3)
        return vertex_normals(flat, faces)[numbers.ravel()].reshape(rows, columns, 3)

    def lifted(self, distance: Floats | float) -> "Sheet":
        """Return the sheet `distance` metres further out."""
        step = np.broadcast_to(np.asarray(distance), self.points.shape[:2])
        return Sheet(
            self.points + step[..., None] * self.normals, self.weights, self.uv, self.closed
        )

    def rows(self, start: float, end: float, count: int) -> "Sheet":
        """Return `count` rows between two rows, which may be fractions."""
        return self.patch(np.linspace(start, end, count), np.arange(self.points.shape[1]) * 1.0)

    def patch(self, rows: Floats, columns: Floats) -> "Sheet":
        """Return the sheet sampled at `rows` [n] and `columns` [m], or at pairs [n, m] of them."""
        if rows.ndim == 1:
            rows, columns = np.meshgrid(rows, columns, indexing="ij")
        whole = self.closed and np.ptp(columns[0]) == self.points.shape[1] - 1
        points, weights, uv = (
            _sampled(field, rows, columns) for field in (self.points, self.weights, self.uv)
        )
        return Sheet(points, weights, uv, bool(whole))

    def at(self, rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
        """Return points and normals [n, 3] at places [n]."""
        return _sampled(self.points, rows, columns), unit(_sampled(self.normals, rows, columns))

    def cloth(self, thickness: float = 0.0) -> Cloth:
        """Return it as cloth; the open top and bottom (and sides) turn in by `thickness`."""
        rows, columns = self.points.shape[:2]
        points = self.points.reshape(-1, 3).astype(np.float32)
        made = Cloth(
            points,
            self.normals.reshape(-1, 3).astype(np.float32),
            self.weights.reshape(rows * columns, -1).astype(np.float32),
            self.uv.reshape(-1, 2).astype(np.float32),
            points,
            np.zeros(len(points), np.float32),
            sheet_faces(rows, columns),
        )
        return _turned_in(made, self, thickness) if thickness else made

    def ribbon(
        self, path: Sequence[tuple[float, float]], half: float, lift: float = 0.0006
    ) -> Cloth:
        """Return a line of stitching: a band 2 `half` metres wide along places (row, column)."""
        places = np.asarray(path, np.float64)
        step = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(places, axis=0).T))])
        wanted = np.linspace(0.0, step[-1], max(2, int(step[-1] / 0.7) + 1))
        rows, columns = (np.interp(wanted, step, column) for column in places.T)
        points, normals = self.at(rows, columns)
        along = np.gradient(points, axis=0)
        side = unit(np.cross(normals, along)) * half
        out = points + lift * normals
        grid = np.stack([out - side, out + 0.4 * half * normals, out + side])
        weights = np.repeat(_sampled(self.weights, rows, columns)[None], 3, 0)
        uv = np.repeat(_sampled(self.uv, rows, columns)[None], 3, 0)
        return Sheet(grid[::-1], weights, uv, closed=False).cloth()


def joined_cloth(cloths: Sequence[Cloth]) -> Cloth:
    """Return all `cloths` as one."""
    starts = np.cumsum([0, *(len(cloth.positions) for cloth in cloths[:-1])])
    faces = [cloth.triangles + start for cloth, start in zip(cloths, starts, strict=True)]
    rows = np.concatenate([cloth.packed() for cloth in cloths])
    return Cloth.unpacked(rows, np.concatenate(faces).astype(np.int32))


def mirrored_cloth(cloth: Cloth, joints: NDArray[np.intp]) -> Cloth:
    """Return `cloth` with left and right changed over; `joints` [104] are each one's mirror."""
    flip = np.array([-1.0, 1.0, 1.0], np.float32)
    return Cloth(
        cloth.positions * flip,
        cloth.normals * flip,
        cloth.weights[:, joints],
        cloth.uv * np.array([-1.0, 1.0], np.float32),
        cloth.base * flip,
        cloth.edge,
        np.ascontiguousarray(cloth.triangles[:, ::-1]),
    )


def mirrored_joints() -> NDArray[np.intp]:
    """Return for each joint [104] the one on the other side; those in the middle are their own."""
    other = {".L": ".R", ".R": ".L"}
    names = [name[:-2] + other.get(name[-2:], name[-2:]) for name in JOINT_NAMES]
    return np.array([JOINT_INDEX[name] for name in names])


def sheet_faces(rows: int, columns: int) -> NDArray[np.int32]:
    """Return the triangles of a grid, outside where columns run left and rows run down."""
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    a = i * columns + j
    b, c, d = a + 1, a + columns, a + columns + 1
    faces = np.stack([np.stack([a, c, b], -1), np.stack([b, c, d], -1)], 2)
    return faces.reshape(-1, 3).astype(np.int32)


def _turned_in(cloth: Cloth, sheet: Sheet, thickness: float) -> Cloth:
    """Add a hem: each open edge gets a narrow band that leads inwards."""
    rows, columns = sheet.points.shape[:2]
    numbers = np.arange(rows * columns).reshape(rows, columns)
    edges = [numbers[0], numbers[-1][::-1]]
    if not sheet.closed:
        edges += [numbers[::-1, 0], numbers[:, -1]]
    bands = [cloth]
    packed = cloth.packed()
    for edge in edges:
        outer = packed[edge].copy()
        along = np.gradient(outer[:, :3], axis=0)
        away = unit(np.cross(outer[:, 3:6], along)) + 1e-6
        outer[:, 3:6] = unit(away + 0.6 * outer[:, 3:6])
        inner = packed[edge].copy()
        inner[:, :3] -= thickness * inner[:, 3:6]
        inner[:, 3:6] = away
        inner[:, -1] = 1.0
        faces = sheet_faces(2, len(edge))
        bands.append(Cloth.unpacked(np.concatenate([inner, outer]), faces))
    return joined_cloth(bands)


def _sampled(field: Floats, rows: Floats, columns: Floats) -> Floats:
    """Return values of a grid [r, c, k] between its places, linear."""
    high, wide = field.shape[0] - 1, field.shape[1] - 1
    r, c = np.clip(rows, 0.0, high), np.clip(columns, 0.0, wide)
    i = np.minimum(r.astype(int), max(high - 1, 0))
    j = np.minimum(c.astype(int), max(wide - 1, 0))
    u, v = (r - i)[..., None], (c - j)[..., None]
    below, beside = np.minimum(i + 1, high), np.minimum(j + 1, wide)
    top = field[i, j] * (1.0 - v) + field[i, beside] * v
    low = field[below, j] * (1.0 - v) + field[below, beside] * v
    return np.asarray(top * (1.0 - u) + low * u)


# Directions of rays in a section, from the wearer's back by the right side, front and left.
COLUMNS: Final = 72


def circle(columns: int = COLUMNS) -> Floats:
    """Return the angles [columns + 1] of a closed sheet: 0 in front, plus to the left."""
    return 2.0 * np.pi * np.arange(columns + 1) / columns - np.pi


def ways(angles: Floats) -> Floats:
    """Return unit directions [..., 2] in x and y."""
    return np.stack([np.sin(angles), -np.cos(angles)], -1)


class Sections:
    """Level cuts through a surface.

    Args:
        points, triangles: the surface.
        heights: [h] metres.
    """

    def __init__(self, points: Floats, triangles: NDArray[np.int32], heights: Floats) -> None:
        self.heights = heights
        corners = points[triangles]
        low, high = corners[..., 2].min(1), corners[..., 2].max(1)
        self._cuts = [_cut(corners[(low < z) & (high > z)], z) for z in heights]

    def extent(self, *, left: bool) -> Floats:
        """Return [h, 2, 2], least and greatest x and y; of the left half (x > 0) only or of all."""
        out = np.full((len(self.heights), 2, 2), np.nan)
        for row, segments in enumerate(self._cuts):
            ends = segments.reshape(-1, 2)
            ends = ends[ends[:, 0] > 0.0] if left else ends
            if len(ends):
                out[row] = ends.min(0), ends.max(0)
        for each in out.reshape(len(out), 4).T:
            known = ~np.isnan(each)
            each[~known] = np.interp(np.flatnonzero(~known), np.flatnonzero(known), each[known])
        return out

    def radius(self, centres: Floats, angles: Floats, *, left: bool) -> Floats:
        """Return the outermost distance [h, n] from centres [h, 2] towards `angles` [n]; 0: none.

        `left`: of cuts on the wearer's left side only.
        """
        way = ways(angles)
        out = np.zeros((len(self.heights), len(angles)))
        for row, segments in enumerate(self._cuts):
            used = segments[segments[..., 0].max(1) > 0.0] if left else segments
            start, along = used[:, 0] - centres[row], used[:, 1] - used[:, 0]
            cross = way[:, None, 0] * along[None, :, 1] - way[:, None, 1] * along[None, :, 0]
            safe = np.where(np.abs(cross) < 1e-12, 1.0, cross)
            reach = (start[:, 0] * along[:, 1] - start[:, 1] * along[:, 0])[None] / safe
            share = (
                start[None, :, 0] * way[:, None, 1] - start[None, :, 1] * way[:, None, 0]
            ) / safe
            hit = (np.abs(cross) > 1e-12) & (share >= -1e-6) & (share <= 1.0 + 1e-6) & (reach > 0.0)
            out[row] = np.where(hit, reach, 0.0).max(1, initial=0.0)
        return out


def _cut(corners: Floats, height: float) -> Floats:
    """Return where triangles [t, 3, 3] cross a level: segments [t, 2, 2]."""
    above = corners[..., 2] > height
    lone = np.where((above.sum(1) == 1)[:, None], above, ~above).argmax(1)
    order = (lone[:, None] + np.arange(3)) % 3
    a, b, c = np.moveaxis(np.take_along_axis(corners, order[..., None], 1), 1, 0)
    ends = []
    for other in (b, c):
        share = (height - a[:, 2]) / np.where(a[:, 2] == other[:, 2], 1.0, other[:, 2] - a[:, 2])
        ends.append(a[:, :2] + share[:, None] * (other - a)[:, :2])
    return np.stack(ends, 1)


def settled(radius: Floats, rows: float, columns: float) -> Floats:
    """Return a table [h, n] of a closed sheet (last column as the first), smoothed."""
    inner = ndimage.gaussian_filter(radius[:, :-1], (rows, columns), mode=("nearest", "wrap"))
    return np.concatenate([inner, inner[:, :1]], 1)


def nearest_weights(points: Floats, cloth: Cloth, chosen: NDArray[np.bool_]) -> Floats:
    """Return weights [..., 104] of `points` [..., 3] as of the nearest `chosen` points of cloth."""
    distance, near = cKDTree(cloth.positions[chosen]).query(points.reshape(-1, 3), k=8)
    share = 1.0 / (distance + 0.006) ** 2
    share = share / share.sum(1, keepdims=True)
    found = (share[..., None] * cloth.weights[chosen][near]).sum(1)
    return np.asarray(found.reshape(*points.shape[:-1], -1))


def unrolled(points: Floats) -> Floats:
    """Return cloth coordinates [r, c, 2] of a grid, metres: around from its middle, and up."""
    across = np.linalg.norm(np.diff(points, axis=1), axis=2)
    around = np.concatenate([np.zeros((len(points), 1)), np.cumsum(across, 1)], 1)
    around = around - 0.5 * around[:, -1:]
    mean = np.linalg.norm(np.diff(points, axis=0), axis=2).mean(1)
    down = np.concatenate([[0.0], np.cumsum(mean)])[:, None]
    return np.stack(np.broadcast_arrays(around, points[0, :, 2].mean() - down), -1)
