"""What the operations brain may do: `Action`, and all that could be done now."""

from dataclasses import dataclass
from typing import Final, Literal

from agents.brain.figures import PACES, Figures, Good, Pace, Situation

ActionKind = Literal["keep", "switch", "offer", "pace", "repeat", "thank"]
ACTION_KINDS: tuple[ActionKind, ...] = ("keep", "switch", "offer", "pace", "repeat", "thank")
# Products that are considered besides the one on air. Every action that may be taken must be tried
# now and then, or nothing is learnt of it: so there are few.
SWITCHES: Final = 2
# Seconds in which a product is heard of at all, between offers, and for which an offer stands.
HEARD_S: Final = 60.0
OFFERS_APART_S: Final = 120.0
OFFER_STANDS_S: Final = 180.0
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
    """Return what makes sense now, whatever the limits say; "keep" always comes first.

    What has just come on air is heard first, unless it is sold out; offers are some time apart, and
    one that was announced stands for some minutes.
    """
    actions = [KEEP]
    on_air = situation.on_air
    if on_air is None or on_air.is_sold_out or figures.item_s >= HEARD_S:
        actions += [
            Action("switch", good.product, good.item)
            for good in situation.goods
            if good.product != situation.product and good.item is not None
        ]
    if figures.since_offer_s is None or figures.since_offer_s >= OFFERS_APART_S:
        actions += [
            Action("offer", good.product)
            for good in situation.goods
            if good.discount_percent
            and (good.since_offer_s is None or good.since_offer_s >= OFFER_STANDS_S)
        ]
    actions += [Action("pace", pace=pace) for pace in PACES if pace != figures.pace]
    if situation.product is not None and situation.points:
        actions.append(REPEAT)
    if situation.thanks_due:
        actions.append(THANK)
    return actions


def shortlist(actions: list[Action], situation: Situation) -> list[Action]:
    """Return the actions with the most promising products alone: `SWITCHES` and `OFFERS` of them.

    Of the offers the first is that of the product on air.
    """
    switches = [action for action in actions if action.kind == "switch"]
    offers = [action for action in actions if action.kind == "offer"]
    goods = {action: situation.good(action.product) for action in (*switches, *offers)}
    usual = _usual(situation)
    promises = {a: promise(good, usual) if good else 0.0 for a, good in goods.items()}
    switches.sort(key=lambda action: promises[action], reverse=True)
    offers.sort(key=lambda a: (a.product == situation.product, promises[a]), reverse=True)
    rest = [action for action in actions if action.kind not in ("switch", "offer")]
    return rest + switches[:SWITCHES] + offers[:OFFERS]


def most_promising(goods: list[Good], situation: Situation) -> Good | None:
    """Return the product most wanted of some; None of none."""
    usual = _usual(situation)
    return max(goods, key=lambda good: promise(good, usual), default=None)


def promise(good: Good, usual: float) -> float:
    """Return how much a product is wanted: orders and clicks a minute, an order as four clicks.

    What was just on air is spent, and promises all of it again after ten minutes.

    Args:
        usual: what is taken for a product that was never on air.
    """
    lately = good.clicks + 4.0 * good.orders
    return (lately + (usual if good.sells is None else _wanted(good))) * _rested(good)


def _usual(situation: Situation) -> float:
    """Return how much products are wanted while they are on air, on average."""
    known = [_wanted(good) for good in situation.goods if good.sells is not None]
    return sum(known) / len(known) if known else 0.0


def _wanted(good: Good) -> float:
    return (good.draws or 0.0) + 4.0 * (good.sells or 0.0)


def _rested(good: Good) -> float:
    return 1.0 if good.off_air_s is None else min(good.off_air_s / 600.0, 1.0)
