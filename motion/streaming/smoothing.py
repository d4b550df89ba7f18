"""Takes the tremble out of finished poses without holding them up.

What is left of the noise after a few coarse steps is small but new at every pose, and eyes see it
as a tremble. Graduation (Whittaker, "On a new method of graduation", 1923) asks for the poses that
stay near the made ones and whose third differences are small; its answer is one fixed matrix. The
poses shown before are given, so chunks join; those still in the making are looked at as the
network expects them to become, the less the less they are made. The last poses of a chunk wait
for the first of the next one, so that no end is smoothed by what was only expected.
"""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motion.errors import MotionValueError

BEFORE: Final = 3  # poses shown before that a third difference reaches back to
DELAY: Final = 3  # poses by which what is shown stays behind what the network has finished
# Halves what swings at 5 Hz; of the corpus' own motion it takes 0.07 mm at the wrists.
_STIFFNESS: Final = 0.3
_EDGE: Final = 0.5  # trust in the first and the last pose of a chunk, where two windows meet
_LEAST: Final = 1e-6


def trust_in(times: ArrayLike, chunk: int) -> NDArray[np.float64]:
    """Return the trust, [DELAY + slots * chunk], in poses that wait and in those being made.

    Args:
        times: of the slots [slots], 0 noise to 1 data.
        chunk: poses a slot, more than `DELAY`.
    """
    within = np.ones(chunk)
    within[[0, -1]] = _EDGE
    made = np.asarray(times, np.float64)[:, None] * within
    return np.concatenate([within[-DELAY:], made.ravel()])


def smoothing(
    trust: ArrayLike, finished: int, *, before: int = BEFORE, stiffness: float = _STIFFNESS
) -> NDArray[np.float64]:
    """Return the matrix [finished, before + n] that makes smooth poses of shown and made ones.

    Args:
        trust: of n made poses, [n], 0 to 1.
        finished: how many of them are wanted.
        before: how many poses shown before are given.
        stiffness: weight of squared third differences beside squared distances; 0 smooths nothing.

    Raises:
        MotionValueError: sizes or trust are out of range.
    """
    weights = np.asarray(trust, np.float64)
    if weights.ndim != 1 or not ((weights >= 0.0) & (weights <= 1.0)).all():
        raise MotionValueError(f"trust is {list(weights.shape)}; accepted: [n], each 0 to 1")
    count = len(weights)
    if not 1 <= finished <= count:
        raise MotionValueError(f"finished: {finished}; accepted: 1 to {count}")
    if before < 0 or before + count < 4:
        raise MotionValueError(f"before: {before}; accepted: 0 or more, 4 poses with the made ones")
    thirds = np.diff(np.eye(before + count), n=3, axis=0)
    shown, made = thirds[:, :before], thirds[:, before:]
    kept = np.diag(np.maximum(weights, _LEAST))
    drawn = np.concatenate([-stiffness * made.T @ shown, kept], 1)
    solved = np.linalg.solve(kept + stiffness * made.T @ made, drawn)
    return np.asarray(solved[:finished], np.float64)
