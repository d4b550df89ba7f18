"""What a linear policy knows of taking an action: named features of the room and the action."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.brain.actions import Action
from agents.brain.context import CONTEXT, PRODUCT, context, product_context
from agents.brain.figures import Figures, Situation
from agents.brain.rules import advised

# Which of the room's figures may make an action better or worse than keeping on.
_MATTERS: Final[dict[str, tuple[str, ...]]] = {
    "switch": ("change", "dwell", "questions", "clicks", "orders", "item"),
    "offer": ("change", "clicks", "orders", "item", "since_offer"),
    "pace_calm": ("questions", "gifts", "dwell", "change"),
    "pace_usual": ("questions", "gifts", "dwell", "change"),
    "pace_quick": ("questions", "gifts", "dwell", "change"),
    "repeat": ("change", "joins", "item", "since_repeat"),
    "thank": ("gifts", "since_thank", "thanks_due"),
}
# What of a product counts double when it has rested: what sold well and was just on air is spent.
_RESTED: Final = ("clicked", "ordered", "draws", "sells")
# Products that have a number of their own, for what their features do not tell.
PRODUCTS: Final = 64


def _names() -> tuple[str, ...]:
    names = ["room", *(f"room.{name}" for name in CONTEXT), "advised"]
    for kind, figures in _MATTERS.items():
        names += [kind, *(f"{kind}.{name}" for name in figures)]
    names += [f"shown.{name}" for name in PRODUCT] + [f"shown.{name}.rested" for name in _RESTED]
    names += ["offered.on_air", *(f"offered.{name}" for name in PRODUCT)]
    return tuple(names)


# Names of the features that all products share, in their order.
SHARED: Final = _names()
_PLACE: Final = {name: place for place, name in enumerate(SHARED)}
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
        rows[:, 1 : 1 + len(room)] = list(room.values())
        products: dict[str | None, dict[str, float]] = {}
        for row, action in zip(rows, actions, strict=True):
            for product in (action.product, situation.product):
                if product not in products:
                    good = situation.good(product)
                    products[product] = product_context(good, figures, situation)
            self._kind(row, action, room)
            self._shown(row, action, situation, products)
            self._offered(row, action, situation, products)
        rows[actions.index(advised(figures, situation, actions)), _PLACE["advised"]] = 1.0
        return rows

    def _kind(self, row: NDArray[np.float64], action: Action, room: dict[str, float]) -> None:
        kind = f"pace_{action.pace}" if action.kind == "pace" else action.kind
        if kind == "keep":
            return
        row[_PLACE[kind]] = 1.0
        for name in _MATTERS[kind]:
            row[_PLACE[f"{kind}.{name}"]] = room[name]

    def _shown(
        self,
        row: NDArray[np.float64],
        action: Action,
        situation: Situation,
        products: dict[str | None, dict[str, float]],
    ) -> None:
        """Tell of the product that is on air when the action is taken."""
        product = action.product if action.kind == "switch" else situation.product
        values = products[product]
        for name, value in values.items():
            row[_PLACE[f"shown.{name}"]] = value
        for name in _RESTED:
            row[_PLACE[f"shown.{name}.rested"]] = values[name] * values["rested"]
        place = self._number(product)
        if place is not None:
            row[len(SHARED) + place] = 1.0

    def _offered(
        self,
        row: NDArray[np.float64],
        action: Action,
        situation: Situation,
        products: dict[str | None, dict[str, float]],
    ) -> None:
        if action.kind != "offer":
            return
        row[_PLACE["offered.on_air"]] = float(action.product == situation.product)
        for name, value in products[action.product].items():
            row[_PLACE[f"offered.{name}"]] = value
        place = self._number(action.product)
        if place is not None:
            row[len(SHARED) + PRODUCTS + place] = 1.0

    def _number(self, product: str | None) -> int | None:
        """Return a product's number; None where there are too many."""
        if product is None:
            return None
        if product not in self._own and len(self._own) < PRODUCTS:
            self._own[product] = len(self._own)
        return self._own.get(product)
