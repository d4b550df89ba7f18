"""`Assortment`: a shop as it is now, sheet by sheet, made as they are needed."""

from collections.abc import Iterator
from functools import cached_property

from agents.catalogue import Fact
from agents.errors import AgentValueError
from agents.shop.facts import fact_of, policy_fact
from agents.shop.lexicon import read
from agents.shop.naming import Names
from agents.shop.pricing import moment, offer_in_force
from agents.shop.product import Shop
from agents.shop.ranking import read_entry
from agents.shop.sheet import Entry, Sheet, policies_of, sheet_of


class Assortment:
    """What a shop has at a moment.

    Making one is cheap; of another of the same shop it takes over every product that is the same.

    Args:
        now: seconds since the epoch.
    """

    def __init__(self, shop: Shop, now: float, before: "Assortment | None" = None) -> None:
        self.shop = shop
        self._now = now
        self._products = {product.id: product for product in shop}
        self._sheets: dict[str, Sheet] = {}
        self._facts: dict[str, Fact] = {}
        self._given_names: Names | None = None
        if before is not None:
            self._take_over(before)

    def _take_over(self, before: "Assortment") -> None:
        for product_id, product in self._products.items():
            old = before._sheets.get(product_id)
            if old is None or old.product != product:
                continue
            force = offer_in_force(product, self._now)
            if (old.price.offer if old.price else None) == force:
                self._sheets[product_id] = old
                if product_id in before._facts:
                    self._facts[product_id] = before._facts[product_id]
        called = [(p.id, p.name, p.aliases, p.category) for p in self.shop]
        if called == [(p.id, p.name, p.aliases, p.category) for p in before.shop]:
            self._given_names = before._given_names

    def __iter__(self) -> Iterator[Sheet]:
        return (self.sheet(product_id) for product_id in self._products)

    def __contains__(self, product_id: object) -> bool:
        return product_id in self._products

    def __len__(self) -> int:
        return len(self._products)

    @property
    def ids(self) -> list[str]:
        """The products, in their order."""
        return list(self._products)

    @property
    def names(self) -> Names:
        """What the products are called."""
        if self._given_names is None:
            self._given_names = Names(self.shop.products)
        return self._given_names

    @cached_property
    def labels(self) -> frozenset[str]:
        """The English words that attributes are called by."""
        names = " ".join(key.replace("_", " ") for p in self.shop for key in p.attributes)
        return frozenset(unit.text for unit in read(names).units if unit.text.isalpha())

    @cached_property
    def policies(self) -> tuple[Entry, ...]:
        """What holds for all products."""
        return policies_of(self.shop)

    @cached_property
    def changes_at(self) -> float | None:
        """When the next offer ends, in seconds since the epoch; None where none does."""
        ends = [
            moment(product.offer.until)
            for product in self.shop
            if product.offer is not None
            and product.offer.until is not None
            and offer_in_force(product, self._now) is not None
        ]
        return min(ends, default=None)

    def sheet(self, product_id: str) -> Sheet:
        """Return what can be said of a product.

        Raises:
            AgentValueError: there is none of that id.
        """
        if product_id not in self._sheets:
            self._sheets[product_id] = sheet_of(self.shop.product(product_id), self._now)
        return self._sheets[product_id]

    def fact(self, fact_id: str) -> Fact:
        """Return a product, or a policy "policy:returns", as a fact.

        Raises:
            AgentValueError: there is none of that id.
        """
        if fact_id not in self._facts:
            self._facts[fact_id] = self._made(fact_id)
        return self._facts[fact_id]

    def _made(self, fact_id: str) -> Fact:
        if fact_id in self._products:
            return fact_of(self.sheet(fact_id))
        for entry in self.policies:
            if entry.id == fact_id:
                return policy_fact(entry)
        raise AgentValueError(f"no fact {fact_id[:60]!r} in the shop {self.shop.id!r}")

    def holds(self, fact_id: str) -> bool:
        """Say whether there is a fact of an id."""
        return fact_id in self._products or any(e.id == fact_id for e in self.policies)

    def prepare(self) -> None:
        """Read everything, which otherwise is done when it is first needed."""
        self.names.find(read("-"))
        for sheet in self:
            for entry in sheet.entries:
                read_entry(entry)
