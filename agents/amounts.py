"""Reads the numbers, prices, times, dates and telephone numbers a text states."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction

CURRENCIES = {"$": "usd", "€": "eur", "£": "gbp", "¥": "cny"}


@dataclass(frozen=True, slots=True)
class Amount:
    """One reading of a statement.

    Attributes:
        kind: "number" where no unit is named; "money" or "money:usd"...; "time" in minutes of the
            day; "minutes", "days", "inches"...; "percent"; "discount" in percent left to pay;
            "phone" and "date" as text; "count:" and the thing counted.
        value: the quantity, or its text.
    """

    kind: str
    value: Fraction | str


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in a text that states an amount.

    Attributes:
        text: the words.
        readings: what they may mean, as "nine thirty" is a time or a price.
        parts: other statements it may be instead, all of them together.
        start: where it stands in the normalised text.
    """

    text: str
    readings: frozenset[Amount]
    parts: tuple["Mention", ...] = ()
    start: int = field(default=0, compare=False)

    def is_held_by(self, held: frozenset[Amount]) -> bool:
        """Say whether `held`, as made by `held_amounts`, holds what is stated here."""
        if any(_holds(held, reading) for reading in self.readings):
            return True
        return bool(self.parts) and all(part.is_held_by(held) for part in self.parts)


class Scanner:
    """Takes statements out of a text one kind after the other, so that none is read twice."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.mentions: list[Mention] = []

    def take(
        self, pattern: re.Pattern[str], read: Callable[[re.Match[str]], Mention | bool]
    ) -> None:
        """Read every match; False leaves it in the text, True drops it as no statement."""

        def taken(match: re.Match[str]) -> str:
            result = read(match)
            if result is False:
                return match.group()
            if isinstance(result, Mention):
                self.mentions.append(replace(result, start=match.start()))
            return "\0" * len(match.group())

        self.text = pattern.sub(taken, self.text)


def normalise(text: str) -> str:
    """Return the text in lower case with one form for every digit, space, dash and quote."""
    text = unicodedata.normalize("NFKC", text).lower()
    # Letters nobody sees could part a number.
    text = "".join(c for c in text if unicodedata.category(c) not in ("Cf", "Mn"))
    text = "".join(
        str(unicodedata.digit(c)) if c.isdigit() and not c.isascii() else c for c in text
    )
    text = re.sub("[‐-―−]", "-", text).replace("’", "'").replace("⁄", "/")
    text = re.sub(r"(?<=\d)[,'](?=\d{3}(?!\d))", "", text)
    text = re.sub(r"\b([ap])\.\s?m\b\.?", r"\1m", text)
    return text.replace("per cent", "percent")


def mention(text: str, *readings: tuple[str, Fraction | int | str]) -> Mention:
    """Return a mention of amounts given as (kind, value)."""
    return Mention(
        text,
        frozenset(
            Amount(kind, value if isinstance(value, str) else Fraction(value))
            for kind, value in readings
        ),
    )


def held_amounts(mentions: Iterable[Mention]) -> frozenset[Amount]:
    """Return what facts hold: every reading, and the bare number inside each."""
    held: set[Amount] = set()
    for one in mentions:
        held |= one.readings
        held |= held_amounts(one.parts)
        for reading in one.readings:
            held |= _bare(reading)
    return frozenset(held)


def _bare(reading: Amount) -> set[Amount]:
    """Return how an amount may be said without its unit."""
    if isinstance(reading.value, str) or reading.value == 1:
        # "A week" holds no bare one.
        return set()
    if reading.kind != "time":
        return {Amount("number", reading.value)}
    hour, minute = divmod(int(reading.value), 60)
    twelve = (hour - 1) % 12 + 1
    if minute:
        return {Amount("time", reading.value)}
    return {Amount("number", Fraction(h)) for h in (hour, twelve)}


def _holds(held: frozenset[Amount], reading: Amount) -> bool:
    if reading in held:
        return True
    kind, value = reading.kind, reading.value
    if kind == "money":
        return any(a.kind.startswith("money") and a.value == value for a in held)
    if kind.startswith("money:"):
        return Amount("money", value) in held
    if kind == "phone" and isinstance(value, str):
        # The local part of a number may be said alone.
        return len(value) >= 7 and any(
            a.kind == "phone" and str(a.value).endswith(value) for a in held
        )
    return False
