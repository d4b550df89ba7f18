"""What makes a product or a shop acceptable: bounds, and prices that make sense."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from agents.clause import LANGUAGES
from agents.errors import AgentValueError
from agents.shop.currencies import CODES, decimals
from agents.shop.pricing import moment
from agents.shop.product import Answered, Lists, Offer, Product, Shop, Words

MOST_PRODUCTS: Final = 5000
MOST_AMOUNT: Final = Decimal(1_000_000_000)
MOST_STOCK: Final = 1_000_000_000
LONGEST_NAME: Final = 120
LONGEST_CATEGORY: Final = 60
LONGEST_KEY: Final = 60
LONGEST_TEXT: Final = 2000
LONGEST_DESCRIPTION: Final = 4000
LONGEST_POINT: Final = 300
LONGEST_ALIAS: Final = 80
LONGEST_LINK: Final = 500
MOST_ATTRIBUTES: Final = 60
MOST_POINTS: Final = 20
MOST_ALIASES: Final = 20
MOST_QUESTIONS: Final = 50
MOST_POLICIES: Final = 50
MOST_BANNED: Final = 500

ID: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_PICTURE: Final = re.compile(r"[^\W_][\w .()-]{0,119}")
_LINK: Final = re.compile(r"https?://[^\s/?#@]+([/?#]\S*)?")
# Characters that turn the direction of text, so that it reads otherwise than it is.
_TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something not accepted. `field`: where, as "offer.price"; `message`: what is accepted."""

    field: str
    value: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.value!r} {self.message}"


def check_product(product: Product) -> None:
    """Refuse a product that is not acceptable.

    Raises:
        AgentValueError: names the first flaw.
    """
    for flaw in product_flaws(product):
        raise AgentValueError(f"product {product.id[:60]!r}: {flaw}")


def check_shop(shop: Shop) -> None:
    """Refuse a shop that is not acceptable.

    Raises:
        AgentValueError: names the first flaw.
    """
    for flaw in shop_flaws(shop):
        raise AgentValueError(f"shop {shop.id[:60]!r}: {flaw}")


def product_flaws(product: Product) -> Iterator[Flaw]:
    """Return everything about a product that is not acceptable."""
    yield from _id(product.id)
    yield from _words("name", product.name, LONGEST_NAME, needed=True)
    yield from _text("category", product.category, LONGEST_CATEGORY)
    yield from _prices(product)
    yield from _stock("stock", product.stock)
    yield from _lists("aliases", product.aliases, MOST_ALIASES, LONGEST_ALIAS)
    yield from _named_words("attributes", product.attributes, MOST_ATTRIBUTES)
    yield from _lists("points", product.points, MOST_POINTS, LONGEST_POINT)
    yield from _words("description", product.description, LONGEST_DESCRIPTION)
    yield from _questions(product.questions)
    if product.picture and not _is_file_name(product.picture):
        yield Flaw(
            "picture",
            _shown(product.picture),
            "is not accepted: the name of a file, without folders, 1 to 120 characters",
        )
    if product.link and not _is_link(product.link):
        yield Flaw(
            "link",
            _shown(product.link),
            f"is not accepted: http:// or https:// and at most {LONGEST_LINK} characters",
        )


def shop_flaws(shop: Shop) -> Iterator[Flaw]:
    """Return everything about a shop that is not acceptable, its products included."""
    yield from _id(shop.id)
    yield from _words("name", shop.name, LONGEST_NAME, needed=True)
    yield from _count("products", len(shop.products), MOST_PRODUCTS)
    seen: set[str] = set()
    for number, product in enumerate(shop.products):
        if product.id in seen:
            yield Flaw(f"products[{number}].id", _shown(product.id), "is there twice")
        seen.add(product.id)
        for flaw in product_flaws(product):
            yield Flaw(f"products[{number}].{flaw.field}", flaw.value, flaw.message)
    yield from _named_words("policies", shop.policies, MOST_POLICIES)
    yield from _count("banned", len(shop.banned), MOST_BANNED)
    for number, word in enumerate(shop.banned):
        yield from _text(f"banned[{number}]", word, LONGEST_KEY, blank=False)


def amount_flaw(field: str, amount: Decimal, currency: str) -> Flaw | None:
    """Return what is wrong with an amount of money, if anything."""
    shown = _shown(str(amount))
    if not amount.is_finite() or not 0 <= amount <= MOST_AMOUNT:
        return Flaw(field, shown, f"is not accepted: 0 to {MOST_AMOUNT}")
    exponent = amount.normalize().as_tuple().exponent
    if currency in CODES and isinstance(exponent, int) and -exponent > decimals(currency):
        return Flaw(field, shown, f"has more decimals than {currency} has, {decimals(currency)}")
    return None


def text_flaw(field: str, text: str, longest: int, *, blank: bool = True) -> Flaw | None:
    """Return what is wrong with a text, if anything."""
    if not blank and not text.strip():
        return Flaw(field, _shown(text), "is empty")
    if len(text) > longest:
        return Flaw(field, _shown(text), f"has {len(text)} characters; accepted: {longest}")
    wrong = next((c for c in text if _is_hostile(c)), None)
    if wrong is not None:
        return Flaw(field, _shown(text), f"has the character U+{ord(wrong):04X}, which no text has")
    return None


def _prices(product: Product) -> Iterator[Flaw]:
    if product.currency not in CODES:
        yield Flaw("currency", _shown(product.currency), "is no code of ISO 4217, such as CNY")
    amounts = {"price": product.price, "list_price": product.list_price}
    for field, amount in amounts.items():
        if amount is not None and (flaw := amount_flaw(field, amount, product.currency)):
            yield flaw
            return
    price, before = product.price, product.list_price
    if before is not None and (price is None or before < price):
        yield Flaw("list_price", str(before), f"is less than the price, {price}")
    if product.offer is not None:
        yield from _offer(product.offer, product)


def _offer(offer: Offer, product: Product) -> Iterator[Flaw]:
    if flaw := amount_flaw("offer.price", offer.price, product.currency):
        yield flaw
    elif product.price is None:
        yield Flaw("offer.price", str(offer.price), "is an offer of a product without a price")
    elif offer.price > product.price:
        yield Flaw("offer.price", str(offer.price), f"is more than the price, {product.price}")
    yield from _words("offer.condition", offer.condition, LONGEST_POINT)
    yield from _stock("offer.stock", offer.stock)
    if offer.until is not None:
        try:
            moment(offer.until)
        except AgentValueError:
            yield Flaw(
                "offer.until",
                _shown(offer.until),
                "is no time of ISO 8601 with a time zone, such as '2030-12-31T20:00:00+08:00'",
            )


def _questions(questions: tuple[Answered, ...]) -> Iterator[Flaw]:
    yield from _count("questions", len(questions), MOST_QUESTIONS)
    for number, each in enumerate(questions):
        path = f"questions[{number}]"
        yield from _words(f"{path}.question", each.question, LONGEST_POINT, needed=True)
        yield from _words(f"{path}.answer", each.answer, LONGEST_TEXT, needed=True)


def _id(value: str) -> Iterator[Flaw]:
    if not ID.fullmatch(value):
        yield Flaw(
            "id",
            _shown(value),
            "is not accepted: 1 to 40 of a-z, 0-9, - and _, the first a letter or digit",
        )


def _words(field: str, words: Words, longest: int, *, needed: bool = False) -> Iterator[Flaw]:
    if needed and not words:
        yield Flaw(field, "", "is missing; one language is needed at least")
    for language, text in words.items():
        if language not in LANGUAGES:
            yield _language(field, language)
        yield from _text(f"{field}.{language}", text, longest, blank=False)


def _named_words(field: str, named: Mapping[str, Words], most: int) -> Iterator[Flaw]:
    yield from _count(field, len(named), most)
    for name, words in named.items():
        yield from _text(field, name, LONGEST_KEY, blank=False)
        yield from _words(f"{field}.{_shown(name)}", words, LONGEST_TEXT, needed=True)


def _lists(field: str, lists: Lists, most: int, longest: int) -> Iterator[Flaw]:
    for language, texts in lists.items():
        if language not in LANGUAGES:
            yield _language(field, language)
        yield from _count(f"{field}.{language}", len(texts), most)
        for number, text in enumerate(texts):
            yield from _text(f"{field}.{language}[{number}]", text, longest, blank=False)


def _language(field: str, language: str) -> Flaw:
    return Flaw(field, _shown(language), f"is no language; accepted: {', '.join(LANGUAGES)}")


def _text(field: str, text: str, longest: int, *, blank: bool = True) -> Iterator[Flaw]:
    if flaw := text_flaw(field, text, longest, blank=blank):
        yield flaw


def _count(field: str, number: int, most: int) -> Iterator[Flaw]:
    if number > most:
        yield Flaw(field, str(number), f"are too many; accepted: {most}")


def _stock(field: str, stock: int | None) -> Iterator[Flaw]:
    if stock is not None and not 0 <= stock <= MOST_STOCK:
        yield Flaw(field, str(stock), f"is not accepted: 0 to {MOST_STOCK}")


def _is_file_name(name: str) -> bool:
    return bool(_PICTURE.fullmatch(name)) and ".." not in name and not name.endswith((" ", "."))


def _is_link(link: str) -> bool:
    return len(link) <= LONGEST_LINK and link.isprintable() and bool(_LINK.fullmatch(link))


def _is_hostile(character: str) -> bool:
    if character in "\n\t":
        return False
    return unicodedata.category(character) in ("Cc", "Cs") or character in _TURNING


def _shown(value: str) -> str:
    return value if len(value) <= 60 else value[:57] + "..."
