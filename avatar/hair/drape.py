"""Hair that hangs beside the neck and lies on shoulders and clothes, never inside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from avatar.body.landmarks import Landmarks
from avatar.body.source import SKIN_VERTICES, Body
from avatar.body.surface import Surface

Floats = NDArray[np.floating[Any]]

# Cells of the map: degrees about the head's axis, metres of height.
_TURN: Final = 6.0
_RISE: Final = 0.010
_ROWS: Final = 50
# Hair bends outwards by no more than this to lie on something, metres; it ends on what juts out
# further, as on the middle of a shoulder.
_BEND: Final = 0.030


@dataclass(frozen=True, slots=True)
class Shoulders:
    """What hair lies on: how far skin and clothes reach from the head's axis, by direction.

    Attributes:
        reach: [rows, turns], metres; row 0 is the lowest.
        bottom: height of row 0.
        axis: y of the axis.
    """

    reach: Floats
    bottom: float
    axis: float

    @classmethod
    def of(cls, body: Body, marks: Landmarks, clothes: Sequence[Surface]) -> "Shoulders":
        """Measure neck, shoulders and chest of `body` and its `clothes`."""
        bare = body.weight_of("neck", "spine01", "clavicle")[:SKIN_VERTICES] > 0.3
        points = np.concatenate(
            [body.vertices[:SKIN_VERTICES][bare], *(_filled(piece) for piece in clothes)]
        )
        bottom = float(marks.eye[2]) - 0.40
        row = np.floor((points[:, 2] - bottom) / _RISE).astype(int)
        inside = (row >= 0) & (row < _ROWS)
        points, row = points[inside], row[inside]
        turns = round(360.0 / _TURN)
        turn = np.floor(np.degrees(marks.azimuth(points)) / _TURN).astype(int) % turns
        reach = np.zeros((_ROWS, turns))
        radius = np.hypot(points[:, 0], points[:, 1] - marks.axis)
        np.maximum.at(reach, (row, turn), radius)
        wide = ndimage.maximum_filter(reach, (3, 3), mode=("nearest", "wrap"))
        wide = ndimage.gaussian_filter(wide, (1.0, 1.2), mode=("nearest", "wrap"))
        return cls(wide, bottom, marks.axis)

    def radius(self, azimuth: Floats, height: Floats) -> Floats:
        """Return how far out what lies at `azimuth` (radians) and `height` reaches, metres."""
        turn = np.degrees(azimuth) / _TURN - 0.5
        row = (height - self.bottom) / _RISE - 0.5
        padded = np.pad(self.reach, ((0, 0), (40, 40)), mode="wrap")
        where = [np.clip(row, 0, _ROWS - 1), turn + 40]
        return np.asarray(ndimage.map_coordinates(padded, where, order=1, mode="nearest"))

    def clear(self, paths: Floats, clearance: float, start: int) -> Floats:
        """Move strands [n, s, 3] outwards from step `start` on, off what they would sink into."""
        out = np.array(paths, np.float32)
        away = out[:, start:] - np.array([0.0, self.axis, 0.0], np.float32)
        around = np.arctan2(away[..., 0], -away[..., 1])
        radius = np.hypot(away[..., 0], away[..., 1])
        missing = np.maximum(self.radius(around, away[..., 2]) + clearance - radius, 0.0)
        # A lock moves as one, as far as most of it has to.
        moved = np.minimum(missing.max(0, keepdims=True), 0.06)
        out[:, start:, 0] += np.sin(around) * moved
        out[:, start:, 1] -= np.cos(around) * moved
        return out

    def resting(self, azimuth: Floats, radius: Floats, start: Floats, end: Floats) -> Floats:
        """Return how low strands [n] that hang at `azimuth`, `radius` can come, metres.

        Args:
            start, end: heights [n] they hang from and would hang to.
        """
        share = np.linspace(0.0, 1.0, 40)[None]
        height = start[:, None] + (end - start)[:, None] * share
        around = np.broadcast_to(azimuth[:, None], height.shape)
        free = self.radius(around, height) < radius[:, None] + _BEND
        reached = np.logical_and.accumulate(free, axis=1).sum(1)
        return np.asarray(height[np.arange(len(start)), np.clip(reached - 1, 0, 39)])


def _filled(piece: Surface) -> Floats:
    """Return corners and middles of the triangles of `piece`, so that large ones leave no gap."""
    corners = piece.positions[piece.triangles]
    middles = np.concatenate([corners.mean(1), 0.5 * (corners[:, 0] + corners[:, 1])])
    return np.concatenate([piece.positions, middles, 0.5 * (corners[:, 1] + corners[:, 2])])
