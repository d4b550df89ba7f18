"""`Brain`: asks a policy what to do, holds it to the limits, and tells why."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final, Literal

from agents.brain.actions import KEEP, Action, ActionKind, conceivable, shortlist
from agents.brain.context import context
from agents.brain.figures import Figures, Situation
from agents.brain.limits import Limits
from agents.brain.policy import Policy, Reason, View, draw
from agents.brain.rules import Rules
from agents.errors import AgentValueError

By = Literal["rules", "learnt", "operator"]
# Decisions are this far apart: what one does needs time to show before the next is made.
DECISION_S: Final = 20.0
_HOUR: Final = 3600.0


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
        policy: "off" decides nothing; "rules"; "learnt" where a learnt policy is live, else rules.
        random: draws the actions.
        now: seconds since the epoch by the room's clock.
        explore: whether rules try other allowed actions now and then (`FLOOR` each).

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
        explore: bool = False,
    ) -> None:
        self.limits = limits
        self._random, self._now = random, now
        self._rules = Rules(0.02 if explore else 0.0)
        self._mode = "rules"
        self.choose(policy)
        self._count = 0
        self._last: float | None = None
        self._offers: deque[float] = deque(maxlen=128)

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
        decision = self._decided(View(figures, situation, tuple(allowed)), self._count)
        if decision.action == "offer":
            self.announced()
        return decision

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

    def _policy(self) -> Policy:
        return self._rules

    def _decided(self, view: View, number: int) -> Decision:
        policy = self._policy()
        shares = policy.propensities(view)
        index = draw(shares, self._random.random())
        action = view.actions[index]
        return Decision(
            id=f"d{number}",
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
