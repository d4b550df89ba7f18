"""Fixed order, rules and learnt policy in the same simulated rooms, and whether estimates hold.

A merchant's room differs from the next one's, so a policy learns where it decides: it begins with
what was learnt in other rooms (other seeds), decides for the first hours of a room, and is measured
in the hours that follow. Fixed order and rules are measured in the same hours, with the same
viewers coming in.
"""

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.brain.actions import Action, conceivable, shortlist
from agents.brain.bandit import Learnt
from agents.brain.brain import DECISION_S
from agents.brain.figures import Figures, Situation
from agents.brain.limits import Limits
from agents.brain.outcome import REWARD_S
from agents.brain.policy import FLOOR, TRYING, Policy, View, draw
from agents.brain.rules import Rules
from agents.brain.simulator.room import TICK_S, SimulatedRoom
from agents.brain.simulator.world import World, draw_world

HOUR_TICKS: Final = round(3600.0 / TICK_S)
DECISION_TICKS: Final = round(DECISION_S / TICK_S)
REWARD_TICKS: Final = round(REWARD_S / TICK_S)
LIMITS: Final = Limits(offers_per_hour=12, most_discount_percent=50.0, least_item_s=30.0)
# Seeds of the rooms that are measured count from here; nothing was ever chosen by looking at them.
# Those that are learnt in before count from the other one.
MEASURED_ROOMS: Final = 300
_OTHER_ROOMS: Final = 1000
_EVENING_S: Final = 64_800.0
Tell = Callable[[float], object]


@dataclass(frozen=True, slots=True)
class Hours:
    """How long an experiment lets rooms run, in hours.

    Attributes:
        before: in each of `rooms` other rooms, where it is learnt what holds everywhere.
        first: of a room, while the policy learns in it.
        measured: that follow.
    """

    before: float = 8.0
    rooms: int = 12
    first: float = 12.0
    measured: float = 4.0


@dataclass(slots=True)
class Run:
    """What happened in a room.

    Attributes:
        orders, net: an hour; `net` counts each order less its discount.
        broken: actions taken that a limit forbids, counted apart from what chose them.
        actions: how often each kind was taken.
    """

    orders: float = 0.0
    net: float = 0.0
    broken: int = 0
    actions: Counter[str] = field(default_factory=Counter)


class Player:
    """Lets a policy decide in a simulated room, within the merchant's limits.

    Args:
        policy: None leaves the room to its rundown, which then announces offers itself.
        learner: learns from the outcomes; None for none.
        random: draws the actions.
    """

    def __init__(
        self,
        room: SimulatedRoom,
        policy: Policy | None,
        random: np.random.Generator,
        learner: Learnt | None = None,
    ) -> None:
        self.room, self._policy, self._learner, self._random = room, policy, learner, random
        self._pending: deque[tuple[int, NDArray[np.float64], NDArray[np.float64]]] = deque()
        self.run = Run()

    def play(self, hours: float) -> Run:
        """Let hours pass; return what happened in them."""
        before = self.room.totals
        self.run = Run()
        for _ in range(round(hours * HOUR_TICKS)):
            if self._policy is not None and self.room.tick % DECISION_TICKS == 0:
                self._learn()
                self._decide(self._policy)
            self.room.step()
        after = self.room.totals
        orders, reduced = (after[name] - before[name] for name in ("orders", "discounts"))
        self.run.orders, self.run.net = orders / hours, (orders - reduced) / hours
        return self.run

    def _decide(self, policy: Policy) -> None:
        view = look(self.room)
        rows = self._learner.rows(view) if self._learner is not None else None
        if rows is not None and policy is self._learner:
            shares = self._learner.shares(rows)
        else:
            shares = policy.propensities(view)
        index = draw(shares, self._random.random())
        action = view.actions[index]
        if rows is not None:
            self._pending.append((self.room.tick, rows[index], shares @ rows))
        self.run.broken += breaks(action, view.figures, view.situation)
        self.run.actions[action.pace or action.kind] += 1
        self.room.act(action)

    def _learn(self) -> None:
        while self._pending and self._pending[0][0] <= self.room.tick - REWARD_TICKS:
            _, row, mean = self._pending.popleft()
            outcome = self.room.outcome()
            if self._learner is not None:
                self._learner.learn(row, mean, outcome.reward, outcome.viewers)


def look(room: SimulatedRoom) -> View:
    """Return what a policy is asked about."""
    figures, situation = room.figures(), room.situation()
    allowed = LIMITS.allowed(conceivable(figures, situation), figures, situation)
    return View(figures, situation, tuple(shortlist(allowed, situation)))


def breaks(action: Action, figures: Figures, situation: Situation) -> bool:
    """Return whether an action breaks what the merchant set; told apart from what keeps it."""
    good = situation.good(action.product)
    if action.kind == "switch":
        sold_out = good is None or good.stock == 0
        return sold_out or figures.item_s < LIMITS.least_item_s
    if action.kind == "offer":
        if good is None or good.stock == 0 or not good.discount_percent:
            return True
        too_low = good.discount_percent > LIMITS.most_discount_percent
        return too_low or situation.offers_in_hour >= LIMITS.offers_per_hour
    return False


def open_room(world: World, seed: int, *, start_s: float, fixed: bool = False) -> SimulatedRoom:
    """Return a room; `fixed` has its rundown announce offers within the limits."""
    return SimulatedRoom(world, seed, start_s=start_s, offers=fixed, may_offer=_may)


def _may(action: Action, figures: Figures, situation: Situation) -> bool:
    return not LIMITS.forbids(action, figures, situation)


def learnt_before(
    hours: Hours, worlds: Callable[[int], World] = draw_world, *, tell: Tell = lambda _: None
) -> Learnt:
    """Return a policy that has learnt in rooms whose seeds are not measured.

    In the first half of them the rules decide and try things out, in the second half the policy.
    """
    policy = Learnt("learnt/before")
    for number in range(hours.rooms):
        seed = _OTHER_ROOMS + number
        policy = policy.elsewhere("learnt/before")
        room = open_room(worlds(seed), seed, start_s=3600.0 * (4 * number))
        random = np.random.default_rng([seed, 4])
        policy.floor = TRYING
        who = Rules(TRYING) if number < hours.rooms // 2 else policy
        Player(room, who, random, policy).play(hours.before)
        tell((number + 1) / hours.rooms)
    return policy


@dataclass(frozen=True, slots=True)
class Result:
    """Orders an hour in each room [s], under each policy, and all limits broken."""

    fixed: NDArray[np.float64]
    rules: NDArray[np.float64]
    learnt: NDArray[np.float64]
    net_rules: NDArray[np.float64]
    net_learnt: NDArray[np.float64]
    broken: int
    actions: dict[str, Counter[str]]


def compare(
    seeds: Sequence[int],
    hours: Hours | None = None,
    worlds: Callable[[int], World] = draw_world,
    *,
    tell: Tell = lambda _: None,
) -> Result:
    """Return what fixed order, rules and learnt policy sell in the same rooms.

    Args:
        seeds: a room each.
        worlds: draws a room's world from its seed.
        tell: called with the share that is done, 0 to 1.
    """
    hours = hours or Hours()
    before = learnt_before(hours, worlds, tell=lambda share: tell(0.1 * share))
    runs: list[tuple[Run, Run, Run]] = []
    for done, seed in enumerate(seeds, 1):
        runs.append(_one(seed, hours, before, worlds))
        tell(0.1 + 0.9 * done / len(seeds))
    orders = np.array([[run.orders for run in row] for row in runs])
    net = np.array([[run.net for run in row] for row in runs])
    actions = {
        name: sum((row[place].actions for row in runs), Counter())
        for place, name in ((1, "rules"), (2, "learnt"))
    }
    broken = sum(run.broken for row in runs for run in row)
    return Result(
        orders[:, 0], orders[:, 1], orders[:, 2], net[:, 1], net[:, 2], broken, actions
    )  # fmt: skip


def _one(
    seed: int, hours: Hours, before: Learnt, worlds: Callable[[int], World]
) -> tuple[Run, Run, Run]:
    """Return the runs of fixed order, rules and learnt policy in the room of a seed."""
    world = worlds(seed)
    policy = before.elsewhere("learnt/here")
    first = _EVENING_S - 3600.0 * hours.first
    random = np.random.default_rng([seed, 5])
    room = open_room(world, _OTHER_ROOMS * 2 + seed, start_s=first)
    policy.floor = TRYING
    learning = Player(room, policy, random, policy).play(hours.first)
    policy.floor = FLOOR
    runs: list[Run] = []
    for who, learner in ((None, None), (Rules(), None), (policy, policy)):
        room = open_room(world, seed, start_s=_EVENING_S, fixed=who is None)
        random = np.random.default_rng([seed, 6])
        runs.append(Player(room, who, random, learner).play(hours.measured))
    runs[2].broken += learning.broken
    return runs[0], runs[1], runs[2]


def relative(after: NDArray[np.float64], before: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return the mean relative gain over rooms, and the bounds of its 95 % interval.

    The mean of the logarithms of the ratios, each room counting the same: pairs, with a bootstrap
    over rooms.
    """
    logs = np.log(after / before)
    random = np.random.default_rng(0)
    means = logs[random.integers(0, logs.size, (10_000, logs.size))].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(np.expm1(logs.mean())), float(np.expm1(low)), float(np.expm1(high))


def bandit_gain(seeds: int = 20, *, tell: Tell = lambda _: None) -> dict[str, object]:
    """Return what the learnt policy sells more, for `vivant bench room`.

    Args:
        seeds: rooms.
        tell: called with the share that is done, 0 to 1.

    Returns:
        `bandit_gain`: relative gain of orders an hour over the rules; `bandit_gain_ci`: the bounds
        of its 95 % interval; `over_fixed`, `over_fixed_ci`: the same over the fixed order;
        `net_gain`: over the rules with each order less its discount; `limits_broken`: actions that
        the merchant forbids, by all policies together; `rooms`.
    """
    found = compare(range(MEASURED_ROOMS, MEASURED_ROOMS + seeds), tell=tell)
    gained, low, high = relative(found.learnt, found.rules)
    over, over_low, over_high = relative(found.learnt, found.fixed)
    return {
        "bandit_gain": round(gained, 4),
        "bandit_gain_ci": [round(low, 4), round(high, 4)],
        "over_fixed": round(over, 4),
        "over_fixed_ci": [round(over_low, 4), round(over_high, 4)],
        "net_gain": round(relative(found.net_learnt, found.net_rules)[0], 4),
        "limits_broken": found.broken,
        "rooms": seeds,
    }
