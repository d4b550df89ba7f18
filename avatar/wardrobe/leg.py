"""The legs of trousers: how cloth hangs from the seat, falls straight, and lies on the shoe."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.noise import smoothstep
from avatar.body.source import SKIN_VERTICES
from avatar.wardrobe.fitting import LAYERS, WAISTBAND, Fitting
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

# A leg is worked out in columns from its inner side by front and outer side to the back, and in
# rows this far apart, metres; it is drawn in half as many columns, and no more rows than show.
_ANGLES: Final = circle() + np.pi / 2.0
_STEP: Final = 0.0125
# Heights over the hem and, from there up, how far apart the rows that are drawn lie, metres.
_DRAWN: Final = ((0.0, 0.011), (0.09, 0.022), (0.30, 0.016), (0.46, 0.024))
# Two more columns stand close beside the middle of the front, where cloth is creased.
_FRONT: Final = COLUMNS // 4
_BESIDE: Final = 0.8
_COLUMNS: Final = np.insert(
    np.arange(0.0, COLUMNS + 1.0, 2.0),
    _FRONT // 2 + np.array([0, 1]),
    _FRONT + _BESIDE * np.array([-1, 1]),
)
DRAWN_COLUMNS: Final = len(_COLUMNS) - 1
FRONT: Final = _FRONT // 2 + 1
OUTER: Final = COLUMNS // 4 + 2


@dataclass(frozen=True, slots=True)
class Cut:
    """How trousers are cut; metres on legs 0.8 m long.

    Attributes:
        room: over the leg.
        straight: 0 follows the leg, 1 falls straight from thigh to hem.
        hem: radius at the hem.
        crease: height of the ironed crease.
    """

    room: float
    straight: float
    hem: float
    crease: float


class Leg:
    """The left half of a pair of trousers, waist to hem, as one sheet closed along the inside.

    Above the crotch it ends in the plane between the legs, where the other half joins it.

    Args:
        over: whether the upper garment is tucked in, and lies under the trousers.
        shoes: points [n, 3] of the shoes that the hem lies on.
    """

    def __init__(self, fit: Fitting, cut: Cut, shoes: Floats, *, over: bool) -> None:
        body = fit.body
        self._tucked = over
        self._base = LAYERS["lower"]
        self.cut, self._fit = cut, fit
        self.hip, self.knee, self.ankle = (
            body.joint(name).astype(float) for name in ("upperleg01.L", "lowerleg01.L", "foot.L")
        )
        self.scale = float(self.hip[2] - self.ankle[2]) / 0.80
        feet = np.concatenate([body.vertices[:SKIN_VERTICES], shoes]).astype(float)
        near = (feet[:, 0] > 0.0) & (feet[:, 2] < self.ankle[2] + 0.03)
        self._foot = feet[near]
        self.top = fit.waist_seam + WAISTBAND
        self.hem = float(body.vertices[:SKIN_VERTICES, 2].min()) + 0.040
        count = round((self.top - self.hem) / _STEP) + 1
        self.heights = np.linspace(self.top, self.hem, count)
        self.levels = _levels(self.top, self.hem)
        self.sheet = self._drawn(self._sheet())

    def row(self, height: float) -> float:
        """Return the row of `sheet` at `height`, metres."""
        return float(np.interp(-height, -self.levels, np.arange(len(self.levels))))

    def _drawn(self, fine: Sheet) -> Sheet:
        """Return the sheet at the heights `levels`, which are no more than its form needs."""
        rows = np.interp(-self.levels, -self.heights, np.arange(len(self.heights)))
        sheet = fine.patch(
            np.repeat(rows[:, None], len(_COLUMNS), 1), _COLUMNS[None] + 0.0 * rows[:, None]
        )
        ironed = self.cut.crease * smoothstep(self.hip[2] + 0.02, self.hip[2] - 0.10, self.levels)
        height = np.zeros(sheet.points.shape[:2])
        height[:, FRONT] = ironed
        creased = sheet.points + height[..., None] * sheet.normals
        return Sheet(creased, sheet.weights, sheet.uv, closed=True)

    def _sheet(self) -> Sheet:
        form = self._fit.form
        bare = form.cloth.triangles[form.arm(form.cloth.positions)[form.cloth.triangles].max(1) < 0]
        sections = Sections(form.cloth.positions, bare, self.heights)
        middle = self._axis(sections.extent(left=True))
        # Where the half is open inwards, rays go on to the far side; the plane stops them later.
        alone = sections.radius(middle, _ANGLES, left=True)
        across = sections.radius(middle, _ANGLES, left=False)
        radius = self._shaped(np.where((alone == 0.0).any(1)[:, None], across, alone), middle)
        level = np.broadcast_to(self.heights[:, None, None], (*radius.shape, 1))
        points = np.concatenate([middle[:, None] + radius[..., None] * ways(_ANGLES), level], 2)
        crotch = self.hip[2] - 0.10 * self.scale
        gap = np.maximum(points[..., 0].min(1), 0.0)
        # Under the crotch cloth closes what is but a slit.
        closing = smoothstep(crotch - 0.05, crotch, self.heights) * gap
        closing = np.maximum(closing, np.minimum(gap, 0.005))
        inside = np.maximum(-np.sin(_ANGLES), 0.0) ** 2
        points[..., 0] -= closing[:, None] * inside
        points = _halved(points, self.heights > crotch)
        points[..., 2] += self._raised(points)
        at = points.copy()
        at[..., 2] = np.maximum(at[..., 2], self.ankle[2] + 0.03)
        side = (form.cloth.positions[:, 0] > -0.004) & (form.arm(form.cloth.positions) < 0.0)
        return Sheet(points, nearest_weights(at, form.cloth, side), unrolled(points), closed=True)

    def _axis(self, extent: Floats) -> Floats:
        """Return the middle [h, 2] of the leg: from the thigh down a straight line to the ankle."""
        extent[:, 0, 0] = np.where(self.heights > self.hip[2] - 0.10, 0.0, extent[:, 0, 0])
        middle = settled(np.repeat(extent.mean(1), 2, 1)[:, [0, 2, 0]], 3.0, 0.0)[:, :2]
        thigh = int(np.argmax(self.heights < self.hip[2] - 0.16))
        ankle = int(np.argmax(self.heights < self.ankle[2] + 0.035))
        share = (self.heights - self.heights[thigh]) / (self.heights[ankle] - self.heights[thigh])
        line = middle[thigh] + share[:, None] * (middle[ankle] - middle[thigh])
        return np.asarray(np.where((share > 0.0)[:, None], line, middle))

    def _shaped(self, radius: Floats, middle: Floats) -> Floats:
        """Give the legs' distances [h, n] room, let them fall straight, fold them."""
        z, cut = self.heights[:, None], self.cut
        low = self.heights < self.ankle[2] + 0.035 * self.scale
        radius = np.where(low[:, None], radius[~low][-1], radius)
        bare = settled(radius, 1.0, 0.8)
        thigh = smoothstep(self._fit.hem, self._fit.hem - 0.07, z)
        radius = bare + self._base + cut.room * thigh
        plane = (middle[:, :1] + 0.030) / np.maximum(-np.sin(_ANGLES), 1e-6)
        radius = self._fallen(np.minimum(radius, plane), middle)
        radius[low] = np.maximum(radius[low], self._hem_radius(middle[-1]))
        legs = self.heights < self.hip[2] - 0.15
        hung = radius.copy()
        hung[legs] = _hull(self.heights[legs], radius[legs])
        straight = cut.straight * smoothstep(self.hip[2] - 0.15, self.hip[2] - 0.25, z)
        straight = np.maximum(straight, smoothstep(self.ankle[2] + 0.20, self.ankle[2] + 0.06, z))
        radius = settled(radius + straight * (hung - radius), 1.2, 0.6) + self._folds()
        # Under a shirt there is no room to spare.
        close = 0.0 if self._tucked else -0.0005
        spare = close + 0.10 * np.maximum(self._fit.hem + 0.015 - z, 0.0)
        return np.asarray(np.minimum(radius, bare + self._base + spare))

    def _hem_radius(self, middle: Floats) -> Floats:
        """Return the hem's distances [n] from `middle`: clear of the heel, over the instep."""
        away = self._foot[self._foot[:, 2] > self.hem - 0.012, :2] - middle
        angle, reach = np.arctan2(away[:, 0], -away[:, 1]), np.hypot(*away.T)
        gap = np.abs((_ANGLES[:, None] - angle + np.pi) % (2.0 * np.pi) - np.pi)
        heel = np.where(gap < 0.16, reach, 0.0).max(1) + 0.0045
        round_hem = self.cut.hem * self.scale + 0.022 * smoothstep(0.0, 1.0, np.cos(_ANGLES))
        behind = smoothstep(0.35, -0.35, np.cos(_ANGLES))
        widest = round_hem + behind * (0.100 * self.scale - round_hem)
        hem = np.maximum(np.minimum(heel, widest), round_hem)
        return np.asarray(settled(hem[None], 0.0, 2.0)[0])

    def _raised(self, points: Floats) -> Floats:
        """Return how far [h, n] cloth is pushed up by the shoe, on whose instep the hem lies."""
        front = points[-1, _FRONT]
        ahead = self._foot[np.abs(self._foot[:, 0] - front[0]) < 0.022]
        ahead = ahead[np.abs(ahead[:, 1] - front[1]) < 0.012]
        lying = float(ahead[:, 2].max()) + 0.004 if len(ahead) else self.hem
        share = (0.5 + 0.5 * np.cos(_ANGLES)[None]) ** 1.4
        near = smoothstep(self.hem + 0.22, self.hem, self.heights)[:, None]
        return np.asarray(max(lying - self.hem, 0.0) * share * near)

    def _fallen(self, radius: Floats, middle: Floats) -> Floats:
        """Let cloth fall from the seat: from row to row it draws in slowly, least behind."""
        out = radius.copy()
        for row in range(1, len(out)):
            moved = (middle[row - 1] - middle[row]) @ ways(_ANGLES).T
            drawn = 0.0050 + 0.0026 * np.cos(_ANGLES) - 0.003 * np.sin(_ANGLES).clip(-1, 0)
            out[row] = np.maximum(out[row], out[row - 1] + moved - drawn)
        return out

    def _folds(self) -> Floats:
        """Return small heights [h, n]: folds at crotch, knee and hem."""
        z, angle = self.heights[:, None], _ANGLES[None]
        rng = np.random.default_rng(self._fit.seed + 12)
        out = np.zeros((len(z), angle.shape[1]))
        soft = 0.6 if self.cut.crease else 1.0
        for centre, reach, length, height, tilt in (
            (self.hem + 0.075, 0.045, 0.060, 0.0024, 0.030),
            (self.knee[2] + 0.01, 0.075, 0.060, 0.0020, 0.024),
            (self.hip[2] - 0.085, 0.045, 0.050, 0.0016, 0.030),
        ):
            phase = (z + tilt * np.sin(angle + 6.3 * rng.random())) / length + rng.random()
            near = np.exp(-(((z - centre) / reach) ** 2))
            ahead = 0.6 + 0.4 * np.cos(angle + rng.random() - 0.5)
            out = out + soft * height * near * ahead * np.sin(2.0 * np.pi * phase)
        return np.asarray(out)


def _levels(top: float, hem: float) -> Floats:
    """Return the heights, falling, of the rows that are drawn."""
    rising, steps = (np.array(column) for column in zip(*_DRAWN, strict=True))
    heights = [hem]
    while heights[-1] < top:
        heights.append(heights[-1] + float(steps[rising <= heights[-1] - hem + 1e-9][-1]))
    return np.array([top, *reversed(heights[:-1])])


def _hull(heights: Floats, radius: Floats) -> Floats:
    """Return the least tables [h, n] over `radius` that bend inwards nowhere: taut, as hung."""
    out = np.empty_like(radius)
    for column in range(radius.shape[1]):
        chain: list[int] = []
        values = radius[:, column]
        for row in range(len(heights)):
            while len(chain) > 1 and _sags(heights, values, chain[-2], chain[-1], row):
                chain.pop()
            chain.append(row)
        out[:, column] = np.interp(-heights, -heights[chain], values[chain])
    return out


def _sags(heights: Floats, values: Floats, *rows: int) -> bool:
    """Return whether the middle one of three rows lies under the line between the others."""
    a, b, c = rows
    share = (heights[a] - heights[b]) / (heights[a] - heights[c])
    return bool(values[b] <= values[a] + share * (values[c] - values[a]))


def clipped(path: Sequence[tuple[float, float]], row: float) -> list[tuple[float, float]]:
    """Return the part of a line of places (row, column) that lies below `row`."""
    out: list[tuple[float, float]] = []
    for (a, c), (b, d) in pairwise(path):
        if b > row > a:
            out.append((row, c + (row - a) / (b - a) * (d - c)))
        elif a >= row:
            out.append((a, c))
    return [*out, path[-1]] if path[-1][0] >= row else out


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
