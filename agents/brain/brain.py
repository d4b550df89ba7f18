"""`Brain`: asks a policy what to do, holds it to the limits, and tells why."""

from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from agents.brain.actions import KEEP, Action, ActionKind, conceivable, shortlist
from agents.brain.book import Book, Noted
from agents.brain.context import context
from agents.brain.figures import Figures, Situation
from agents.brain.limits import Limits
from agents.brain.outcome import REWARD_S, Outcome
from agents.brain.policy import Policy, Reason, View, draw
from agents.brain.rules import Rules
from agents.errors import AgentValueError

By = Literal["rules", "learnt", "operator"]
# Decisions are this far apart: what one does needs time to show before the next is made.
DECISION_S: Final = 30.0
_HOUR: Final = 3600.0
# Decisions whose outcome is waited for. Six are made within the window; the rest is for a room that
# was down for a while.
_PENDING: Final = 64


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided, and why.

    Attributes:
        id: unique in the room, growing.
        at: seconds since the epoch, by the room's clock.
        action: what is done; "keep" where nothing changes.
        detail: what of it, such as {"product": "p1", "item": "i3"} or {"pace": "quick"}.
        by: whether rules or a learnt policy decided.
        policy: its name and version.
        propensity: probability with which it takes this action here.
        propensities: of every action that was allowed, in the order of `allowed`.
        reason: in words, in both languages.
        context: the figures it was decided on, scaled; see `agents.brain.context`.
        refused: the limit that forbade what was wished for before; empty where none did.
    """

    id: str
    at: float
    action: ActionKind
    detail: dict[str, str | float]
    by: By
    policy: str
    propensity: float
    reason: Reason
    context: dict[str, float]
    refused: str = ""
    chosen: Action = KEEP
    allowed: tuple[Action, ...] = field(default=(KEEP,), repr=False)
    propensities: tuple[float, ...] = field(default=(1.0,), repr=False)


class Brain:
    """Decides for one room. Not thread-safe; nothing in it takes longer than some milliseconds.

    Args:
        limits: the merchant's; replaced at any time by `limits =`.
        policy: "off" decides nothing; "rules" follows the rules alone; "learnt" follows a learnt
            policy once one has passed its estimate, and until then the rules, which try something
            else now and then (`FLOOR` for each allowed action), for there to be something to learn.
        random: draws the actions.
        now: seconds since the epoch by the room's clock.
        book: what the room has learnt and which version of it decides; a new one where None.

    Raises:
        AgentValueError: `policy` is none of these.
    """

    def __init__(
        self,
        limits: Limits,
        policy: str = "rules",
        *,
        random: Random,
        now: Callable[[], float],
        book: Book | None = None,
    ) -> None:
        self.limits = limits
        self.book = book or Book(seed=random.getrandbits(32))
        self._random, self._now = random, now
        self._mode = "rules"
        self.choose(policy)
        self._count = 0
        self._last: float | None = None
        self._offers: deque[float] = deque(maxlen=128)
        self._pending: OrderedDict[str, tuple[Decision, Noted]] = OrderedDict()

    @property
    def mode(self) -> str:
        """Who decides: "off", "rules" or "learnt"."""
        return self._mode

    def choose(self, policy: str) -> None:
        """Choose who decides.

        Raises:
            AgentValueError: it is none of "off", "rules", "learnt".
        """
        if policy not in ("off", "rules", "learnt"):
            raise AgentValueError(f"autopilot is {policy[:40]!r}; it is off, rules or learnt")
        self._mode = policy

    def kill(self) -> None:
        """Decide nothing from now on, until `choose` is called."""
        self._mode = "off"

    def due(self) -> bool:
        """Return whether it is time for a decision."""
        if self._mode == "off":
            return False
        return self._last is None or not 0.0 <= self._now() - self._last < DECISION_S

    def decide(self, figures: Figures, situation: Situation) -> Decision:
        """Return what to do now; never what a limit forbids. While off, that is nothing.

        An offer counts against the limit from its decision on, whether it is carried out or not.
        """
        situation = replace(situation, offers_in_hour=self._offers_in_hour(situation))
        self._last = self._now()
        self._count += 1
        actions = conceivable(figures, situation)
        allowed = shortlist(self.limits.allowed(actions, figures, situation), situation)
        if self._mode == "off":
            allowed = [KEEP]
        policy = self._policy()
        view = View(figures, situation, tuple(allowed))
        shares = policy.propensities(view)
        index = draw(shares, self._random.random())
        decision = self._decision(view, policy, shares, index)
        if decision.action == "offer":
            self.announced()
        if self._mode != "off":
            noted = self.book.note(view, index, shares, policy)
            self._pending[decision.id] = (decision, noted)
        while len(self._pending) > _PENDING:
            self._pending.popitem(last=False)
        return decision

    def matured(self) -> list[Decision]:
        """Return the decisions whose `REWARD_S` have passed and which nothing was learnt of yet."""
        until = self._now() - REWARD_S
        return [decision for decision, _ in self._pending.values() if decision.at <= until]

    def learn(self, decision_id: str, outcome: Outcome) -> float | None:
        """Learn what came of a decision, once; return its reward.

        None where it is not known, or no more: at most `_PENDING` wait.
        """
        pending = self._pending.pop(decision_id, None)
        return None if pending is None else self.book.learn(pending[1], outcome, self._now())

    def dropped(self, decision_id: str) -> None:
        """Learn nothing of a decision, since it was not carried out."""
        self._pending.pop(decision_id, None)

    def forbids(self, action: Action, figures: Figures, situation: Situation) -> str:
        """Return the limit that an action would break now; empty where it may be done.

        To be asked again when a decision is carried out: some seconds have passed by then.
        """
        if self._mode == "off":
            return "off"
        return self.limits.forbids(action, figures, situation)

    def announced(self) -> None:
        """Count an offer that somebody else asked for as announced now."""
        self._offers.append(self._now())

    def snapshot(self) -> dict[str, object]:
        """Return all that is remembered, as JSON has it. Decisions that wait for their outcome are
        left out: what a room did while it was down is not to be learnt from.
        """
        return {
            "count": self._count,
            "last": self._last,
            "offers": list(self._offers),
            "book": self.book.snapshot(),
        }

    def restore(self, kept: Mapping[str, object]) -> None:
        """Go on from a snapshot. Who decides is not part of it.

        Raises:
            AgentValueError: it is none.
        """
        count, last, offers = kept.get("count"), kept.get("last"), kept.get("offers")
        if not isinstance(count, int) or not isinstance(offers, list):
            raise AgentValueError(f"a snapshot has count and offers; this one has {sorted(kept)}")
        book = kept.get("book")
        if isinstance(book, Mapping):
            self.book.restore(book)
        self._count, self._pending = count, OrderedDict()
        self._last = float(last) if isinstance(last, int | float) else None
        self._offers = deque((float(at) for at in offers), maxlen=self._offers.maxlen)

    def _policy(self) -> Policy:
        return self.book.deciding() if self._mode == "learnt" else Rules()

    def _decision(
        self, view: View, policy: Policy, shares: NDArray[np.float64], index: int
    ) -> Decision:
        action = view.actions[index]
        return Decision(
            id=f"d{self._count}",
            at=view.figures.at,
            action=action.kind,
            detail=action.detail,
            by="rules" if isinstance(policy, Rules) else "learnt",
            policy=policy.name,
            propensity=float(shares[index]),
            reason=policy.reason(view, index),
            context=context(view.figures, view.situation),
            refused=self._refused(policy, view),
            chosen=action,
            allowed=view.actions,
            propensities=tuple(float(share) for share in shares),
        )

    def _refused(self, policy: Policy, view: View) -> str:
        """Return the limit that forbade what the rules wished for before."""
        missed = policy.missed(view) if isinstance(policy, Rules) else None
        if missed is None:
            return ""
        return self.forbids(missed, view.figures, view.situation)

    def _offers_in_hour(self, situation: Situation) -> int:
        since = self._now() - _HOUR
        return max(situation.offers_in_hour, sum(at > since for at in self._offers))
