"""`Clerk`: answers what is asked about goods, from what the merchant wrote."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from agents.clause import LANGUAGES, Language
from agents.shop.asked import Asked, asked
from agents.shop.assortment import Assortment
from agents.shop.comparing import Comparer
from agents.shop.foreign import names_a_relative, names_another_thing
from agents.shop.grammar import is_function_word
from agents.shop.inquiry import Answer, Context, Inquiry
from agents.shop.lexicon import PROPERTIES, TOPICS, plain
from agents.shop.likeness import Likeness
from agents.shop.naming import Named
from agents.shop.owning import WRITTEN, names_part, only_of_kind
from agents.shop.ranking import LEAST, is_hint, mentions, rank
from agents.shop.sheet import Entry, Sheet
from agents.shop.telling import MOST_PRODUCTS, Teller
from agents.tokens import is_question

__all__ = ["Answer", "Clerk", "Context"]

# Entries told of one product at once: "the price and the colours".
_MOST_ENTRIES = 2
# Evidence that words which nothing explains, or several readings, leave in doubt.
_DOUBT = 0.8
# What is written in the language asked in may be this much less evident than what is not.
_AS_GOOD = 0.85
# Words beside a name that leave it a mere mention of the product.
_MOST_BESIDE = 4
# What a shop answers for all products, so that nobody is asked which one is meant.
_SHOPWIDE = frozenset({
    "shipping", "shipping_cost", "returns", "payment", "invoice", "warranty", "contact", "hours",
    "gift_wrap", "gifts", "wholesale", "membership",
})  # fmt: skip
_SELLING = frozenset({"price", "stock", "offer", "buy"})
# Topics that are one question where they come together.
_ONE = (
    {"shipping", "shipping_cost", "price"}, {"size", "dimensions", "spec"}, {"returns", "warranty"},
    {"buy", "payment"}, {"offer", "price"}, {"material", "ingredients"}, {"contents", "points"},
    {"contents", "ingredients", "spec"}, {"stock", "buy"}, {"returns", "shipping"}, {"care", "use"},
    {"offer", "gifts"}, {"weight", "spec"},
)  # fmt: skip
_CLAUSES = re.compile(r"[,，。;；?？!！]|\band\b|\balso\b|还有|另外")
_PICKS = ("cheaper one", "more expensive one", "便宜的那", "贵的那", "便宜那", "贵那")


class Clerk:
    """Answers from one assortment."""

    def __init__(self, assortment: Assortment) -> None:
        self._shop = assortment
        self._teller = Teller(assortment)
        self._comparer = Comparer(assortment, self._teller, self._best)

    def answer(self, question: str, language: Language, context: Context) -> list[Answer]:
        """Return what answers a question, in order; nothing where the shop says nothing of it."""
        whole = asked(question, self._shop.names.words, self._shop.labels)
        if (
            whole.matches("done")
            or not whole.reading.units
            or not (len(self._shop) or self._shop.policies)
        ):
            return []
        named = self._shop.names.find(whole.reading)
        told = tuple(dict.fromkeys(one for one in context.told if one in self._shop))
        focus = context.focus if context.focus in self._shop else None
        inquiry = Inquiry(whole, language, Context(focus, told), named)
        several = self._comparer.compared(inquiry) or self._comparer.counted(inquiry)
        if several:
            return several
        if self._asks_for_all(inquiry):
            return [self._teller.range(language)]
        if self._means_focus(whole, named, focus):
            named = Named()
        named = _with_its_words(whole, named)
        inquiry = Inquiry(whole.without(named.units), language, inquiry.context, named)
        if self._is_foreign(inquiry):
            return [self._teller.asks_back("have_not", language)]
        subjects = self._subjects(inquiry)
        return (
            self._told(inquiry, subjects)
            or self._by_clause(inquiry, subjects)
            or self._introduced(inquiry, subjects)
        )

    def resembling(
        self, question: str, language: Language, context: Context, likeness: Likeness
    ) -> list[Answer]:
        """Return what is nearest in meaning to a question that words did not answer.

        Blocks while it embeds: of the product named, or on air, and of what holds for all.
        """
        whole = asked(question, self._shop.names.words, self._shop.labels)
        if whole.matches("done") or not is_question(question, language):
            return []
        named = self._shop.names.find(whole.reading)
        focus = context.focus if context.focus in self._shop else None
        part_of_name = named.ids == (focus,) and not named.whole
        if part_of_name or self._means_focus(whole, named, focus):
            named = Named()
        inquiry = Inquiry(whole.without(named.units), language, Context(focus), named)
        sells = set(inquiry.query.topics) & _SELLING or whole.matches("sells")
        sells = sells or (focus is None and whole.matches("have"))
        if sells and self._is_foreign(inquiry):
            return []
        subjects = self._subjects(inquiry)[:1]
        sheets = [self._shop.sheet(one) for one in subjects]
        entries = [*(e for sheet in sheets for e in _told_of(sheet)), *self._shop.policies]
        evidence = {one.entry.id: one.score for one in rank(entries, inquiry.query, named.units)}
        found = likeness.nearest(inquiry.query, entries, evidence, language)
        return [
            self._teller.plain(entry, language)
            if entry.kind == "policy"
            else self._teller.said(entry, sheets[0], inquiry)
            for entry in found
        ]

    def read_ahead(self, product_id: str, likeness: Likeness) -> None:
        """Embed what `resembling` compares of a product, which its first question waits for."""
        entries = [*_told_of(self._shop.sheet(product_id)), *self._shop.policies]
        for language in LANGUAGES:
            likeness.keep(entries, language)

    def _means_focus(self, whole: Asked, named: Named, focus: str | None) -> bool:
        """Say whether words of another name ask for something of the product on air.

        "How long does it take to boil water" is no question about a water bottle.
        """
        if focus is None or not named.ids or focus in named.ids:
            return False
        included = whole.place("included")
        if included is not None:
            # "Does it come with a cable", where cables are sold as well.
            first = whole.reading.units[min(named.units)]
            return first.start >= included and (first.is_han or whole.matches("pronoun"))
        own = [e for e in self._shop.sheet(focus).entries if e.kind in WRITTEN]
        if named.whole and not any(names_part(entry, whole, named.units) for entry in own):
            return False
        others = self._shop.sheet(named.ids[0]).entries
        here = rank(own, whole, frozenset())
        there = rank(others, whole.without(named.units), named.units)
        best = here[0].score if here else 0.0
        return best >= LEAST and best > (there[0].score if there else 0.0)

    def _by_clause(self, inquiry: Inquiry, subjects: list[str]) -> list[Answer]:
        """Answer what its clauses ask, one by one, where the whole asks too many things at once."""
        clauses = [text for text in _CLAUSES.split(inquiry.query.reading.text) if text.strip()]
        if len(clauses) < 2 or not subjects:
            return []
        found: dict[tuple[str, ...], Answer] = {}
        for clause in clauses:
            read = asked(clause, self._shop.names.words)
            named = self._shop.names.find(read.reading)
            of = Named(tuple(subjects[:1]), named.units, inquiry.named.whole)
            part = Inquiry(read.without(named.units), inquiry.language, inquiry.context, of)
            for answer in self._entries(part, [self._shop.sheet(subjects[0])])[:1]:
                found.setdefault(answer.citations, answer)
        return list(found.values())[:_MOST_ENTRIES]

    def _asks_for_all(self, inquiry: Inquiry) -> bool:
        """Say whether it is asked what there is at all."""
        query = inquiry.query
        narrowed = inquiry.named.ids or query.topics or query.properties or query.colours
        return bool(len(self._shop) and not narrowed and query.matches("list"))

    def _is_foreign(self, inquiry: Inquiry) -> bool:
        """Say whether it is about a thing that is not sold here, by no word of the merchant's."""
        query = inquiry.query
        sells = query.matches("have") or set(query.topics) & _SELLING
        if sells and names_a_relative(query, inquiry.named, self._shop.names):
            return True
        if inquiry.named.ids or not names_another_thing(query, self._shop.names):
            return False
        entries = list(self._shop.policies)
        if inquiry.focus is not None:
            entries += self._shop.sheet(inquiry.focus).entries
        return bool(len(self._shop)) and not any(mentions(entry, query) for entry in entries)

    # -- which products -------------------------------------------------------------------

    def _subjects(self, inquiry: Inquiry) -> list[str]:
        """Return the products a question is about, of those named, pointed at or on air."""
        named, focus = inquiry.named, inquiry.focus
        if named.ids:
            open_which = len(named.ids) > 1 and focus in named.ids
            if open_which and not (named.whole and inquiry.query.matches("which")):
                return [str(focus)]
            return list(named.ids)
        pointed = self._pointed(inquiry)
        if pointed:
            return pointed
        if focus is not None:
            return [focus]
        return self._shop.ids if len(self._shop) == 1 else list(inquiry.context.told[:1])

    def _pointed(self, inquiry: Inquiry) -> list[str]:
        """Return the products that are pointed at: "the second", "both", "the cheaper one"."""
        query, ids, told = inquiry.query, self._shop.ids, inquiry.context.told
        if query.ordinal is not None:
            at = query.ordinal - 1 if query.ordinal > 0 else len(ids) - 1
            return [ids[at]] if 0 <= at < len(ids) else []
        if query.matches("other") or query.matches("previous"):
            return self._another(inquiry)
        if len(told) < 2:
            return []
        if query.matches("both"):
            return list(told[:2])
        if any(words in query.reading.text for words in _PICKS):
            priced = self._teller.by_price(told[:2])
            return priced[-1:] if query.matches("dearer") else priced[:1]
        return []

    def _another(self, inquiry: Inquiry) -> list[str]:
        """Return the product told of before the one on air, or standing before it."""
        told, ids, focus = inquiry.context.told, self._shop.ids, inquiry.focus
        others = [one for one in told if one != (focus or told[0])]
        if others or not inquiry.query.matches("previous"):
            return others[:1]
        at = ids.index(focus) if focus is not None else 0
        return [ids[at - 1]] if at else []

    # -- what they are asked --------------------------------------------------------------

    def _told(self, inquiry: Inquiry, subjects: list[str]) -> list[Answer]:
        """Answer for the products a question is about, for the shop, or for whichever has it."""
        if self._comparer.seeks(inquiry, subjects):
            found = self._comparer.sought(inquiry)
            if found:
                return found
        sheets = [self._shop.sheet(one) for one in subjects[:MOST_PRODUCTS]]
        answers = self._entries(inquiry, sheets) or self._policy(inquiry)
        if answers:
            return answers
        return [] if subjects else self._without_subject(inquiry)

    def _introduced(self, inquiry: Inquiry, subjects: list[str]) -> list[Answer]:
        """Tell of products that are but named; of none whose name's words ask for something."""
        if not (inquiry.named.ids and self._is_mention(inquiry)):
            return []
        sheets = [self._shop.sheet(one) for one in subjects[:MOST_PRODUCTS]]
        if not inquiry.named.whole and subjects == [inquiry.focus]:
            # "What nuts are in it" of a nut granola on air: "nuts" is no name.
            full = Asked(inquiry.query.reading)
            found = self._entries(replace(inquiry, query=full, named=Named()), sheets)
            if found or _asks_for_something(full):
                return found
        return [a for s in sheets for a in self._teller.introduced(s, inquiry.language)]

    def _entries(self, inquiry: Inquiry, sheets: Sequence[Sheet]) -> list[Answer]:
        terms = self._terms(inquiry, sheets[0]) if sheets else None
        if terms is not None:
            return [self._teller.said(terms, sheets[0], inquiry)]
        most = _MOST_ENTRIES if len(sheets) == 1 else 1
        query = inquiry.query
        # "How much???" asks for nothing else that might be nearer in meaning.
        plain = not query.rest()
        several = bool(query.topics and query.properties)
        return [
            replace(
                self._teller.said(entry, sheet, inquiry),
                evidence=math.inf
                if entry.topic in _SELLING and (plain or _is_outright(entry.topic, query))
                else score - (_DOUBT if several or _leaves(query, entry) else 0.0),
            )
            for sheet in sheets
            for entry, score in self._scored(inquiry, sheet)[:most]
        ]

    def _terms(self, inquiry: Inquiry, sheet: Sheet) -> Entry | None:
        """Return what tells of the price before an offer, or on which terms it is had, if asked."""
        query, price = inquiry.query, sheet.price
        if price is None or set(query.topics) - _SELLING - {"points"} or query.properties:
            return None
        if query.matches("before"):
            return sheet.entry("price" if price.offer is None else "offer")
        if price.offer is not None and price.amount in query.numbers and query.matches("terms"):
            return sheet.entry("offer")
        return None

    def _best(self, inquiry: Inquiry, sheet: Sheet) -> list[Entry]:
        """Return the entries that answer: one a topic where several are asked for."""
        return [entry for entry, _ in self._scored(inquiry, sheet)]

    def _scored(self, inquiry: Inquiry, sheet: Sheet) -> list[tuple[Entry, float]]:
        """Return the entries that answer, as `_best`, and the evidence for each."""
        query = inquiry.query
        ranked = rank([*sheet.entries, *self._shop.policies], query, inquiry.named.units)
        scores = {one.entry: one.score for one in ranked if one.score >= LEAST}
        entries = _in_own_words(scores, inquiry.language)
        if not entries:
            only = only_of_kind(sheet.entries, query) or _what_comes(sheet, query)
            return [(only, LEAST)] if only else []
        chosen = entries[:1]
        single = entries[0].kind == "answered" or query.properties
        if not single and len(query.topics) > 1 and not any(set(query.topics) <= k for k in _ONE):
            first = (next((e for e in entries if e.topic == t), None) for t in query.topics)
            several = list({entry.id: entry for entry in first if entry is not None}.values())
            chosen = several if len(several) > 1 else chosen
        return [(entry, scores[entry]) for entry in chosen]

    def _policy(self, inquiry: Inquiry) -> list[Answer]:
        ranked = rank(self._shop.policies, inquiry.query, frozenset())
        if not ranked or ranked[0].score < LEAST:
            return []
        answer = self._teller.plain(ranked[0].entry, inquiry.language)
        doubt = _DOUBT if inquiry.query.says_more else 0.0
        return [replace(answer, evidence=ranked[0].score - doubt)]

    def _without_subject(self, inquiry: Inquiry) -> list[Answer]:
        """Answer a question about nobody knows which product."""
        query, language = inquiry.query, inquiry.language
        if "offer" in query.topics:
            return [self._teller.offers(language)]
        if "price" in query.topics:
            asks = self._priced() and not (query.says_more and is_hint("price", query))
            return [self._teller.prices(language)] if asks else []
        if _seeks_values(query):
            found = self._comparer.sought(inquiry)
            if found:
                return found
        if len(self._shop) and set(query.topics) - {"points"} - _SHOPWIDE:
            return [self._teller.asks_back("which", language)]
        return []

    def _priced(self) -> bool:
        return bool(self._teller.by_price(self._shop.ids))

    def _is_mention(self, inquiry: Inquiry) -> bool:
        """Say whether nothing but a product is named, or it is asked whether there is one."""
        query, units = inquiry.query, inquiry.named.units
        if any(not sense.weak for sense in query.reading.of(TOPICS, PROPERTIES)):
            return False
        if query.rest():
            return False
        beside = len(query.reading.units) - len(units)
        return beside <= _MOST_BESIDE or query.matches("have")


def _with_its_words(whole: Asked, named: Named) -> Named:
    """Return a name with what stands before it in "how much are the white lamps"."""
    units = whole.reading.units
    if not (named.units and max(named.units) == len(units) - 1 and whole.matches("how_much_is")):
        return named
    first = max(named.units)
    while first and not is_function_word(units[first - 1].text):
        first -= 1
    return replace(named, units=named.units | frozenset(range(first, len(units))))


def _told_of(sheet: Sheet) -> list[Entry]:
    """Return what a merchant wrote of a product, in whatever words it is asked for."""
    return [entry for entry in sheet.entries if entry.kind in (*WRITTEN, "answered")]


def _seeks_values(query: Asked) -> bool:
    return bool(query.properties or query.colours or query.materials or query.sizes)


def _what_comes(sheet: Sheet, query: Asked) -> Entry | None:
    """Return what comes with a product, if it is asked whether something does."""
    return sheet.entry("contents") if query.matches("included") else None


def _in_own_words(scores: dict[Entry, float], language: Language) -> list[Entry]:
    """Return entries, best first, but the best that is written in a language if it is as good.

    "Can I put them in the washing machine" is answered in English by what is said there of care.
    """
    entries = list(scores)
    first = next((entry for entry in entries if language in entry.texts), None)
    if first is not None and scores[first] >= _AS_GOOD * scores[entries[0]]:
        return [first, *(entry for entry in entries if entry is not first)]
    return entries


def _is_outright(topic: str, query: Asked) -> bool:
    """Say whether a topic is asked for in so many words, and no property beside it."""
    return topic in query.topics and not is_hint(topic, query) and not query.properties


def _asks_for_something(query: Asked) -> bool:
    """Say whether words ask what, how or whether, rather than name: "how are they dried"."""
    return bool(query.kinds or query.matches("asks"))


def _leaves(query: Asked, entry: Entry) -> bool:
    """Say whether a telling word is asked that neither a concept nor an entry explains."""
    if not query.says_more:
        return False
    told = plain(" ".join((*entry.label.values(), *entry.value.values())))
    units = query.reading.units
    return any(units[at].text not in told for at in query.rest())
