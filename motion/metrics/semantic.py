"""SRGR: are the gestures that mean something there?"""

import numpy as np
from numpy.typing import ArrayLike

from motion.errors import MotionValueError
from motion.metrics.checks import finite, positive, same_shape


def semantic_relevance_recall(
    made: ArrayLike, true: ArrayLike, relevance: ArrayLike, *, within: float = 0.1
) -> float:
    """Return SRGR: the share of joints that are right, frames weighted by their meaning.

    A joint is right if |dx| + |dy| + |dz| < `within` (Liu et al., BEAT, 2022, and its code). The
    paper weights frames by an annotated relevance, and its code divides by 0.165, the mean weight
    of that corpus; here the weights' own mean stands there, so 1 means right wherever it matters,
    on any corpus.

    Args:
        made, true: joint positions [T, J, 3], metres.
        relevance: [T], 0 (means nothing) or more.
        within: metres.

    Raises:
        MotionValueError: shapes do not agree, a negative relevance, or none above zero.
    """
    first = finite(made, "made motion", "T, J, 3")
    second = finite(true, "true motion", "T, J, 3")
    same_shape(first, second, "made and true motion")
    weights = finite(relevance, "relevance", str(len(first)))
    if weights.min() < 0.0 or not weights.any():
        raise MotionValueError(
            f"relevance from {weights.min():g} to {weights.max():g}; "
            "accepted: 0 or more, somewhere above 0"
        )
    right = np.abs(first - second).sum(-1) < positive(within, "within")
    return float(np.average(right.mean(1), weights=weights))
