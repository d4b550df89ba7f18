"""The neck as necklines and collars need it: how far cloth lies from its skin."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from avatar.body.mesh import unit
from avatar.body.noise import smoothstep
from avatar.body.source import SKIN_VERTICES, Body

Floats = NDArray[np.floating[Any]]

_BINS: Final = 36


@dataclass(frozen=True, slots=True)
class Neck:
    """The neck as a tilted column.

    Attributes:
        base: float64 [3], where its axis enters the trunk. axis: float64 [3], unit, up.
        radius: float64 [36], of its skin by angle about the axis, 0 in front, metres.
        chin: height of the chin along the axis, metres.
        scale: size against a neck of 55 mm.
    """

    base: Floats
    axis: Floats
    radius: Floats
    chin: float
    scale: float

    @classmethod
    def of(cls, body: Body) -> "Neck":
        """Measure `body`'s neck, a hand above its base."""
        low, high = body.joint("neck01").astype(np.float64), body.joint("head").astype(np.float64)
        axis = unit(high - low)
        away = body.vertices[:SKIN_VERTICES] - low
        along = away @ axis
        length = float((high - low) @ axis)
        ring = (along > 0.10 * length) & (along < 0.50 * length)
        follows = body.weight_of("neck")[:SKIN_VERTICES]
        ring &= follows > 0.4
        if not ring.any():  # no neck to speak of: what moves most with it
            ring = follows > 0.4
        flat = away[ring] - along[ring, None] * axis
        angle, distance = np.arctan2(flat[:, 0], -flat[:, 1]), np.hypot(flat[:, 0], flat[:, 1])
        centres = 2.0 * np.pi * np.arange(_BINS) / _BINS - np.pi
        apart = np.abs((angle[None] - centres[:, None] + np.pi) % (2.0 * np.pi) - np.pi)
        # Where the skin has no vertex so near, the nearest one counts.
        radius = np.array(
            [np.percentile(distance[row <= max(0.25, float(row.min()))], 80.0) for row in apart]
        )
        radius = ndimage.gaussian_filter1d(radius, 1.5, mode="wrap")
        jaw = body.weight_of("jaw", "head")[:SKIN_VERTICES] > 0.5
        jaw &= (np.abs(away[:, 0]) < 0.02) & (away[:, 1] < -0.3 * radius[_BINS // 2])
        chin = float(along[jaw].min()) if jaw.any() else length
        return cls(low, axis, radius, chin, float(radius.mean()) / 0.055)

    def angle(self, points: Floats) -> Floats:
        """Return the angle [n] about the axis, 0 in front, to the left positive."""
        flat = self._flat(points)
        return np.arctan2(flat[:, 0], -flat[:, 1])

    def along(self, points: Floats) -> Floats:
        """Return the height [n] along the axis over the base, metres."""
        return np.asarray((points - self.base) @ self.axis)

    def away(self, points: Floats) -> Floats:
        """Return the distance [n] of points from the column's skin, metres."""
        flat = self._flat(points)
        column = (self.angle(points) + np.pi) / (2.0 * np.pi) * _BINS
        radius = ndimage.map_coordinates(self.radius, [column], order=1, mode="grid-wrap")
        return np.asarray(np.hypot(flat[:, 0], flat[:, 1]) - radius)

    def open(self, points: Floats, front: float, side: float, back: float) -> Floats:
        """Return how far points [n, 3] lie outside an opening of that width around the neck."""
        turn = self.angle(points)
        facing = np.cos(turn)
        wide = np.where(facing > 0.0, front, back) * facing**2 + side * np.sin(turn) ** 2
        along = self.along(points)
        outside = np.minimum(self.away(points) - wide, 0.075 * self.scale - along)
        return np.where(along > -0.20, outside, 1.0)

    def _flat(self, points: Floats) -> Floats:
        away = points - self.base
        return np.asarray(away - (away @ self.axis)[:, None] * self.axis)


def scoop(neck: Neck, points: Floats, depth: float, width: float, sharp: float = 2.0) -> Floats:
    """Return how far points lie outside a scoop in front, `depth` under the neck's base, metres.

    `sharp`: 1 a straight V, 2 round.
    """
    x, y, z = (points - neck.base).T
    front = smoothstep(0.0, 0.05, -y)
    across = np.clip(np.abs(x) / width, 0.0, 1.0) ** sharp
    edge = -depth + (depth + 0.02) * across
    return np.where(front * (np.abs(x) < width) > 0.5, edge - z, 1.0)
