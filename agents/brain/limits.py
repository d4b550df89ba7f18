"""What a merchant allows. Kept outside every policy: none of them can get around it."""

from dataclasses import dataclass

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

    Raises:
        AgentValueError: a limit is outside its range.
    """

    offers_per_hour: int = 12
    most_discount_percent: float = 50.0
    least_item_s: float = 30.0

    def __post_init__(self) -> None:
        for name, most in (
            ("offers_per_hour", 60), ("most_discount_percent", 100), ("least_item_s", 3600),
        ):  # fmt: skip
            value = getattr(self, name)
            if not 0 <= value <= most:
                raise AgentValueError(f"{name} is {value}; it is 0 to {most}")

    def forbids(self, action: Action, figures: Figures, situation: Situation) -> str:
        """Return the name of the limit that an action would break; empty where it is allowed.

        Names are "held", "cut", "taken_over", "pinned", "unknown_product",
        "unknown_item", "on_air", "sold_out", "least_item_s", "offers_per_hour", "no_offer",
        "offer_expired", "offer_sold_out", "most_discount_percent", "no_points", "nobody_to_thank"
        and "same_pace". To keep things as they are is always allowed.
        """
        if action.kind == "keep":
            return ""
        for name in ("cut", "taken_over", "held"):
            if getattr(situation, name):
                return name
        if action.kind in ("switch", "offer"):
            return self._forbids_product(action, figures, situation)
        if action.kind == "pace":
            return "same_pace" if action.pace in (None, figures.pace) else ""
        if action.kind == "repeat":
            return "" if situation.product is not None and situation.points else "no_points"
        return "" if situation.thanks_due else "nobody_to_thank"

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
