"""Where in the picture the figure is: rows in bands, each with the columns it can reach."""

import itertools
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from avatar.body.asset import AvatarAsset, Part
from avatar.renderer.base import Size

Floats = NDArray[np.float32]

MOST_BANDS: Final = 64
# Columns are rounded outwards to this many: chroma packs eight pixels into a texel.
_GRID: Final = 16
_CELL: Final = 0.03  # metres; vertices so near each other move alike
BLENDED: Final = ("strand", "lash", "glass", "shadow")
# A part is drawn slab by slab of its height at rest, as far as slabs can be in the picture.
SLAB: Final = 0.10  # metres
_SLAB_CELL: Final = 0.08  # metres
_FACE_ROOM: Final = 0.02  # metres a face moves by
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


@dataclass(frozen=True, slots=True)
class Seen:
    """What a camera sees of a posed figure.

    Attributes:
        bands: where it is in the picture.
        slabs: for each part, which of its slabs can be in the picture.
    """

    bands: Bands
    slabs: list[list[bool]]


class Outline:
    """A few hundred vertices that stand for an avatar's surface.

    Vertices of one joint in one cell move alike: one of them stands for all, with room around it
    for the others and for what the face does. Cells of 3 cm tell where the figure is, larger
    ones which slabs of its parts can be seen.
    """

    def __init__(self, asset: AvatarAsset) -> None:
        counts = [slab_count(part) for part in asset.parts]
        self._parts = [0, *itertools.accumulate(counts)]
        slabs = [
            start + slab_of(part, part.positions[:, 2])
            for start, part in zip(self._parts, asset.parts, strict=False)
        ]
        positions = np.concatenate([part.positions for part in asset.parts])
        joints = np.concatenate([part.joints for part in asset.parts])
        weights = np.concatenate([part.weights for part in asset.parts])
        slab = np.concatenate(slabs)
        fine, near = _representatives(positions, _CELL, joints[:, 0])
        coarse, far = _representatives(positions, _SLAB_CELL, joints[:, 0], slab)
        chosen = np.concatenate([fine, coarse])
        self._slab, self._fine = slab[coarse], len(fine)
        moving = np.concatenate([part.morphs[:, 1] > 0 for part in asset.parts])[chosen]
        self._room = np.concatenate([near, far]) + np.where(moving, _FACE_ROOM, 0.0)
        self._moves = _moves(positions[chosen], joints[chosen], weights[chosen], len(asset.joints))

    def seen(self, skinning: Floats, view: Floats, density: float, size: Size) -> Seen:
        """Return where the posed figure is seen.

        Args:
            skinning: [104 * 3, 4], three rows of a joint's skinning matrix after another.
            view: [4, 4] view-projection, row-major.
            density: pixels a metre at the figure.
            size: of the picture.
        """
        x, y = self._pixels(skinning, view, size)
        # What is nearer than the face is seen larger: arms reach out by less than a fifth.
        room = 1.25 * density * self._room + _MARGIN
        bands = _gathered(x[: self._fine], y[: self._fine], room[: self._fine], size)
        across, down = np.abs(2.0 * x - size.width), np.abs(2.0 * y - size.height)
        inside = (across < size.width + 2.0 * room) & (down < size.height + 2.0 * room)
        visible = np.zeros(self._parts[-1], bool)
        visible[self._slab[inside[self._fine :]]] = True
        flags = visible.tolist()
        return Seen(bands, [flags[a:b] for a, b in itertools.pairwise(self._parts)])

    def _pixels(self, skinning: Floats, view: Floats, size: Size) -> tuple[Floats, Floats]:
        """Return where each point is seen, pixels from the top left."""
        turned = view[[0, 1, 3], :3] @ skinning.reshape(-1, 3, 4)
        turned[:, :, 3] += view[[0, 1, 3], 3]
        across, up, depth = (self._moves @ turned.transpose(0, 2, 1).reshape(-1, 3)).T
        nearness = 0.5 / np.maximum(depth, 0.1)
        return (0.5 + across * nearness) * size.width, (0.5 - up * nearness) * size.height


def _moves(positions: Floats, joints: NDArray[np.uint8], weights: Floats, count: int) -> csr_matrix:
    """Return what turns the columns of all joints' matrices [count * 4, k] into points [n, k]."""
    place = np.concatenate([positions, np.ones((len(positions), 1), np.float32)], 1)
    shares = weights[:, :, None] * place[:, None]
    columns = 4 * joints[:, :, None].astype(np.int32) + np.arange(4, dtype=np.int32)
    rows = np.broadcast_to(np.arange(len(positions))[:, None, None], shares.shape)
    used = shares != 0.0
    return csr_matrix(
        (shares[used], (rows[used], columns[used])), (len(positions), 4 * count), np.float32
    )


def _representatives(
    positions: Floats, cell: float, *keys: NDArray[Any]
) -> tuple[NDArray[np.intp], NDArray[Any]]:
    """Return one vertex for each cell and value of the keys [n], and how far its cell reaches."""
    code = np.zeros(len(positions), np.int64)
    for column in (*np.floor(positions / cell).T.astype(np.int64), *keys):
        column = column - column.min()
        code = code * (int(column.max()) + 1) + column
    _, group, counts = np.unique(code, return_inverse=True, return_counts=True)
    middle = np.stack([np.bincount(group, axis) for axis in positions.T], 1) / counts[:, None]
    order = np.lexsort((np.linalg.norm(positions - middle[group], axis=1), group))
    chosen = order[np.concatenate([[0], np.cumsum(counts)[:-1]])]
    reach = np.zeros(len(counts))
    np.maximum.at(reach, group, np.linalg.norm(positions - positions[chosen[group]], axis=1))
    return chosen, reach


def slab_count(part: Part) -> int:
    """Return how many slabs of `SLAB` metres of height a part at rest reaches over.

    What is blended has one, since its triangles must stay in order.
    """
    if part.material in BLENDED:
        return 1
    low, high = part.positions[:, 2].min(), part.positions[:, 2].max()
    return int(np.floor((high - low) / SLAB)) + 1


def slab_of(part: Part, heights: Floats) -> NDArray[np.intp]:
    """Return the slab each of `heights` of a part at rest is in, counted from its lowest."""
    low = part.positions[:, 2].min()
    found = np.floor((heights - low) / SLAB).astype(np.intp)
    return np.asarray(np.clip(found, 0, slab_count(part) - 1), np.intp)


def _gathered(x: Floats, y: Floats, room: NDArray[Any], size: Size) -> Bands:
    step = Bands.rows(size)
    count = -(-size.height // step)
    left, right = np.full(count, np.inf), np.full(count, -np.inf)
    first = np.floor((y - room) / step).astype(int)
    last = np.floor((y + room) / step).astype(int)
    for more in range(int((last - first).max()) + 1):
        band = np.minimum(first + more, last)
        inside = (band >= 0) & (band < count)
        np.minimum.at(left, band[inside], (x - room)[inside])
        np.maximum.at(right, band[inside], (x + room)[inside])
    start = np.floor(np.clip(left, 0, size.width) / _GRID).astype(np.intp) * _GRID
    end = np.ceil(np.clip(right, 0, size.width) / _GRID).astype(np.intp) * _GRID
    return Bands(size, start, end)
