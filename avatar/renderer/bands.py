"""Where in the picture the figure is: rows in bands, each with the columns it can reach."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset
from avatar.renderer.base import Size

Floats = NDArray[np.float32]

MOST_BANDS: Final = 64
# Columns are rounded outwards to this many: chroma packs eight pixels into a texel.
_GRID: Final = 16
_CELL: Final = 0.03  # metres; vertices so near each other move alike
_MARGIN: Final = 4.0  # pixels, for what smooths edges


@dataclass(frozen=True, slots=True)
class Bands:
    """Columns [left, right) of each band of rows; empty where left >= right.

    Attributes:
        size: of the picture.
        left, right: int [bands], pixels; the right one may reach past the picture.
    """

    size: Size
    left: NDArray[np.intp]
    right: NDArray[np.intp]

    @staticmethod
    def whole(size: Size) -> "Bands":
        """Return one band that is the whole picture."""
        right = -(-size.width // _GRID) * _GRID
        return Bands(size, np.zeros(1, np.intp), np.full(1, right, np.intp))

    @staticmethod
    def rows(size: Size) -> int:
        """Return how many rows a band of several has: even, and few enough bands."""
        return max(32, -(-size.height // MOST_BANDS // 2) * 2)

    def joined(self, other: "Bands") -> "Bands":
        """Return what holds both; they must be of one size and number."""
        empty, others = self.left >= self.right, other.left >= other.right
        left = np.where(
            empty, other.left, np.where(others, self.left, np.minimum(self.left, other.left))
        )
        right = np.where(
            empty, other.right, np.where(others, self.right, np.maximum(self.right, other.right))
        )
        return Bands(self.size, left, right)

    def corners(self) -> Floats:
        """Return two triangles for each band, float32 [6 * n, 2]: pixels from the top left."""
        height = self.size.height
        step = height if len(self.left) == 1 else self.rows(self.size)
        band = np.flatnonzero(self.left < self.right)
        top, bottom = band * step, np.minimum((band + 1) * step, height)
        left, right = self.left[band], self.right[band]
        columns = np.stack([left, right, left, left, right, right], 1)
        lines = np.stack([top, top, bottom, bottom, top, bottom], 1)
        return np.stack([columns, lines], -1).reshape(-1, 2).astype(np.float32)


class Outline:
    """A few hundred vertices that stand for an avatar's surface.

    Vertices of one joint in one cell of 3 cm move alike: one of them stands for all, with room
    around it for the others and for what the face does.
    """

    def __init__(self, asset: AvatarAsset) -> None:
        positions = np.concatenate([part.positions for part in asset.parts])
        joints = np.concatenate([part.joints for part in asset.parts])
        weights = np.concatenate([part.weights for part in asset.parts])
        cells = np.floor(positions / _CELL).astype(np.int64)
        keys = np.concatenate([cells, joints[:, :1]], 1)
        _, first = np.unique(keys, axis=0, return_index=True)
        self._points = np.concatenate([positions[first], np.ones((len(first), 1))], 1).astype("f4")
        self._weights = np.zeros((len(first), len(asset.joints)), np.float32)
        for column in range(joints.shape[1]):
            np.add.at(
                self._weights,
                (np.arange(len(first)), joints[first, column]),
                weights[first, column],
            )
        self._room = np.float32(_CELL * np.sqrt(3.0))

    def bands(self, skinning: Floats, view: Floats, density: float, size: Size) -> Bands:
        """Return where the posed figure is seen.

        Args:
            skinning: [104 * 3, 4], three rows of a joint's skinning matrix after another.
            view: [4, 4] view-projection, row-major.
            density: pixels a metre at the figure.
            size: of the picture.
        """
        moves = (self._weights @ skinning.reshape(len(skinning) // 3, 12)).reshape(-1, 3, 4)
        world = np.einsum("nij,nj->ni", moves, self._points)
        seen = world @ view[[0, 1, 3], :3].T + view[[0, 1, 3], 3]
        place = seen[:, :2] / np.maximum(seen[:, 2:], 0.1)
        x = (place[:, 0] * 0.5 + 0.5) * size.width
        y = (0.5 - place[:, 1] * 0.5) * size.height
        # What is nearer than the face is seen larger: arms reach out by less than a fifth.
        return _gathered(x, y, 1.25 * density * self._room + _MARGIN, size)


def _gathered(x: NDArray[Any], y: NDArray[Any], room: float, size: Size) -> Bands:
    step = Bands.rows(size)
    count = -(-size.height // step)
    left, right = np.full(count, np.inf), np.full(count, -np.inf)
    first = np.floor((y - room) / step).astype(int)
    last = np.floor((y + room) / step).astype(int)
    for more in range(int((last - first).max()) + 1):
        band = np.minimum(first + more, last)
        inside = (band >= 0) & (band < count)
        np.minimum.at(left, band[inside], x[inside] - room)
        np.maximum.at(right, band[inside], x[inside] + room)
    start = np.floor(np.clip(left, 0, size.width) / _GRID).astype(np.intp) * _GRID
    end = np.ceil(np.clip(right, 0, size.width) / _GRID).astype(np.intp) * _GRID
    return Bands(size, start, end)
