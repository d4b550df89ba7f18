"""Frechet distance between two clouds of features, and how sure of it one may be.

Both clouds are taken for Gaussian: d^2 = |m1 - m2|^2 + tr(C1 + C2 - 2 (C1 C2)^1/2) (Dowson and
Landau, "The Frechet distance between multivariate normal distributions", 1982). Over features of
pictures it is FID (Heusel et al. 2017), over the latent of a motion autoencoder FGD (Yoon et al.
2020), over text-motion embeddings the FID of text-to-motion. As in all of these the value given is
d^2, in squared units of the features.

A distance between finite samples is never zero: two samples of n from the same D-dimensional
distribution are about tr(C) * 2 / n apart by their means alone, and more by their covariances. So a
value means something only beside its spread (`bootstrap`) and its floor (`split_floor`), and two
values compare only when the numbers of samples are alike.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import linalg

from motion.errors import MotionValueError
from motion.metrics.checks import Array, count, finite, same_width


@dataclass(frozen=True, slots=True)
class Spread:
    """A value and how it would vary with other samples of the same kind.

    Attributes:
        value: from all samples.
        deviation: standard deviation over the resamples.
        low, high: 95 % interval about `value`: the resamples' quantiles about their own mean,
            since resampling repeats samples and so lifts every Frechet distance.
    """

    value: float
    deviation: float
    low: float
    high: float


def gaussian_distance(
    mean1: ArrayLike, covariance1: ArrayLike, mean2: ArrayLike, covariance2: ArrayLike
) -> float:
    """Return d^2 between two Gaussians.

    Args:
        mean1, mean2: [D].
        covariance1, covariance2: [D, D], symmetric, of any rank.

    Raises:
        MotionValueError: shapes do not agree, or a value is not finite.
    """
    m1, m2 = finite(mean1, "means", "D"), finite(mean2, "means", "D")
    size = len(m1)
    c1 = finite(covariance1, "covariances", f"{size}, {size}")
    c2 = finite(covariance2, "covariances", f"{size}, {size}")
    same_width(m1[None], m2[None], "means")
    # tr (C1 C2)^1/2 as the singular values of C1^1/2 C2^1/2: no square root of a product that is
    # not symmetric, so nothing complex, and no padding of the diagonal when the rank is short.
    cross = linalg.svdvals(_root(c1) @ _root(c2)).sum()
    apart = float(np.sum((m1 - m2) ** 2) + np.trace(c1) + np.trace(c2) - 2.0 * cross)
    return max(apart, 0.0)


def frechet_distance(real: ArrayLike, generated: ArrayLike) -> float:
    """Return d^2 between features [N, D] and [M, D], N and M at least 2.

    Raises:
        MotionValueError: shapes do not agree, too few rows, or a value is not finite.
    """
    first, second = _pair(real, generated)
    return _distance(first, second)


def bootstrap(
    real: ArrayLike,
    generated: ArrayLike,
    *,
    rounds: int = 100,
    seed: int = 0,
    real_groups: ArrayLike | None = None,
    generated_groups: ArrayLike | None = None,
) -> Spread:
    """Return the Frechet distance with its spread, by resampling with replacement (Efron 1979).

    Args:
        real, generated: features [N, D] and [M, D].
        rounds: resamples.
        seed: the same seed gives the same spread.
        real_groups, generated_groups: [N] and [M], the clip each row is from. Whole clips are then
            resampled, which is right where windows of a clip overlap or resemble one another.

    Raises:
        MotionValueError: shapes do not agree, or fewer than two groups.
    """
    first, second = _pair(real, generated)
    random = np.random.default_rng(seed)
    choose = _rows(first, real_groups), _rows(second, generated_groups)
    values = np.array(
        [
            _distance(first[_resample(choose[0], random)], second[_resample(choose[1], random)])
            for _ in range(count(rounds, "rounds", 2))
        ]
    )
    value = _distance(first, second)
    low, high = np.quantile(values - values.mean(), (0.025, 0.975))
    return Spread(
        value=value,
        deviation=float(values.std(ddof=1)),
        low=max(value + float(low), 0.0),
        high=value + float(high),
    )


def split_floor(features: ArrayLike, *, rounds: int = 20, seed: int = 0) -> float:
    """Return the mean distance between random halves of one sample: what "no difference" measures.

    Args:
        features: [N, D], N at least 4.
        rounds: random splits to average over.
        seed: the same seed gives the same splits.

    Raises:
        MotionValueError: too few rows, or a value is not finite.
    """
    rows = finite(features, "features", "N, D", 4)
    random = np.random.default_rng(seed)
    half, values = len(rows) // 2, []
    for _ in range(count(rounds, "rounds")):
        order = random.permutation(len(rows))
        values.append(_distance(rows[order[:half]], rows[order[half:]]))
    return float(np.mean(values))


def _pair(real: ArrayLike, generated: ArrayLike) -> tuple[Array, Array]:
    first = finite(real, "real features", "N, D", 2)
    second = finite(generated, "generated features", "M, D", 2)
    same_width(first, second, "real and generated features")
    return first, second


def _distance(first: Array, second: Array) -> float:
    return gaussian_distance(first.mean(0), _covariance(first), second.mean(0), _covariance(second))


def _covariance(rows: Array) -> Array:
    return np.atleast_2d(np.cov(rows, rowvar=False)).astype(np.float64)


def _root(covariance: Array) -> Array:
    """Return the symmetric square root; what rounding made negative counts as zero."""
    values, vectors = linalg.eigh(covariance)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T, np.float64)


def _rows(features: Array, groups: ArrayLike | None) -> list[NDArray[np.intp]]:
    """Return the rows of each group; without groups, every row is one."""
    if groups is None:
        return [np.array([row]) for row in range(len(features))]
    labels = np.asarray(groups)
    if labels.shape != (len(features),):
        raise MotionValueError(f"groups are {list(labels.shape)}; accepted: [{len(features)}]")
    kinds = np.unique(labels)
    if len(kinds) < 2:
        raise MotionValueError(f"{len(kinds)} group; accepted: 2 or more")
    return [np.flatnonzero(labels == kind) for kind in kinds]


def _resample(rows: list[NDArray[np.intp]], random: np.random.Generator) -> NDArray[np.intp]:
    chosen = random.integers(0, len(rows), len(rows))
    return np.concatenate([rows[index] for index in chosen])
