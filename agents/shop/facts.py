"""A shop as a catalogue: what the host may say of each product, with its figures and claims."""

from collections.abc import Iterable
from decimal import Decimal

from agents.catalogue import Aspect, Catalogue, Condition, Fact, Figure
from agents.claims import find_claims
from agents.clause import LANGUAGES, Language
from agents.shop.money import say_money
from agents.shop.product import Shop
from agents.shop.sheet import Entry, Sheet, names_of, policies_of, sheet_of


def to_catalogue(shop: Shop, now: float) -> Catalogue:
    """Return the facts of a shop: one a product, under its id, and one a policy.

    Texts come in both languages as far as the shop is written in both; what is counted or priced
    always does. The claims a merchant's words make are listed as theirs. Offers that have ended,
    or are sold out, are no facts.

    Args:
        now: seconds since the epoch.
    """
    facts = [fact_of(sheet_of(product, now)) for product in shop]
    facts += [policy_fact(entry) for entry in policies_of(shop)]
    return Catalogue({lang: _named(shop, lang) for lang in LANGUAGES}, tuple(facts))


def fact_of(sheet: Sheet) -> Fact:
    """Return what is known of a product as a fact of a catalogue."""
    product = sheet.product
    topic: dict[Language, str] = {lang: product.named(lang) for lang in LANGUAGES}
    names = tuple(names_of(product))
    texts = {language: (_introduction(sheet, language),) for language in LANGUAGES}
    whole = Aspect(product.id, dict.fromkeys(LANGUAGES, names), texts)
    aspects = tuple(_aspect(entry) for entry in sheet.entries)
    return Fact(
        product.id, topic, whole, aspects, _claims((whole, *aspects)), _figures(sheet), own=True
    )


def policy_fact(entry: Entry) -> Fact:
    """Return what holds for all products as a fact of a catalogue."""
    aspect = _aspect(entry)
    topic: dict[Language, str] = {lang: entry.label[lang] for lang in LANGUAGES}
    return Fact(entry.id, topic, aspect, claims=_claims((aspect,)), own=True)


def _aspect(entry: Entry) -> Aspect:
    keywords = {lang: tuple(filter(None, (entry.label.get(lang, ""),))) for lang in LANGUAGES}
    texts = {lang: entry.texts.get(lang) or entry.texts[entry.told_in(lang)] for lang in LANGUAGES}
    return Aspect(entry.id, keywords, texts)


def _introduction(sheet: Sheet, language: Language) -> str:
    """Return a product in two sentences: its price, and the first thing said for it."""
    price = sheet.entry("price")
    assert price is not None
    said = [price.texts[language][0]]
    points = [
        e for e in sheet.entries if e.kind in ("point", "description") and language in e.texts
    ]
    said += [points[0].texts[language][0]] if points else []
    return (" " if language == "en" else "").join(said)


def _claims(aspects: Iterable[Aspect]) -> tuple[Condition, ...]:
    """List the claims some texts make; a merchant stands for what they wrote."""
    made = {
        claim.kind
        for aspect in aspects
        for language in LANGUAGES
        for text in aspect.texts[language]
        for claim in find_claims(text)
        if not claim.denied
    }
    return tuple(Condition(kind) for kind in sorted(made))


def _figures(sheet: Sheet) -> tuple[Figure, ...]:
    """Return which words name the side that a product's amounts belong to."""
    sides: list[Figure] = []
    price, stock = sheet.price, sheet.product.stock
    if price is not None:
        sides.append(
            Figure(
                _both(price.amount, price.currency),
                {
                    "en": ("costs", "cost", "price", "priced at", "for", "at", "now", "is", "are",
                           "only", "just", "pay"),
                    "zh": ("价格", "现价", "现在", "卖", "只要", "售价", "优惠价", "就", "是",
                           "才"),
                },
                {"en": ("instead",), "zh": ("就能", "带走")},
            )
        )  # fmt: skip
        if price.before is not None:
            sides.append(
                Figure(
                    _both(price.before, price.currency),
                    {
                        "en": ("instead of", "down from", "was", "were", "used to be", "originally",
                               "regular price", "list price", "from", "rather than"),
                        "zh": ("原价", "之前是", "平时", "原来", "本来", "之前"),
                    },
                )
            )  # fmt: skip
    if stock:
        sides.append(
            Figure(
                (str(stock), f"{stock}件"),
                {"en": ("there are", "there is", "we have", "left", "have"),
                 "zh": ("还有", "还剩", "库存", "剩", "有货", "只剩", "有")},
                {"en": ("left", "in stock", "available", "remaining", "of the"),
                 "zh": ("件", "个", "份", "双", "套", "瓶", "盒", "只")},
            )
        )  # fmt: skip
    return tuple(sides)


def _both(amount: Decimal, currency: str) -> tuple[str, ...]:
    return tuple(say_money(amount, currency, language) for language in LANGUAGES)


def _named(shop: Shop, language: Language) -> str:
    return shop.name.get(language) or next(iter(shop.name.values()))
