"""`Product`: one thing a merchant sells, and `Shop`: all of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from agents.clause import Language
from agents.errors import AgentValueError

Words = Mapping[Language, str]
Lists = Mapping[Language, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Answered:
    """A question the merchant has answered in advance, each in the languages it is written in."""

    question: Words
    answer: Words


@dataclass(frozen=True, slots=True)
class Offer:
    """A reduction of a product's price.

    Attributes:
        price: what it costs under the offer, in the product's currency.
        condition: under what condition, in words; empty where there is none.
        until: last moment, ISO 8601 with a time zone; None while it is not withdrawn.
        stock: how many are sold at that price; None where they are not counted.
    """

    price: Decimal
    condition: Words = field(default_factory=dict)
    until: str | None = None
    stock: int | None = None


@dataclass(frozen=True, slots=True)
class Product:
    """One thing a merchant sells. Nothing may be said of it that does not stand here.

    Attributes:
        id: the merchant's number for it: 1 to 40 of a-z, 0-9, - and _, the first a letter or digit.
        name: in one language at least.
        category: such as "bag"; free text, one word of the merchant's own.
        price, currency: None where it is not for sale now; ISO 4217.
        list_price: what it cost before a reduction that stands for good.
        stock: how many there are; None where they are not counted, 0 where it is sold out.
        aliases: other names people use for it.
        attributes: by name ("colour", "size", "material", "weight", "warranty", "shipping",
            "returns", "origin", "care", "contents" or the merchant's own), what holds.
        points: selling points, a sentence each.
        description: in sentences.
        questions: answered in advance.
        picture: the name of a file kept with the shop; empty for none.
        link: where it is bought; shown, never fetched.
    """

    id: str
    name: Words
    category: str = ""
    price: Decimal | None = None
    currency: str = "USD"
    list_price: Decimal | None = None
    stock: int | None = None
    aliases: Lists = field(default_factory=dict)
    attributes: Mapping[str, Words] = field(default_factory=dict)
    points: Lists = field(default_factory=dict)
    description: Words = field(default_factory=dict)
    questions: tuple[Answered, ...] = ()
    offer: Offer | None = None
    picture: str = ""
    link: str = ""

    def named(self, language: Language) -> str:
        """Return its name in a language, or in the other where it has none in this one."""
        return self.name.get(language) or next(iter(self.name.values()))


@dataclass(frozen=True, slots=True)
class Shop:
    """A merchant's goods and rules.

    Attributes:
        id: as a product's.
        name: in one language at least.
        products: in the order they were given; ids are unique.
        policies: what holds for all products (shipping, returns, payment...), by name.
        banned: words that must not be said in this shop, beside what the law forbids.
    """

    id: str
    name: Words
    products: tuple[Product, ...] = ()
    policies: Mapping[str, Words] = field(default_factory=dict)
    banned: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Product]:
        return iter(self.products)

    def product(self, product_id: str) -> Product:
        """Return a product.

        Raises:
            AgentValueError: there is none of that id.
        """
        for product in self.products:
            if product.id == product_id:
                return product
        known = ", ".join(product.id for product in self.products[:20]) or "none"
        raise AgentValueError(f"no product {product_id[:60]!r}; known are {known}")
