"""`Ledger`: what estimates need of thousands of logged decisions, in a few numbers a block."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from agents.brain.estimate import BLOCK, DRAWS, Estimate, Floats, Sample
from agents.errors import AgentValueError

# Blocks that are kept; at a decision every 30 seconds the last five days.
MOST_BLOCKS: Final = 2000
# Sums of a block: decisions, doubly robust terms, rewards, weights, squared weights.
_COLUMNS: Final = 5


class Ledger:
    """Doubly robust estimates of a policy from decisions that come one by one.

    Only sums over blocks of `BLOCK` decisions are kept, which the bootstrap draws from (Carlstein
    1986): so weeks on air take no more room than a day.
    """

    def __init__(self, samples: Iterable[Sample] = ()) -> None:
        self._blocks: list[list[float]] = []
        self.count = 0
        for sample in samples:
            self.add(sample)

    def add(self, sample: Sample) -> None:
        """Count a decision."""
        if not self._blocks or self._blocks[-1][0] >= BLOCK:
            self._blocks.append([0.0] * _COLUMNS)
            del self._blocks[:-MOST_BLOCKS]
        weight = sample.target / sample.propensity
        robust = sample.value + weight * (sample.reward - sample.predicted)
        for place, value in enumerate((1.0, robust, sample.reward, weight, weight * weight)):
            self._blocks[-1][place] += value
        self.count += 1

    @property
    def reward(self) -> float:
        """Mean reward of the decisions that were made.

        Raises:
            AgentValueError: there are none.
        """
        sums = self._table().sum(axis=0)
        return float(sums[2] / sums[0])

    def value(self, confidence: float = 0.95, seed: int = 0) -> Estimate:
        """Return the doubly robust estimate of the policy's reward a decision.

        Raises:
            AgentValueError: there are no decisions.
        """
        table = self._table()
        return _estimate(table, table[:, 1], confidence, seed)

    def made(self, confidence: float = 0.95, seed: int = 0) -> Estimate:
        """Return the mean reward of the decisions that were made, with its interval.

        Raises:
            AgentValueError: there are no decisions.
        """
        table = self._table()
        return _estimate(table, table[:, 2], confidence, seed)

    def gain(self, confidence: float = 0.95, seed: int = 0) -> Estimate:
        """Return by how much the policy is better than the one that decided; see `estimate.gain`.

        Raises:
            AgentValueError: there are no decisions.
        """
        table = self._table()
        return _estimate(table, table[:, 1] - table[:, 2], confidence, seed)

    def lately(self, decisions: int) -> "Ledger":
        """Return a ledger of about the last so many decisions."""
        other = Ledger()
        other._blocks = [block.copy() for block in self._blocks[-max(decisions // BLOCK, 1) :]]
        other.count = int(sum(block[0] for block in other._blocks))
        return other

    def snapshot(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        rounded = [[round(value, 5) for value in block] for block in self._blocks]
        return {"count": self.count, "blocks": rounded}

    @classmethod
    def restored(cls, kept: Mapping[str, Any]) -> "Ledger":
        """Return the ledger of a snapshot.

        Raises:
            AgentValueError: it is none.
        """
        ledger = cls()
        try:
            blocks: Sequence[Sequence[float]] = kept["blocks"]
            ledger._blocks = [[float(value) for value in block] for block in blocks]
            ledger.count = int(kept["count"])
        except (KeyError, TypeError, ValueError) as error:
            raise AgentValueError(f"logged decisions cannot be read: {error}") from error
        if any(len(block) != _COLUMNS for block in ledger._blocks):
            raise AgentValueError(f"a block of logged decisions has {_COLUMNS} numbers")
        return ledger

    def _table(self) -> Floats:
        if not self._blocks:
            raise AgentValueError("there are no logged decisions to estimate from")
        return np.array(self._blocks)


def _estimate(table: Floats, sums: Floats, confidence: float, seed: int) -> Estimate:
    """Return the estimate of a mean from sums over blocks [b]."""
    blocks, counts = len(table), table[:, 0]
    chosen = np.random.default_rng(seed).integers(0, blocks, (DRAWS, blocks))
    means = sums[chosen].sum(axis=1) / counts[chosen].sum(axis=1)
    edge = 50.0 * (1.0 - confidence)
    low, high = np.percentile(means, [edge, 100.0 - edge])
    weights, squares = float(table[:, 3].sum()), float(table[:, 4].sum())
    effective = weights * weights / squares if squares else 0.0
    value = float(sums.sum() / counts.sum())
    return Estimate(value, float(low), float(high), effective, int(counts.sum()))
