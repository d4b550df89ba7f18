"""`Outcome`: what came of a decision, and the reward it is worth."""

import math
from dataclasses import dataclass
from typing import Final

from agents.errors import AgentValueError

# Seconds after a decision in which what happens is put down to it. What is switched to has to be
# heard of before it is bought, so a minute would only count what a switch costs.
REWARD_S: Final = 180.0
# What a viewer who leaves would still have been worth, in orders, before a room tells better; and
# how many viewers who left that counts for.
STAY_WORTH: Final = 0.03
_STAY_KNOWN: Final = 200.0
# Rewards are orders of a hundred viewers a minute; nothing outside counts more than this.
MOST: Final = 50.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened in the `REWARD_S` seconds after a decision.

    Attributes:
        orders: how many were placed.
        discounts: the sum over them of what each was reduced by, as a share of its price.
        left: viewers who left.
        viewers: in the room when it was decided.
        stay_worth: orders that a viewer of this room places from now on, on average; see
            `stay_worth`.

    Raises:
        AgentValueError: a number is negative or none.
    """

    orders: float
    discounts: float = 0.0
    left: float = 0.0
    viewers: int = 1
    stay_worth: float = STAY_WORTH

    def __post_init__(self) -> None:
        for name in ("orders", "discounts", "left", "viewers", "stay_worth"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0):
                raise AgentValueError(f"{name} is {value}; it is a number from 0")

    @property
    def reward(self) -> float:
        """Orders, each less its discount, less what those who left would have been worth.

        Of a hundred viewers a minute, -`MOST` to `MOST`: so a decision in a small room and one in a
        large room teach the same.
        """
        worth = self.orders - self.discounts - self.stay_worth * self.left
        return max(-MOST, min(100.0 * worth / max(self.viewers, 1) / (REWARD_S / 60.0), MOST))


def stay_worth(orders: float, left: float) -> float:
    """Return what a viewer who leaves a room would still have been worth, in orders.

    Whoever stays is as likely to order as any viewer of the room, so it is what viewers order while
    they are there: all orders by all who left, `STAY_WORTH` where there are none yet.
    """
    return (orders + STAY_WORTH * _STAY_KNOWN) / (left + _STAY_KNOWN)
