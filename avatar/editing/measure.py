"""What a critic measures on pictures: colour, structure, identity, contrast."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from avatar.body.noise import smoothstep
from avatar.spec.colour import display, to_linear

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
RGB = NDArray[np.uint8]

_TO_XYZ: Final = np.array(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], np.float32
)
_WHITE: Final = np.array([0.9505, 1.0, 1.089], np.float32)


def smooth(low: float, high: float, value: float) -> float:
    """Return 0 up to `low`, 1 from `high` on, a smooth step between."""
    return float(smoothstep(low, high, value))


def lab(rgb: NDArray[Any]) -> Floats:
    """Return CIELAB (D65, CIE 15) of 8-bit sRGB [..., 3]: L 0 to 100, a and b about -100 to 100."""
    table = np.arange(256, dtype=np.float32) / 255.0
    xyz = (to_linear(table)[np.asarray(rgb, np.uint8)] @ _TO_XYZ.T) / _WHITE
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    x, y, z = np.moveaxis(f, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1).astype(np.float32)


def colour_lab(colour: str) -> Floats:
    """Return CIELAB [3] of "#rrggbb"."""
    return lab(np.round(255.0 * np.array(display(colour))).astype(np.uint8))


def likeness(pixels: Floats, wanted: Floats) -> float:
    """Return how many of the pixels [n, 3] (CIELAB) would be called the colour `wanted` [3].

    Light changes lightness most, then chroma, hue least; so a colour is told by its hue, a grey by
    its want of chroma, both loosely by lightness. 0 to 1.
    """
    if not len(pixels):
        return 0.0
    chroma, goal = np.hypot(pixels[:, 1], pixels[:, 2]), float(np.hypot(wanted[1], wanted[2]))
    dark = np.exp(-(((pixels[:, 0] - wanted[0]) / 36.0) ** 2))
    if goal < 9.0:
        return float((dark**1.5 * np.exp(-((np.maximum(chroma - goal, 0) / 16.0) ** 2))).mean())
    turn = np.arctan2(pixels[:, 2], pixels[:, 1]) - np.arctan2(wanted[2], wanted[1])
    turn = np.abs((turn + np.pi) % (2 * np.pi) - np.pi)
    strong = np.clip(chroma / (0.45 * goal), 0.0, 1.0)
    return float((dark * strong * np.exp(-((turn / 0.5) ** 2))).mean())


def distance(first: Floats, second: Floats, mask: Mask) -> float:
    """Return the mean CIELAB distance (Delta E 1976) of two pictures [h, w, 3] over a mask."""
    if not mask.any():
        return 0.0
    return float(np.linalg.norm(first[mask] - second[mask], axis=-1).mean())


def structure(first: RGB, second: RGB) -> Floats:
    """Return the map [h, w] of structural similarity (Wang et al. 2004) of two pictures' luma."""
    weights = np.array([0.2126, 0.7152, 0.0722], np.float32)
    x, y = (picture.astype(np.float32) @ weights for picture in (first, second))

    def blurred(values: Floats) -> Floats:
        return np.asarray(ndimage.gaussian_filter(values, 1.5, truncate=3.5), np.float32)

    mx, my = blurred(x), blurred(y)
    vx, vy = blurred(x * x) - mx * mx, blurred(y * y) - my * my
    both = blurred(x * y) - mx * my
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    top = (2 * mx * my + c1) * (2 * both + c2)
    return np.asarray(top / ((mx * mx + my * my + c1) * (vx + vy + c2)), np.float32)


def features(rgb: RGB, box: tuple[slice, slice]) -> Floats:
    """Return a face's features: oriented gradients (Dalal and Triggs 2005) of 8 x 8 cells with 9
    directions, unit length [576].
    """
    luma = rgb[box].astype(np.float32).mean(-1)
    if min(luma.shape) < 8:
        return np.zeros(576, np.float32)
    luma = np.asarray(ndimage.gaussian_filter(luma, 1.0), np.float32)
    down, right = np.gradient(luma)
    size = np.hypot(down, right)
    bins = ((np.arctan2(down, right) % np.pi) / np.pi * 9).astype(int) % 9
    rows, columns = (np.arange(n) * 8 // n for n in luma.shape)
    cells = rows[:, None] * 8 + columns[None]
    sums = np.bincount((cells * 9 + bins).ravel(), size.ravel(), 576).reshape(64, 9)
    sums = sums / (np.linalg.norm(sums, axis=1, keepdims=True) + 1.0)
    return np.asarray(sums.ravel() / (np.linalg.norm(sums) + 1e-6), np.float32)


def box_of(mask: Mask) -> tuple[slice, slice] | None:
    """Return the smallest box around a mask, None where it is empty."""
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    if not len(rows):
        return None
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


def roughness(colours: Floats, mask: Mask) -> float:
    """Return how much CIELAB [h, w, 3] varies within a few pixels, inside a mask (mean Delta E)."""
    if not mask.any():
        return 0.0
    inside = mask.astype(np.float32)
    weight = ndimage.gaussian_filter(inside, 3.0) + 1e-3
    local = [ndimage.gaussian_filter(colours[..., i] * inside, 3.0) / weight for i in range(3)]
    core = ndimage.binary_erosion(mask, iterations=2)
    core = core if core.any() else mask
    return float(np.linalg.norm(colours - np.stack(local, -1), axis=-1)[core].mean())


def contrast(rgb: RGB, mask: Mask) -> float:
    """Return the contrast ratio (WCAG 2.2) of the lightest and the darkest tenth of a mask."""
    if not mask.any():
        return 1.0
    light = np.maximum(lab(rgb[mask])[:, 0], 0.0)
    linear = np.where(light > 8, ((light + 16) / 116) ** 3, light * 27 / 24389)
    low, high = np.quantile(linear, [0.05, 0.95])
    return float((high + 0.05) / (low + 0.05))


def grown(mask: Mask, pixels: int) -> Mask:
    """Return a mask grown by some pixels on every side."""
    if not pixels or not mask.any():
        return mask
    return np.asarray(ndimage.binary_dilation(mask, iterations=pixels), bool)
