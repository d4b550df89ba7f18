"""Drift: is the motion of a later minute still like that of the first?

No two minutes are alike, so a later one is asked to be no further from the first than the first is
from itself. Minute 1 is cut into blocks of time (whole seconds, since neighbouring frames say the
same), and many times half of its blocks are drawn against the other half: that is its spread. The
later minute is compared by the same number of blocks with the same halves, since distances between
small samples are large whatever the samples (see `frechet`). The ratio is the median distance of
the later minute to a high quantile of the spread: at most 1 where nothing has drifted. The quantile
is such that of minutes that are alike about one in twenty exceeds 1 in any of the three respects;
a posture that moves by one standard deviation or speeds that double practically always do.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from motion.errors import MotionValueError
from motion.metrics.checks import Array, count, finite, same_width
from motion.metrics.frechet import frechet_distance

BLOCKS: Final = 12  # of five seconds in a minute
SPLITS: Final = 100
_QUANTILE: Final = 1.0 - 0.05 / 3.0  # three respects share five in a hundred

Distance = Callable[[Array, Array], float]


@dataclass(frozen=True, slots=True)
class Drift:
    """How far a later stretch of motion is from the first, each by the spread of the first.

    Attributes:
        features: by the Frechet distance of its features.
        speed: by its mean speed.
        limits: by its share of joints beyond their limits.
    """

    features: float
    speed: float
    limits: float

    @property
    def drift_ratio(self) -> float:
        """The largest of them; at most 1 where nothing has drifted."""
        return max(self.features, self.speed, self.limits)


def drift(
    first: tuple[ArrayLike, ArrayLike, ArrayLike],
    later: tuple[ArrayLike, ArrayLike, ArrayLike],
    *,
    blocks: int = BLOCKS,
    seed: int = 0,
    limits_floor: float = 0.01,
) -> Drift:
    """Return how far a later stretch has drifted from the first.

    Args:
        first, later: (features, speeds, limits) of two stretches, each in order of time:
            features [N, D] of frames or windows, D far below N or the distance is all noise, such
            as the first eight coordinates of an autoencoder's latent, largest first;
            speeds [M] or [M, J], metres a second; limits [K], each frame's share of joints beyond
            their limits. N, M and K may differ.
        blocks: pieces of time a stretch is cut into, at least 4.
        seed: the same seed gives the same splits.
        limits_floor: a change of the share of limits that counts as none. Going beyond a limit is
            rare, so a minute may hold no case, and one frame would seem endless drift. 0.01 is less
            than one joint of the upper body beyond its limit for good.

    Raises:
        MotionValueError: shapes do not agree, too few rows, or a value is not finite.
    """
    names, floors = ("features", "speeds", "limits"), (0.0, 0.0, limits_floor)
    distances: tuple[Distance, ...] = (frechet_distance, mean_difference, mean_difference)
    ratios = [
        spread_ratio(*_rows(first[k], later[k], names[k]), distances[k], blocks, seed, floors[k])
        for k in range(3)
    ]
    return Drift(*ratios)


def spread_ratio(
    first: ArrayLike,
    later: ArrayLike,
    distance: Distance,
    blocks: int = BLOCKS,
    seed: int = 0,
    floor: float = 0.0,
) -> float:
    """Return the distance of a later stretch, divided by the spread of the first.

    Args:
        first, later: [N, D] and [M, D] in order of time, at least two rows a block.
        distance: of two sets of rows, such as `frechet_distance`.
        blocks: pieces of time a stretch is cut into, at least 4.
        seed: the same seed gives the same splits.
        floor: a distance that counts as spread in any case.

    Returns:
        0 where they are alike to the last bit, infinity where only the first never varies.

    Raises:
        MotionValueError: shapes do not agree, too few rows, or a value is not finite.
    """
    a, b = finite(first, "first stretch", "N, D", 2), finite(later, "later stretch", "M, D", 2)
    same_width(a, b, "first and later stretch")
    pieces = count(blocks, "blocks", 4)
    if min(len(a), len(b)) < 2 * pieces:
        raise MotionValueError(
            f"{len(a)} and {len(b)} rows in {pieces} blocks; accepted: two rows a block or more"
        )
    before, after = np.array_split(a, pieces), np.array_split(b, pieces)
    random, half = np.random.default_rng(seed), pieces // 2
    within, between = [], []
    for _ in range(SPLITS):
        order, chosen = random.permutation(pieces), random.permutation(pieces)[half:]
        kept = _join(before, order[:half])
        within.append(distance(kept, _join(before, order[half:])))
        between.append(distance(kept, _join(after, chosen)))
    spread = max(float(np.quantile(within, _QUANTILE)), floor)
    apart = float(np.median(between))
    if spread == 0.0:
        return 0.0 if apart == 0.0 else float("inf")
    return apart / spread


def mean_difference(first: Array, second: Array) -> float:
    """Return the largest difference of column means between two sets of rows [N, D]."""
    return float(np.abs(first.mean(0) - second.mean(0)).max())


def _rows(first: ArrayLike, later: ArrayLike, name: str) -> tuple[Array, Array]:
    """Return two series as [N, D]; a flat one has one column."""
    series = [np.asarray(values, np.float64) for values in (first, later)]
    flat = [each[:, None] if each.ndim == 1 else each for each in series]
    return finite(flat[0], f"first {name}", "N, D"), finite(flat[1], f"later {name}", "M, D")


def _join(parts: list[Array], chosen: np.ndarray) -> Array:
    return np.concatenate([parts[index] for index in chosen])
