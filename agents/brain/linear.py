"""`LinearModel`: Bayesian linear regression that forgets, updated one observation at a time."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.errors import AgentValueError

# Updates after which the past is made to count less, and the inverse is made anew.
_PERIOD: Final = 50


class LinearModel:
    """Learns rewards as a linear function of features, and how sure it is of each weight.

    The posterior of ridge regression under Gaussian noise, whose variance is estimated from the
    residuals: precision A = prior * I + sum of w x x', weights A^-1 sum of w x r. The inverse is
    kept by the formula of Sherman and Morrison.

    Args:
        size: how many features.
        prior: precision of the weights before anything is seen; they are around 0.
        memory: observations after which an observation counts 1/e.

    Raises:
        AgentValueError: a number is not above 0.
    """

    def __init__(
        self,
        size: int,
        *,
        prior: float = 20.0,
        memory: float = 8000.0,
        mean: NDArray[np.float64] | None = None,
    ) -> None:
        if size < 1 or prior <= 0.0 or memory <= 0.0:
            raise AgentValueError(
                f"size {size}, prior {prior}, memory {memory}; each is above 0"
            )
        self.size, self.prior, self.memory = size, prior, memory
        self._precision = prior * np.eye(size)
        self._covariance = np.eye(size) / prior
        self.mean = np.zeros(size) if mean is None else mean
        self._moment = prior * self.mean
        self._weights = self.mean.copy()
        self._noise = np.array([2.0, 2.0])
        self.seen = 0

    @property
    def weights(self) -> NDArray[np.float64]:
        """Mean of the weights [size]."""
        return self._weights

    @property
    def noise(self) -> float:
        """Variance of a reward of weight 1 around what is expected."""
        return float(self._noise[0] / self._noise[1])

    def expected(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the expected reward of each row [n] of features [n, size]."""
        return np.asarray(rows @ self._weights)

    def spread(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the covariance [n, n] of what is expected of rows [n, size]."""
        return np.asarray(self.noise * (rows @ self._covariance @ rows.T))

    def learn(self, row: NDArray[np.float64], reward: float, weight: float = 1.0) -> None:
        """Learn one observation.

        Args:
            row: features [size].
            weight: how much more precise than usual it is, above 0.

        Raises:
            AgentValueError: something is not finite, or the weight is not above 0.
        """
        if not (np.isfinite(row).all() and np.isfinite(reward) and 0.0 < weight < np.inf):
            raise AgentValueError(f"reward {reward} of weight {weight}: finite, weight above 0")
        missed = reward - float(row @ self._weights)
        self._noise += (weight * missed * missed, 1.0)
        towards = self._covariance @ row
        self._precision += weight * np.outer(row, row)
        self._covariance -= np.outer(towards, towards) * (
            weight / (1.0 + weight * float(row @ towards))
        )
        self._moment += weight * reward * row
        self.seen += 1
        if self.seen % _PERIOD == 0:
            self._forget(np.exp(-_PERIOD / self.memory))
        self._weights = self._covariance @ self._moment

    def _forget(self, kept: float) -> None:
        """Let the past count less, and what is forgotten become the prior again."""
        self._precision *= kept
        self._precision[np.diag_indices(self.size)] += (1.0 - kept) * self.prior
        self._moment = kept * self._moment + (1.0 - kept) * self.prior * self.mean
        self._noise *= kept
        self._covariance = np.linalg.inv(self._precision)

    def snapshot(self) -> dict[str, object]:
        """Return it as JSON has it; the precision as its lower triangle, row by row."""
        return {
            "prior": self.prior,
            "memory": self.memory,
            "seen": self.seen,
            "noise": self._noise.tolist(),
            "moment": self._moment.tolist(),
            "precision": self._precision[np.tril_indices(self.size)].tolist(),
        }
