"""What of a show a change of goods touches: a sale changes how many are left, and no more."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from agents.shop.product import Product, Shop

_FIGURE: Final = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Change:
    """How a shop differs from the one before.

    Attributes:
        altered: ids of products that are other than they were, new ones and lost ones too.
        counted: ids of those of which only more or fewer are left.
        otherwise: whether its name, policies or banned words differ.
    """

    altered: frozenset[str]
    counted: frozenset[str]
    otherwise: bool

    def touches(self, text: str, *products: str | None) -> bool:
        """Return whether words about some products, None for all of them, may hold no more."""
        if self.otherwise:
            return True
        known = {each for each in products if each is not None}
        altered = self.altered & known if known else self.altered
        counted = self.counted & known if known else self.counted
        return bool(altered) or (bool(counted) and _FIGURE.search(text) is not None)


# Tells of words about a product (None for all) whether they may hold no more.
Touches = Callable[[str, str | None], bool]


def change_of(before: Shop, after: Shop) -> Change:
    """Return what is new in a shop."""
    old = {product.id: product for product in before}
    new = {product.id: product for product in after}
    differ = {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
    counted = {key for key in differ & old.keys() & new.keys() if _only_counts(old[key], new[key])}
    otherwise = replace(before, products=()) != replace(after, products=())
    return Change(frozenset(differ - counted), frozenset(counted), otherwise)


def _only_counts(old: Product, new: Product) -> bool:
    if not old.stock or not new.stock or (old.offer is None) != (new.offer is None):
        return False
    offer = new.offer
    if old.offer is not None and offer is not None:
        if (old.offer.stock == 0) != (offer.stock == 0):
            return False
        offer = replace(offer, stock=old.offer.stock)
    return replace(new, stock=old.stock, offer=offer) == old
