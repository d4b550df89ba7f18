"""`Sheet`: all that can be said of one product, entry by entry, at a moment."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import Literal

from agents.clause import LANGUAGES, Language
from agents.shop.attributes import about, attribute_texts, sentences, stopped
from agents.shop.labels import labels, topic_of, translated
from agents.shop.lexicon import (
    GOODS,
    TOPICS,
    Reading,
    called,
    read,
)
from agents.shop.money import say_moment, say_money
from agents.shop.phrases import bare, is_sentence, phrase
from agents.shop.pricing import Price, effective_price
from agents.shop.product import Answered, Product, Shop, Words

EntryKind = Literal[
    "price", "offer", "stock", "attribute", "point", "description", "answered", "buy", "policy"
]

_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One thing that is known of a product, or of the shop.

    Attributes:
        id: of the product, a dot and its own name: "p1.colour".
        kind: where it comes from.
        topic: the concept it is about, or the merchant's own name for it.
        label: what it is called, per language.
        value: what the merchant wrote or counts, per language it is known in.
        question: of an "answered" entry.
        texts: ways to say it in full, per language it can be said in.
    """

    id: str
    kind: EntryKind
    topic: str
    label: Words
    value: Words
    texts: Mapping[Language, tuple[str, ...]]
    question: Words = field(default_factory=dict)

    def told_in(self, language: Language) -> Language:
        """Return the language it is said in where one is asked for."""
        return language if self.texts.get(language) else next(iter(self.texts))


@dataclass(frozen=True)
class Sheet:
    """A product, what it costs now, and its entries."""

    product: Product
    price: Price | None
    entries: tuple[Entry, ...]

    def entry(self, topic: str) -> Entry | None:
        """Return the first entry about a topic."""
        return next((entry for entry in self.entries if entry.topic == topic), None)

    @cached_property
    def name_readings(self) -> tuple[Reading, ...]:
        """What its names, aliases, category and id say."""
        return tuple(read(text) for text in names_of(self.product))

    @cached_property
    def goods(self) -> frozenset[str]:
        """Return what kinds of thing its names call it."""
        return frozenset(name for one in self.name_readings for name in one.names(GOODS))

    @property
    def is_sold_out(self) -> bool:
        """Whether there is none left."""
        return self.product.stock == 0

    @property
    def amount(self) -> Decimal | None:
        """What it costs now without any condition; None where it is not for sale."""
        if self.price is None:
            return None
        return self.product.price if _is_conditional(self.price) else self.price.amount

    def said_price(self, language: Language) -> str:
        """Return what it costs now without any condition in words; empty where it does not."""
        amount = self.amount
        return "" if amount is None else say_money(amount, self.product.currency, language)


def names_of(product: Product) -> Iterator[str]:
    """Yield every name a product goes by, its own first."""
    yield from product.name.values()
    for aliases in product.aliases.values():
        yield from aliases


def sheet_of(product: Product, now: float) -> Sheet:
    """Return what can be said of a product.

    Args:
        now: seconds since the epoch, by which offers hold or have ended.
    """
    price = effective_price(product, now)
    entries = [*_selling(product, price), *_attributes(product), *_free(product)]
    return Sheet(product, price, tuple(entries))


def policies_of(shop: Shop) -> tuple[Entry, ...]:
    """Return what holds for all products of a shop."""
    entries = []
    for key, words in shop.policies.items():
        topic = topic_of(key)
        label = labels(key, topic)
        texts = {
            language: (stopped(text, language),)
            if is_sentence(text)
            else phrase(
                "policy", language, attribute=label[language], value=stopped(text, language)
            )
            for language, text in words.items()
            if text
        }
        if texts:
            entries.append(Entry(f"policy:{_slug(key)}", "policy", topic, label, words, texts))
    return tuple(entries)


def _selling(product: Product, price: Price | None) -> Iterator[Entry]:
    yield _price_entry(product, price)
    if price is not None:
        yield _offer_entry(product, price)
    yield _stock_entry(product, price)
    if price is not None and product.stock != 0:
        yield _entry(product, "buy", "buy", "link", price=_money(price))


def _price_entry(product: Product, price: Price | None) -> Entry:
    if price is None:
        return _entry(product, "price", "price", "price_none")
    if _is_conditional(price) and product.price is not None:
        return _conditional_entry(product, price, product.price)
    kind = "price" if price.before is None else "price_reduced"
    entry = _entry(
        product, "price", "price", kind, price=_money(price), before=_money_before(price)
    )
    return _more(entry, _conditions(price))


def _is_conditional(price: Price) -> bool:
    return price.offer is not None and any(price.offer.condition.values())


def _conditional_entry(product: Product, price: Price, base: Decimal) -> Entry:
    """Return the price of a product that is cheaper on a condition: both, and which."""
    assert price.offer is not None
    given = price.offer.condition
    entry = _entry(
        product,
        "price",
        "price",
        "price_condition",
        price=_money(price),
        base={lang: say_money(base, price.currency, lang) for lang in LANGUAGES},
        condition={lang: bare(given.get(lang) or next(iter(given.values()))) for lang in LANGUAGES},
    )
    return _more(entry, _conditions(replace(price, offer=replace(price.offer, condition={}))))


def _offer_entry(product: Product, price: Price) -> Entry:
    if price.offer is None:
        if price.before is None:
            return _entry(product, "offer", "offer", "offer_none", price=_money(price))
        return _entry(
            product, "offer", "offer", "price_reduced", price=_money(price),
            before=_money_before(price),
        )  # fmt: skip
    entry = _entry(
        product, "offer", "offer", "offer_fact", price=_money(price), before=_money_before(price)
    )
    return _more(entry, _conditions(price))


def _conditions(price: Price) -> Mapping[Language, str]:
    """Return what must be said beside the price of an offer."""
    if price.offer is None:
        return {}
    more: dict[Language, str] = {}
    for language in LANGUAGES:
        texts: list[str] = []
        condition = price.offer.condition.get(language)
        if price.offer.condition and not condition:
            condition = next(iter(price.offer.condition.values()))
        if condition:
            texts.append(phrase("condition", language, condition=bare(condition))[0])
        if price.offer.until is not None:
            until = say_moment(price.offer.until, language)
            texts.append(phrase("until", language, until=until)[0])
        if price.offer.stock is not None and price.left is not None:
            texts.append(phrase("offer_left", language, left=str(price.left))[0])
        more[language] = (" " if language == "en" else "").join(texts)
    return more


def _stock_entry(product: Product, price: Price | None) -> Entry:
    if price is None:
        return _entry(product, "stock", "stock", "price_none")
    if product.stock == 0:
        return _entry(product, "stock", "stock", "stock_out")
    if product.stock is None:
        return _entry(product, "stock", "stock", "stock_open")
    left = {language: str(product.stock) for language in LANGUAGES}
    return _entry(product, "stock", "stock", "stock", left=left)


def _attributes(product: Product) -> Iterator[Entry]:
    for key, words in product.attributes.items():
        topic = topic_of(key)
        label = labels(key, topic)
        value = dict(words)
        for language in LANGUAGES:
            if words and _is_foreign(value.get(language, ""), language):
                made = translated(value.get(language) or next(iter(words.values())), language)
                value |= {language: made} if made else {}
        texts = {
            language: attribute_texts(product, topic, label, text, language)
            for language, text in value.items()
            if text
        }
        texts = {language: said for language, said in texts.items() if said}
        if texts:
            entry_id = f"{product.id}.{_slug(key)}"
            yield Entry(entry_id, "attribute", topic, label, value, texts)


def _is_foreign(value: str, language: Language) -> bool:
    """Say whether a value is missing, or written in figures and the units of English."""
    return not value or (language == "zh" and not _HAN.search(value))


def _free(product: Product) -> Iterator[Entry]:
    """Yield what the merchant wrote in sentences: points, description, answers."""
    for number, words in enumerate(_by_number(product.points), 1):
        texts = {lang: (about(product.named(lang), t, lang),) for lang, t in words.items()}
        yield Entry(f"{product.id}.point{number}", "point", "points", {}, words, texts)
    described = {lang: list(sentences(text)) for lang, text in product.description.items()}
    for number, words in enumerate(_by_number(described), 1):
        texts = {lang: (about(product.named(lang), t, lang),) for lang, t in words.items()}
        entry_id = f"{product.id}.description{number}"
        yield Entry(entry_id, "description", "points", {}, words, texts)
    for number, answered in enumerate(product.questions, 1):
        if any(answered.answer.values()):
            yield _answered_entry(product.id, number, answered)


def _answered_entry(product_id: str, number: int, answered: Answered) -> Entry:
    texts = {
        language: (stopped(text, language),) for language, text in answered.answer.items() if text
    }
    return Entry(
        f"{product_id}.q{number}", "answered", "answered", {}, answered.answer, texts,
        answered.question,
    )  # fmt: skip


def _by_number(lists: Mapping[Language, tuple[str, ...] | list[str]]) -> Iterator[Words]:
    """Yield the n-th sentence of each language; where their numbers differ, one language each."""
    lengths = {len(texts) for texts in lists.values() if texts}
    if len(lengths) == 1:
        for texts in zip(*(lists[lang] for lang in lists if lists[lang]), strict=True):
            yield dict(zip((lang for lang in lists if lists[lang]), texts, strict=True))
        return
    for language, texts_of in lists.items():
        for text in texts_of:
            yield {language: text}


def _entry(
    product: Product, kind: EntryKind, topic: str, wording: str, **places: Mapping[Language, str]
) -> Entry:
    texts = {
        language: phrase(
            wording,
            language,
            name=product.named(language),
            **{key: words.get(language, "") for key, words in places.items()},
        )
        for language in LANGUAGES
    }
    label = {language: called(TOPICS, topic, language) for language in LANGUAGES}
    value = {language: texts[language][0] for language in LANGUAGES}
    return Entry(f"{product.id}.{topic}", kind, topic, label, value, texts)


def _more(entry: Entry, more: Mapping[Language, str]) -> Entry:
    """Return an entry with something said after it."""
    if not any(more.values()):
        return entry
    texts = {
        language: tuple(
            f"{text}{' ' if language == 'en' else ''}{more[language]}" for text in options
        )
        for language, options in entry.texts.items()
    }
    return Entry(entry.id, entry.kind, entry.topic, entry.label, entry.value, texts, entry.question)


def _money(price: Price) -> dict[Language, str]:
    return {lang: say_money(price.amount, price.currency, lang) for lang in LANGUAGES}


def _money_before(price: Price) -> dict[Language, str]:
    if price.before is None:
        return {}
    return {lang: say_money(price.before, price.currency, lang) for lang in LANGUAGES}


def _slug(key: str) -> str:
    return re.sub(r"[^\w-]+", "_", key.strip().lower())
