"""`Clerk`: answers what is asked about goods, from what the merchant wrote."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from agents.clause import Language
from agents.shop.asked import Asked, asked
from agents.shop.assortment import Assortment
from agents.shop.foreign import names_another_thing
from agents.shop.lexicon import PROPERTIES, TOPICS
from agents.shop.naming import Named
from agents.shop.phrases import listed, phrase
from agents.shop.ranking import LEAST, mentions, rank
from agents.shop.sheet import Entry, Sheet
from agents.shop.values import value_answer

# Products told of at once.
_MOST_PRODUCTS = 3
# Entries told of one product at once: "the price and the colours".
_MOST_ENTRIES = 2
# An entry of another product that answers what is asked of none.
_FOUND = 1.45
# Topics that ask what is on sale at all, and what a shop answers for all products.
_SELLING = frozenset({"price", "offer", "stock", "buy"})
_SHOPWIDE = frozenset({
    "shipping", "shipping_cost", "returns", "payment", "invoice", "warranty", "contact", "hours",
    "gift_wrap", "wholesale", "membership",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Context:
    """What a question may refer to.

    Attributes:
        focus: id of the product on air; None for none.
        told: ids of products told of lately, the newest first.
    """

    focus: str | None = None
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """Something to say in answer.

    Attributes:
        texts: ways to say it, one at least.
        language: of the texts; not the one asked in where the merchant wrote in the other alone.
        citations: ids of what it rests on, "p1.price"; empty where it asks back or does not know.
        gesture, anchor: a semantic action and the word it lands on; empty for none.
        knows: whether the question is answered, rather than met with another.
        sure: whether it is about goods beyond doubt, whatever else the words may be.
    """

    texts: tuple[str, ...]
    language: Language
    citations: tuple[str, ...] = ()
    gesture: str = ""
    anchor: str = ""
    knows: bool = True
    sure: bool = False


class Clerk:
    """Answers from one assortment."""

    def __init__(self, assortment: Assortment) -> None:
        self._shop = assortment

    def answer(self, question: str, language: Language, context: Context) -> list[Answer]:
        """Return what answers a question, in order; nothing where the shop says nothing of it."""
        if not len(self._shop) and not self._shop.policies:
            return []
        whole = asked(question)
        named = self._shop.names.find(whole.reading)
        for handler in (self._compared, self._counted, self._listed):
            answers = handler(whole, language, context, named)
            if answers:
                return answers
        query = whole.without(named.units)
        foreign = not named.ids and names_another_thing(query, self._shop.names)
        if foreign and not self._speaks_of(query, context):
            return self._foreign(query, language)
        subjects = self._subjects(query, context, named)
        if query.topics or self._asks(query):
            return self._told(query, language, context, named, subjects)
        return []

    def _speaks_of(self, query: Asked, context: Context) -> bool:
        """Say whether the words that name no product are the merchant's own all the same."""
        entries = list(self._shop.policies)
        if context.focus is not None and context.focus in self._shop:
            entries += self._shop.sheet(context.focus).entries
        return any(mentions(entry, query) for entry in entries)

    # -- which products -------------------------------------------------------------------

    def _subjects(self, query: Asked, context: Context, named: Named) -> list[str]:
        """Return the products a question is about, of those named, pointed at or on air."""
        if named.ids:
            if len(named.ids) > 1 and context.focus in named.ids and not named.whole:
                return [str(context.focus)]
            if len(named.ids) > 1 and context.focus in named.ids and not query.matches("which"):
                return [str(context.focus)]
            return list(named.ids)
        pointed = self._pointed(query, context)
        if pointed:
            return pointed
        if context.focus in self._shop:
            return [str(context.focus)]
        if len(self._shop) == 1:
            return self._shop.ids
        return [one for one in context.told if one in self._shop][:1]

    def _pointed(self, query: Asked, context: Context) -> list[str]:
        ids = self._shop.ids
        if query.ordinal is not None:
            at = query.ordinal - 1 if query.ordinal > 0 else len(ids) - 1
            return [ids[at]] if 0 <= at < len(ids) else []
        told = [one for one in dict.fromkeys(context.told) if one in self._shop]
        if query.matches("other"):
            others = [one for one in told if one != (context.focus or told[0])]
            return others[:1]
        if query.matches("previous"):
            others = [one for one in told if one != context.focus]
            if others:
                return others[:1]
            at = ids.index(context.focus) if context.focus in ids else 0
            return [ids[at - 1]] if at else []
        pair = [*told][:2]
        if len(pair) == 2 and (query.matches("both") or self._picks(query)):
            if query.matches("both"):
                return pair
            return self._by_price(pair)[:: -1 if query.matches("dearer") else 1][:1]
        return []

    def _picks(self, query: Asked) -> bool:
        """Say whether one of two is pointed at by its price: "the cheaper one", "便宜的那个"."""
        text = query.reading.text
        return any(
            words in text
            for words in (
                "cheaper one",
                "more expensive one",
                "便宜的那",
                "贵的那",
                "便宜那",
                "贵那",
            )
        )

    def _by_price(self, ids: Sequence[str]) -> list[str]:
        priced = [
            (sheet.price.amount, one) for one in ids if (sheet := self._shop.sheet(one)).price
        ]
        return [one for _, one in sorted(priced, key=lambda pair: pair[0])]

    # -- what they are asked --------------------------------------------------------------

    def _asks(self, query: Asked) -> bool:
        """Say whether anything but a topic is asked of goods."""
        valued = query.colours or query.sizes or query.materials
        return bool(query.properties or query.weak_properties or valued or query.goods) or bool(
            query.reading.units
        )

    def _told(
        self,
        query: Asked,
        language: Language,
        context: Context,
        named: Named,
        subjects: list[str],
    ) -> list[Answer]:
        """Answer for the products a question is about, for the shop, or for whichever has it."""
        if not named.ids and self._seeks(query, subjects):
            found = self._sought(query, language, context)
            if found:
                return found
        if len(subjects) > _MOST_PRODUCTS:
            subjects = subjects[:_MOST_PRODUCTS]
        sheets = [self._shop.sheet(one) for one in subjects]
        answers = self._entries(query, language, sheets, named, context)
        if answers:
            return answers
        policy = self._policy(query, language)
        if policy:
            return [policy]
        if not subjects:
            return self._without_subject(query, language, context)
        if named.ids and self._is_mention(query, named):
            return [answer for sheet in sheets for answer in self._introduced(sheet, language)]
        return []

    def _entries(
        self,
        query: Asked,
        language: Language,
        sheets: Sequence[Sheet],
        named: Named,
        context: Context,
    ) -> list[Answer]:
        found: list[Answer] = []
        for sheet in sheets:
            entries = self._best(query, sheet, named.units)
            if not entries:
                continue
            most = _MOST_ENTRIES if len(sheets) == 1 else 1
            for entry in entries[:most]:
                found.append(self._said(entry, sheet, query, language, context.focus))
        return found

    def _best(self, query: Asked, sheet: Sheet, covered: frozenset[int]) -> list[Entry]:
        """Return the entries that answer: one a topic where several are asked for."""
        ranked = rank([*sheet.entries, *self._shop.policies], query, covered)
        ranked = [one for one in ranked if one.score >= LEAST]
        if not ranked:
            return []
        best = ranked[0].entry
        plain = best.kind != "answered" and not query.properties
        if plain and len(query.topics) > 1:
            per_topic = [
                next((one.entry for one in ranked if one.entry.topic == topic), None)
                for topic in query.topics
            ]
            several = list(dict.fromkeys(e.id for e in per_topic if e is not None))
            if len(several) > 1 and not _same_thing(query.topics):
                by_id = {one.entry.id: one.entry for one in ranked}
                return [by_id[one] for one in several]
        return [best]

    def _said(
        self, entry: Entry, sheet: Sheet, query: Asked, language: Language, focus: str | None
    ) -> Answer:
        told = entry.told_in(language)
        texts = entry.texts[told]
        if entry.kind == "answered" and sheet.product.id != focus and len(self._shop) > 1:
            # What was written of one product is heard as said of the one on air.
            name = sheet.product.named(told)
            texts = tuple(phrase("sentence", told, name=name, value=text)[0] for text in texts)
        valued = value_answer(entry, sheet.product, query, told)
        if valued:
            texts = valued
        elif entry.kind == "point" or entry.kind == "description":
            texts = self._points(entry, sheet, query, told)
        elif entry.kind == "offer" and sheet.price and sheet.price.before is not None:
            texts = entry.texts[told]
        citations = [entry.id]
        if sheet.is_sold_out and entry.kind in ("price", "offer"):
            stock = sheet.entry("stock")
            assert stock is not None
            gap = " " if told == "en" else ""
            texts = tuple(text + gap + stock.texts[told][0] for text in texts)
            citations.append(stock.id)
        gesture, anchor = _gesture(entry, sheet, told)
        return Answer(texts, told, tuple(citations), gesture, anchor)

    def _points(
        self, entry: Entry, sheet: Sheet, query: Asked, language: Language
    ) -> tuple[str, ...]:
        """Return one thing said for a product, or, asked for in general, any of them."""
        if "points" not in query.topics or query.properties:
            return entry.texts[language]
        return tuple(
            other.texts[language][0]
            for other in sheet.entries
            if other.kind in ("point", "description") and language in other.texts
        )

    def _policy(self, query: Asked, language: Language) -> Answer | None:
        ranked = rank(self._shop.policies, query, frozenset())
        if not ranked or ranked[0].score < LEAST:
            return None
        entry = ranked[0].entry
        told = entry.told_in(language)
        return Answer(entry.texts[told], told, (entry.id,))

    def _without_subject(self, query: Asked, language: Language, context: Context) -> list[Answer]:
        """Answer a question about nobody knows which product."""
        if "offer" in query.topics:
            return [self._offers(language)]
        if "price" in query.topics:
            return [self._prices(language)]
        if query.properties or query.colours or query.materials or query.sizes:
            found = self._sought(query, language, context)
            if found:
                return found
        if query.topics and not set(query.topics) <= {"points"}:
            if set(query.topics) & _SHOPWIDE:
                return []
            names = self._names(self._shop.ids[:_MOST_PRODUCTS], language)
            return [Answer(phrase("which", language, names=names), language, knows=False)]
        return []

    def _introduced(self, sheet: Sheet, language: Language) -> list[Answer]:
        price = sheet.entry("price")
        assert price is not None
        found = [self._plain(price, language)]
        for entry in sheet.entries:
            if entry.kind in ("point", "description") and language in entry.texts:
                return [*found, self._plain(entry, language)]
        return found

    def _plain(self, entry: Entry, language: Language) -> Answer:
        told = entry.told_in(language)
        return Answer(entry.texts[told], told, (entry.id,))

    def _is_mention(self, query: Asked, named: Named) -> bool:
        """Say whether nothing but a product is named, or it is asked whether there is one."""
        senses = query.reading.of(TOPICS, PROPERTIES)
        asks = any(s.first not in named.units and not s.weak for s in senses)
        if asks or query.rest(named.units):
            return False
        return len(query.reading.units) - len(named.units) <= 4 or query.matches("have")

    # -- lists, comparisons, searches -------------------------------------------------------

    def _counted(
        self, query: Asked, language: Language, context: Context, named: Named
    ) -> list[Answer]:
        """Answer what is cheapest or dearest, and what a budget buys."""
        kind = next((k for k in ("cheapest", "dearest") if query.matches(k)), None)
        pool = self._pool(query, named)
        if kind and pool:
            ids = self._by_price(pool)
            return [self._extreme(kind, ids, query, language, named)] if ids else []
        if query.budget is not None and pool:
            return [self._within(query.budget, pool, language)]
        return []

    def _pool(self, query: Asked, named: Named) -> list[str]:
        """Return the products a search is among: those of a kind that is named, or all."""
        for kind in query.goods:
            ids = self._shop.names.of_kind(kind)
            if ids:
                return ids
        return list(named.ids) if len(named.ids) > 1 else self._shop.ids

    def _extreme(
        self, kind: str, ids: list[str], query: Asked, language: Language, named: Named
    ) -> Answer:
        sheet = self._shop.sheet(ids[0] if kind == "cheapest" else ids[-1])
        whole = len(self._pool(query, named)) == len(self._shop)
        scope = {"en": "here" if whole else "among them", "zh": "店里" if whole else "其中"}
        texts = phrase(
            kind,
            language,
            name=sheet.product.named(language),
            price=sheet.said_price(language),
            scope=scope[language],
        )
        return Answer(texts, language, (f"{sheet.product.id}.price",))

    def _within(self, budget: Decimal, pool: Sequence[str], language: Language) -> Answer:
        ids = self._by_price(pool)
        fitting = []
        for one in ids:
            price = self._shop.sheet(one).price
            if (
                price is not None
                and price.amount <= budget
                and not self._shop.sheet(one).is_sold_out
            ):
                fitting.append(one)
        if not fitting:
            if not ids:
                return Answer(phrase("offers_none", language), language, knows=False)
            sheet = self._shop.sheet(ids[0])
            texts = phrase(
                "within_none",
                language,
                name=sheet.product.named(language),
                price=sheet.said_price(language),
            )
            return Answer(texts, language, (f"{ids[0]}.price",))
        # The dearest that still fit: what a budget is for.
        chosen = fitting[-_MOST_PRODUCTS:]
        texts = phrase("within", language, items=self._items(chosen, language))
        return Answer(texts, language, tuple(f"{one}.price" for one in chosen))

    def _listed(
        self, query: Asked, language: Language, context: Context, named: Named
    ) -> list[Answer]:
        """Answer what there is at all."""
        if not query.matches("list") or named.ids or not len(self._shop):
            return []
        if query.topics or query.properties or query.colours:
            return []
        return [self._range(language)]

    def _range(self, language: Language) -> Answer:
        ids = self._shop.ids
        shown = ids if len(ids) <= 5 else ids[:4]
        kind = "list" if len(ids) <= 5 else "list_more"
        texts = phrase(kind, language, names=self._names(shown, language), count=str(len(ids)))
        return Answer(texts, language, tuple(shown))

    def _compared(
        self, query: Asked, language: Language, context: Context, named: Named
    ) -> list[Answer]:
        """Compare two products that are named, or one named with the one on air."""
        if not query.matches("compare"):
            return []
        pair = self._shop.names.mentioned(query.reading)
        if len(pair) < 2 and query.matches("both"):
            pair = [one for one in dict.fromkeys(context.told) if one in self._shop][:2]
        if len(pair) == 1 and context.focus in self._shop and context.focus not in pair:
            if query.matches("pronoun"):
                pair = [str(context.focus), *pair]
        if len(pair) < 2:
            return []
        left, right = (self._shop.sheet(one) for one in pair[:2])
        if query.matches("cheaper") or query.matches("dearer"):
            priced = self._price_compared(left, right, query, language)
            if priced:
                return priced
        both = [self._best(query, sheet, named.units) for sheet in (left, right)]
        told = [
            self._said(entries[0], sheet, query, language, context.focus)
            for entries, sheet in zip(both, (left, right), strict=True)
            if entries and query.topics != ("points",)
        ]
        if told and (query.topics or query.properties or query.colours or query.materials):
            return told
        return self._contrasted((left, right), language)

    def _price_compared(
        self, left: Sheet, right: Sheet, query: Asked, language: Language
    ) -> list[Answer]:
        if left.price is None or right.price is None:
            return []
        cited = (f"{left.product.id}.price", f"{right.product.id}.price")
        less, more = sorted((left, right), key=lambda s: s.price.amount if s.price else 0)
        kind, first, other = "cheaper", less, more
        if query.matches("dearer") and not query.matches("cheaper"):
            kind, first, other = "dearer", more, less
        if left.price.amount == right.price.amount:
            kind = "same_price"
        texts = phrase(
            kind,
            language,
            name=first.product.named(language),
            price=first.said_price(language),
            other=other.product.named(language),
            other_price=other.said_price(language),
        )
        return [Answer(texts, language, cited)]

    def _contrasted(self, sheets: Sequence[Sheet], language: Language) -> list[Answer]:
        """Tell two products apart: what each costs, and what is first said for it."""
        found: list[Answer] = []
        for sheet in sheets:
            found += self._introduced(sheet, language)
        return found

    def _seeks(self, query: Asked, subjects: Sequence[str]) -> bool:
        """Say whether a product is sought that is like something: "which one is waterproof".

        "Do you have it in red" means the one on air, whether or not it says so.
        """
        if not query.matches("which"):
            valued = query.colours or query.sizes
            if subjects and (valued or query.matches("pronoun") or not query.matches("like")):
                return False
            if not (query.matches("have") or query.matches("like")):
                return False
        structured = set(query.topics) - {"points", "gift_wrap"}
        wanted = query.properties or query.materials or query.colours or query.sizes
        return bool(wanted or (query.rest() and not structured))

    def _sought(self, query: Asked, language: Language, context: Context) -> list[Answer]:
        """Return the products for which an entry answers what is sought."""
        found: list[tuple[float, Sheet, Entry]] = []
        pool = self._pool(query, Named())
        for one in pool:
            sheet = self._shop.sheet(one)
            if sheet.is_sold_out:
                continue
            entries = [e for e in sheet.entries if e.kind not in ("price", "offer", "stock", "buy")]
            ranked = rank(entries, query, frozenset())
            if ranked and ranked[0].score >= _FOUND and not _denies(ranked[0].entry, query):
                found.append((ranked[0].score, sheet, ranked[0].entry))
        found.sort(key=lambda one: -one[0])
        best = [one for one in found if one[0] >= found[0][0] * 0.75][:2]
        return [
            self._said(entry, sheet, query, language, context.focus) for _, sheet, entry in best
        ]

    def _foreign(self, query: Asked, language: Language) -> list[Answer]:
        """Say that a thing is not sold here, and what is."""
        names = self._names(self._shop.ids[:_MOST_PRODUCTS], language)
        if not names:
            return []
        return [Answer(phrase("have_not", language, names=names), language, knows=False)]

    def _offers(self, language: Language) -> Answer:
        on_offer = [s.product.id for s in self._shop if s.price is not None and s.price.offer]
        reduced = [s.product.id for s in self._shop if s.price is not None and s.price.before]
        chosen = (on_offer or reduced)[:_MOST_PRODUCTS]
        if not chosen:
            return Answer(phrase("offers_none", language), language)
        texts = phrase("offers", language, items=self._items(chosen, language))
        return Answer(texts, language, tuple(f"{one}.offer" for one in chosen))

    def _prices(self, language: Language) -> Answer:
        ids = self._by_price(self._shop.ids)
        cited = tuple(f"{one}.price" for one in ids)
        if len(ids) <= _MOST_PRODUCTS:
            texts = phrase("prices", language, items=self._items(ids, language))
            return Answer(texts, language, cited)
        low, high = self._shop.sheet(ids[0]), self._shop.sheet(ids[-1])
        texts = phrase(
            "price_range",
            language,
            low=low.said_price(language),
            low_name=low.product.named(language),
            high=high.said_price(language),
            high_name=high.product.named(language),
        )
        return Answer(texts, language, (cited[0], cited[-1]))

    def _items(self, ids: Sequence[str], language: Language) -> str:
        sheets = [self._shop.sheet(one) for one in ids]
        items = [
            phrase("item", language, name=s.product.named(language), price=s.said_price(language))[
                0
            ]
            for s in sheets
        ]
        lowered = [item[:1].lower() + item[1:] if language == "en" else item for item in items]
        return listed(lowered, language)

    def _names(self, ids: Sequence[str], language: Language) -> str:
        named = [self._shop.sheet(one).product.named(language) for one in ids]
        if language == "en":
            named = [
                f"the {name}" if not name.lower().startswith("the ") else name for name in named
            ]
        return listed(named, language)


def _same_thing(topics: Sequence[str]) -> bool:
    """Say whether topics named together are one: "shipping cost", "size and dimensions"."""
    kin = (
        {"shipping", "shipping_cost", "price"}, {"size", "dimensions"}, {"returns", "warranty"},
        {"buy", "payment"}, {"offer", "price"}, {"material", "ingredients"}, {"contents", "points"},
        {"contents", "ingredients"}, {"stock", "buy"}, {"returns", "shipping"}, {"care", "use"},
    )  # fmt: skip
    return any(set(topics) <= group for group in kin)


def _denies(entry: Entry, query: Asked) -> bool:
    """Say whether an entry says that a product is not what is sought."""
    for text in entry.value.values():
        lowered = text.lower()
        if lowered.startswith(("no", "not ", "不", "无", "没")) or " is not " in lowered:
            return True
        if "it does not" in lowered or "它不" in lowered or "isn't" in lowered:
            return True
    return False


def _gesture(entry: Entry, sheet: Sheet, language: Language) -> tuple[str, str]:
    """Return the action that goes with an answer, and the word it lands on."""
    name = sheet.product.named(language)
    if entry.kind == "offer":
        return "offer", name
    if entry.kind in ("price", "buy"):
        return "point_product", name
    if entry.kind == "stock" and sheet.product.stock:
        return "count", str(sheet.product.stock)
    if entry.topic in ("size", "dimensions"):
        return "show_size", name
    return "", ""
