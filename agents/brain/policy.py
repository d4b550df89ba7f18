"""What a policy is: from what is seen of a room, how likely each allowed action is to be taken."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from agents.brain.actions import Action
from agents.brain.figures import Figures, Situation
from agents.clause import Language
from agents.errors import AgentValueError

# The least probability of an allowed action under a learnt policy, and under rules while they are
# there to be learnt from.
FLOOR: Final = 0.02
TRYING: Final = 0.06
Reason = dict[Language, str]


@dataclass(frozen=True, slots=True)
class View:
    """What a policy is asked about.

    Attributes:
        actions: those that are allowed now, "keep" first; never empty.
    """

    figures: Figures
    situation: Situation
    actions: tuple[Action, ...]


class Policy(Protocol):
    """Decides what a room does. It is asked about allowed actions alone."""

    @property
    def name(self) -> str:
        """Name and version, such as "rules/1"."""

    def propensities(self, view: View) -> NDArray[np.float64]:
        """Return the probability of each action [n]; they add up to 1."""

    def reason(self, view: View, index: int) -> Reason:
        """Return in words why that action is taken, or what speaks for it."""


def floored(shares: NDArray[np.float64], floor: float) -> NDArray[np.float64]:
    """Return shares [n] mixed with the uniform distribution so that none is below `floor`.

    Where n times the floor is over 1, all are equal.

    Raises:
        AgentValueError: shares are negative or do not add up to 1.
    """
    if shares.min(initial=0.0) < 0.0 or abs(float(shares.sum()) - 1.0) > 1e-9:
        raise AgentValueError(f"propensities are {shares.tolist()}; they add up to 1, none below 0")
    spread = min(floor * shares.size, 1.0)
    return (1.0 - spread) * shares + spread / shares.size


def certain(index: int, count: int) -> NDArray[np.float64]:
    """Return propensities [count] of a policy that is sure of one action."""
    shares = np.zeros(count)
    shares[index] = 1.0
    return shares


def draw(propensities: Sequence[float] | NDArray[np.float64], chance: float) -> int:
    """Return the action that a number from 0 to below 1 chooses; never one of propensity 0."""
    edges = np.cumsum(propensities)
    index = int(np.searchsorted(edges, chance * edges[-1], side="right"))
    return min(index, int(np.flatnonzero(propensities)[-1]))
