"""A canvas over the head: every pixel knows which point of the face it colours."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from scipy import ndimage

from avatar.body.landmarks import Landmarks
from avatar.body.noise import smoothstep

Floats = NDArray[np.floating[Any]]


@dataclass(slots=True)
class Canvas:
    """A texture of the head being painted.

    Attributes:
        points: float32 [h, w, 3], the rest position under each pixel, metres.
        mask_uv: float32 [h, w, 2], the same place in the body package's own texture space.
        hollow: float32 [h, w], -1 on ridges to 1 in folds.
        painted: bool [h, w], where the head really is.
        colour: float32 [h, w, 3], linear RGB.
        bottom, top: heights in metres of the first and the last row.
    """

    points: Floats
    mask_uv: Floats
    hollow: Floats
    painted: NDArray[np.bool_]
    colour: Floats
    bottom: float
    top: float
    marks: Landmarks

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.points.shape[1], self.points.shape[0]

    def multiply(self, mask: Floats, colour: Sequence[float]) -> None:
        """Tint by `colour` where `mask` [h, w] is 1."""
        self.colour *= 1.0 + (np.asarray(colour, np.float32) - 1.0) * mask[..., None]

    def cover(self, mask: Floats, colour: Sequence[float] | Floats) -> None:
        """Paint `colour` over what is there where `mask` [h, w] is 1."""
        share = mask[..., None]
        self.colour = self.colour * (1.0 - share) + np.asarray(colour, np.float32) * share

    def package_mask(self, path: Path) -> Floats:
        """Return a grey mask of the body package, resampled to this canvas, 0 to 1."""
        with Image.open(path) as file:
            image = np.asarray(file.convert("L"), np.float32) / 255.0
        x = self.mask_uv[..., 0] * image.shape[1] - 0.5
        y = (1.0 - self.mask_uv[..., 1]) * image.shape[0] - 0.5
        return np.asarray(
            ndimage.map_coordinates(image, [y, x], order=1, mode="nearest"), np.float32
        )

    def spot(self, x: float, z: float, width: float, height: float) -> Floats:
        """Return a soft spot [h, w] on both sides of the face; `z` metres above the eye."""
        away = (np.abs(self.points[..., 0]) - x) / width
        up = (self.points[..., 2] - self.marks.eye[2] - z * self.marks.scale) / height
        front = smoothstep(self.marks.axis, self.marks.axis - 0.02, self.points[..., 1])
        return np.asarray(np.exp(-0.5 * (away**2 + up**2)) * front, np.float32)

    def pixel(self, x: float, height: float) -> tuple[float, float]:
        """Return the pixel (column, row) of the front of the face at `x`, `height` in metres."""
        rows = self.points.shape[0]
        row = (height - self.bottom) / (self.top - self.bottom) * rows - 0.5
        index = int(np.clip(round(row), 0, rows - 1))
        usable = self.painted[index] & (self.points[index, :, 1] < self.marks.axis)
        columns = np.flatnonzero(usable)
        across = self.points[index, columns, 0]
        order = np.argsort(across, kind="stable")
        return float(np.interp(x, across[order], columns[order])), row

    def strokes(self, lines: Sequence[tuple[Sequence[float], int, int]]) -> Floats:
        """Draw polylines given in pixels, each (flat xy list, value 0 to 255, width): [h, w]."""
        width, height = self.size
        image = Image.new("L", (width * 2, height * 2), 0)
        draw = ImageDraw.Draw(image)
        for points, value, thickness in lines:
            draw.line([2.0 * p + 1.0 for p in points], fill=value, width=thickness, joint="curve")
        small = image.resize((width, height), Image.Resampling.BOX)
        return np.asarray(small, np.float32) / 255.0
