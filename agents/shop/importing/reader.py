"""Reads a product from a record of a file, field by field."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import tzinfo
from decimal import Decimal
from typing import Final

from pypinyin import lazy_pinyin

from agents.clause import LANGUAGES, Language
from agents.errors import AgentValueError
from agents.shop.checks import product_flaws, text_flaw
from agents.shop.currencies import read_currency
from agents.shop.importing.columns import ATTRIBUTE, Column, has_han
from agents.shop.importing.records import Cell, Problems, Record
from agents.shop.importing.result import LONGEST_CELL
from agents.shop.importing.values import (
    read_amount,
    read_list,
    read_names,
    read_questions,
    read_stock,
    read_until,
)
from agents.shop.product import Answered, Lists, Offer, Product

# A cell that says: this holds no longer.
_CLEARED: Final = ("-", "—", "–")
# A number with its unit, "500 ml" or "IPX4", which every language writes alike.
_NEUTRAL: Final = re.compile(r"(?=.*\d)[\W\d_]*(?:[a-zA-Z]{1,3}[\W\d_]*)?")
_BOTH: Final = re.compile(r"\s*[/|｜]\s*")


class Reader:
    """Reads one record; what is wrong with it is told to `wrong`.

    Args:
        zone: of times that name none; None does not accept them.
        currency: of a new product's prices that name none; None leaves it to the language of the
            column's name, CNY for Chinese ones and USD for others.
    """

    def __init__(
        self,
        record: Record,
        wrong: Problems,
        zone: tzinfo | None = None,
        currency: str | None = None,
    ) -> None:
        self._record = record
        self._wrong = wrong
        self._zone = zone
        usual = "CNY" if has_han(record.named("price")) else "USD"
        self._usual = currency or usual

    def product(self, known: dict[str, Product]) -> Product | None:
        """Return the product, starting from the known one of that id; None where problems are."""
        for cell in self._record.cells:
            if cell.text.lstrip().startswith("="):
                self._tell(cell, "is a formula; accepted: its value")
            elif flaw := text_flaw(cell.column.name, cell.text, LONGEST_CELL):
                self._tell(cell, flaw.message)
        if self._wrong.found:
            return None
        identifier = self._id()
        base = known.get(identifier) or Product(identifier, {}, currency=self._usual)
        product = self._prices(self._texts(base))
        product = replace(product, questions=self._questions(base.questions))
        if not self._wrong.found:
            self._check(product)
        return None if self._wrong.found else product

    def one(self, field: str) -> str:
        """Return the text of a field, empty where it has none."""
        return next((c.text.strip() for c in self._cells(field) if c.text.strip()), "")

    def words(self, field: str) -> dict[Language, str]:
        """Return the texts of a field by language."""
        words: dict[Language, str] = {}
        for cell in self._cells(field):
            text = cell.text.strip()
            if text and text not in _CLEARED:
                for language in _languages(cell, text, alike=field.startswith(ATTRIBUTE)):
                    words.setdefault(language, _with_unit(cell.column, text))
        return words

    def _cells(self, field: str) -> list[Cell]:
        return [cell for cell in self._record.cells if cell.column.field == field]

    def _id(self) -> str:
        given = self.one("id")
        if given:
            return given.lower()
        name = self._names()
        return _slug(name.get("en") or name.get("zh") or "")

    def _names(self) -> dict[Language, str]:
        names = self.words("name")
        untold = [cell for cell in self._cells("name") if cell.column.language is None]
        for cell in untold:
            parts = _BOTH.split(cell.text.strip(), maxsplit=1)
            if len(parts) == 2 and all(parts) and has_han(parts[0]) != has_han(parts[1]):
                chinese = 0 if has_han(parts[0]) else 1
                names |= {"zh": parts[chinese], "en": parts[1 - chinese]}
        return names

    def _texts(self, base: Product) -> Product:
        """Return the product with what the record says in words."""
        attributes = dict(base.attributes)
        for field in dict.fromkeys(cell.column.field for cell in self._record.cells):
            if not field.startswith(ATTRIBUTE):
                continue
            name = field.removeprefix(ATTRIBUTE)
            if self._cleared(field):
                attributes.pop(name, None)
            elif words := self.words(field):
                attributes[name] = {**attributes.get(name, {}), **words}
        return replace(
            base,
            name={**base.name, **self._names()},
            category=self._text("category", base.category),
            aliases=self._lists("aliases", base.aliases),
            points=self._lists("points", base.points),
            attributes=attributes,
            description={} if self._cleared("description")
            else {**base.description, **self.words("description")},
            picture=self._text("picture", base.picture),
            link=self._text("link", base.link),
        )  # fmt: skip

    def _prices(self, product: Product) -> Product:
        """Return the product with what the record says in numbers."""
        currencies: set[str] = set()
        price = self._amount("price", product.price, currencies)
        list_price = self._amount("list_price", product.list_price, currencies)
        offer_price = self._amount(
            "offer_price", product.offer.price if product.offer else None, currencies
        )
        return replace(
            product,
            price=price,
            list_price=list_price,
            stock=self._stock("stock", product.stock),
            currency=self._currency(product.currency, currencies),
            offer=self._offer(product.offer, offer_price),
        )

    def _offer(self, base: Offer | None, price: Decimal | None) -> Offer | None:
        if price is None:
            fields = ("offer_until", "offer_stock", "offer_condition")
            for field in fields:
                if self.one(field) and not self._cleared(field):
                    self._tell(self._cells(field)[0], "is of an offer, which has no price")
            return None
        offer = base or Offer(price)
        until = offer.until
        if text := self.one("offer_until"):
            until = None if text in _CLEARED else self._until(text)
        condition = {} if self._cleared("offer_condition") else offer.condition
        return Offer(
            price,
            {**condition, **self.words("offer_condition")},
            until,
            self._stock("offer_stock", offer.stock),
        )

    def _until(self, text: str) -> str | None:
        try:
            return read_until(text, self._zone)
        except AgentValueError as error:
            self._tell(self._cells("offer_until")[0], str(error))
            return None

    def _amount(self, field: str, base: Decimal | None, currencies: set[str]) -> Decimal | None:
        text = self.one(field)
        if not text or text in _CLEARED:
            return None if text else base
        cell = next(cell for cell in self._cells(field) if cell.text.strip())
        try:
            amount, currency = read_amount(text)
        except AgentValueError as error:
            self._tell(cell, str(error))
            return None
        currency = currency or cell.column.unit
        if currency:
            currencies.add(currency)
        return amount

    def _currency(self, base: str, seen: set[str]) -> str:
        text = self.one("currency")
        if text:
            try:
                named = read_currency(text)
            except AgentValueError as error:
                self._wrong.tell(self._record.named("currency"), text, _after(str(error)))
                return base
            # "¥" is written for the yen as well.
            if seen - {named} and not (named == "JPY" and seen == {"CNY"}):
                self._wrong.tell(
                    self._record.named("currency"),
                    text,
                    f"is not the currency of the price, {', '.join(sorted(seen - {named}))}",
                )
            return named
        if len(seen) > 1:
            self._wrong.tell(
                self._record.named("price"),
                ", ".join(sorted(seen)),
                "are two currencies; accepted: one for all prices of a product",
            )
        return next(iter(seen), base)

    def _stock(self, field: str, base: int | None) -> int | None:
        text = self.one(field)
        if not text or text in _CLEARED:
            return None if text else base
        try:
            return read_stock(text)
        except AgentValueError as error:
            self._tell(self._cells(field)[0], str(error))
            return None

    def _text(self, field: str, base: str) -> str:
        text = self.one(field)
        return "" if text in _CLEARED else text or base

    def _lists(self, field: str, base: Lists) -> Lists:
        lists = {} if self._cleared(field) else dict(base)
        read = read_names if field == "aliases" else read_list
        given: dict[Language, list[str]] = {}
        for cell in sorted(self._cells(field), key=lambda cell: cell.column.number):
            if cell.text.strip() in _CLEARED:
                continue
            # A column of its own holds one entry, whatever signs it has.
            parts = (cell.text.strip(),) if cell.column.number else read(cell.text)
            for part in parts:
                for language in _languages(cell, part, alike=False):
                    given.setdefault(language, []).append(part)
        return lists | {language: tuple(texts) for language, texts in given.items()}

    def _questions(self, base: tuple[Answered, ...]) -> tuple[Answered, ...]:
        if self._cleared("questions"):
            return ()
        pairs: dict[Language, list[tuple[str, str]]] = {}
        for cell in self._cells("questions"):
            try:
                found = read_questions(cell.text)
            except AgentValueError as error:
                self._tell(cell, str(error))
                continue
            for pair in found:
                for language in _languages(cell, pair[0] + pair[1], alike=False):
                    pairs.setdefault(language, []).append(pair)
        return (*_paired(pairs), *self._numbered_questions()) or base

    def _numbered_questions(self) -> Iterator[Answered]:
        """Return the questions that have columns of their own, and their answers beside them."""
        answers = {cell.column.place[1:]: cell for cell in self._cells("answer")}
        found: dict[int, Answered] = {}
        for cell in sorted(self._cells("question"), key=lambda cell: cell.column.number):
            question, answer = cell.text.strip(), answers.get(cell.column.place[1:])
            if answer is None or not answer.text.strip():
                self._tell(cell, "is a question without an answer in the column beside it")
                continue
            before = found.get(cell.column.number, Answered({}, {}))
            (language,) = _languages(cell, question, alike=False)
            found[cell.column.number] = Answered(
                {**before.question, language: question},
                {**before.answer, language: answer.text.strip()},
            )
        yield from found.values()

    def _cleared(self, field: str) -> bool:
        return self.one(field) in _CLEARED

    def _check(self, product: Product) -> None:
        for flaw in product_flaws(product):
            if flaw.field == "id" and not self.one("id"):
                missing = "is missing, and the name gives none; accepted: an id or a name"
                self._wrong.tell("id", "", missing)
                return
            field, _, rest = flaw.field.replace("offer.", "offer_").partition(".")
            field = field.partition("[")[0]
            if field == "attributes":
                field = ATTRIBUTE + rest.partition(".")[0]
            self._wrong.tell(self._record.named(field), flaw.value, flaw.message)

    def _tell(self, cell: Cell, message: str) -> None:
        self._wrong.tell(cell.column.name, cell.text.strip(), message)


def _languages(cell: Cell, text: str, *, alike: bool) -> Sequence[Language]:
    """Return the languages a text stands for: that of its column, or as it is written.

    Args:
        alike: whether a text of numbers and units alone stands for all of them.
    """
    if cell.column.language is not None:
        return (cell.column.language,)
    if has_han(text):
        return ("zh",)
    if alike and _NEUTRAL.fullmatch(text):
        return LANGUAGES
    return ("zh",) if has_han(cell.column.name) else ("en",)


def _with_unit(column: Column, text: str) -> str:
    number = column.unit and re.fullmatch(r"\d+(\.\d+)?", text)
    return f"{text} {column.unit}" if number and column.field.startswith(ATTRIBUTE) else text


def _paired(pairs: dict[Language, list[tuple[str, str]]]) -> tuple[Answered, ...]:
    """Return questions of two languages as one where there are as many of each."""
    counts = {len(found) for found in pairs.values()}
    if len(pairs) > 1 and len(counts) == 1:
        return tuple(
            Answered(
                {language: pairs[language][n][0] for language in pairs},
                {language: pairs[language][n][1] for language in pairs},
            )
            for n in range(counts.pop())
        )
    return tuple(
        Answered({language: question}, {language: answer})
        for language, found in pairs.items()
        for question, answer in found
    )


def _slug(name: str) -> str:
    spoken = " ".join(lazy_pinyin(name)) if has_han(name) else name
    return re.sub(r"[^a-z0-9]+", "-", spoken.lower()).strip("-")[:40].strip("-")


def _after(message: str) -> str:
    return "is not known; " + message.partition("; ")[2]
