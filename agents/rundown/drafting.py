"""Drafts a rundown from a shop, as a good host would order it.

An opening says who speaks, what is coming and what to stay for. Then products: first one with an
offer, which gathers people; then the others with like beside like, those with offers spread out,
each offer right after its product. Question times come in between, and a closing ends the round.
All sentences state facts of the shop; prices are places, filled when they are spoken.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from agents.clause import Language
from agents.errors import AgentValueError
from agents.rundown.document import Item, Rundown, Sentence
from agents.rundown.planning import topics_of
from agents.rundown.said import normalised
from agents.rundown.telling import Telling
from agents.rundown.timing import LONGEST_S, speech_seconds
from agents.shop.pricing import offer_in_force
from agents.shop.product import Product, Shop

_MOST_PRODUCTS: Final = 80
_WORDINGS: Final = 3  # of each drafted sentence
_DRAWS: Final = 30
_BETWEEN: Final = 3  # products between question times
_PRODUCT_S: Final = 75.0
_OFFER_S: Final = 30.0
_QUESTIONS_S: Final = 60.0
_SPARE_S: Final = 10.0  # for what breaks in
_SENTENCES: Final = 9

_TITLES: Final[dict[Language, str]] = {
    "en": "{shop}: a round of {count}",
    "zh": "{shop}：一轮{count}款",
}
_BRIEFS: Final[dict[Language, dict[str, str]]] = {
    "en": {
        "opening": "Greet everyone, say that the host is artificial, name what is coming, tease "
        "what is reduced, and invite questions.",
        "questions": "Answer what waits, invite questions, and tell what is often asked.",
        "closing": "Name what was shown, remind of how the shop does things, thank everyone.",
    },
    "zh": {
        "opening": "问候大家，说明主播是虚拟主播，预告商品和优惠，请大家提问。",
        "questions": "回答等待的问题，请大家提问，讲常见问题。",
        "closing": "回顾讲过的商品，提醒店铺规定，感谢大家。",
    },
}


def draft(
    shop: Shop,
    language: Language,
    *,
    rundown_id: str = "",
    title: str | None = None,
    now: float = 0.0,
    seed: int = 0,
) -> Rundown:
    """Draft a rundown.

    Args:
        rundown_id: by default the shop's.
        title: by default the shop's name and how many products there are.
        now: seconds since the epoch, by which offers hold or have ended.
        seed: of all chance.

    Raises:
        AgentValueError: the shop has nothing that is for sale and in stock.
    """
    products = running_order(shop, now)[:_MOST_PRODUCTS]
    if not products:
        raise AgentValueError(
            f"shop {shop.id!r} has nothing to show; accepted: a product with a price, not sold out"
        )
    name = shop.name.get(language) or next(iter(shop.name.values()))
    items = tuple(_items(shop, products, language, now, Random(seed)))
    made = _TITLES[language].format(shop=name, count=len(products))
    return Rundown(rundown_id or shop.id, (title or made)[:80], language, items)


def running_order(shop: Shop, now: float) -> list[Product]:
    """Return what is for sale in the order it is best shown in.

    Args:
        now: seconds since the epoch.
    """
    sold = [one for one in shop if one.price is not None and one.stock != 0]
    offered = [one for one in sold if offer_in_force(one, now) is not None]
    reduced = [one for one in sold if one not in offered and one.list_price is not None]
    first = next(iter([*offered, *reduced]), None)
    kinds = list(dict.fromkeys(one.category for one in sold))
    plain = sorted(
        (one for one in sold if one is not first and one not in offered),
        key=lambda one: kinds.index(one.category),
    )
    rest = [one for one in offered if one is not first]
    return [*([first] if first else []), *_spread(plain, rest)]


def _spread(plain: Sequence[Product], offered: Sequence[Product]) -> Iterator[Product]:
    """Yield products with those on offer at even distances."""
    gap = max(1, (len(plain) + 1) // (len(offered) + 1))
    waiting = list(offered)
    for number, product in enumerate(plain, 1):
        yield product
        if waiting and number % gap == 0:
            yield waiting.pop(0)
    yield from waiting


def _items(
    shop: Shop, products: Sequence[Product], language: Language, now: float, random: Random
) -> Iterator[Item]:
    briefs = _BRIEFS[language]
    telling = Telling(shop, language, now, symbolic=True)
    yield Item("opening", "opening", brief=briefs["opening"], action="welcome")
    for number, product in enumerate(products, 1):
        yield _product(shop, product, telling, language, random)
        if offer_in_force(product, now) is not None:
            yield _offer(shop, product, telling, language, random)
        if number % _BETWEEN == 0 and number < len(products):
            name = f"questions-{number // _BETWEEN}"
            yield Item(
                name, "questions", brief=briefs["questions"], product=product.id,
                action="listen", duration=_QUESTIONS_S,
            )  # fmt: skip
    yield Item(
        "questions", "questions", brief=briefs["questions"], action="listen", duration=_QUESTIONS_S
    )
    yield Item("closing", "closing", brief=briefs["closing"], action="wave")


def _product(
    shop: Shop, product: Product, telling: Telling, language: Language, random: Random
) -> Item:
    plan = Item("", "product", product=product.id, duration=_SENTENCES * 5.0)
    script = _script(plan, shop, product, telling, language, random)
    seconds = max(_PRODUCT_S, _seconds(script, language) + _SPARE_S)
    return Item(
        _item_id(product.id, "show"), "product", script, product=product.id,
        action="point_product", duration=float(round(seconds)),
    )  # fmt: skip


def _offer(
    shop: Shop, product: Product, telling: Telling, language: Language, random: Random
) -> Item:
    plan = Item("", "offer", product=product.id)
    script = _script(plan, shop, product, telling, language, random)
    seconds = max(_OFFER_S, _seconds(script, language) + _SPARE_S / 2)
    return Item(
        _item_id(product.id, "offer"), "offer", script, product=product.id, action="offer",
        duration=float(round(seconds)),
    )  # fmt: skip


def _script(
    plan: Item, shop: Shop, product: Product, telling: Telling, language: Language, random: Random
) -> tuple[Sentence, ...]:
    topics = topics_of(plan, product, shop, telling, random, loops=True)
    sentences = []
    for topic in topics:
        wordings = _wordings(product, topic, telling, language, random)
        if wordings:
            sentences.append(Sentence(wordings))
    return tuple(sentences)


def _wordings(
    product: Product, topic: str, telling: Telling, language: Language, random: Random
) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for _ in range(_DRAWS):
        core = telling.about(product, topic, random)
        if core is None:
            return ()
        if speech_seconds(core.text, language) < LONGEST_S - 1.0:
            found.setdefault(normalised(core.text), core.text)
        if len(found) == _WORDINGS:
            break
    return tuple(found.values())


def _seconds(script: Sequence[Sentence], language: Language) -> float:
    return sum(
        max(speech_seconds(wording, language) for wording in sentence.wordings)
        for sentence in script
    )


def _item_id(product_id: str, kind: str) -> str:
    return f"{kind}-{product_id}"[:40].rstrip("-_")
