"""`Reader`: how one language reads what is written with digits and signs."""

from typing import Literal, Protocol

from avatar.voice.spoken import Language
from avatar.voice.units import Currency, Unit

Sign = Literal[
    "about",
    "above",
    "and",
    "at",
    "below",
    "by",
    "divided by",
    "dot",
    "equals",
    "minus",
    "number",
    "or more",
    "per",
    "plus",
    "plus or minus",
    "times",
    "to",
]


class Reader(Protocol):
    """Words for numbers. `number` is digits with at most one point, without sign or commas."""

    language: Language

    def cardinal(self, number: str) -> str:
        """Return a count or measure: "12.5" is twelve point five."""

    def counted(self, number: str) -> str:
        """Return the form that stands before a measure word (两, not 二, in Chinese)."""

    def digits(self, number: str) -> str:
        """Return each digit by itself."""

    def telephone(self, number: str) -> str:
        """Return each digit as it is said in a telephone number."""

    def year(self, number: str) -> str:
        """Return a year of three or four digits."""

    def model(self, number: str) -> str:
        """Return digits that belong to a name: RTX 4090."""

    def ordinal(self, number: str) -> str:
        """Return the place in an order."""

    def decade(self, number: str) -> str:
        """Return "1990" or "90" as a decade."""

    def money(self, numbers: tuple[str, ...], scale: str, currency: Currency) -> str:
        """Return an amount, or a range of two; `scale` is a word such as million, or ""."""

    def percent(self, numbers: tuple[str, ...]) -> str:
        """Return a percentage, or a range of two."""

    def time(self, hour: int, minute: int, second: int | None, half: str) -> str:
        """Return a time of day; `half` is "am", "pm" or ""."""

    def date(self, year: int | None, month: int, day: int | None) -> str:
        """Return a date, or a month."""

    def fraction(self, whole: str, upper: str, lower: str) -> str:
        """Return `whole` (or "") and `upper` over `lower`."""

    def quantity(self, number: str, unit: Unit) -> str:
        """Return a measure with its unit."""

    def sign(self, sign: Sign) -> str:
        """Return the word for a sign."""
