"""How differently two pictures look, for pictures kept as references."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from skimage.color import deltaE_ciede2000, rgb2lab
from skimage.metrics import structural_similarity

_TILE: Final = 16  # pixels
_WINDOW: Final = 7


@dataclass(frozen=True, slots=True)
class Difference:
    """What a viewer would notice, in the tile of 16 pixels where it is worst.

    Attributes:
        colour: CIEDE2000 between the tiles' mean colours; 1 is just noticeable side by side.
        detail: 1 - structural similarity (Wang et al. 2004) of lightness, 0 to 2, the tile's mean.
        place: row and column of the tile of the worst colour.
    """

    colour: float
    detail: float
    place: tuple[int, int]

    @property
    def alike(self) -> bool:
        """Whether a reviewer need not look: noise and moved stairs of edges are alike."""
        return self.colour < 2.0 and self.detail < 0.30


def difference(first: NDArray[np.uint8], second: NDArray[np.uint8]) -> Difference:
    """Compare two pictures uint8 [height, width, 3], R'G'B'.

    Both are looked at in tiles, so that a small feature counts as much as a large one.

    Raises:
        ValueError: when their shapes differ.
    """
    if first.shape != second.shape:
        raise ValueError(f"shapes {first.shape} and {second.shape}; accepted: equal")
    labs = [rgb2lab(picture) for picture in (first, second)]
    colour = deltaE_ciede2000(*(_tiles(lab) for lab in labs))
    similarity = structural_similarity(
        labs[0][..., 0],
        labs[1][..., 0],
        win_size=_WINDOW,
        data_range=100.0,
        # Flat places have no structure; what lies below this contrast is noise there.
        K2=0.05,
        full=True,
    )[1]
    worst = np.unravel_index(int(np.argmax(colour)), colour.shape)
    detail = float(_tiles(1.0 - similarity[..., None]).max())
    return Difference(float(colour.max()), detail, (int(worst[0]), int(worst[1])))


def _tiles(values: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Return the means of half-overlapping tiles [rows, columns, channels], squeezed."""
    half = _TILE // 2
    height, width = (side // half * half for side in values.shape[:2])
    cells = values[:height, :width].reshape(height // half, half, width // half, half, -1)
    means = cells.mean((1, 3))
    tiles = 0.25 * (means[:-1, :-1] + means[1:, :-1] + means[:-1, 1:] + means[1:, 1:])
    return np.asarray(np.squeeze(tiles, -1) if tiles.shape[-1] == 1 else tiles, np.float64)
