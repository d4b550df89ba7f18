"""`Shelf`: what a room sells just now, and how it stands."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from agents.clause import Language
from agents.shop.pricing import effective_price, offer_in_force
from agents.shop.product import Shop
from agents.show.viewers import ViewerEvent
from pipeline.rooms.state import ProductView
from pipeline.rooms.views import product_view


class Shelf:
    """A shop as it is sold: offers that are over are gone.

    Attributes:
        shop: what is sold now.
        clicks, orders: by product.
    """

    def __init__(self, shop: Shop, language: Language, now: float) -> None:
        self._kept = shop
        self._language = language
        self.shop = in_force(shop, now)
        self.clicks: Counter[str] = Counter()
        self.orders: Counter[str] = Counter()

    def restock(self, shop: Shop, now: float) -> None:
        """Take a changed shop."""
        self._kept = shop
        self.shop = in_force(shop, now)

    def expire(self, now: float) -> bool:
        """Drop offers that are over at `now`, as the machine's clock has it; return whether any
        came or went.
        """
        fresh = in_force(self._kept, now)
        changed = any(
            (old.offer is None) != (new.offer is None)
            for old, new in zip(self.shop, fresh, strict=True)
        )
        if changed:
            self.shop = fresh
        return changed

    def count(self, event: ViewerEvent) -> None:
        """Count clicks and orders."""
        if event.product is not None and event.kind == "click":
            self.clicks[event.product] += 1
        elif event.product is not None and event.kind == "order":
            self.orders[event.product] += round(event.amount)

    def reduction(self, product_id: str | None, now: float) -> float:
        """Return by how many percent a product is cheaper now than before."""
        product = next((each for each in self.shop if each.id == product_id), None)
        price = None if product is None else effective_price(product, now)
        return 0.0 if price is None or price.offer is None else price.reduction_percent

    def views(self, on_air: str | None, pinned: str | None, now: float) -> list[ProductView]:
        """Return the products as operators see them."""
        return [
            product_view(
                each, self._language, now, (self.clicks[each.id], self.orders[each.id])
            ).model_copy(update={"on_air": each.id == on_air, "pinned": each.id == pinned})
            for each in self.shop
        ]

    def snapshot(self) -> dict[str, dict[str, int]]:
        """Return what was counted, as JSON."""
        return {"clicks": dict(self.clicks), "orders": dict(self.orders)}

    def restore(self, kept: Mapping[str, Mapping[str, int]]) -> None:
        """Go on counting."""
        self.clicks = Counter(kept.get("clicks", {}))
        self.orders = Counter(kept.get("orders", {}))


def in_force(shop: Shop, now: float) -> Shop:
    """Return a shop without offers that do not hold at `now`, seconds since the epoch."""
    if all(each.offer is None for each in shop):
        return shop
    goods = (
        each if each.offer is None or offer_in_force(each, now) else replace(each, offer=None)
        for each in shop
    )
    return replace(shop, products=tuple(goods))
