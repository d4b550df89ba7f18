"""Levels of detail: which triangles of a part are drawn at how many pixels a metre.

Surfaces have their levels from `avatar.body.levels`; ribbons of hair lose every second pair of
vertices along them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import Part

Ints = NDArray[np.int32]

# Pixels a surface may be off, root of the mean square of place, light and texture together.
ERROR_PIXELS: Final = 2.1
# Metres that ribbons of half as many steps count as off.
_SHORTENED: Final = 0.0018


@dataclass(frozen=True, slots=True)
class Drawn:
    """One level of detail.

    Attributes:
        kept: int32 [n], the part's vertices that are used.
        triangles: int32 [t, 3], indices into `kept`.
        error: metres.
        backs: how many triangles, the first ones, may be seen from behind.
    """

    kept: Ints
    triangles: Ints
    error: float
    backs: int

    def side(self, *, backs: bool) -> "Drawn":
        """Return what of it may be seen from behind, or the rest."""
        some = self.triangles[: self.backs] if backs else self.triangles[self.backs :]
        found = _drawn(some, self.error, len(some) if backs else 0)
        return replace(found, kept=self.kept[found.kept])


def levels(part: Part) -> list[Drawn]:
    """Return the levels of a part, the finest first."""
    if not part.levels:
        found = [_drawn(part.triangles, 0.0, len(part.triangles))]
    else:
        found = [_drawn(level.triangles, level.error, level.backs) for level in part.levels]
    if part.material == "strand":
        after = shortened(part.triangles)
        if len(after) < len(part.triangles):
            found.append(_drawn(after, _SHORTENED, len(after)))
    return found


def level_for(levels: Sequence[Drawn], density: float) -> int:
    """Return which level to draw where a metre takes `density` pixels: the coarsest that does."""
    return max(
        index
        for index, level in enumerate(levels)
        if index == 0 or level.error * density <= ERROR_PIXELS
    )


def shortened(triangles: Ints) -> Ints:
    """Return ribbons with every second pair of vertices left out, int32 [t, 3], in their order.

    Args:
        triangles: [t, 3], ribbons of a pair of vertices a step, as `avatar.hair.ribbons` lays
            them; anything else comes back as it is.
    """
    start = triangles[::2, 0]
    pairs = start[:, None] + np.array([0, 1, 2, 1, 3, 2])
    if not np.array_equal(pairs.reshape(-1, 3), triangles):
        return triangles
    begins = np.concatenate([[True], np.diff(start) != 2])
    first = np.maximum.accumulate(np.where(begins, np.arange(len(start)), 0))
    even = (np.arange(len(start)) - first) % 2 == 0
    # The last step of a ribbon of an odd number of steps stays as short as it was.
    alone = np.concatenate([begins[1:], [True]])[even]
    start = start[even]
    far = start + np.where(alone, 2, 4)
    corners = np.stack([start, start + 1, far, start + 1, far + 1, far], 1)
    return np.asarray(corners.reshape(-1, 3), np.int32)


def _drawn(triangles: Ints, error: float, backs: int) -> Drawn:
    kept, places = np.unique(triangles, return_inverse=True)
    return Drawn(kept.astype(np.int32), places.reshape(-1, 3).astype(np.int32), error, backs)
