"""Panels as arrays: rounded rectangles, shadows and text, in premultiplied R'G'B' and alpha."""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from avatar.scene.pictures import encoded
from avatar.scene.text import Weight, font
from avatar.spec.colour import display

Floats = NDArray[np.float32]
_LUMA_OF_BLACK: Final = np.array([16.0, 128.0, 128.0], np.float32)


class Canvas:
    """A transparent picture that shapes are laid on, each over those before.

    Args:
        width: pixels.
        height: pixels.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = max(width, 1), max(height, 1)
        self._rgb: Floats = np.zeros((self.height, self.width, 3), np.float32)
        self._alpha: Floats = np.zeros((self.height, self.width), np.float32)

    def lay(self, cover: Floats, colour: str | Floats, strength: float = 1.0) -> None:
        """Lay a colour, "#rrggbb" or R'G'B' [h, w, 3] of 0 to 1, where `cover` [h, w] says."""
        share = cover * np.float32(strength)
        rgb = np.array(display(colour), np.float32) if isinstance(colour, str) else colour
        keep = 1.0 - share
        self._rgb = self._rgb * keep[..., None] + share[..., None] * rgb
        self._alpha = self._alpha * keep + share

    def rounded(
        self, box: tuple[float, float, float, float], radius: float, soft: float = 0.0
    ) -> Floats:
        """Return how far each pixel [h, w] is inside a rounded rectangle, 0 to 1.

        Args:
            box: left, top, right, bottom.
            radius: of its corners, pixels.
            soft: width of its edge beyond one pixel.
        """
        left, top, right, bottom = box
        radius = max(min(radius, (right - left) / 2.0, (bottom - top) / 2.0), 0.0)
        x = np.arange(self.width, dtype=np.float32) + 0.5
        y = np.arange(self.height, dtype=np.float32) + 0.5
        dx = np.abs(x - (left + right) / 2.0) - ((right - left) / 2.0 - radius)
        dy = np.abs(y - (top + bottom) / 2.0) - ((bottom - top) / 2.0 - radius)
        outside = np.hypot(np.maximum(dx, 0.0)[None], np.maximum(dy, 0.0)[:, None])
        distance = outside + np.minimum(np.maximum(dx[None], dy[:, None]), 0.0) - radius
        edge = 1.0 + soft
        share = np.clip(0.5 - distance / edge, 0.0, 1.0)
        return np.asarray(share * share * (3.0 - 2.0 * share) if soft else share, np.float32)

    def text(
        self, line: str, weight: Weight, pixels: int, at: tuple[float, float], anchor: str = "ls"
    ) -> Floats:
        """Return the cover [h, w] of a line of text; `at` and `anchor` as Pillow has them."""
        mask = Image.new("L", (self.width, self.height))
        ImageDraw.Draw(mask).text(at, line, 255, font(weight, pixels), anchor=anchor)
        return np.asarray(mask, np.float32) / np.float32(255.0)

    def picture(self, picture: Image.Image, box: tuple[int, int, int, int], cover: Floats) -> None:
        """Lay a picture (RGBA, as large as `box`) where `cover` [h, w] allows."""
        left, top, right, bottom = box
        pixels = np.asarray(picture, np.float32) / np.float32(255.0)
        area: Floats = np.zeros((self.height, self.width, 4), np.float32)
        area[top:bottom, left:right] = pixels
        self.lay(cover * area[..., 3], area[..., :3])

    def texels(self) -> NDArray[np.uint8]:
        """Return it as premultiplied Y', Cb, Cr and alpha, uint8 [h, w, 4], bottom row first."""
        out = np.empty((self.height, self.width, 4), np.float32)
        # Black is not zero in Y'CbCr: its share is what alpha covers.
        colour = encoded(self._rgb * np.float32(255.0)) - _LUMA_OF_BLACK
        out[..., :3] = colour + self._alpha[..., None] * _LUMA_OF_BLACK
        out[..., 3] = self._alpha * 255.0
        return np.rint(out[::-1]).astype(np.uint8)
