"""`Pilot`: carries out what the operations brain decides, once it is written down."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

from agents.brain import Brain, Decision, Figures, Limits, Situation, Watch
from agents.brain.actions import Action
from agents.errors import AgentValueError
from agents.show.pace import Pace
from pipeline.errors import StoreError
from pipeline.rooms.state import Autopilot, DecisionView
from pipeline.rooms.state import Limits as RoomLimits

_MOST_OPEN: Final = 128


class Helm(Protocol):
    """What decisions are carried out by."""

    def jump(self, item_id: str) -> None: ...

    def offer(self, product_id: str) -> None: ...

    def repeat(self) -> None: ...

    def thank(self) -> None: ...

    def change_pace(self, pace: Pace) -> None: ...


class Pilot:
    """Asks the brain every now and then. A decision that cannot be written down is not carried
    out; one that a limit forbids by then is not either, and says so.

    Args:
        keep: writes a decision down; raises StoreError.
        show: shows a decision to operators.
    """

    def __init__(
        self,
        brain: Brain,
        watch: Watch,
        helm: Helm,
        look: Callable[[], tuple[Figures, Situation]],
        keep: Callable[[DecisionView], Awaitable[None]],
        show: Callable[[DecisionView], None],
    ) -> None:
        self.brain = brain
        self._watch = watch
        self._helm = helm
        self._look = look
        self._keep = keep
        self._show = show
        self._open: dict[str, DecisionView] = {}

    async def tick(self) -> None:
        """Decide where it is time to, and learn what came of earlier decisions."""
        await self._learn()
        if not self.brain.due():
            return
        decision = self.brain.decide(*self._look())
        view = decision_view(decision)
        try:
            await self._keep(view)
        except StoreError:
            self.brain.dropped(decision.id)
            return
        refused = self._carry_out(decision)
        if refused:
            self.brain.dropped(decision.id)
            view = view.model_copy(update={"done": False, "refused": refused})
            await self._keep_again(view)
        else:
            self._open[decision.id] = view
            while len(self._open) > _MOST_OPEN:
                del self._open[next(iter(self._open))]
        self._show(view)

    def _carry_out(self, decision: Decision) -> str:
        """Carry out a decision; return what forbids it by now, empty where it was done."""
        action = decision.chosen
        if action.kind == "keep":
            return ""
        if forbidden := self.brain.forbids(action, *self._look()):
            return forbidden
        try:
            self._do(action)
        except AgentValueError:
            return "unknown_item" if action.kind == "switch" else "unknown_product"
        return ""

    def _do(self, action: Action) -> None:
        if action.kind == "switch" and action.item is not None:
            self._helm.jump(action.item)
        elif action.kind == "offer" and action.product is not None:
            self._helm.offer(action.product)
            self._watch.offered(action.product)
        elif action.kind == "pace" and action.pace is not None:
            self._helm.change_pace(action.pace)
        elif action.kind == "repeat":
            self._helm.repeat()
            self._watch.repeated()
        elif action.kind == "thank":
            self._helm.thank()
            self._watch.thanked()

    async def _learn(self) -> None:
        for decision in self.brain.matured():
            reward = self.brain.learn(decision.id, self._watch.outcome(decision.at))
            view = self._open.pop(decision.id, None)
            if view is not None and reward is not None:
                told = view.model_copy(update={"reward": round(reward, 4)})
                await self._keep_again(told)
                self._show(told)

    async def _keep_again(self, view: DecisionView) -> None:
        try:
            await self._keep(view)
        except StoreError:
            return  # it stands as it was decided; the operators' alert tells of the database


def brain_limits(limits: RoomLimits) -> Limits:
    """Return a room's limits as the brain takes them."""
    return Limits(limits.offers_per_hour, limits.most_discount_percent, limits.least_item_s)


def choose(brain: Brain, autopilot: Autopilot) -> None:
    """Have the brain be what an operator has chosen; "off" works at once."""
    if autopilot == "off":
        brain.kill()
    else:
        brain.choose(autopilot)


def decision_view(decision: Decision) -> DecisionView:
    """Return a decision as operators are shown it."""
    fields: dict[str, Any] = {
        "id": decision.id,
        "at": decision.at,
        "action": decision.action,
        "detail": decision.detail,
        "by": decision.by,
        "policy": decision.policy,
        "propensity": decision.propensity,
        "reason": dict(decision.reason),
        "context": {name: round(value, 4) for name, value in decision.context.items()},
        "refused": decision.refused,
    }
    return DecisionView(**fields)
