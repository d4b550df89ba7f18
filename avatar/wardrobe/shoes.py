"""Shoes and sneakers: an upper shaped over the foot, a sole under it."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.spatial import ConvexHull, cKDTree

from avatar.body.mesh import unit, vertex_normals
from avatar.body.noise import smoothstep
from avatar.body.source import SKIN_VERTICES
from avatar.body.surface import Surface
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.fitting import Fitting, GarmentResult, Worn
from avatar.wardrobe.sewing import second_colour, sewn
from avatar.wardrobe.sheet import (
    COLUMNS,
    Sheet,
    circle,
    joined_cloth,
    mirrored_cloth,
    mirrored_joints,
    ways,
)
from avatar.wardrobe.shoe_trims import FRONT, ROWS, bent, laces, quarters
from avatar.wardrobe.tailor import Cloth
from motion.skeleton import JOINT_INDEX, JOINT_NAMES

Floats = NDArray[np.floating[Any]]

_CLEAR: Final = 0.0032


@dataclass(frozen=True, slots=True)
class Last:
    """What a shoe is made over; metres on a foot 0.25 m long.

    Attributes:
        sole: its thickness. welt: how far it stands out. toe: length in front of the toes.
        heel_top: height of the opening behind. side_top: at the sides. throat: where the opening
            ends in front, in shares of the foot's length from the heel. throat_top: height there
            over the foot.
        wall: how steeply the sides rise, 0 to 1.
    """

    sole: float
    welt: float
    toe: float
    heel_top: float
    side_top: float
    throat: float
    wall: float


_DERBY: Final = Last(0.016, 0.0045, 0.016, 0.064, 0.058, 0.41, 0.55)
_FLAT: Final = Last(0.010, 0.0030, 0.010, 0.052, 0.030, 0.70, 0.45)
_SNEAKER: Final = Last(0.026, 0.0050, 0.010, 0.068, 0.058, 0.40, 0.70)


class Shoe:
    """The left shoe."""

    def __init__(self, fit: Fitting, last: Last) -> None:
        body = fit.body
        mine = body.weight_of("foot.L", "toe", "lowerleg02.L")[:SKIN_VERTICES] > 0.3
        mine &= body.vertices[:SKIN_VERTICES, 0] > 0.0
        self._chosen = np.flatnonzero(mine)
        self.foot = body.vertices[:SKIN_VERTICES][mine].astype(float)
        self._normals = vertex_normals(body.vertices, body.groups["body"].triangles)[
            :SKIN_VERTICES
        ][mine]
        self.floor = float(self.foot[:, 2].min())
        ankle = body.joint("foot.L").astype(float)
        # A shoe is made over a foot that points straight ahead, then turned as the foot stands.
        ahead = body.joint("toe2-1.L") - ankle
        angle = float(np.arctan2(ahead[0], -ahead[1]))
        self._pivot = np.array([ankle[0], ankle[1], 0.0])
        self._turn = np.array(
            [[np.cos(angle), -np.sin(angle), 0.0], [np.sin(angle), np.cos(angle), 0.0], [0, 0, 1.0]]
        )
        self.foot = (self.foot - self._pivot) @ self._turn + self._pivot
        self._normals = self._normals @ self._turn
        low = self.foot[self.foot[:, 2] < ankle[2]]
        self.heel, self.toe = float(low[:, 1].max()), float(low[:, 1].min())
        self.length = self.heel - self.toe
        self.scale = self.length / 0.25
        self.last, self.ankle = last, ankle
        near = self.foot[np.abs(self.foot[:, 1] - (self.heel - 0.68 * self.length)) < 0.02]
        self.middle = np.array([float(near[:, 0].mean()), self.heel - 0.5 * self.length])
        self.outline = self._outline(low)
        self.upper = self._upper()

    def _outline(self, low: Floats) -> Floats:
        """Return the sole's edge [c, 2] about the foot's middle, one point each way."""
        sole = low[low[:, 2] < self.floor + 0.035 * self.scale, :2]
        hull = ConvexHull(sole)
        angle = circle()
        ahead = ways(angle) @ hull.equations[:, :2].T
        inside = hull.equations[:, :2] @ self.middle + hull.equations[:, 2]
        reach = np.where(ahead > 1e-6, -inside / np.maximum(ahead, 1e-6), np.inf).min(1)
        points = self.middle + (reach + 0.0035 * self.scale)[:, None] * ways(angle)
        # A toe cap is rounder and longer than toes, its point towards the inner side.
        share = np.clip((self.middle[1] - points[:, 1]) / (0.5 * self.length), 0.0, 1.2)
        points[:, 1] -= self.last.toe * self.scale * share**3
        inner = float(np.clip(self.ankle[0] - 0.006, 0.0, 1.0))
        points[:, 0] += (inner - points[:, 0]) * 0.16 * share**4
        for _ in range(3):
            body = points[:-1]
            body = 0.5 * body + 0.25 * (np.roll(body, 1, 0) + np.roll(body, -1, 0))
            points = np.concatenate([body, body[:1]])
        return np.asarray(points)

    def _opening(self) -> Floats:
        """Return the edge [c, 3] the foot goes in by."""
        last, angle, scale = self.last, circle(), self.scale
        ahead = 0.5 + 0.5 * np.cos(angle)
        throat = self.heel - last.throat * self.length
        back = self.heel - 0.004 * scale
        middle_y, half = 0.5 * (throat + back), 0.5 * (back - throat)
        y = middle_y - half * np.cos(angle)
        sides = self._widths(y)
        x = sides.mean(1) + 0.5 * np.ptp(sides, axis=1) * np.sin(angle)
        top = np.where(
            np.cos(angle) > 0.0,
            last.side_top + 0.0 * angle,
            last.side_top + (last.heel_top - last.side_top) * np.cos(angle) ** 2,
        )
        z = self.floor + scale * top
        front = smoothstep(0.55, 1.0, ahead)
        z = z * (1.0 - front) + front * (self._instep(throat) + 0.004)
        # In front the edge lies on the foot, which is higher towards the inner side.
        lying = np.array([self._height(a, b) for a, b in zip(x, y, strict=True)]) + 0.003
        forward = smoothstep(-0.2, 0.5, np.cos(angle))
        z = z + forward * np.maximum(lying - z, 0.0)
        z = ndimage.gaussian_filter1d(z[:-1], 1.5, mode="wrap")
        return np.stack([x, y, np.append(z, z[0])], 1)

    def _height(self, x: float, y: float) -> float:
        """Return the height of the foot's back at a place, the floor's where there is none."""
        near = self.foot[np.hypot(self.foot[:, 0] - x, self.foot[:, 1] - y) < 0.010]
        near = near[near[:, 2] < self.ankle[2] + 0.01]
        return float(near[:, 2].max()) if len(near) else self.floor

    def _widths(self, y: Floats) -> Floats:
        """Return least and greatest x [n, 2] of the foot at `y`, at the height of an opening."""
        low, high = self.floor + 0.4 * self.last.side_top, self.floor + self.last.side_top + 0.006
        out = []
        for place in y:
            near = self.foot[(np.abs(self.foot[:, 1] - place) < 0.014)]
            near = near[(near[:, 2] > low) & (near[:, 2] < high)]
            usable = near if len(near) > 3 else self.foot[np.abs(self.foot[:, 1] - place) < 0.02]
            out.append((usable[:, 0].min() - 0.003, usable[:, 0].max() + 0.003))
        return np.array(out)

    def _instep(self, y: float) -> float:
        """Return the height of the foot's back at `y`."""
        near = self.foot[np.abs(self.foot[:, 1] - y) < 0.009]
        near = near[near[:, 2] < self.ankle[2] + 0.022]
        near = near[np.abs(near[:, 0] - np.median(near[:, 0])) < 0.015]
        return float(near[:, 2].max())

    def _upper(self) -> Sheet:
        """Lead cloth from the opening (first row) over the foot to the sole's edge (last)."""
        base = self.floor + 0.002
        edge = np.concatenate([self.outline, np.full((len(self.outline), 1), base)], 1)
        opening = self._opening()
        rise = (0.020 + 0.018 * self.last.wall) * self.scale
        ahead = np.clip((self.middle[1] - edge[:, 1]) / (0.5 * self.length), 0.0, 1.0)
        up = np.array([0.0, 0.0, 1.0]) * (rise * (1.0 - 0.10 * ahead))[:, None]
        out = np.concatenate([unit(edge[:, :2] - opening[:, :2]), np.zeros((len(edge), 1))], 1)
        reach = np.linalg.norm(edge[:, :2] - opening[:, :2], axis=1)[:, None]
        drop = np.minimum(0.5 * (opening[:, 2] - base), 0.02)[:, None] * [0.0, 0.0, 1.0]
        first = opening + 0.45 * reach * out - np.where(reach > 0.03, 0.2, 0.8) * drop
        second = edge + up + np.minimum(0.05 * reach, 0.002) * out
        t = np.linspace(0.0, 1.0, ROWS)[:, None, None]
        points = (
            (1 - t) ** 3 * opening
            + 3 * (1 - t) ** 2 * t * first
            + 3 * (1 - t) * t**2 * second
            + t**3 * edge
        )
        points = self._over_foot(points)
        return Sheet(self._stood(points), self._weights(points), _unrolled(points), closed=True)

    def _over_foot(self, points: Floats) -> Floats:
        """Push the upper out of the foot, evenly."""
        # What the foot stands on faces down; the upper has nothing to do with it.
        upper = self._normals[:, 2] > -0.2
        foot, normals = self.foot[upper], self._normals[upper]
        tree = cKDTree(foot)
        out = points.copy()
        centre = np.array([self.middle[0], self.middle[1], self.floor + 0.02])
        for number in range(9):
            flat = out.reshape(-1, 3)
            _, near = tree.query(flat, k=3)
            above = ((flat[:, None] - foot[near]) * normals[near]).sum(2).mean(1)
            push = np.clip(_CLEAR - above, 0.0, 0.012).reshape(out.shape[:2])
            away = Sheet(out, np.zeros((*out.shape[:2], 1)), out[..., :2], closed=True).normals
            away = unit(away + 0.3 * unit(out - centre))
            away[0, :, 2] = 0.0  # the opening keeps its height
            moved = out + push[..., None] * away
            if number < 6:
                moved = _evened(moved)
            moved[0, :, 2] = points[0, :, 2]
            moved[..., 2] = np.minimum.accumulate(moved[..., 2], 0).clip(points[-1, 0, 2])
            moved[-1] = points[-1]
            moved[:, -1] = moved[:, 0]
            out = moved
        return out

    def _weights(self, points: Floats) -> Floats:
        weights = np.zeros((*points.shape[:2], len(JOINT_NAMES)))
        weights[..., JOINT_INDEX["foot.L"]] = 1.0
        return weights

    def sock(self) -> Cloth:
        """Return the sock that fills the opening, up into the trouser leg."""
        edge = self.upper.patch(np.zeros(1), np.arange(0.0, COLUMNS + 1.0, 4.0)).points[0]
        middle = edge[:-1].mean(0)
        rings = [
            middle + [0.98, 0.98, 1.0] * (edge - middle) + [0.0, 0.0, height]
            for height in (0.07 * self.scale, -0.004)
        ]
        points = np.stack(rings)
        return Sheet(points, self._weights(points), _unrolled(points), closed=True).cloth()

    def _stood(self, points: Floats) -> Floats:
        """Return points [..., 3] turned as the foot stands."""
        return np.asarray((points - self._pivot) @ self._turn.T + self._pivot)

    def sole(self, below: float, above: float, out: float) -> Cloth:
        """Return a sole from `below` to `above` the floor level of the foot, `out` beyond it."""
        centre = self.outline[:-1].mean(0)
        away = unit(self.outline - centre)
        wide = self.outline + out * away
        share = (self.heel - self.outline[:, 1]) / self.length
        # Toes stand off the floor a little, and there is an arch between ball and heel.
        spring = 0.007 * smoothstep(0.72, 1.1, share) * self.scale
        arch = 0.30 * (-below) * np.exp(-(((share - 0.36) / 0.10) ** 2))
        levels = (
            (wide - 0.004 * away, above + 0.0 * spring),
            (wide - 0.001 * away, above + 0.0 * spring),
            (wide, above - 0.001 + 0.0 * spring),
            (wide + 0.0004 * away, 0.5 * (above + below) + 0.5 * spring),
            (wide - 0.0004 * away, below + 0.002 + spring + arch),
            (wide - 0.003 * away, below + spring + arch),
            (centre + 0.02 * (wide - centre), below + spring + arch),
        )
        points = np.stack(
            [np.concatenate([xy, (self.floor + z)[:, None]], 1)[::2] for xy, z in levels]
        )
        points, weights = self._stood(points), self._weights(points)
        return Sheet(points, weights, _unrolled(points), closed=True).cloth()


def _evened(points: Floats) -> Floats:
    """Draw each point of a closed grid [r, c, 3] a little towards its neighbours."""
    out = points.copy()
    inner = points[1:-1, :-1]
    beside = np.roll(inner, 1, 1) + np.roll(inner, -1, 1)
    out[1:-1, :-1] = 0.6 * inner + 0.1 * (beside + points[:-2, :-1] + points[2:, :-1])
    edge = points[0, :-1]
    out[0, :-1] = 0.6 * edge + 0.2 * (np.roll(edge, 1, 0) + np.roll(edge, -1, 0))
    return out


def _unrolled(points: Floats) -> Floats:
    """Return cloth coordinates [r, c, 2], metres: along and across the foot from above."""
    return np.stack([points[..., 0] + 0.5 * points[..., 2], points[..., 1]], -1)


def shoes(fit: Fitting, piece: PieceSpec, worn: Worn) -> GarmentResult:
    """Make leather shoes: laced under trousers, low flats under a skirt or a dress."""
    trousers = worn.piece("trousers")
    laced = trousers is not None
    shoe = Shoe(fit, _DERBY if laced else _FLAT)
    upper = shoe.upper
    sole = shoe.last.sole * shoe.scale
    lines = [upper.ribbon([(0.25, 0.0), (0.25, float(COLUMNS))], 0.0011, 0.0004)]
    if laced:
        cap = [(ROWS - 1.5, FRONT - 13.0), (7.5, FRONT), (ROWS - 1.5, FRONT + 13.0)]
        lines += [upper.ribbon(bent(cap), 0.0011), *quarters(upper)]
    surfaces = [
        _pair("shoes", _drawn(upper).cloth(0.0025), piece, edge=0.5),
        _pair("shoe-seams", joined_cloth(lines), piece, tint=0.45),
    ]
    if trousers is not None:
        surfaces.append(_sock(shoe, trousers))
        surfaces.append(_pair("laces", laces(upper, 4, 0.0014), piece, tint=0.35))
    dark = piece.model_copy(update={"colour": "#15110f", "pattern": "plain"})
    surfaces.append(_pair("soles", shoe.sole(-sole, 0.0035, shoe.last.welt * shoe.scale), dark))
    return GarmentResult(surfaces, _hidden(fit, shoe, 0.016 if laced else 0.0))


def sneakers(fit: Fitting, piece: PieceSpec, worn: Worn) -> GarmentResult:
    """Make sneakers: a thick pale sole, laces, a cap over the toes, a stripe at the side."""
    shoe = Shoe(fit, _SNEAKER)
    upper = shoe.upper
    pale = piece.model_copy(update={"colour": "#ece9e3", "fabric": "cotton", "pattern": "plain"})
    trim = piece.model_copy(update={"colour": second_colour(piece), "pattern": "plain"})
    sole = shoe.last.sole * shoe.scale
    rim = [(0.6, 0.0), (0.6, float(COLUMNS))]
    cap = [(ROWS - 1.5, FRONT - 12.0), (8.5, FRONT), (ROWS - 1.5, FRONT + 12.0)]
    stripes = []
    for side in (-1.0, 1.0):
        stripe = [
            (12.5, FRONT + side * 17.0),
            (7.0, FRONT + side * 23.0),
            (2.6, FRONT + side * 28.0),
        ]
        stripes.append(upper.ribbon(bent(stripe), 0.0055, 0.0005))
    surfaces = [
        _pair("sneakers", _drawn(upper).cloth(0.004), piece, edge=0.3),
        _pair("sneaker-rim", upper.ribbon(rim, 0.0042, 0.0012), piece, tint=0.8),
        _pair("sneaker-stripes", joined_cloth(stripes), trim),
        _pair(
            "sneaker-seams",
            joined_cloth([upper.ribbon(bent(cap), 0.0013), *quarters(upper)]),
            piece,
            tint=0.6,
        ),
        _pair("laces", laces(upper, 5, 0.0026), pale),
        _pair("soles", shoe.sole(-sole, 0.012, shoe.last.welt * shoe.scale), pale, floor=0.35),
    ]
    if (trousers := worn.piece("trousers")) is not None:
        surfaces.append(_sock(shoe, trousers))
    band = shoe.sole(-0.55 * sole, -0.40 * sole, (shoe.last.welt + 0.0012) * shoe.scale)
    surfaces.append(_pair("sole-line", band, trim))
    return GarmentResult(surfaces, _hidden(fit, shoe, 0.016))


def _drawn(upper: Sheet) -> Sheet:
    """Return an upper in half as many columns: it is never seen near."""
    return upper.patch(np.arange(float(ROWS)), np.arange(0.0, COLUMNS + 1.0, 2.0))


def _sock(shoe: Shoe, trousers: PieceSpec) -> Surface:
    """Return socks of the trousers' colour, a little darker."""
    return _pair("socks", shoe.sock(), trousers, tint=0.55)


def _pair(
    name: str,
    cloth: Cloth,
    piece: PieceSpec,
    *,
    tint: float = 1.0,
    edge: float = 0.35,
    floor: float = 0.22,
) -> Surface:
    both = joined_cloth([cloth, mirrored_cloth(cloth, mirrored_joints())])
    return sewn(name, both, piece, plain=True, tint=tint, edge=edge, floor=floor)


def _hidden(fit: Fitting, shoe: Shoe, over: float) -> NDArray[np.bool_]:
    """Return the body vertices [v] up to `over` metres above the shoes' opening."""
    points = fit.body.vertices.astype(float).copy()
    points[:, 0] = np.abs(points[:, 0])
    opening = shoe.upper.points[0]
    tree = cKDTree(opening[:, :2])
    _, near = tree.query(points[:, :2])
    below = opening[near, 2] + over - points[:, 2]
    in_front = points[:, 1] < opening[:, 1].min() - 0.006
    return np.asarray((below > 0.0) | (in_front & (points[:, 2] < opening[:, 2].max())))
