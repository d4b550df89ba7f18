"""`Learnt`: a contextual bandit, linear Thompson sampling with exactly known propensities.

Agrawal and Goyal 2013, "Thompson Sampling for Contextual Bandits with Linear Payoffs": each action
is taken as often as it is the best under weights drawn from their posterior. That share has no
closed form, so it is counted over draws that are made once, and the action is then drawn from the
counted shares themselves: so the propensity that is logged is the one it was drawn with, and can be
computed again from the weights. Features that all products share stand beside a number of each
product's own, as in the hybrid model of Li et al. 2010, "A Contextual-Bandit Approach to
Personalized News Article Recommendation" (LinUCB).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.brain.features import SHARED, SIZE, Features
from agents.brain.linear import LinearModel
from agents.brain.policy import FLOOR, Reason, View, floored

# Draws from the posterior over which it is counted how often each action is the best.
DRAWS: Final = 64
_MOST_ACTIONS: Final = 64
ADVICE: Final = 0.4


@dataclass(frozen=True, slots=True)
class Seen:
    """Features of the action that was taken, kept until its outcome is known."""

    row: NDArray[np.float64]


class Learnt:
    """A policy that learns.

    Args:
        version: of the policy.
        floor: least propensity of an allowed action.
        width: how far draws lie from the mean, in standard deviations of the posterior; 0 is greedy.
        seed: of the draws.
    """

    def __init__(
        self,
        version: int = 1,
        *,
        floor: float = FLOOR,
        width: float = 0.5,
        seed: int = 0,
        model: LinearModel | None = None,
    ) -> None:
        self.version, self.floor, self.width = version, floor, width
        self.model = model or LinearModel(SIZE, mean=_prior())
        self.features = Features()
        self._draws = np.random.default_rng(seed).standard_normal((DRAWS, _MOST_ACTIONS))

    @property
    def name(self) -> str:
        """Name and version."""
        return f"learnt/{self.version}"

    def rows(self, view: View) -> NDArray[np.float64]:
        """Return the features of each action [n, size]."""
        return self.features.rows(view.figures, view.situation, view.actions)

    def propensities(self, view: View) -> NDArray[np.float64]:
        """Return the probability of each action [n]; at least `floor`, all together 1."""
        return self.shares(self.rows(view))

    def shares(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the same from features [n, size]."""
        count = len(rows)
        # What all actions have in common cancels out, and so does not blur the comparison.
        apart = rows - rows[0]
        spread = self.model.spread(apart) + 1e-9 * np.eye(count)
        draws = self._draws[:, :count] @ np.linalg.cholesky(spread).T
        scores = self.model.expected(apart) + self.width * draws
        best = np.bincount(scores.argmax(axis=1), minlength=count)
        return floored(best / DRAWS, self.floor)

    def learn(self, row: NDArray[np.float64], reward: float, viewers: int) -> None:
        """Learn what came of an action with these features [size].

        Args:
            viewers: in the room; the more, the less chance there is in the reward.
        """
        self.model.learn(row, reward, min(max(viewers, 1), 2000) / 100.0)


def _prior() -> NDArray[np.float64]:
    """Return what is expected before anything is seen: what the rules advise is the better by this."""
    mean = np.zeros(SIZE)
    mean[SHARED.index("advised")] = ADVICE
    return mean
