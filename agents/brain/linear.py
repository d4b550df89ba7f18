"""`LinearModel`: Bayesian linear regression that forgets, updated one observation at a time."""

import base64
import binascii
import zlib
from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.errors import AgentValueError

Floats = NDArray[np.float64]
# Updates after which the past is made to count less, and the inverse is made anew.
_PERIOD: Final = 2000


class LinearModel:
    """Learns rewards as a linear function of features, and how sure it is of each weight.

    The posterior of ridge regression under Gaussian noise, whose variance is estimated from the
    residuals: precision A = prior * I + sum of w x x', weights A^-1 (prior * mean + sum of w x r).
    The inverse is kept by the formula of Sherman and Morrison.

    Args:
        mean: of the weights before anything is seen [size].
        prior: their precision then, against the noise of one observation.
        memory: observations after which an observation counts 1/e.

    Raises:
        AgentValueError: a number is not above 0.
    """

    def __init__(self, mean: Floats, *, prior: float = 20.0, memory: float = 8000.0) -> None:
        if mean.size < 1 or not (prior > 0.0 and memory > 0.0):
            raise AgentValueError(
                f"{mean.size} features, prior {prior}, memory {memory}; each is above 0"
            )
        self.size, self.prior, self.memory, self.mean = mean.size, prior, memory, mean
        self._precision = prior * np.eye(self.size)
        self._covariance = np.eye(self.size) / prior
        self._moment = prior * mean
        self._weights = mean.copy()
        # Sum of squared residuals and how many; two observations of variance 1 to begin with.
        self._noise = np.array([2.0, 2.0])
        self.seen = 0

    @property
    def weights(self) -> Floats:
        """Mean of the weights [size]."""
        return self._weights

    @property
    def noise(self) -> float:
        """Variance of a reward of weight 1 around what is expected."""
        return float(self._noise[0] / self._noise[1])

    def expected(self, rows: Floats) -> Floats:
        """Return the expected reward of each row [n] of features [n, size]."""
        return np.asarray(rows @ self._weights)

    def spread(self, rows: Floats) -> Floats:
        """Return the covariance [n, n] of what is expected of rows [n, size]."""
        return np.asarray(self.noise * (rows @ self._covariance @ rows.T))

    def learn(self, row: Floats, reward: float, weight: float = 1.0) -> None:
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
        towards = _times(self._covariance, row)
        self._precision += weight * np.outer(row, row)
        self._covariance -= np.outer(towards, towards) * (
            weight / (1.0 + weight * float(row @ towards))
        )
        self._moment += weight * reward * row
        self.seen += 1
        if self.seen % _PERIOD == 0:
            self._forget(float(np.exp(-_PERIOD / self.memory)))
        self._weights = _times(self._covariance, self._moment)

    def move(self, forgotten: slice, share: float) -> None:
        """Go on in another place: know nothing of some features, and be less sure of the others.

        What was seen of those counts for a share of itself here, after the power prior of Ibrahim
        and Chen 2000; what is expected of them stays.
        """
        kept = np.ones(self.size, dtype=np.bool_)
        kept[forgotten] = False
        covariance = np.eye(self.size) / self.prior
        covariance[np.ix_(kept, kept)] = self._covariance[np.ix_(kept, kept)]
        self._precision = share * _inverse(covariance)
        self._precision[np.diag_indices(self.size)] += (1.0 - share) * self.prior
        self._covariance = _inverse(self._precision)
        self._weights = np.where(kept, self._weights, self.mean)
        self._moment = self._precision @ self._weights

    def copy(self) -> "LinearModel":
        """Return a model that knows the same and learns on its own."""
        other = LinearModel(self.mean, prior=self.prior, memory=self.memory)
        other._covariance, other._precision = self._covariance.copy(), self._precision.copy()
        other._weights, other._moment = self._weights.copy(), self._moment.copy()
        other._noise, other.seen = self._noise.copy(), self.seen
        return other

    def snapshot(self) -> dict[str, object]:
        """Return it as JSON has it: what differs from the prior, as packed 64-bit floats."""
        known = self._precision != self.prior * np.eye(self.size)
        used = np.flatnonzero(known.any(axis=1) | (self._weights != self.mean))
        covariance = self._covariance[np.ix_(used, used)]
        return {
            "seen": self.seen,
            "noise": self._noise.tolist(),
            "used": used.tolist(),
            "weights": self._weights[used].tolist(),
            "covariance": _pack(covariance[np.tril_indices(used.size)]),
        }

    def restore(self, kept: Mapping[str, object]) -> None:
        """Know what a snapshot of a model of the same features knew.

        Raises:
            AgentValueError: it is none.
        """
        try:
            used = np.asarray(kept["used"], dtype=np.intp)
            corner = np.zeros((used.size, used.size))
            corner[np.tril_indices(used.size)] = _unpack(str(kept["covariance"]))
            corner += np.tril(corner, -1).T
            covariance, weights = np.eye(self.size) / self.prior, self.mean.copy()
            covariance[np.ix_(used, used)] = corner
            weights[used] = np.asarray(kept["weights"], dtype=np.float64)
            noise = np.asarray(kept["noise"], dtype=np.float64)
            seen = int(str(kept["seen"]))
            np.linalg.cholesky(covariance)
        except (
            KeyError, ValueError, TypeError, IndexError, zlib.error, binascii.Error,
            np.linalg.LinAlgError,
        ) as error:  # fmt: skip
            raise AgentValueError(f"what a model knew cannot be read: {error}") from error
        self._become(covariance, weights)
        self._noise, self.seen = noise, seen

    def _forget(self, kept: float) -> None:
        """Let the past count less, and what is forgotten become the prior again."""
        self._precision *= kept
        self._precision[np.diag_indices(self.size)] += (1.0 - kept) * self.prior
        self._moment = kept * self._moment + (1.0 - kept) * self.prior * self.mean
        self._noise *= kept
        self._covariance = _inverse(self._precision)

    def _become(self, covariance: Floats, weights: Floats) -> None:
        self._covariance, self._weights = covariance, weights
        self._precision = _inverse(covariance)
        self._moment = self._precision @ weights


def _times(matrix: Floats, vector: Floats) -> Floats:
    """Return their product [n] without BLAS, whose threads wait for each other longer than it takes
    where the machine is busy.
    """
    return np.asarray(np.einsum("ij,j->i", matrix, vector))


def _inverse(matrix: Floats) -> Floats:
    """Return the inverse of a symmetric matrix, exactly symmetric itself."""
    inverse = np.linalg.inv(matrix)
    return np.asarray(0.5 * (inverse + inverse.T), dtype=np.float64)


def _pack(values: Floats) -> str:
    return base64.b64encode(zlib.compress(values.astype("<f8").tobytes(), 1)).decode()


def _unpack(text: str) -> Floats:
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype="<f8").astype(np.float64)
