"""The skull as a radius by direction, for hair to lie on."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.interpolate import griddata

from avatar.body.landmarks import Landmarks
from avatar.body.masks import vertex_mask
from avatar.body.source import SKIN_VERTICES, Body

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Skull:
    """The head as a radius by direction around `centre` [3]; `radii` is [polar, azimuth]."""

    centre: Floats
    radii: Floats

    @classmethod
    def of(cls, body: Body, marks: Landmarks) -> "Skull":
        """Measure the skull of `body`."""
        centre = np.array([0.0, marks.axis, marks.eye[2] + 0.01], np.float32)
        skin = body.vertices[:SKIN_VERTICES]
        # Ears stand off the skull: hair lies under and behind them.
        ears = vertex_mask(body, "mpfb_ears.jpg")[:SKIN_VERTICES] > 0.3
        away = skin[(body.weight_of("head", "neck")[:SKIN_VERTICES] > 0.5) & ~ears] - centre
        radius = np.linalg.norm(away, axis=1)
        polar, around = _cells(away)
        grid = np.zeros((76, 180), np.float32)
        np.maximum.at(grid, (polar.round().astype(int), around.astype(int) % 180), radius)
        known = np.argwhere(np.tile(grid, (1, 3)) > 0)
        values = np.tile(grid, (1, 3))[tuple(known.T)]
        places = tuple(np.mgrid[0:76, 0:540])
        filled = griddata(known, values, places, "linear")
        nearest = griddata(known, values, places, "nearest")
        filled = np.where(np.isnan(filled), nearest, filled)
        # Smooth, but not under what stands out: hair lies close there.
        filled = np.maximum(ndimage.gaussian_filter(filled, 1.6), filled)
        filled = ndimage.gaussian_filter(filled, 0.8)
        radii = filled[:, 180:360].astype(np.float32)
        radii[:2] = radii[2].mean()
        return cls(centre, radii)

    def radius(self, directions: Floats) -> Floats:
        """Return the skull's radius [...] in `directions` [..., 3], metres."""
        polar, around = _cells(directions)
        wrapped = np.pad(self.radii, ((0, 0), (4, 4)), mode="wrap")
        where = [np.clip(polar, 0, 75), around - 0.5 + 4]
        return np.asarray(ndimage.map_coordinates(wrapped, where, order=1, mode="nearest"))


def _cells(directions: Floats) -> tuple[Floats, Floats]:
    """Return polar (0 at the crown, 75 at 150 degrees) and azimuth (0 to 180) coordinates."""
    height = directions[..., 2] / np.linalg.norm(directions, axis=-1)
    polar = np.degrees(np.arccos(np.clip(height, -1.0, 1.0))) / 2.0
    around = np.arctan2(directions[..., 0], -directions[..., 1]) / (2 * np.pi) + 0.5
    return np.clip(polar, 0.0, 75.0), around * 180.0
