"""Pictures with known content: a talking figure to encode, a counter to read back."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

BITS: Final = 12


def figure_picture(width: int, height: int, index: int) -> NDArray[np.uint8]:
    """Return I420 planes uint8 [height * 3 // 2, width] of a mostly still, talking figure."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    centre_x = width / 2 + 3 * np.sin(index / 20)
    centre_y = height * 0.3 + 2 * np.sin(index / 13)
    luma = 60 + 80 * y / height + 20 * np.sin(x / 17)
    body = ((x - centre_x) / (width * 0.4)) ** 2 + ((y - height) / (height * 0.5)) ** 2 < 1
    luma = np.where(body, 90 + 15 * np.sin((x - centre_x) / 3 + y / 4), luma)
    head = ((x - centre_x) / (width * 0.18)) ** 2 + ((y - centre_y) / (height * 0.14)) ** 2 < 1
    luma = np.where(head, 150 + 10 * np.sin((x - centre_x) / 5), luma)
    opening = height * 0.012 * (1 + np.sin(index / 2))
    mouth = (abs(x - centre_x) < width * 0.05) & (abs(y - centre_y - height * 0.06) < opening)
    return _planes(np.where(mouth, 40, luma))


def counter_picture(width: int, height: int, index: int) -> NDArray[np.uint8]:
    """Return I420 planes that spell the low 12 bits of `index` in black and white stripes."""
    luma = np.full((height, width), 16, np.float32)
    edges = np.linspace(0, width, BITS + 1).astype(int)
    for bit in range(BITS):
        if index >> bit & 1:
            luma[:, edges[bit] : edges[bit + 1]] = 235
    return _planes(luma)


def read_counter(luma: NDArray[np.uint8]) -> int:
    """Return the number that a counter picture's luma uint8 [height, width] spells."""
    edges = np.linspace(0, luma.shape[1], BITS + 1).astype(int)
    means = [luma[:, edges[bit] : edges[bit + 1]].mean() for bit in range(BITS)]
    return sum(int(mean > 126) << bit for bit, mean in enumerate(means))


def _planes(luma: NDArray[np.float32]) -> NDArray[np.uint8]:
    height, width = luma.shape
    planes = np.full((height * 3 // 2, width), 128, np.uint8)
    planes[:height] = luma.clip(16, 235).astype(np.uint8)
    return planes
