"""What the operations brain may do: `Action`, and all that could be done now."""

from dataclasses import dataclass
from typing import Final, Literal

from agents.brain.figures import PACES, Figures, Good, Pace, Situation

ActionKind = Literal["keep", "switch", "offer", "pace", "repeat", "thank"]
ACTION_KINDS: tuple[ActionKind, ...] = ("keep", "switch", "offer", "pace", "repeat", "thank")
# Products that are considered besides the one on air. Every action that may be taken must be tried
# now and then, or nothing is learnt of it: so there are few.
SWITCHES: Final = 2
OFFERS: Final = 1


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do.

    Attributes:
        product: of "switch" and "offer".
        item: of "switch", the rundown's item; None lets the room find one of the product.
        pace: of "pace".
    """

    kind: ActionKind
    product: str | None = None
    item: str | None = None
    pace: Pace | None = None

    @property
    def detail(self) -> dict[str, str | float]:
        """What of it, as decisions tell."""
        parts = {"product": self.product, "item": self.item, "pace": self.pace}
        return {name: value for name, value in parts.items() if value is not None}


KEEP: Final = Action("keep")
THANK: Final = Action("thank")
REPEAT: Final = Action("repeat")


def conceivable(figures: Figures, situation: Situation) -> list[Action]:
    """Return what could be done, whatever the limits say; "keep" always comes first."""
    actions = [KEEP]
    actions += [
        Action("switch", good.product, good.item)
        for good in situation.goods
        if good.product != situation.product and good.item is not None
    ]
    actions += [Action("offer", good.product) for good in situation.goods if good.discount_percent]
    actions += [Action("pace", pace=pace) for pace in PACES if pace != figures.pace]
    if situation.product is not None and situation.points:
        actions.append(REPEAT)
    if situation.thanks_due:
        actions.append(THANK)
    return actions


def shortlist(actions: list[Action], situation: Situation) -> list[Action]:
    """Return the actions with the most promising products alone: `SWITCHES` and `OFFERS` of them.

    Of the switches the last is to what has not been seen for longest, so that everything gets its
    turn; of the offers the first is that of the product on air.
    """
    switches = [action for action in actions if action.kind == "switch"]
    offers = [action for action in actions if action.kind == "offer"]
    goods = {action: situation.good(action.product) for action in (*switches, *offers)}
    promises = {a: promise(good, situation) if good else 0.0 for a, good in goods.items()}
    switches.sort(key=lambda action: promises[action], reverse=True)
    if len(switches) > SWITCHES:
        longest = max(switches[SWITCHES - 1 :], key=lambda action: _unseen(goods[action]))
        switches = [*switches[: SWITCHES - 1], longest]
    offers.sort(key=lambda a: (a.product == situation.product, promises[a]), reverse=True)
    rest = [action for action in actions if action.kind not in ("switch", "offer")]
    return rest + switches + offers[:OFFERS]


def promise(good: Good, situation: Situation) -> float:
    """Return how much a product is wanted: orders and clicks a minute, an order as four clicks.

    What was just on air is spent, and promises all of it again after ten minutes. What was never on
    air counts as the mean of what was.
    """
    known = [_wanted(other) for other in situation.goods if other.sells is not None]
    usual = sum(known) / len(known) if known else 0.0
    lately = good.clicks + 4.0 * good.orders
    return (lately + (usual if good.sells is None else _wanted(good))) * _rested(good)


def _wanted(good: Good) -> float:
    return (good.draws or 0.0) + 4.0 * (good.sells or 0.0)


def _rested(good: Good) -> float:
    return 1.0 if good.off_air_s is None else min(good.off_air_s / 600.0, 1.0)


def _unseen(good: Good | None) -> float:
    return 1e9 if good is None or good.off_air_s is None else good.off_air_s
