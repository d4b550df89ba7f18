"""Square parts of a picture, turned and resized, and the way back to the whole."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Region:
    """A square: its centre and side in pixels, and how far it is turned, radians, clockwise.

    Attributes:
        mirrored: seen as in a mirror, left and right exchanged.
    """

    x: float
    y: float
    side: float
    turn: float
    mirrored: bool = False

    def moved(self, right: float, down: float, size: float, turn: float) -> "Region":
        """Return the square moved by shares of its side, resized by a factor, turned further."""
        return replace(
            self,
            x=self.x + right * self.side,
            y=self.y + down * self.side,
            side=self.side * size,
            turn=self.turn + turn,
        )

    def inward(self, points: NDArray[Any]) -> Floats:
        """Return pixels [..., 2] of the picture as shares of the square; not for mirrored ones."""
        centred = points - np.array([self.x, self.y], np.float32)
        cosine, sine = np.cos(self.turn), np.sin(self.turn)
        turned = np.stack(
            [
                cosine * centred[..., 0] + sine * centred[..., 1],
                cosine * centred[..., 1] - sine * centred[..., 0],
            ],
            -1,
        )
        return np.asarray(turned / self.side + 0.5, np.float32)

    def outward(self, points: NDArray[Any]) -> Floats:
        """Return points [n, 2] given in shares of the square as pixels of the picture."""
        centred = (points - 0.5) * self.side
        if self.mirrored:
            centred = centred * np.array([-1.0, 1.0], np.float32)
        cosine, sine = np.cos(self.turn), np.sin(self.turn)
        turned = np.stack(
            [
                cosine * centred[:, 0] - sine * centred[:, 1],
                sine * centred[:, 0] + cosine * centred[:, 1],
            ],
            -1,
        )
        return np.asarray(turned + np.array([self.x, self.y]), np.float32)


def crop(picture: Pixels, region: Region, side: int) -> Pixels:
    """Return the region as [side, side, 3]; what lies outside the picture is black."""
    factor = max(int(region.side / side / 1.5), 1)
    image = Image.fromarray(picture)
    if factor > 1:
        image = image.reduce(factor)
    corners = region.outward(np.array([[0, 0], [1, 0], [0, 1]], np.float32)) / factor
    across, down = (corners[1] - corners[0]) / side, (corners[2] - corners[0]) / side
    # Pillow asks for the place in the source of a target pixel (x + 0.5, y + 0.5).
    matrix = (across[0], down[0], corners[0, 0], across[1], down[1], corners[0, 1])
    turned = image.transform(
        (side, side),
        Image.Transform.AFFINE,
        tuple(float(v) for v in matrix),
        Image.Resampling.BILINEAR,
    )
    return np.asarray(turned, np.uint8)
