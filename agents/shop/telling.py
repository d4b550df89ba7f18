"""`Teller`: says what is known of goods: an entry, a price among others, a list of names."""

from collections.abc import Sequence
from decimal import Decimal

from agents.clause import Language
from agents.shop.asked import Asked
from agents.shop.assortment import Assortment
from agents.shop.inquiry import Answer, Inquiry
from agents.shop.phrases import listed, phrase
from agents.shop.sheet import Entry, Sheet
from agents.shop.shortening import short_name, shortened
from agents.shop.values import value_answer

# Products told of at once.
MOST_PRODUCTS = 3
# A range of so few products is told in full.
_MOST_NAMED = 5


class Teller:
    """Words answers from one assortment."""

    def __init__(self, assortment: Assortment) -> None:
        self._shop = assortment

    def said(self, entry: Entry, sheet: Sheet, inquiry: Inquiry) -> Answer:
        """Say an entry of a product, as it was asked for."""
        told = entry.told_in(inquiry.language)
        texts = value_answer(entry, sheet.product, inquiry.query, told) or entry.texts[told]
        if entry.kind == "answered" and sheet.product.id != inquiry.focus and len(self._shop) > 1:
            # What was written of one product is heard as said of the one on air.
            name = sheet.product.named(told)
            texts = tuple(phrase("sentence", told, name=name, value=text)[0] for text in texts)
        elif entry.kind in ("point", "description"):
            texts = _points(entry, sheet, inquiry.query, told)
        citations = [entry.id]
        if sheet.is_sold_out and entry.kind in ("price", "offer"):
            stock = sheet.entry("stock")
            assert stock is not None
            gap = " " if told == "en" else ""
            texts = tuple(text + gap + stock.texts[told][0] for text in texts)
            citations.append(stock.id)
        gesture, anchor = _gesture(entry, sheet, told)
        short = self._short(sheet, inquiry, told)
        if short is not None:
            name = sheet.product.named(told)
            texts = shortened(texts, name, short, told)
            anchor = short if anchor == name else anchor
        return Answer(texts, told, tuple(citations), gesture, anchor)

    def _short(self, sheet: Sheet, inquiry: Inquiry, language: Language) -> str | None:
        """Return what a product that was told of just before may be called for short."""
        told = inquiry.context.told[:1]
        if told != (sheet.product.id,):
            return None
        # Beside another product on air, what is no name of its own would be open.
        apart = inquiry.focus not in (None, sheet.product.id)
        return short_name(sheet.product, self._shop.shop, language, aliases_only=apart)

    def plain(self, entry: Entry, language: Language) -> Answer:
        """Say an entry as it stands."""
        told = entry.told_in(language)
        return Answer(entry.texts[told], told, (entry.id,))

    def introduced(self, sheet: Sheet, language: Language) -> list[Answer]:
        """Say what a product costs, and the first thing that speaks for it."""
        price = sheet.entry("price")
        assert price is not None
        found = [self.plain(price, language)]
        for entry in sheet.entries:
            if entry.kind in ("point", "description") and language in entry.texts:
                return [*found, self.plain(entry, language)]
        return found

    def range(self, language: Language) -> Answer:
        """Say what there is at all."""
        ids = self._shop.ids
        shown = ids if len(ids) <= _MOST_NAMED else ids[:4]
        kind = "list" if len(ids) <= _MOST_NAMED else "list_more"
        texts = phrase(kind, language, names=self.names(shown, language), count=str(len(ids)))
        return Answer(texts, language, tuple(shown))

    def asks_back(self, kind: str, language: Language) -> Answer:
        """Ask which product is meant ("which"), or say that there is no such thing ("have_not")."""
        names = self.names(self._shop.ids[:MOST_PRODUCTS], language)
        return Answer(phrase(kind, language, names=names), language, knows=False)

    def offers(self, language: Language) -> Answer:
        """Say what is on offer in the whole shop."""
        on_offer = [s.product.id for s in self._shop if s.price is not None and s.price.offer]
        reduced = [s.product.id for s in self._shop if s.price is not None and s.price.before]
        chosen = (on_offer or reduced)[:1]
        if not chosen:
            return Answer(phrase("offers_none", language), language)
        entry = self._shop.sheet(chosen[0]).entry("offer")
        assert entry is not None
        return self.plain(entry, language)

    def prices(self, language: Language) -> Answer:
        """Say what things cost, where nobody said which."""
        ids = self.by_price(self._shop.ids)
        cited = tuple(f"{one}.price" for one in ids)
        if len(ids) <= MOST_PRODUCTS:
            texts = phrase("prices", language, items=self.items(ids, language))
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

    def extreme(self, kind: str, ids: Sequence[str], language: Language) -> Answer:
        """Say which of some products is the "cheapest", or the "dearest"."""
        sheet = self._shop.sheet(ids[0] if kind == "cheapest" else ids[-1])
        whole = len(ids) == len(self.by_price(self._shop.ids))
        scope = {"en": "here" if whole else "among them", "zh": "店里" if whole else "其中"}
        texts = phrase(
            kind,
            language,
            name=sheet.product.named(language),
            price=sheet.said_price(language),
            scope=scope[language],
        )
        return Answer(texts, language, (f"{sheet.product.id}.price",))

    def within(self, budget: Decimal, ids: Sequence[str], language: Language) -> Answer:
        """Say what a budget buys of some products, given in the order of their prices."""
        sheets = [self._shop.sheet(one) for one in ids]
        fitting = [
            sheet.product.id
            for sheet in sheets
            if sheet.amount is not None and sheet.amount <= budget and not sheet.is_sold_out
        ]
        if not fitting:
            sheet = sheets[0]
            name, price = sheet.product.named(language), sheet.said_price(language)
            texts = phrase("within_none", language, name=name, price=price)
            return Answer(texts, language, (f"{sheet.product.id}.price",))
        # The dearest that still fit: what a budget is for.
        chosen = fitting[-MOST_PRODUCTS:]
        texts = phrase("within", language, items=self.items(chosen, language))
        return Answer(texts, language, tuple(f"{one}.price" for one in chosen))

    def by_price(self, ids: Sequence[str]) -> list[str]:
        """Return products that are for sale, the cheapest first."""
        amounts = {one: self._shop.sheet(one).amount for one in ids}
        priced = [(amount, one) for one, amount in amounts.items() if amount is not None]
        return [one for _, one in sorted(priced, key=lambda pair: pair[0])]

    def items(self, ids: Sequence[str], language: Language) -> str:
        """Return products with their prices as one list."""
        items = [
            phrase(
                "item",
                language,
                name=(sheet := self._shop.sheet(one)).product.named(language),
                price=sheet.said_price(language),
            )[0]
            for one in ids
        ]
        lowered = [item[:1].lower() + item[1:] if language == "en" else item for item in items]
        return listed(lowered, language)

    def names(self, ids: Sequence[str], language: Language) -> str:
        """Return the names of products as one list."""
        named = [self._shop.sheet(one).product.named(language) for one in ids]
        if language == "en":
            named = [name if name.lower().startswith("the ") else f"the {name}" for name in named]
        return listed(named, language)


def _points(entry: Entry, sheet: Sheet, query: Asked, language: Language) -> tuple[str, ...]:
    """Return one thing said for a product, or, asked for in general, any of them."""
    if "points" not in query.topics or query.properties:
        return entry.texts[language]
    return tuple(
        other.texts[language][0]
        for other in sheet.entries
        if other.kind == entry.kind and language in other.texts
    )


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
