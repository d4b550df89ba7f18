"""`Comparer`: answers about several products: which is cheaper, cheapest, like something."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from agents.shop.asked import asked
from agents.shop.assortment import Assortment
from agents.shop.inquiry import Answer, Inquiry
from agents.shop.phrases import phrase
from agents.shop.ranking import rank
from agents.shop.sheet import Entry, Sheet
from agents.shop.telling import Teller

# Evidence that a product is what is sought, where none was named.
_FOUND = 1.45
# Products this near the best found are told of as well.
_NEAR = 0.75
_MOST_FOUND = 2
# What is asked of each of two where it is asked which is bigger, or wider.
_MEASURED = {"bigger": "how big is it", "measures": "what are the dimensions"}
# Finds the entries of a product that answer an inquiry.
Best = Callable[[Inquiry, Sheet], list[Entry]]


class Comparer:
    """Compares the products of one assortment.

    Args:
        best: see `Best`.
    """

    def __init__(self, assortment: Assortment, teller: Teller, best: Best) -> None:
        self._shop = assortment
        self._teller = teller
        self._best = best

    def compared(self, inquiry: Inquiry) -> list[Answer]:
        """Compare two products that are named, or one named with the one on air."""
        query = inquiry.query
        pair = self._pair(inquiry) if query.matches("compare") else []
        if len(pair) < 2:
            return []
        left, right = (self._shop.sheet(one) for one in pair[:2])
        if query.matches("cheaper") or query.matches("dearer"):
            return self._by_price(left, right, inquiry)
        # What names the two asks for nothing else of them.
        units = inquiry.named.units | self._shop.names.units_of(query.reading, pair[:2])
        named = replace(inquiry.named, units=units)
        beside = replace(inquiry, query=query.without(units), named=named)
        asks = beside.query.topics or beside.query.properties or query.colours or query.materials
        measured = next((ask for name, ask in _MEASURED.items() if query.matches(name)), None)
        if measured and not asks:
            beside, asks = replace(beside, query=asked(measured)), (measured,)
        told = [
            self._teller.said(entries[0], sheet, beside)
            for sheet in (left, right)
            if (entries := self._best(beside, sheet))
        ]
        if told and asks and beside.query.topics != ("points",):
            return told
        return [
            a for sheet in (left, right) for a in self._teller.introduced(sheet, inquiry.language)
        ]

    def counted(self, inquiry: Inquiry) -> list[Answer]:
        """Answer what is cheapest or dearest, and what a budget buys."""
        query, language = inquiry.query, inquiry.language
        kind = next((k for k in ("cheapest", "dearest") if query.matches(k)), None)
        if kind is None and query.budget is None:
            return []
        ids = self._teller.by_price(self.pool(inquiry))
        if not ids:
            return []
        if kind is not None:
            return [self._teller.extreme(kind, ids, language)]
        assert query.budget is not None
        return [self._teller.within(query.budget, ids, language)]

    def seeks(self, inquiry: Inquiry, subjects: Sequence[str]) -> bool:
        """Say whether a product is sought that is like something: "which one is waterproof".

        "Do you have it in red" means the one on air, whether or not it says so.
        """
        query = inquiry.query
        if inquiry.named.ids:
            return False
        if not query.matches("which"):
            valued = query.colours or query.sizes
            if subjects and (valued or query.matches("pronoun") or not query.matches("like")):
                return False
            if not (query.matches("have") or query.matches("like")):
                return False
        wanted = query.properties or query.materials or query.colours or query.sizes
        structured = set(query.topics) - {"points", "gift_wrap"}
        return bool(wanted or (query.rest() and not structured))

    def sought(self, inquiry: Inquiry) -> list[Answer]:
        """Return the products for which an entry answers what is sought."""
        found: list[tuple[float, Sheet, Entry]] = []
        for one in self.pool(inquiry):
            sheet = self._shop.sheet(one)
            entries = [e for e in sheet.entries if e.kind not in ("price", "offer", "stock", "buy")]
            ranked = rank(entries, inquiry.query, frozenset()) if not sheet.is_sold_out else []
            if ranked and ranked[0].score >= _FOUND and not _denies(ranked[0].entry):
                found.append((ranked[0].score, sheet, ranked[0].entry))
        found.sort(key=lambda one: -one[0])
        best = [one for one in found if one[0] >= found[0][0] * _NEAR][:_MOST_FOUND]
        return [self._teller.said(entry, sheet, inquiry) for _, sheet, entry in best]

    def pool(self, inquiry: Inquiry) -> list[str]:
        """Return the products a search is among: those of a kind that is named, or all."""
        for kind in inquiry.query.goods:
            ids = self._shop.names.of_kind(kind)
            if ids:
                return ids
        return list(inquiry.named.ids) if len(inquiry.named.ids) > 1 else self._shop.ids

    def _pair(self, inquiry: Inquiry) -> list[str]:
        query, focus = inquiry.query, inquiry.focus
        pair = self._shop.names.mentioned(query.reading)
        if len(pair) < 2 and query.matches("both"):
            pair = [one for one in inquiry.context.told if one in self._shop][:2]
        against = query.matches("pronoun") or query.reading.text.startswith(
            ("vs", "compare", "和", "跟")
        )
        with_focus = len(pair) == 1 and focus is not None and against
        if with_focus and focus in self._shop and focus not in pair:
            pair = [str(focus), *pair]
        return pair

    def _by_price(self, left: Sheet, right: Sheet, inquiry: Inquiry) -> list[Answer]:
        language, query = inquiry.language, inquiry.query
        if left.amount is None or right.amount is None:
            prices = [sheet.entry("price") for sheet in (left, right)]
            return [self._teller.plain(entry, language) for entry in prices if entry]
        ids = self._teller.by_price([left.product.id, right.product.id])
        first, other = (self._shop.sheet(one) for one in ids)
        kind = "cheaper"
        if query.matches("dearer") and not query.matches("cheaper"):
            kind, first, other = "dearer", other, first
        if left.amount == right.amount:
            kind = "same_price"
        texts = phrase(
            kind,
            language,
            name=first.product.named(language),
            price=first.said_price(language),
            other=other.product.named(language),
            other_price=other.said_price(language),
        )
        return [Answer(texts, language, tuple(f"{s.product.id}.price" for s in (left, right)))]


def _denies(entry: Entry) -> bool:
    """Say whether an entry says that a product is not what is sought."""
    for text in entry.value.values():
        lowered = text.lower()
        if lowered.startswith(("no", "not ", "不", "无", "没", "否", "它不")):
            return True
        if any(words in lowered for words in (" is not ", "it does not", "isn't", "never ")):
            return True
    return False
