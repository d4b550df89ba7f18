"""Shops of any kind, for properties."""

from decimal import Decimal

from hypothesis import strategies as st

from agents.clause import LANGUAGES
from agents.shop.product import Answered, Offer, Product, Shop

# Text that is left as it is by whoever strips blanks.
TEXTS = (
    st.text(
        st.characters(codec="utf-8", categories=("L", "N", "P", "Zs"), exclude_characters="\ufeff"),
        min_size=1,
        max_size=30,
    )
    .map(str.strip)
    .filter(lambda text: bool(text) and text not in "-—–" and text[0] not in "=+@'")
)
IDS = st.from_regex(r"[a-z0-9][a-z0-9_-]{0,39}", fullmatch=True)
NAMES = st.from_regex(r"(x|waist|eyelet)[a-z]{0,6}(_[a-z]{6,9})?", fullmatch=True)


def words(texts: st.SearchStrategy[str] = TEXTS, least: int = 1) -> st.SearchStrategy[dict]:  # type: ignore[type-arg]
    """Return texts by language."""
    return st.dictionaries(st.sampled_from(LANGUAGES), texts, min_size=least, max_size=2)


def lists() -> st.SearchStrategy[dict]:  # type: ignore[type-arg]
    """Return lists of texts by language."""
    several = st.lists(TEXTS, min_size=1, max_size=3, unique=True).map(tuple)
    return st.dictionaries(st.sampled_from(LANGUAGES), several, max_size=2)


@st.composite
def answered(draw: st.DrawFn) -> Answered:
    """Return a question answered in each of its languages."""
    question = draw(words())
    return Answered(question, {language: draw(TEXTS) for language in question})


@st.composite
def products(draw: st.DrawFn) -> Product:
    """Return an acceptable product."""
    cents = draw(st.integers(0, 10**7))
    price = draw(st.none() | st.just(Decimal(cents) / 100))
    offer = list_price = None
    if price is not None:
        list_price = draw(st.none() | st.integers(0, 999).map(lambda more: price + more))
        offer = draw(st.none() | offers(cents))
    return Product(
        id=draw(IDS),
        name=draw(words()),
        category=draw(st.just("") | TEXTS),
        price=price,
        currency=draw(st.sampled_from(("USD", "CNY", "EUR"))),
        list_price=list_price,
        stock=draw(st.none() | st.integers(0, 10**9)),
        aliases=draw(lists()),
        attributes=draw(st.dictionaries(NAMES, words(), max_size=3)),
        points=draw(lists()),
        description=draw(words(least=0)),
        questions=tuple(draw(st.lists(answered(), max_size=3))),
        offer=offer,
        picture=draw(st.sampled_from(("", "bag.jpg", "包 1.png"))),
        link=draw(st.sampled_from(("", "https://shop.example/a?b=1"))),
    )


@st.composite
def offers(draw: st.DrawFn, cents: int) -> Offer:
    """Return an offer of at most a price."""
    return Offer(
        price=Decimal(draw(st.integers(0, cents))) / 100,
        condition=draw(words(least=0)),
        until=draw(st.none() | st.just("2030-12-31T20:00:00+08:00")),
        stock=draw(st.none() | st.integers(0, 1000)),
    )


@st.composite
def shops(draw: st.DrawFn) -> Shop:
    """Return an acceptable shop."""
    return Shop(
        id=draw(IDS),
        name=draw(words()),
        products=tuple(draw(st.lists(products(), max_size=4, unique_by=lambda each: each.id))),
        policies=draw(st.dictionaries(NAMES, words(), max_size=3)),
        banned=tuple(draw(st.lists(TEXTS, max_size=3))),
    )
