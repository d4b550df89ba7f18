"""What is sewn onto shoes: seams, and laces with their bow."""

from typing import Final

import numpy as np

from avatar.wardrobe.sheet import COLUMNS, Sheet, joined_cloth
from avatar.wardrobe.tailor import Cloth

ROWS: Final = 15  # of an upper, from its opening to the sole
FRONT: Final = COLUMNS // 2  # the column over the toes


def bent(path: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return a smooth curve through three places."""
    a, b, c = (np.array(place) for place in path)
    middle = 2.0 * b - 0.5 * (a + c)
    t = np.linspace(0.0, 1.0, 25)[:, None]
    curve = (1 - t) ** 2 * a + 2 * t * (1 - t) * middle + t**2 * c
    return [(float(r), float(k)) for r, k in curve]


def quarters(upper: Sheet) -> list[Cloth]:
    """Return the seams where the sides of the upper end, left and right of the laces."""
    lines = []
    for side in (-1.0, 1.0):
        path = [
            (0.0, FRONT + side * 5.5),
            (5.5, FRONT + side * 6.5),
            (ROWS - 1.5, FRONT + side * 15.0),
        ]
        lines.append(upper.ribbon(path, 0.0010))
    return lines


def laces(upper: Sheet, count: int, half: float) -> Cloth:
    """Return crossing laces over the throat, and a bow."""
    parts = []
    for number in range(count):
        row = 0.7 + 4.6 * number / count
        for side in (-1.0, 1.0):
            path = [
                (row, FRONT - side * 4.4),
                (row + 0.5, FRONT),
                (row + 1.0, FRONT + side * 4.4),
            ]
            parts.append(upper.ribbon(path, half, 0.0022 + 0.0012 * (side > 0.0)))
    for side in (-1.0, 1.0):
        loop = [
            (0.8, FRONT),
            (0.2, FRONT + side * 5.0),
            (1.6, FRONT + side * 8.0),
            (2.0, FRONT + side * 4.0),
        ]
        parts.append(upper.ribbon([*loop, (0.9, float(FRONT))], half, 0.0045))
    return joined_cloth(parts)
