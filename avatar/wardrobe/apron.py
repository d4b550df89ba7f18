"""Aprons: a bib with a strap about the neck, a skirt tied at the waist, a pocket."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.spatial import cKDTree

from avatar.body.mesh import unit
from avatar.body.noise import smoothstep
from avatar.spec.colour import mixed
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.fitting import LAYERS, Fitting, GarmentResult, Worn
from avatar.wardrobe.seams import Ground
from avatar.wardrobe.sewing import second_colour, sewn
from avatar.wardrobe.sheet import (
    Sections,
    Sheet,
    joined_cloth,
    nearest_weights,
    settled,
    unrolled,
    ways,
)
from avatar.wardrobe.skirt import bridged
from avatar.wardrobe.tailor import Cloth

Floats = NDArray[np.floating[Any]]

_COLUMNS: Final = 32
_STEP: Final = 0.016
_STRAP: Final = 0.011  # half its width, metres
_GROUND: Final = ("positions", "normals")
_WHOLE: Final = np.linspace(-np.pi, np.pi, 145)


class Bib:
    """The front of an apron, from the chest to the middle of the thighs."""

    def __init__(self, fit: Fitting, worn: Worn) -> None:
        body = fit.body
        self._fit = fit
        self.hip, self.knee = (
            body.joint(name).astype(float) for name in ("upperleg01.L", "lowerleg01.L")
        )
        self.neck, self.waist = fit.marks.neck, fit.waist_seam + 0.035
        self.top = float(self.neck[2]) - 0.135
        self.bottom = float(self.hip[2] - 0.55 * (self.hip[2] - self.knee[2]))
        self.width = float(fit.form.shoulder[0])
        self.beneath = [s for s in worn.beneath if s.material == "cloth"]
        count = round((self.top - self.bottom) / _STEP) + 1
        self.heights = np.linspace(self.top, self.bottom, count)
        self.sheet = self._sheet()

    def row(self, height: float) -> float:
        """Return the row at `height`, metres."""
        return float((self.top - height) / (self.top - self.bottom) * (len(self.heights) - 1))

    def _half_angle(self, radius: Floats) -> Floats:
        """Return how far around [h] the apron reaches, radians: a narrow bib, a wide skirt."""
        front = np.array([np.interp(0.0, _WHOLE, row) for row in radius])
        bib = np.arcsin(np.clip(0.64 * self.width / front, 0.0, 0.95))
        share = smoothstep(self.waist + 0.12, self.waist - 0.01, self.heights)
        reach = bib + (np.radians(84.0) - bib) * share**1.6
        return np.asarray(ndimage.gaussian_filter1d(reach, 1.5, mode="nearest"))

    def _sheet(self) -> Sheet:
        radius, middle = self._outline()
        reach = self._half_angle(radius)
        angle = reach[:, None] * np.linspace(-1.0, 1.0, _COLUMNS + 1)
        out = np.stack([np.interp(a, _WHOLE, r) for a, r in zip(angle, radius, strict=True)])
        level = np.broadcast_to(self.heights[:, None, None], (*out.shape, 1))
        points = np.concatenate([middle[:, None] + out[..., None] * ways(angle), level], 2)
        return Sheet(points, self._weights(points), unrolled(points), closed=False)

    def _outline(self) -> tuple[Floats, Floats]:
        """Return the apron's distance [h, 145] from an axis [h, 2], all around."""
        middle = np.zeros((len(self.heights), 2))
        middle[:, 1] = self._fit.body.joint("spine03")[1]
        radius = bridged(self._worn(middle), _WHOLE)
        # Cloth falls straight from the chest, and from the belly, however the legs stand.
        for row in range(1, len(radius)):
            drawn = 0.0065 if self.heights[row] > self.waist else 0.0010
            radius[row] = np.maximum(radius[row], radius[row - 1] - drawn)
        radius = np.maximum(radius - 0.003, settled(radius, 2.0, 2.5))
        free = smoothstep(self.waist - 0.05, self.bottom, self.heights)[:, None]
        rng = np.random.default_rng(self._fit.seed + 31)
        fold = np.cos(6.0 * _WHOLE + 0.8 * np.sin(4.0 * self.heights[:, None]) + 6.3 * rng.random())
        return radius + free * (0.010 + 0.006 * fold), middle

    def _worn(self, middle: Floats) -> Floats:
        """Return the distance [h, 145] that keeps clear of the body and all worn beneath."""
        form = self._fit.form
        surfaces = [(form.cloth.positions, form.cloth.triangles, LAYERS["over"] - 0.004)]
        surfaces += [(s.positions, s.triangles, 0.0085) for s in self.beneath]
        radius = np.zeros((len(self.heights), len(_WHOLE)))
        for points, triangles, clear in surfaces:
            bare = triangles[form.arm(points)[triangles].max(1) < 0.0]
            found = Sections(points, bare, self.heights).radius(middle, _WHOLE, left=False)
            radius = np.maximum(radius, np.where(found > 0.0, found + clear, 0.0))
        return radius

    def _weights(self, points: Floats) -> Floats:
        cloth = self._fit.form.cloth
        trunk = self._fit.form.arm(cloth.positions) < 0.0
        sides = [
            nearest_weights(points, cloth, trunk & (sign * cloth.positions[:, 0] > -0.004))
            for sign in (1.0, -1.0)
        ]
        left = smoothstep(-0.11, 0.11, points[..., 0])[..., None]
        both = left * sides[0] + (1.0 - left) * sides[1]
        # One nearest point is not the next one's: smooth along the cloth.
        for _ in range(4):
            both[1:-1] = 0.25 * both[:-2] + 0.5 * both[1:-1] + 0.25 * both[2:]
            both[:, 1:-1] = 0.25 * both[:, :-2] + 0.5 * both[:, 1:-1] + 0.25 * both[:, 2:]
        return np.asarray(both)


def apron(fit: Fitting, piece: PieceSpec, worn: Worn) -> GarmentResult:
    """Make an apron over whatever else is worn."""
    bib = Bib(fit, worn)
    sheet, last, wide = bib.sheet, len(bib.heights) - 1.0, float(_COLUMNS)
    waist = bib.row(bib.waist - 0.01)
    plain = piece.pattern == "plain" and not piece.second
    colour = mixed(piece.colour, "#000000", 0.25) if plain else second_colour(piece)
    trim = piece.model_copy(update={"colour": colour, "pattern": "plain"})
    hems = [
        sheet.ribbon([(1.0, 0.4), (1.0, wide - 0.4)], 0.0008),
        sheet.ribbon([(last - 1.2, 0.4), (last - 1.2, wide - 0.4)], 0.0008),
        *(sheet.ribbon([(0.0, c), (last, c)], 0.0008) for c in (0.7, wide - 0.7)),
    ]
    top = bib.row(bib.waist - 0.055)
    pocket = sheet.patch(
        np.linspace(top, top + 0.15 / _STEP, 9), wide * np.linspace(0.30, 0.70, 13)
    )
    opening = pocket.rows(0.0, 0.9, 2).lifted(0.0018)
    around = [(0.0, 0.25), (7.7, 0.25), (7.7, 11.75), (0.0, 11.75)]
    hems += [pocket.lifted(0.0034).ribbon(around, 0.0008)]
    hems += [pocket.lifted(0.0034).ribbon([(0.0, 6.0), (7.7, 6.0)], 0.0008)]
    band = sheet.rows(waist - 1.0, waist + 1.0, 3).lifted(0.0022)
    surfaces = [
        sewn("apron", sheet.cloth(0.0025), piece, floor=0.28),
        sewn("apron-pocket", pocket.lifted(0.0032).cloth(0.003), piece, floor=0.28, edge=0.5),
        sewn("apron-pocket-hem", opening.lifted(0.0032).cloth(0.002), trim),
        sewn("apron-hems", joined_cloth(hems), piece, plain=True, tint=0.66),
        sewn("apron-band", band.cloth(0.002), trim, floor=0.28),
        sewn("apron-strap", joined_cloth([_strap(fit, bib, s) for s in (1.0, -1.0)]), trim),
        sewn("apron-ties", joined_cloth(_ties(fit, bib)), trim),
    ]
    return GarmentResult(surfaces, np.zeros(len(fit.body.vertices), bool))


def _strap(fit: Fitting, bib: Bib, side: float) -> Cloth:
    """Return half the strap: from a corner of the bib over the shoulder to behind the neck."""
    corner = bib.sheet.points[1, -2 if side > 0.0 else 1]
    neck = fit.marks.neck
    over = np.array([side * 0.082, neck[1] + 0.012, neck[2] + 0.020])
    behind = np.array([0.0, neck[1] + 0.075, neck[2] + 0.020])
    knots = np.stack([corner, 0.5 * (corner + over) + [0.0, -0.02, 0.01], over, behind])
    t = np.linspace(0.0, 1.0, 34)
    path = np.stack([np.interp(t, [0.0, 0.45, 0.75, 1.0], column) for column in knots.T], 1)
    # From the shoulder on it lies under a collar.
    low, high = LAYERS["upper"] + 0.003, LAYERS["over"] + 0.002
    path, normals = _laid(fit, path, low + (high - low) * smoothstep(0.5, 0.2, t))
    under = [s for s in bib.beneath if s.name not in ("collar", "hood")]
    if under:
        points, outwards = (np.concatenate([getattr(s, c) for s in under]) for c in _GROUND)
        path = Ground(points, outwards).clear(path, 0.0030)
    along = np.gradient(path, axis=0)
    across = unit(np.cross(normals, along)) * _STRAP
    grid = np.stack([path - across, path + 0.0008 * normals, path + across], 1)
    return _ribbon(fit, grid[::-1])


def _ties(fit: Fitting, bib: Bib) -> list[Cloth]:
    """Return the ties that lead from the apron's sides around the back."""
    row = bib.row(bib.waist - 0.01)
    out = []
    for side in (1.0, -1.0):
        start = bib.sheet.at(np.array([row]), np.array([_COLUMNS if side > 0.0 else 0.0]))[0][0]
        back = np.array([0.0, 0.20, start[2] - 0.004])
        angle = np.linspace(0.0, 1.0, 16)[:, None]
        bow = np.array([side * 0.14, 0.10, 0.0]) * np.sin(np.pi * angle)
        path, normals = _laid(fit, start + angle * (back - start) + bow, LAYERS["over"] + 0.002)
        up = np.array([0.0, 0.0, 0.010])
        grid = np.stack([path + up, path + 0.0008 * normals, path - up], 1)
        out.append(_ribbon(fit, grid if side < 0.0 else grid[::-1]))
    return out


def _laid(fit: Fitting, path: Floats, lift: Floats | float) -> tuple[Floats, Floats]:
    """Lay a line [n, 3] on the form at `lift` [n] metres; return it and the normals there."""
    cloth = fit.form.cloth
    tree = cKDTree(cloth.positions)
    out = path
    normals = np.zeros_like(path)
    for _ in range(6):
        _, near = tree.query(out, k=6)
        normals = unit(cloth.normals[near].mean(1))
        above = ((out - cloth.positions[near].mean(1)) * normals).sum(1)
        moved = out + (lift - above)[:, None] * normals
        moved[0] = path[0]
        moved[1:-1] = 0.25 * moved[:-2] + 0.5 * moved[1:-1] + 0.25 * moved[2:]
        out = moved
    return out, normals


def _ribbon(fit: Fitting, grid: Floats) -> Cloth:
    """Return a band spanned by points [n, 3, 3]: along it, across it."""
    cloth = fit.form.cloth
    weights = nearest_weights(grid, cloth, fit.form.arm(cloth.positions) < 0.02)
    rows = np.moveaxis(grid, 1, 0)
    return Sheet(rows, np.moveaxis(weights, 1, 0), unrolled(rows), closed=False).cloth()
