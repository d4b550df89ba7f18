"""Trousers."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.noise import smoothstep
from avatar.body.surface import Surface
from avatar.spec.colour import linear, mixed
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.fitting import LAYERS, Fitting, GarmentResult, Worn, above, below
from avatar.wardrobe.ornaments_solids import turned
from avatar.wardrobe.sewing import sewn
from avatar.wardrobe.sheet import (
    COLUMNS,
    Sections,
    Sheet,
    circle,
    joined_cloth,
    mirrored_cloth,
    mirrored_joints,
    nearest_weights,
    settled,
    unrolled,
    ways,
)
from avatar.wardrobe.tailor import Cloth, select

Floats = NDArray[np.floating[Any]]

# A leg's columns begin at its inner side and run by front and outer side to the back.
_ANGLES: Final = circle() + np.pi / 2.0
_FRONT, _OUTER, _BACK = COLUMNS // 4, COLUMNS // 2, 3 * COLUMNS // 4
_STEP: Final = 0.0125
_BAND: Final = 0.036  # height of the waistband, metres


@dataclass(frozen=True, slots=True)
class Cut:
    """How trousers are cut; metres on legs 0.8 m long.

    Attributes:
        thigh, knee: room over the leg.
        hem: radius at the hem.
        crease: height of the ironed crease.
    """

    thigh: float
    knee: float
    hem: float
    crease: float


_CUTS: Final = {
    "denim": Cut(0.006, 0.010, 0.068, 0.0),
    "cotton": Cut(0.009, 0.013, 0.070, 0.0),
    "knit": Cut(0.012, 0.016, 0.064, 0.0),
    "leather": Cut(0.005, 0.008, 0.064, 0.0),
}
_TAILORED: Final = Cut(0.009, 0.016, 0.076, 0.0042)


class Leg:
    """The left half of a pair of trousers, waist to hem, as one sheet closed along the inside.

    Above the crotch it ends in the plane between the legs, where the other half joins it.
    """

    def __init__(self, fit: Fitting, cut: Cut, *, over: bool) -> None:
        body = fit.body
        self._tucked = over
        self._base = LAYERS["upper"] + 0.0045 if over else LAYERS["lower"]
        self.cut, self._fit = cut, fit
        self.hip, self.knee, self.ankle = (
            body.joint(name).astype(float) for name in ("upperleg01.L", "lowerleg01.L", "foot.L")
        )
        self.scale = float(self.hip[2] - self.ankle[2]) / 0.80
        self.top = fit.waist_seam + 0.018
        self.hem = self.ankle[2] - 0.012 * self.scale
        count = round((self.top - self.hem) / _STEP) + 1
        self.heights = np.linspace(self.top, self.hem, count)
        self.sheet = self._sheet()

    def row(self, height: float) -> float:
        """Return the row at `height`, metres."""
        return float((self.top - height) / (self.top - self.hem) * (len(self.heights) - 1))

    def _sheet(self) -> Sheet:
        form = self._fit.form
        bare = form.cloth.triangles[form.arm(form.cloth.positions)[form.cloth.triangles].max(1) < 0]
        sections = Sections(form.cloth.positions, bare, self.heights)
        extent = sections.extent(left=True)
        # Below the ankle a section is one of the foot, whose middle lies too far in front.
        low = self.heights < self.ankle[2] + 0.028 * self.scale
        extent[low] = extent[~low][-1]
        extent[:, 0, 0] = np.where(self.heights > self.hip[2] - 0.10, 0.0, extent[:, 0, 0])
        middle = settled(np.repeat(extent.mean(1), 2, 1)[:, [0, 2, 0]], 3.0, 0.0)[:, :2]
        # Where the half is open inwards, rays go on to the far side; the plane stops them later.
        alone = sections.radius(middle, _ANGLES, left=True)
        across = sections.radius(middle, _ANGLES, left=False)
        radius = self._shaped(np.where((alone == 0.0).any(1)[:, None], across, alone), middle)
        points = np.concatenate(
            [
                middle[:, None] + radius[..., None] * ways(_ANGLES),
                np.broadcast_to(self.heights[:, None, None], (*radius.shape, 1)),
            ],
            2,
        )
        points = _halved(points, self.heights > self.hip[2] - 0.10)
        at = points.copy()
        at[..., 2] = np.maximum(at[..., 2], self.ankle[2] + 0.03)
        side = (form.cloth.positions[:, 0] > -0.004) & (form.arm(form.cloth.positions) < 0.0)
        return Sheet(points, nearest_weights(at, form.cloth, side), unrolled(points), closed=True)

    def _shaped(self, radius: Floats, middle: Floats) -> Floats:
        """Give the legs' distances [h, n] room, let them fall straight, crease them."""
        z, cut, scale = self.heights[:, None], self.cut, self.scale
        thigh = smoothstep(self._fit.hem, self._fit.hem - 0.07, z)
        knee = smoothstep(self.hip[2] - 0.05, self.knee[2] + 0.08, z)
        room = self._base + cut.thigh * thigh + (cut.knee - cut.thigh) * knee
        low = self.heights < self.ankle[2] + 0.028 * scale
        foot = settled(np.minimum(radius[low] + 0.014, 0.130 * scale), 0.0, 1.5)
        radius = np.where(low[:, None], radius[~low][-1], radius)
        bare = settled(radius, 1.0, 0.8)
        radius = bare + room
        plane = (middle[:, :1] + 0.030) / np.maximum(-np.sin(_ANGLES), 1e-6)
        radius = self._fallen(np.minimum(radius, plane), middle)
        down = smoothstep(self.knee[2] + 0.06, self.ankle[2] + 0.10, z)
        round_leg = cut.hem * scale
        forward = 0.016 * scale * np.cos(_ANGLES)[None] * smoothstep(self.knee[2], self.hem, z)
        radius = radius + down * np.maximum(round_leg + forward - radius, 0.0)
        radius = settled(radius, 1.2, 0.8)
        radius += self._folds()
        # Under a shirt there is no room to spare.
        close = 0.0 if self._tucked else -0.0005
        spare = close + 0.10 * np.maximum(self._fit.hem + 0.015 - z, 0.0)
        radius = np.minimum(radius, bare + self._base + spare)
        # The hem lies on the shoe, and cloth over it leads there without a step.
        radius[low] = np.maximum(radius[low], foot)
        for row in range(len(radius) - 2, -1, -1):
            radius[row] = np.maximum(radius[row], radius[row + 1] - 0.007)
        return radius

    def _fallen(self, radius: Floats, middle: Floats) -> Floats:
        """Let cloth fall from the seat: from row to row it draws in slowly, least behind."""
        out = radius.copy()
        for row in range(1, len(out)):
            moved = (middle[row - 1] - middle[row]) @ ways(_ANGLES).T
            drawn = 0.0050 + 0.0026 * np.cos(_ANGLES) - 0.003 * np.sin(_ANGLES).clip(-1, 0)
            out[row] = np.maximum(out[row], out[row - 1] + moved - drawn)
        return out

    def _folds(self) -> Floats:
        """Return small heights [h, n]: the crease, folds at crotch, knee and hem."""
        z, angle = self.heights[:, None], _ANGLES[None]
        rng = np.random.default_rng(self._fit.seed + 12)
        ironed = smoothstep(self.hip[2] + 0.02, self.hip[2] - 0.10, z)
        front = np.exp(-((angle / 0.10) ** 2)) + np.exp(-(((angle - np.pi) / 0.10) ** 2))
        out = self.cut.crease * ironed * front
        soft = 0.5 if self.cut.crease else 1.0
        for centre, reach, length, height, tilt in (
            (self.hem + 0.055, 0.045, 0.034, 0.0030, 0.012),
            (self.knee[2] + 0.01, 0.070, 0.042, 0.0016, 0.020),
            (self.hip[2] - 0.085, 0.045, 0.030, 0.0014, 0.030),
        ):
            phase = (z + tilt * np.sin(angle + 6.3 * rng.random())) / length + rng.random()
            near = np.exp(-(((z - centre) / reach) ** 2))
            out = out + soft * height * near * np.sin(2.0 * np.pi * phase)
        return np.asarray(out)


def _halved(points: Floats, joined: NDArray[np.bool_]) -> Floats:
    """Keep grid points [r, c, 3] on the left: where rows are `joined`, up to the middle plane."""
    out = points.copy()
    for row in np.flatnonzero(joined):
        x = points[row, :, 0]
        inside = x < 0.0
        for step in (1, -1):
            edge = np.flatnonzero(inside & ~np.roll(inside, -step))
            nxt = (edge + step) % len(x)
            share = (x[edge] / (x[edge] - x[nxt]))[:, None]
            out[row, edge] = points[row, edge] + share * (points[row, nxt] - points[row, edge])
    out[..., 0] = np.maximum(out[..., 0], np.where(joined, 0.0, 0.0003)[:, None])
    out[:, -1] = out[:, 0]
    return out


def trousers(fit: Fitting, piece: PieceSpec, worn: Worn) -> GarmentResult:
    """Make trousers: waistband with loops and button, fly, pockets, seams; a crease or denim."""
    leg = Leg(fit, _CUTS.get(piece.fabric, _TAILORED), over=worn.tucked)
    row, last = leg.row(fit.waist_seam - _BAND / 2.0), len(leg.heights) - 1.0
    # Under a top that hangs over them trousers end a little above its hem: coarser levels of
    # detail bring layers nearer to one another than they are.
    start = row - 0.4 if worn.tucked else leg.row(fit.hem + 0.024)
    main = leg.sheet.rows(start, last, len(leg.heights) - int(start))
    surfaces = [sewn("trousers", _both(_flattened(main.cloth(0.0022))), piece)]
    # Under a top that hangs over it the waistband is left out, and all that is sewn on up there.
    shown = leg.row(fit.hem + 0.012) if not worn.tucked else row
    surfaces += _sewn_on(leg, piece, shown)
    if worn.tucked:
        surfaces += _waistband(leg, piece, row)
    ankle = float(fit.body.joint("foot.L")[2])
    rules = (below(fit.waist_seam + 0.02), above(ankle - 0.05), lambda p: -fit.form.arm(p))
    return GarmentResult(surfaces, fit.covered(rules))


def _flattened(cloth: Cloth) -> Cloth:
    """Make normals level with the front where the halves meet; drop the wall between them."""
    middle = np.abs(cloth.positions[:, 0]) < 1e-4
    cloth.normals[middle, 0] = 0.0
    length = np.linalg.norm(cloth.normals, axis=1, keepdims=True)
    level = np.where(length > 1e-3, cloth.normals / np.maximum(length, 1e-3), [0.0, -1.0, 0.0])
    cloth.normals[:] = np.where(middle[:, None], level, cloth.normals)
    return select(cloth, ~np.asarray(middle[cloth.triangles].all(1)))


def _both(cloth: Cloth) -> Cloth:
    return joined_cloth([cloth, mirrored_cloth(cloth, mirrored_joints())])


def _sewn_on(leg: Leg, piece: PieceSpec, row: float) -> list[Surface]:
    """Return fly, pockets and seams, from `row` down."""
    denim = piece.fabric == "denim"
    sheet = leg.sheet
    drop = 1.0 / _STEP  # rows a metre
    lines, marks = [], []
    last = len(leg.heights) - 1.0
    # Outer seam, from the waistband to the hem.
    lines.append(sheet.ribbon([(row, _OUTER), (last, _OUTER)], 0.0011))
    # Slant pocket: from the waistband down to the outer seam.
    pocket = [
        (row, _OUTER - 9.5),
        (row + 0.075 * drop, _OUTER - 6.5),
        (row + 0.15 * drop, _OUTER - 0.6),
    ]
    lines.append(sheet.ribbon(pocket, 0.0016, 0.0012))
    if denim:
        marks.append(sheet.lifted(0.0004).ribbon([(r, c - 0.9) for r, c in pocket], 0.0007))
        marks.append(sheet.ribbon([(last - 1.6, 0.0), (last - 1.6, float(COLUMNS))], 0.0008))
        marks.append(sheet.ribbon([(row, _OUTER - 0.6), (last, _OUTER - 0.6)], 0.0007))
    both = [_both(joined_cloth(lines))]
    # The fly: stitched on the left, in the shape of a J.
    meet = _meeting(sheet, row)
    curve = [
        (row + 0.2, meet + 5.5),
        (row + 0.09 * drop, meet + 5.0),
        (row + 0.125 * drop, meet + 3.0),
    ]
    fly = sheet.ribbon([*curve, (row + 0.14 * drop, meet + 0.4)], 0.0009)
    centre = sheet.ribbon([(row, meet), (row + 0.15 * drop, meet)], 0.0014)
    dark = sewn("seams", joined_cloth([*both, centre]), piece, plain=True, tint=0.62)
    thread = piece.model_copy(
        update={"colour": "#b98a4e" if denim else mixed(piece.colour, "#000000", 0.35)}
    )
    stitches = [_both(joined_cloth(marks)), fly] if denim else [fly]
    return [dark, sewn("stitches", joined_cloth(stitches), thread, plain=True)]


def _waistband(leg: Leg, piece: PieceSpec, row: float) -> list[Surface]:
    sheet, meet = leg.sheet, _meeting(leg.sheet, row)
    band = sheet.rows(0.0, row, 5).lifted(0.0016)
    loops = [_loop(sheet, row, column) for column in (_FRONT + 5.0, _OUTER + 1.0, _BACK - 4.0)]
    return [
        sewn("waistband", _both(_flattened(band.cloth(0.0022))), piece, plain=True),
        sewn("loops", _both(joined_cloth(loops)), piece, plain=True, tint=0.9),
        _button(sheet, row, meet, denim=piece.fabric == "denim"),
    ]


def _meeting(sheet: Sheet, row: float) -> float:
    """Return the column in front where the two halves meet, just below the waistband."""
    x = sheet.points[int(row) + 2, : _FRONT + 1, 0]
    return float(np.flatnonzero(x < 2e-4).max())


def _loop(sheet: Sheet, row: float, column: float) -> Cloth:
    """Return a belt loop over the waistband."""
    patch = sheet.patch(np.linspace(0.0, row + 0.5, 6), column + np.linspace(-0.9, 0.9, 4))
    return patch.lifted(0.0042).cloth(0.003)


def _button(sheet: Sheet, row: float, meet: float, *, denim: bool) -> Surface:
    points, normals = sheet.at(np.array([row / 2.0]), np.array([meet + 0.6]))
    r = 0.0075 if denim else 0.0065
    profile = ((r, 0.0), (0.98 * r, 0.0016), (0.75 * r, 0.0022), (0.6 * r, 0.0013), (0.0, 0.0013))
    centre = points[0] + 0.0018 * normals[0]
    solid = turned(profile, centre, normals[0])
    weights = sheet.patch(np.array([row / 2.0]), np.array([meet])).weights[0, 0]
    return Surface(
        name="trouser-button",
        material="metal",
        texture="",
        positions=solid.positions,
        normals=solid.normals,
        uv=np.zeros((len(solid.positions), 2), np.float32),
        weights=np.repeat(weights[None], len(solid.positions), 0).astype(np.float32),
        triangles=solid.triangles,
        occludes=False,
        floor=0.5,
        values={
            "colour": list(linear("#b08d57" if denim else "#2b2926")),
            "metal": [1.0 if denim else 0.0],
        },
    )
