"""The torso as distances from an axis: how cloth hangs from it and how patterns run round it."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.interpolate import LinearNDInterpolator, NearestNDInterpolator
from scipy.spatial import ConvexHull

from avatar.body.source import Body
from avatar.wardrobe.mannequin import Mannequin

Floats = NDArray[np.floating[Any]]

_ANGLES: Final = 96
_STEP: Final = 0.010
_SPINE: Final = ("root", "spine04", "spine03", "spine02", "spine01", "neck01")
# Hanging cloth leaves the body by at most this, metres.
_FREE: Final = 0.055


@dataclass(frozen=True, slots=True)
class Torso:
    """Distances of the torso's form from an upright axis that follows the spine.

    Attributes:
        radius: float64 [96, h], metres, by angle (0 is front, to the left) and height.
        low: height of the first row; rows are 10 mm apart.
        spine: float64 [k, 2], height and y of the axis.
        armpit: height below which cloth hangs.
    """

    radius: Floats
    low: float
    spine: Floats
    armpit: float

    @classmethod
    def of(cls, body: Body, form: Mannequin) -> "Torso":
        """Measure the torso of a form."""
        spine = np.array([body.joint(name)[[2, 1]] for name in _SPINE], np.float64)
        points = form.cloth.positions[form.arm(form.cloth.positions) < 0.005]
        low = float(body.joint("upperleg01.L")[2]) - 0.10
        points = points[points[:, 2] > low - 0.03]
        heights = np.arange(low, float(points[:, 2].max()), _STEP)
        away = points[:, 1] - np.interp(points[:, 2], *spine.T)
        angle, radius = np.arctan2(points[:, 0], -away), np.hypot(points[:, 0], away)
        turns = np.concatenate([angle + turn for turn in (-2 * np.pi, 0.0, 2 * np.pi)])
        known = np.stack([turns, np.tile(points[:, 2] * 6.0, 3)], 1)
        chosen = np.abs(turns) < 1.2 * np.pi
        values = np.tile(radius, 3)[chosen]
        grid = np.stack(np.meshgrid(_circle(), heights * 6.0, indexing="ij"), -1)
        table = LinearNDInterpolator(known[chosen], values)(grid)
        nearest = NearestNDInterpolator(known[chosen], values)(grid)
        table = np.where(np.isnan(table), nearest, table)
        table = ndimage.gaussian_filter(table, (1.0, 1.0), mode=("wrap", "nearest"))
        return cls(table, low, spine, float(form.shoulder[2]) - 0.09)

    def hanging(self, points: Floats, slack: float) -> Floats:
        """Return how far [n, 3] cloth at `points` stands off where it hangs.

        Args:
            slack: 0 keeps to the form, 1 falls straight from chest and shoulder blades.
        """
        # Straight down is not along the spine, which bends: places are compared, not distances.
        heights = self.low + np.arange(self.radius.shape[1]) * _STEP
        bend = -np.cos(_circle())[:, None] * np.interp(heights, *self.spine.T)[None, :]
        hung = self.radius + bend
        spread = _convex(self.radius) + bend
        rows = (self.armpit - self.low) / _STEP
        for row in range(int(rows), -1, -1):
            inwards = 0.04 + 1.2 * (1.0 - slack)
            hung[:, row] = np.maximum(spread[:, row], hung[:, row + 1] - inwards * _STEP)
        # What hangs is smooth, not its distance from the form, which creases under the bust.
        hung = ndimage.gaussian_filter(hung - bend, (1.5, 2.0), mode=("wrap", "nearest"))
        extra = np.clip(hung - self.radius, 0.0, _FREE) * min(1.0, 2.0 * slack)
        angle, height = self._place(points)
        amount = _sampled(extra, angle, height)
        return np.stack([np.sin(angle), -np.cos(angle), np.zeros_like(angle)], 1) * amount[:, None]

    def unrolled(self, points: Floats) -> Floats:
        """Return cloth coordinates [n, 2] in metres: around from the front, and up.

        Above the armpits the way up follows the slope of chest and shoulders.
        """
        angle, row = self._place(points)
        radius = ndimage.gaussian_filter(self.radius, (3.0, 3.0), mode=("wrap", "nearest"))
        step = 2.0 * np.pi / _ANGLES
        around = np.cumsum(np.hypot(radius, np.gradient(radius, step, axis=0)) * step, 0)
        around = around - around[_ANGLES // 2]
        slope = np.gradient(radius, _STEP, axis=1)
        longer = np.minimum(np.hypot(1.0, slope), 3.0) - 1.0
        rows = np.arange(radius.shape[1]) * _STEP + self.low
        up = np.cumsum(longer * (rows > self.armpit) * _STEP, 1)
        below = _sampled(around, angle, row, wrap=False)
        # Over chest and shoulders the threads run straight up, as seen from in front.
        high = np.clip((points[:, 2] - self.armpit + 0.03) / 0.11, 0.0, 1.0)
        across = below + high * (1.07 * points[:, 0] - below)
        return np.stack([across, points[:, 2] + _sampled(up, angle, row)], 1).astype(np.float32)

    def _place(self, points: Floats) -> tuple[Floats, Floats]:
        away = points[:, 1] - np.interp(points[:, 2], *self.spine.T)
        return np.arctan2(points[:, 0], -away), (points[:, 2] - self.low) / _STEP


def _circle() -> Floats:
    return 2.0 * np.pi * np.arange(_ANGLES) / _ANGLES - np.pi


def _sampled(table: Floats, angle: Floats, row: Floats, *, wrap: bool = True) -> Floats:
    column = (angle + np.pi) / (2.0 * np.pi) * _ANGLES
    around = np.concatenate([table, table[:1]]) if wrap else table
    return np.asarray(ndimage.map_coordinates(around, [column, row], order=1, mode="nearest"))


def _convex(radius: Floats) -> Floats:
    """Return the distances of each row's convex hull: cloth bridges what is hollow."""
    ways = np.stack([np.sin(_circle()), np.cos(_circle())], 1)
    out = radius.copy()
    for row in range(radius.shape[1]):
        hull = ConvexHull(ways * radius[:, row, None])
        # Each side lies at n . p + d = 0; a ray leaves through the nearest one ahead.
        ahead = ways @ hull.equations[:, :2].T
        distance = np.where(ahead > 1e-6, -hull.equations[:, 2] / np.maximum(ahead, 1e-6), np.inf)
        out[:, row] = distance.min(1)
    return out
