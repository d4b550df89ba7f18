"""What a merchant allows. Kept outside every policy: none of them can get around it."""

from dataclasses import dataclass, fields

from agents.brain.actions import KEEP, Action
from agents.brain.figures import Figures, Good, Situation
from agents.errors import AgentValueError


@dataclass(frozen=True, slots=True)
class Limits:
    """What a merchant allows, whatever a policy would like.

    Attributes:
        offers_per_hour: offers announced, 0 to 60.
        most_discount_percent: an offer that lowers the price by more is not announced, 0 to 100.
        least_item_s: seconds an item is on air before it may be left, 0 to 3600.
        least_thanks_s, least_repeat_s, least_pace_s: seconds between thanks, between selling points
            said again, and between changes of pace, 0 to 3600: a host that does nothing but thank
            sells nothing.

    Raises:
        AgentValueError: a limit is outside its range.
    """

    offers_per_hour: int = 12
    most_discount_percent: float = 50.0
    least_item_s: float = 30.0
    least_thanks_s: float = 60.0
    least_repeat_s: float = 90.0
    least_pace_s: float = 60.0

    def __post_init__(self) -> None:
        most = {"offers_per_hour": 60, "most_discount_percent": 100}
        for entry in fields(self):
            value, top = getattr(self, entry.name), most.get(entry.name, 3600)
            if not 0 <= value <= top:
                raise AgentValueError(f"{entry.name} is {value}; it is 0 to {top}")

    def forbids(self, action: Action, figures: Figures, situation: Situation) -> str:
        """Return the name of the limit that an action would break; empty where it is allowed.

        Names are "held", "cut", "taken_over", "pinned", "unknown_product",
        "unknown_item", "on_air", "sold_out", "least_item_s", "offers_per_hour", "no_offer",
        "offer_expired", "offer_sold_out", "most_discount_percent", "no_points", "least_repeat_s",
        "nobody_to_thank", "least_thanks_s", "same_pace" and "least_pace_s". To keep things as they
        are is always allowed.
        """
        if action.kind == "keep":
            return ""
        for name in ("cut", "taken_over", "held"):
            if getattr(situation, name):
                return name
        if action.kind in ("switch", "offer"):
            return self._forbids_product(action, figures, situation)
        return self._forbids_words(action, figures, situation)

    def _forbids_words(self, action: Action, figures: Figures, situation: Situation) -> str:
        if action.kind == "pace":
            if action.pace in (None, figures.pace):
                return "same_pace"
            return "least_pace_s" if _within(figures.since_pace_s, self.least_pace_s) else ""
        if action.kind == "repeat":
            if situation.product is None or not situation.points:
                return "no_points"
            return "least_repeat_s" if _within(figures.since_repeat_s, self.least_repeat_s) else ""
        if not situation.thanks_due:
            return "nobody_to_thank"
        return "least_thanks_s" if _within(figures.since_thank_s, self.least_thanks_s) else ""

    def _forbids_product(self, action: Action, figures: Figures, situation: Situation) -> str:
        good = situation.good(action.product)
        if good is None:
            return "unknown_product"
        if good.is_sold_out:
            return "sold_out"
        if action.kind == "offer":
            return self._forbids_offer(good, figures, situation)
        if situation.pinned:
            return "pinned"
        if good.item is None or action.item != good.item:
            return "unknown_item"
        if good.product == situation.product:
            return "on_air"
        return "least_item_s" if figures.item_s < self.least_item_s else ""

    def _forbids_offer(self, good: Good, figures: Figures, situation: Situation) -> str:
        if good.discount_percent <= 0.0:
            return "no_offer"
        if good.discount_percent > self.most_discount_percent:
            return "most_discount_percent"
        if good.offer_until is not None and figures.at >= good.offer_until:
            return "offer_expired"
        if good.offer_stock is not None and good.offer_stock <= 0:
            return "offer_sold_out"
        return "offers_per_hour" if situation.offers_in_hour >= self.offers_per_hour else ""

    def allowed(
        self, actions: list[Action], figures: Figures, situation: Situation
    ) -> list[Action]:
        """Return those of the actions that break no limit; "keep" is always among them."""
        found = [action for action in actions if not self.forbids(action, figures, situation)]
        return found if KEEP in found else [KEEP, *found]


def _within(since: float | None, least: float) -> bool:
    return since is not None and since < least
