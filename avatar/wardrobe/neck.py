"""The neck as necklines and collars need it: how far cloth lies from its skin."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from avatar.body.mesh import unit
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
        """Return how far points [n, 3] lie outside an oval around the neck, metres, about.

        `front`, `side`, `back`: from its skin to the oval, as seen from above the chest.
        """
        # Up the neck it is seen along the neck.
        along = self.along(points)
        places = flat(points - np.maximum(along, 0.0)[:, None] * self.axis)
        middle = flat(self.base[None])[0]
        quarter = _BINS // 4
        across = float(self.radius[[quarter, 3 * quarter]].mean()) + side
        fore, aft = float(self.radius[2 * quarter]) + front, float(self.radius[0]) + back
        x, h = (places - middle).T
        size = np.hypot(x / across, h / np.where(h < 0.0, fore, aft))
        outside = (size - 1.0) * min(across, fore, aft)
        # Lower on the back cloth comes to lie before the neck again, seen from above.
        low = along < np.where(points[:, 1] > self.base[1], -0.06, -0.24)
        return np.where(low, 1.0, np.minimum(outside, 0.085 * self.scale - along))

    def closed(self, points: Floats, front: float, side: float, back: float) -> Floats:
        """Return how far points [n, 3] lie under a ring around the neck, metres.

        `front`, `side`, `back`: its heights along the axis over the base, for a neck of 55 mm.
        """
        turn = self.angle(points)
        facing = np.cos(turn)
        height = np.where(facing > 0.0, front, back) * facing**2 + side * np.sin(turn) ** 2
        return np.asarray(self.scale * height - self.along(points))

    def _flat(self, points: Floats) -> Floats:
        away = points - self.base
        return np.asarray(away - (away @ self.axis)[:, None] * self.axis)


# Seen from above and a little in front, chest, shoulders and the back of the neck all show.
ABOVE: Final = np.array([0.0, -0.12, 0.993])
_UP: Final = np.array([0.0, 0.993, 0.12])


def flat(points: Floats) -> Floats:
    """Return where points [n, 3] show seen like that, [n, 2] metres: to the left, and up."""
    return np.stack([points[:, 0], points @ _UP], 1)
