"""Text-to-motion: does the motion say what the text says?

The figures of HumanML3D (Guo et al., "Generating diverse and natural 3D human motions from text",
2022) over embeddings of texts and of motions in one space, whichever networks made them. Its FID is
`frechet.frechet_distance` of true and generated motion embeddings.
"""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motion.errors import MotionValueError
from motion.metrics.checks import Array, count, finite, same_shape

POOL: Final = 32  # texts among which a motion must find its own


def r_precision(
    texts: ArrayLike,
    motions: ArrayLike,
    *,
    top: int = 3,
    pool: int = POOL,
    rounds: int = 20,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Return how often a text's motion is among the nearest of a pool; by chance k / pool.

    Args:
        texts, motions: [N, D], row i of one belonging to row i of the other; N at least `pool`.
        top: largest rank asked for.
        pool: pairs that compete with one another, 32 as published.
        rounds: random divisions into pools that are averaged; the rows left over sit one out.
        seed: the same seed gives the same pools.

    Returns:
        [top]: share of texts whose own motion is among the 1, 2, ... `top` nearest by Euclidean
        distance. Ties count against, so embeddings that are all alike score 0.

    Raises:
        MotionValueError: shapes do not agree, fewer rows than a pool, or a count not accepted.
    """
    said, moved = _pairs(texts, motions)
    size, last = count(pool, "pool", 2), count(top, "top")
    if len(said) < size or last > size:
        raise MotionValueError(
            f"{len(said)} pairs, pools of {size}, top {last}; accepted: top <= pool <= pairs"
        )
    random = np.random.default_rng(seed)
    ranks = []
    for _ in range(count(rounds, "rounds")):
        order = random.permutation(len(said))[: len(said) // size * size]
        ranks += [_ranks(said[rows], moved[rows]) for rows in order.reshape(-1, size)]
    found = np.concatenate(ranks)
    return np.array([(found < k).mean() for k in range(1, last + 1)])


def matching_distance(texts: ArrayLike, motions: ArrayLike) -> float:
    """Return MM-Dist: the mean Euclidean distance between a text [N, D] and its motion [N, D].

    Raises:
        MotionValueError: shapes do not agree, or a value is not finite.
    """
    said, moved = _pairs(texts, motions)
    return float(np.linalg.norm(said - moved, axis=1).mean())


def diversity(motions: ArrayLike, *, pairs: int = 300, seed: int = 0) -> float:
    """Return the mean distance between motions [N, D] drawn at random in `pairs` pairs.

    Raises:
        MotionValueError: fewer than two motions, or a value is not finite.
    """
    rows = finite(motions, "motions", "N, D", 2)
    return _apart(rows, count(pairs, "pairs"), np.random.default_rng(seed))


def multimodality(motions: ArrayLike, *, pairs: int = 10, seed: int = 0) -> float:
    """Return the mean distance between motions of one text: how differently it can be moved.

    Args:
        motions: [texts, R, D], R motions of each text, at least 2; 30 as published.
        pairs: random pairs for each text.
        seed: the same seed gives the same pairs.

    Raises:
        MotionValueError: other shapes, fewer than two motions a text, or a value is not finite.
    """
    sets = finite(motions, "motions", "texts, R, D")
    if sets.shape[1] < 2:
        raise MotionValueError(f"{sets.shape[1]} motion of each text; accepted: 2 or more")
    random = np.random.default_rng(seed)
    return float(np.mean([_apart(rows, count(pairs, "pairs"), random) for rows in sets]))


def _pairs(texts: ArrayLike, motions: ArrayLike) -> tuple[Array, Array]:
    said, moved = finite(texts, "texts", "N, D"), finite(motions, "motions", "N, D")
    same_shape(said, moved, "texts and motions")
    return said, moved


def _ranks(texts: Array, motions: Array) -> NDArray[np.intp]:
    """Return for each text how many other motions are as near as its own."""
    distance = np.linalg.norm(texts[:, None] - motions[None], axis=-1)
    nearer = distance <= np.diagonal(distance)[:, None]
    return np.asarray(nearer.sum(1) - 1, np.intp)


def _apart(rows: Array, pairs: int, random: np.random.Generator) -> float:
    """Return the mean distance of random pairs, never of a row and itself."""
    first = random.integers(0, len(rows), pairs)
    second = (first + random.integers(1, len(rows), pairs)) % len(rows)
    return float(np.linalg.norm(rows[first] - rows[second], axis=1).mean())
