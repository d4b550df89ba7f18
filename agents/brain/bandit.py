"""`Learnt`: a contextual bandit, action-centred Thompson sampling with known propensities.

What a room sells is mostly due to the room: the hour, the crowd, what was on air before. A model of
rewards would have to explain all of it before it could tell what an action adds. So only that is
learnt (Greenewald, Tewari, Murphy and Klasnja 2017, "Action Centered Contextual Bandits"): the
features of the action taken, less the mean of all actions' features weighed by their propensities,
against the reward, less what a second model expects of that mean. Whatever the room adds to all
actions alike falls out, exactly, since the propensities are known.

Actions are drawn by linear Thompson sampling (Agrawal and Goyal 2013, "Thompson Sampling for
Contextual Bandits with Linear Payoffs"): each is taken as often as it is the best under weights
drawn from their posterior. That share has no closed form, so it is counted over draws that are made
once, and the action is then drawn from the counted shares themselves: so the propensity that is
logged is the one it was drawn with, and can be computed again from the weights. Features that all
products share stand beside a number of each product's own, as in the hybrid model of Li et al.
2010, "A Contextual-Bandit Approach to Personalized News Article Recommendation" (LinUCB).

What the rules advise counts as better by `ADVICE`, whatever is learnt: the policy leaves them where
that is worth something.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.brain.features import PLACE, SHARED, SIZE, Features
from agents.brain.linear import LinearModel
from agents.brain.policy import FLOOR, Reason, View, floored
from agents.brain.telling import explain
from agents.errors import AgentValueError

# Draws from the posterior over which it is counted how often each action is the best.
DRAWS: Final = 64
_MOST_ACTIONS: Final = 64
# Orders of a hundred viewers a minute.
ADVICE: Final = 0.1
# How far draws lie from the mean, in standard deviations of the posterior.
WIDTH: Final = 0.03
# What was learnt in another room counts for so much of the same here.
ELSEWHERE: Final = 0.05
# Precision of weights before anything is seen, and decisions after which one counts 1/e.
_PRIOR, _MEMORY = 5.0, 30_000.0


class Learnt:
    """A policy that learns.

    Args:
        name: its name and version.
        floor: least propensity of an allowed action, 0 to 1.
        width: how far draws lie from the mean, in standard deviations; 0 is greedy.
        seed: of the draws.

    Raises:
        AgentValueError: the floor or the width is outside its range.
    """

    def __init__(
        self, name: str = "learnt/0", *, floor: float = FLOOR, width: float = WIDTH, seed: int = 0
    ) -> None:
        if not (0.0 <= floor <= 1.0 and width >= 0.0):
            raise AgentValueError(f"floor {floor} is 0 to 1, width {width} is from 0")
        self.name, self.floor, self.width, self.seed = name, floor, width, seed
        self.features = Features()
        # What an action adds to what the room does anyway, and the latter.
        self.effect = LinearModel(np.zeros(SIZE), prior=_PRIOR, memory=_MEMORY)
        self.room = LinearModel(np.zeros(SIZE), prior=_PRIOR, memory=_MEMORY)
        self._draws = np.random.default_rng(seed).standard_normal((DRAWS, _MOST_ACTIONS))

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
        spread = self.effect.spread(apart) + 1e-9 * np.eye(count)
        draws = self._draws[:, :count] @ np.linalg.cholesky(spread).T
        scores = self._worth(rows) + self.width * draws
        best = np.bincount(scores.argmax(axis=1), minlength=count)
        return floored(best / DRAWS, self.floor)

    def reason(self, view: View, index: int) -> Reason:
        """Return what the action is expected to bring over the best other, and why."""
        if len(view.actions) == 1:
            return {"en": "Nothing else is allowed now.", "zh": "现在不允许其他操作。"}
        rows = self.rows(view)
        worth = self._worth(rows)
        other = int(np.argmax(np.where(np.arange(len(rows)) == index, -np.inf, worth)))
        return explain(
            view.actions[index],
            view.actions[other],
            view.situation,
            (float(worth[index]), float(worth[other])),
            (rows[index] - rows[other]) * self._weights(),
        )

    def expected(
        self, rows: NDArray[np.float64], shares: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the expected reward of each action [n].

        Args:
            rows: features [n, size].
            shares: propensities of the policy that decides [n].
        """
        mean = shares @ rows
        return float(self.room.expected(mean)) + self.effect.expected(rows - mean)

    def learn(
        self, row: NDArray[np.float64], mean: NDArray[np.float64], reward: float, viewers: int
    ) -> None:
        """Learn what came of an action.

        Args:
            row: its features [size].
            mean: of the features of all actions, weighed by the propensities it was drawn with.
            viewers: in the room; the more, the less chance there is in the reward.
        """
        weight = min(max(viewers, 1), 2000) / 100.0
        self.effect.learn(row - mean, reward - float(self.room.expected(mean)), weight)
        self.room.learn(mean, reward, weight)

    def _weights(self) -> NDArray[np.float64]:
        weights = self.effect.weights.copy()
        weights[PLACE["advised"]] += ADVICE
        return weights

    def _worth(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what each action adds [n], up to what is the same for all."""
        return np.asarray(rows @ self._weights())

    def frozen(self, name: str) -> "Learnt":
        """Return the policy as it is now, under a name of its own; it shares product numbers."""
        version = Learnt(name, floor=self.floor, width=self.width, seed=self.seed)
        version.effect, version.room = self.effect.copy(), self.room.copy()
        version.features = self.features
        return version

    def elsewhere(self, name: str) -> "Learnt":
        """Return a policy for another room: it knows what holds everywhere, and no product."""
        version = self.frozen(name)
        version.features = Features()
        for model in (version.effect, version.room):
            model.move(slice(len(SHARED), None), ELSEWHERE)
        return version

    def snapshot(self) -> dict[str, object]:
        """Return what it knows, as JSON has it."""
        return {
            "features": SIZE,
            "products": list(self.features.products),
            "effect": self.effect.snapshot(),
            "room": self.room.snapshot(),
        }

    def restore(self, kept: Mapping[str, object]) -> None:
        """Know what a snapshot knew.

        Raises:
            AgentValueError: it is none, or one of other features.
        """
        products = kept.get("products")
        if kept.get("features") != SIZE or not isinstance(products, list):
            raise AgentValueError(
                f"a policy has {SIZE} features; this snapshot has {kept.get('features')!r}"
            )
        for name, model in (("effect", self.effect), ("room", self.room)):
            known = kept.get(name)
            if not isinstance(known, dict):
                raise AgentValueError(f"{name} is an object; this is {type(known).__name__}")
            model.restore(known)
        self.features = Features(tuple(str(product) for product in products))
