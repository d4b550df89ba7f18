"""Whether off-policy estimates hold: in the simulator the truth can be found by trying it.

Rules that try things out lead a room, and their decisions are logged; from these alone the gain of
a learnt policy is estimated. The truth is found where nobody could in a real room: at decisions of
the same room it is branched, the other policy takes one action, the rules go on, and what comes of
it is averaged.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.brain.bandit import Learnt
from agents.brain.estimate import Estimate, Sample, gain
from agents.brain.experiment import (
    DECISION_TICKS,
    HOUR_TICKS,
    REWARD_TICKS,
    Hours,
    Tell,
    learnt_before,
    look,
    open_room,
)
from agents.brain.policy import FLOOR, TRYING, Policy, draw
from agents.brain.rules import Rules
from agents.brain.simulator.room import SimulatedRoom
from agents.brain.simulator.world import draw_world

# Every so many decisions the room is branched, so often for each policy.
_EVERY: Final = 3
_BRANCHES: Final = 2
_LOGGING: Final = Rules(TRYING)


@dataclass(frozen=True, slots=True)
class Checked:
    """An estimate of a policy's gain a decision in one room, and the truth.

    Attributes:
        truth: mean gain over branches; `error`: its standard error.
    """

    estimate: Estimate
    truth: float
    error: float

    @property
    def covered(self) -> bool:
        """Whether the truth lies in the interval."""
        return self.estimate.low <= self.truth <= self.estimate.high


def check(
    seeds: Sequence[int], hours: float = 8.0, *, tell: Tell = lambda _: None
) -> list[Checked]:
    """Return estimate and truth in the room of each seed.

    Args:
        hours: that are logged.
        tell: called with the share that is done, 0 to 1.
    """
    policy = learnt_before(Hours())
    found: list[Checked] = []
    for done, seed in enumerate(seeds, 1):
        target = policy.elsewhere("learnt/checked")
        target.floor = FLOOR
        found.append(_check(seed, target, hours))
        tell(done / len(seeds))
    return found


def _check(seed: int, policy: Learnt, hours: float) -> Checked:
    room = open_room(draw_world(seed), seed, start_s=43_200.0)
    random = np.random.default_rng([seed, 7])
    waiting: list[tuple[int, tuple[float, float, float, float]]] = []
    samples: list[Sample] = []
    gains: list[float] = []
    for tick in range(round(hours * HOUR_TICKS)):
        if tick % DECISION_TICKS == 0:
            while waiting and waiting[0][0] == tick - REWARD_TICKS:
                target, propensity, predicted, value = waiting.pop(0)[1]
                reward = room.outcome().reward
                samples.append(Sample(target, propensity, reward, predicted, value))
            if tick % (_EVERY * DECISION_TICKS) == 0 and tick >= REWARD_TICKS:
                gains.append(_gain(room, policy, random))
            waiting.append((tick, _decide(room, policy, random)))
        room.step()
    truth = np.array(gains)
    error = float(truth.std(ddof=1) / np.sqrt(truth.size))
    return Checked(gain(samples, 0.95, seed), float(truth.mean()), error)


def _decide(
    room: SimulatedRoom, policy: Learnt, random: np.random.Generator
) -> tuple[float, float, float, float]:
    """Let the rules decide; return target, propensity, predicted and value of a sample."""
    view = look(room)
    shares, rows = _LOGGING.propensities(view), policy.rows(view)
    index = draw(shares, random.random())
    target, expected = policy.shares(rows), policy.expected(rows, shares)
    room.act(view.actions[index])
    return (
        float(target[index]),
        float(shares[index]),
        float(expected[index]),
        float(target @ expected),
    )


def _gain(room: SimulatedRoom, policy: Learnt, random: np.random.Generator) -> float:
    """Return by how much the policy's decision is better here than the rules', on average."""
    rewards: dict[int, NDArray[np.float64]] = {}
    policies: tuple[Policy, Policy] = (policy, _LOGGING)
    for place, who in enumerate(policies):
        rewards[place] = np.array([_try(room, who, random) for _ in range(_BRANCHES)])
    return float(rewards[0].mean() - rewards[1].mean())


def _try(room: SimulatedRoom, first: Policy, random: np.random.Generator) -> float:
    """Return what comes of one decision of a policy, the rules going on."""
    branch = room.branch(int(random.integers(2**31)))
    for tick in range(REWARD_TICKS):
        if tick % DECISION_TICKS == 0:
            view = look(branch)
            shares = (first if tick == 0 else _LOGGING).propensities(view)
            branch.act(view.actions[draw(shares, random.random())])
        branch.step()
    return branch.outcome().reward
