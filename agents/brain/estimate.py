"""What a policy would have earned, from decisions that another one made and logged.

A decision is logged with the probability with which it was made. Weighing each reward by how much
likelier the other policy makes it tells what that one would have earned in the same moments:

- `ips`: inverse propensity scores (Horvitz and Thompson 1952); unbiased, and noisy.
- `snips`: the same, divided by the sum of the weights (Swaminathan and Joachims 2015, "The
  Self-Normalized Estimator for Counterfactual Learning").
- `doubly_robust`: a model's expectation, corrected by the weighted residuals (Dudik, Langford and
  Li 2011, "Doubly Robust Policy Evaluation and Learning"); unbiased where propensities are right.

What is estimated is the value of one decision in the moments that the logging policy led to, with
the logging policy going on afterwards; not that of a room led by the other policy for hours.

Rewards of decisions that follow each other share time, so intervals come from a bootstrap of whole
blocks (Künsch 1989). `bernstein` is the empirical bound of Maurer and Pontil 2009, which needs no
bootstrap and holds for any bounded independent terms, and is far wider.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.errors import AgentValueError

Floats = NDArray[np.float64]
# Decisions whose rewards overlap stay together in the bootstrap.
BLOCK: Final = 8
DRAWS: Final = 1000


@dataclass(frozen=True, slots=True)
class Sample:
    """One logged decision, as an estimate of another policy takes it.

    Attributes:
        target: probability of the action taken under the policy that is estimated, 0 to 1.
        propensity: the one it was taken with, above 0 to 1.
        reward: what came of it.
        predicted: what a model expected of it.
        value: what the model expects of the estimated policy here.

    Raises:
        AgentValueError: a probability is outside its range, or a number is not finite.
    """

    target: float
    propensity: float
    reward: float
    predicted: float = 0.0
    value: float = 0.0

    def __post_init__(self) -> None:
        if not (0.0 <= self.target <= 1.0 + 1e-9 and 0.0 < self.propensity <= 1.0 + 1e-9):
            raise AgentValueError(
                f"target {self.target} is 0 to 1, propensity {self.propensity} above 0 to 1"
            )
        if not np.isfinite([self.reward, self.predicted, self.value]).all():
            raise AgentValueError(f"reward {self.reward} and what was expected are finite")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value, and how sure it is.

    Attributes:
        value: mean reward a decision.
        low, high: bounds of its confidence interval.
        effective: effective number of samples, (sum w)^2 / sum w^2 (Kish 1965).
        count: samples.
    """

    value: float
    low: float
    high: float
    effective: float
    count: int


def ips(samples: Sequence[Sample], confidence: float = 0.95, seed: int = 0) -> Estimate:
    """Return the mean of weight times reward.

    Raises:
        AgentValueError: there are no samples.
    """
    table = _table(samples)
    return _summed(_weights(table) * table[:, 2], table, confidence, seed)


def snips(samples: Sequence[Sample], confidence: float = 0.95, seed: int = 0) -> Estimate:
    """Return the weighted mean of rewards.

    Raises:
        AgentValueError: there are no samples, or none that the policy would take.
    """
    table = _table(samples)
    weights = _weights(table)
    if not weights.any():
        raise AgentValueError("none of the logged actions would be taken by the policy")
    over, under = _resampled(np.stack([weights * table[:, 2], weights]), seed)
    ratios = np.divide(over, under, out=np.zeros_like(over), where=under > 0.0)
    value = float(weights @ table[:, 2] / weights.sum())
    return _estimate(value, ratios, table, confidence)


def doubly_robust(samples: Sequence[Sample], confidence: float = 0.95, seed: int = 0) -> Estimate:
    """Return the mean of what the model expects, corrected by weighted residuals.

    Raises:
        AgentValueError: there are no samples.
    """
    table = _table(samples)
    return _summed(robust_terms(table), table, confidence, seed)


def gain(samples: Sequence[Sample], confidence: float = 0.95, seed: int = 0) -> Estimate:
    """Return by how much the policy is better than the one that logged: doubly robust less reward.

    Both are of the same decisions, so what was good or bad luck for both cancels out.

    Raises:
        AgentValueError: there are no samples.
    """
    table = _table(samples)
    return _summed(robust_terms(table) - table[:, 2], table, confidence, seed)


def robust_terms(table: Floats) -> Floats:
    """Return the terms [n] whose mean is the doubly robust estimate, from samples [n, 5]."""
    residuals = table[:, 2] - table[:, 3]
    return np.asarray(table[:, 4] + _weights(table) * residuals)


def bernstein(terms: Floats, bound: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return bounds of the mean of independent terms [n] that lie within `bound` of each other.

    Raises:
        AgentValueError: there are fewer than two terms, or they lie further apart.
    """
    if terms.size < 2 or float(np.ptp(terms)) > bound:
        raise AgentValueError(f"{terms.size} terms over {np.ptp(terms)}; at least 2 over {bound}")
    tail = float(np.log(4.0 / (1.0 - confidence)))
    spread = np.sqrt(2.0 * terms.var(ddof=1) * tail / terms.size)
    spread += 7.0 * bound * tail / (3.0 * (terms.size - 1))
    return float(terms.mean() - spread), float(terms.mean() + spread)


def _table(samples: Sequence[Sample]) -> Floats:
    if not samples:
        raise AgentValueError("there are no logged decisions to estimate from")
    return np.array([(s.target, s.propensity, s.reward, s.predicted, s.value) for s in samples])


def _weights(table: Floats) -> Floats:
    return np.asarray(table[:, 0] / table[:, 1])


def _summed(terms: Floats, table: Floats, confidence: float, seed: int) -> Estimate:
    (means,) = _resampled(terms[np.newaxis], seed)
    return _estimate(float(terms.mean()), means, table, confidence)


def _resampled(columns: Floats, seed: int) -> Floats:
    """Return means of columns [c, n] over bootstrap draws of circular blocks [c, `DRAWS`]."""
    count = columns.shape[1]
    block = min(BLOCK, count)
    blocks = -(-count // block)
    starts = np.random.default_rng(seed).integers(0, count, (DRAWS, blocks))
    # Sums over blocks come from running sums over the column put twice behind itself.
    running = np.cumsum(np.concatenate([columns, columns], axis=1), axis=1)
    running = np.concatenate([np.zeros((len(columns), 1)), running], axis=1)
    sums = running[:, starts + block] - running[:, starts]
    return np.asarray(sums.sum(axis=2) / (blocks * block))


def _estimate(value: float, means: Floats, table: Floats, confidence: float) -> Estimate:
    edge = 50.0 * (1.0 - confidence)
    low, high = np.percentile(means, [edge, 100.0 - edge])
    weights = _weights(table)
    squares = float(weights @ weights)
    effective = float(weights.sum()) ** 2 / squares if squares else 0.0
    return Estimate(value, float(low), float(high), effective, len(table))
