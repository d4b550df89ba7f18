"""Skirts, and the skirt of a dress."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from avatar.body.noise import smoothstep
from avatar.body.surface import Surface
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.fitting import (
    LAYERS,
    WAISTBAND,
    Fitting,
    GarmentResult,
    Rule,
    Worn,
    above,
    below,
)
from avatar.wardrobe.sewing import sewn
from avatar.wardrobe.sheet import (
    COLUMNS,
    Sections,
    Sheet,
    circle,
    nearest_weights,
    settled,
    unrolled,
    ways,
)

Floats = NDArray[np.floating[Any]]

_ANGLES: Final = circle(COLUMNS)
_FRONT: Final = COLUMNS // 2
_STEP: Final = 0.018
_BAND: Final = 0.034


@dataclass(frozen=True, slots=True)
class Line:
    """How a skirt falls.

    Attributes:
        room: metres over the hips.
        flare: how much wider it is at the hem than at the hips, metres of radius.
        folds: depth of the folds at the hem, metres.
        count: of the folds around.
        below_knee: how far the hem lies below the knee, in shares of the thigh.
    """

    room: float
    flare: float
    folds: float
    count: int
    below_knee: float


_PENCIL: Final = Line(0.007, -0.014, 0.0, 9, -0.06)
_A_LINE: Final = Line(0.009, 0.075, 0.012, 11, 0.02)
_DRESS: Final = Line(0.008, 0.090, 0.016, 13, 0.06)
_STIFF: Final = ("denim", "leather", "knit", "twill")


class Fall:
    """A skirt from waist to hem as one sheet, closed behind.

    Args:
        top: height of its upper edge. base: how far it stands off the body at the waist, metres.
        close: whether a loose top hangs over it.
    """

    def __init__(
        self, fit: Fitting, line: Line, top: float, base: float, *, close: bool = False
    ) -> None:
        body = fit.body
        self._fit, self.line, self._base, self._close = fit, line, base, close
        self.hip = body.joint("upperleg01.L").astype(float)
        self.knee = body.joint("lowerleg01.L").astype(float)
        thigh = float(self.hip[2] - self.knee[2])
        self.top, self.hem = top, float(self.knee[2]) - line.below_knee * thigh
        count = round((self.top - self.hem) / _STEP) + 1
        self.heights = np.linspace(self.top, self.hem, count)
        self.sheet = self._sheet()

    def row(self, height: float) -> float:
        """Return the row at `height`, metres."""
        return float((self.top - height) / (self.top - self.hem) * (len(self.heights) - 1))

    def reach(self, middle: Floats, heights: Floats, angles: Floats) -> Floats:
        """Return how far [h, n] from an axis [h, 2] the skirt reaches at heights; 0: no skirt."""
        cloth = self.sheet.cloth()
        return Sections(cloth.positions, cloth.triangles, heights).radius(
            middle, angles, left=False
        )

    def _sheet(self) -> Sheet:
        form = self._fit.form
        faces = form.cloth.triangles
        bare = faces[form.arm(form.cloth.positions)[faces].max(1) < 0]
        sections = Sections(form.cloth.positions, bare, self.heights)
        extent = sections.extent(left=False)
        middle = np.stack([np.zeros(len(extent)), extent[:, :, 1].mean(1)], 1)
        # The axis stays where the hips are: a skirt hangs from there.
        hips = np.abs(self.heights - self.hip[2]).argmin()
        middle[hips:] = middle[hips]
        bare = sections.radius(middle, _ANGLES, left=False)
        radius = np.minimum(self._shaped(bare), bridged(bare, _ANGLES) + self._spare())
        level = np.broadcast_to(self.heights[:, None, None], (*radius.shape, 1))
        points = np.concatenate([middle[:, None] + radius[..., None] * ways(_ANGLES), level], 2)
        return Sheet(points, self._weights(points), unrolled(points), closed=True)

    def _spare(self) -> Floats:
        """Return how far [h, 1] it may stand off the body: under a loose top close, then free."""
        if not self._close:
            return np.full((len(self.heights), 1), np.inf)
        below_top = np.maximum(self._fit.hem + 0.012 - self.heights, 0.0)
        return np.asarray(self._base + 0.6 * below_top)[:, None]

    def _shaped(self, radius: Floats) -> Floats:
        z, line = self.heights[:, None], self.line
        # Thighs stand apart; cloth goes straight from one to the other, in front and behind.
        bare, radius = radius, settled(bridged(radius, _ANGLES), 1.0, 1.5)
        room = self._base + line.room * smoothstep(self.top - 0.03, self.hip[2], z)
        least = (
            np.maximum(bare, radius)
            + self._base
            + 0.004 * smoothstep(self.top - 0.02, self.top - 0.06, z)
        )
        radius = radius + room
        free = smoothstep(self.hip[2] + 0.01, self.hem, z)
        for row in range(1, len(radius)):
            drawn = 0.0 if line.flare > 0.0 else 0.0020
            drawn = drawn if self.heights[row] < self.hip[2] else 0.012
            radius[row] = np.maximum(radius[row], radius[row - 1] - drawn)
        radius = np.maximum(settled(radius, 1.5, 1.5) + line.flare * free, least)
        rng = np.random.default_rng(self._fit.seed + 21)
        wander = 0.35 * np.sin(2.0 * _ANGLES + 6.3 * rng.random())
        phase = line.count * (_ANGLES + 0.12 * wander)[None] + 0.5 * np.sin(3.0 * z)
        fold = np.cos(phase) + 0.35 * np.cos(2.1 * phase + 6.3 * rng.random())
        # The seam behind must close whatever the folds do.
        fold = fold + (fold[:, :1] - fold[:, -1:]) * (_ANGLES[None] / (2.0 * np.pi))
        return np.asarray(radius + line.folds * free**1.3 * fold)

    def _weights(self, points: Floats) -> Floats:
        """Hang from the hips; lower down follow both legs, each on its own side, evenly."""
        cloth = self._fit.form.cloth
        legs = self._fit.form.arm(cloth.positions) < 0.0
        sides = [
            _evened(nearest_weights(points, cloth, legs & (sign * cloth.positions[:, 0] > 0.0)))
            for sign in (1.0, -1.0)
        ]
        wide = 0.12 + 0.05 * smoothstep(self.hip[2], self.hem, points[..., 2])
        left = smoothstep(-1.0, 1.0, points[..., 0] / wide)[..., None]
        return np.asarray(left * sides[0] + (1.0 - left) * sides[1])


def bridged(radius: Floats, angles: Floats) -> Floats:
    """Return each row's convex outline of a closed table [h, n]: cloth spans what is hollow."""
    way = ways(angles[:-1])
    out = radius.copy()
    for row, reach in enumerate(radius[:, :-1]):
        hull = ConvexHull(way * np.maximum(reach, 1e-3)[:, None])
        ahead = way @ hull.equations[:, :2].T
        distance = np.where(ahead > 1e-6, -hull.equations[:, 2] / np.maximum(ahead, 1e-6), np.inf)
        out[row, :-1] = distance.min(1)
    out[:, -1] = out[:, 0]
    return out


def _evened(weights: Floats) -> Floats:
    """Return weights of one leg, the same all around a row below the hips."""
    mean = np.broadcast_to(weights.mean(1, keepdims=True), weights.shape)
    share = np.linspace(0.0, 1.0, len(weights))[:, None, None]
    share = np.clip(3.0 * share, 0.0, 1.0)
    return np.asarray((1.0 - share) * weights + share * mean)


def skirt(fit: Fitting, piece: PieceSpec, worn: Worn) -> GarmentResult:
    """Make a skirt to the knee: a pencil of stiff cloth, else an A-line."""
    stiff = piece.fabric in _STIFF
    line = _PENCIL if stiff else _A_LINE
    fall = Fall(fit, line, fit.waist_seam + WAISTBAND, LAYERS["lower"], close=not worn.tucked)
    row, last = fall.row(fit.waist_seam - _BAND / 2.0), len(fall.heights) - 1.0
    # Under a top that hangs over it a skirt ends a little above the hem, as trousers do.
    start = row if worn.tucked else max(row, fall.row(fit.hem + 0.024))
    main = fall.sheet.rows(start - 0.4, last, len(fall.heights) - int(start))
    surfaces = [sewn("skirt", main.cloth(0.0022), piece, floor=0.25)]
    lines = [fall.sheet.ribbon([(last - 1.4, 0.0), (last - 1.4, float(COLUMNS))], 0.0008)]
    if stiff:
        side = COLUMNS // 4
        columns = _FRONT - side, _FRONT + side
        lines += [fall.sheet.ribbon([(start, c), (last, c)], 0.0010) for c in columns]
    surfaces += [
        sewn(f"skirt-seam-{number}", line, piece, plain=True, tint=0.6)
        for number, line in enumerate(lines)
    ]
    if worn.tucked:
        band = fall.sheet.rows(0.0, row, 5).lifted(0.0016)
        surfaces.append(sewn("skirt-band", band.cloth(0.0022), piece, plain=True, tint=0.92))
    return GarmentResult(surfaces, fit.covered(covering(fit, fall)))


def dress_skirt(fit: Fitting, piece: PieceSpec, _worn: Worn) -> GarmentResult:
    """Make the lower half of a dress, from `fit.waist_seam` down."""
    fall = Fall(fit, _DRESS, fit.waist_seam + 0.006, LAYERS["upper"])
    surfaces: list[Surface] = [sewn("dress-skirt", fall.sheet.cloth(0.0022), piece, floor=0.25)]
    return GarmentResult(surfaces, fit.covered(covering(fit, fall)))


def covering(fit: Fitting, fall: Fall) -> tuple[Rule, ...]:
    """Return the rules of what a skirt covers: from the waist to the hem, not the arms."""
    return below(fall.top), above(fall.hem + 0.035), lambda points: -fit.form.arm(points)
