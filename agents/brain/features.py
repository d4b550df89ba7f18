"""What a linear policy knows of an action: named features of the room as the action leaves it.

Features tell of what is on air *after* the action, at what pace, and how fresh it is: so what is
learnt while a product is on air counts for switching to it, and what is learnt at a quick pace for
speaking quicker.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.brain.actions import Action
from agents.brain.context import CONTEXT, PRODUCT, context, product_context, renewed
from agents.brain.figures import Figures, Situation
from agents.brain.rules import advised

# Products that have a number of their own, for what their features do not tell.
PRODUCTS: Final = 32
# Figures of the room that make every action better or worse alike.
_ROOM: Final = ("viewers", "change", "dwell", "joins", "questions", "gifts", "since_offer")
# Which figures of the room change what an action is worth.
_MATTERS: Final[dict[str, tuple[str, ...]]] = {
    "stay": ("clicks", "orders", "item", "change"),
    "offer": ("clicks", "orders", "item", "since_offer"),
    "repeat": ("change", "joins", "item"),
    "thank": ("gifts", "since_thank", "thanks_due"),
    "calm": ("questions", "gifts", "dwell"),
    "quick": ("questions", "gifts", "dwell"),
}
# What of a product counts for whom: one that stays, one that is switched to, one whose offer comes.
_STAY: Final = ("clicked", "ordered", "draws", "sells")
_SWITCH: Final = (
    "clicked", "ordered", "draws", "sells", "renewed", "rested", "new", "price", "discount",
)  # fmt: skip
_OFFER: Final = ("clicked", "ordered", "sells", "discount", "reminded", "price")
# Seconds on air from which a product may be worth less and less.
_KNOTS: Final = (60.0, 120.0, 240.0)


def _names() -> tuple[str, ...]:
    names = ["room", *(f"room.{name}" for name in _ROOM), "advised"]
    for kind, figures in _MATTERS.items():
        names += [kind, *(f"{kind}.{name}" for name in figures)]
    names += [f"stay.{name}" for name in _STAY] + ["stay.fades"]
    names += [f"stay.after_{knot:.0f}_s" for knot in _KNOTS]
    names += ["switch", *(f"switch.{name}" for name in _SWITCH)]
    names += [f"switch.{name}.renewed" for name in _STAY] + [
        "stay.newcomers",
        "stay.sells.newcomers",
    ]
    names += ["offer.spent", "offer.newcomers"]
    names += ["offer.on_air", *(f"offer.{name}" for name in _OFFER)]
    return tuple(dict.fromkeys(names))


# Names of the features that all products share, in their order.
SHARED: Final = _names()
PLACE: Final = {name: place for place, name in enumerate(SHARED)}
SIZE: Final = len(SHARED) + 2 * PRODUCTS


class Features:
    """Turns actions into rows of features; knows up to `PRODUCTS` products by their ids."""

    def __init__(self, products: tuple[str, ...] = ()) -> None:
        self._own = {product: place for place, product in enumerate(products[:PRODUCTS])}

    @property
    def products(self) -> tuple[str, ...]:
        """The products that have a number of their own, in its order."""
        return tuple(self._own)

    def rows(
        self, figures: Figures, situation: Situation, actions: tuple[Action, ...]
    ) -> NDArray[np.float64]:
        """Return the features of each action [n, `SIZE`], each -1 to 1."""
        room = context(figures, situation)
        rows = np.zeros((len(actions), SIZE))
        rows[:, 0] = 1.0
        for name in _ROOM:
            rows[:, PLACE[f"room.{name}"]] = room[name]
        rows[actions.index(advised(figures, situation, actions)), PLACE["advised"]] = 1.0
        stays = self._stays(figures, situation, room)
        for row, action in zip(rows, actions, strict=True):
            if action.kind == "switch":
                self._switch(row, action, figures, situation)
            else:
                row += stays
                self._does(row, action, figures, situation, room)
            self._paced(row, action.pace or figures.pace, room)
        return rows

    def _stays(
        self, figures: Figures, situation: Situation, room: dict[str, float]
    ) -> NDArray[np.float64]:
        """Return what tells of going on with the product on air [size]."""
        row = np.zeros(SIZE)
        _tell(row, "stay", room, _MATTERS["stay"])
        good = situation.on_air
        product = product_context(good, figures, situation)
        for name in _STAY:
            row[PLACE[f"stay.{name}"]] = product[name]
        newcomers = renewed(figures.item_s, figures)
        row[PLACE["stay.newcomers"]] = newcomers
        row[PLACE["stay.sells.newcomers"]] = newcomers * product["sells"]
        # Clicks of the last minute against those of all its time on air.
        usual = (good.draws or 0.0) if good else 0.0
        row[PLACE["stay.fades"]] = (usual - figures.clicks) / (usual + figures.clicks + 1.0)
        for knot in _KNOTS:
            over = min(max(figures.item_s - knot, 0.0) / 300.0, 1.0)
            row[PLACE[f"stay.after_{knot:.0f}_s"]] = over
        self._number(row, situation.product, 0)
        return row

    def _switch(
        self, row: NDArray[np.float64], action: Action, figures: Figures, situation: Situation
    ) -> None:
        row[PLACE["switch"]] = 1.0
        product = product_context(situation.good(action.product), figures, situation)
        for name in _SWITCH:
            row[PLACE[f"switch.{name}"]] = product[name]
        for name in _STAY:
            row[PLACE[f"switch.{name}.renewed"]] = product[name] * product["renewed"]
        self._number(row, action.product, 0)

    def _does(
        self,
        row: NDArray[np.float64],
        action: Action,
        figures: Figures,
        situation: Situation,
        room: dict[str, float],
    ) -> None:
        if action.kind in ("repeat", "thank", "offer"):
            _tell(row, action.kind, room, _MATTERS[action.kind])
        if action.kind == "offer":
            product = product_context(situation.good(action.product), figures, situation)
            row[PLACE["offer.on_air"]] = float(action.product == situation.product)
            row[PLACE["offer.spent"]] = min(situation.offers_in_hour / 60.0, 1.0)
            row[PLACE["offer.newcomers"]] = renewed(figures.item_s, figures)
            for name in _OFFER:
                row[PLACE[f"offer.{name}"]] = product[name]
            self._number(row, action.product, PRODUCTS)

    def _paced(self, row: NDArray[np.float64], pace: str, room: dict[str, float]) -> None:
        if pace != "usual":
            _tell(row, pace, room, _MATTERS[pace])

    def _number(self, row: NDArray[np.float64], product: str | None, shift: int) -> None:
        """Set a product's own number; where there are too many, the last have none."""
        if product is None:
            return
        if product not in self._own and len(self._own) < PRODUCTS:
            self._own[product] = len(self._own)
        if product in self._own:
            row[len(SHARED) + shift + self._own[product]] = 1.0


def _tell(
    row: NDArray[np.float64], kind: str, room: dict[str, float], figures: tuple[str, ...]
) -> None:
    row[PLACE[kind]] = 1.0
    for name in figures:
        row[PLACE[f"{kind}.{name}"]] = room[name]


__all__ = ["CONTEXT", "PLACE", "PRODUCT", "PRODUCTS", "SHARED", "SIZE", "Features"]
