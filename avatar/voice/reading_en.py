"""How English reads numbers, dates and money."""

from functools import lru_cache
from typing import Final

from avatar.voice.reading import Sign
from avatar.voice.spoken import Language
from avatar.voice.units import Currency, Unit

LONGEST: Final = 15
MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_DIGITS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SCALES: Final = ("", "thousand", "million", "billion", "trillion")
_SIGNS: Final[dict[Sign, str]] = {"dot": "dot", "or more": "plus"}

_TEENS: Final = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
    "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = (
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip
_ORDINALS: Final = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
    "nine": "ninth", "twelve": "twelfth",
}  # fmt: skip


def _spell_group(number: int) -> str:
    """Spell a number below a thousand."""
    hundreds, rest = divmod(number, 100)
    words = [_DIGITS[hundreds], "hundred"] if hundreds else []
    if 10 <= rest < 20:
        words.append(_TEENS[rest - 10])
    elif rest >= 20:
        words.append(_TENS[rest // 10 - 2])
    if (rest % 10 and not 10 < rest < 20) or number == 0:
        words.append(_DIGITS[rest % 10])
    return " ".join(words)


def _spell(number: int) -> str:
    """Spell in groups of three digits, of which there are few enough to remember."""
    if number < 1000:
        return _spell_group(number)
    parts: list[str] = []
    for scale in _SCALES:
        number, group = divmod(number, 1000)
        if group:
            parts.insert(0, f"{_spell_group(group)} {scale}".strip())
    return " ".join(parts)


@lru_cache(maxsize=4096)
def _spell_ordinal(number: int) -> str:
    head, _, last = _spell(number).rpartition(" ")
    return f"{head} {_ordinal(last)}".strip()


def _ordinal(word: str) -> str:
    if word.endswith("y"):
        return word[:-1] + "ieth"
    return _ORDINALS.get(word, word + "th")


class EnglishReader:
    """See `Reader`."""

    language: Language = "en"

    def cardinal(self, number: str) -> str:
        """See `Reader`."""
        whole, _, rest = number.partition(".")
        if len(whole) > LONGEST or (len(whole) > 1 and whole.startswith("0")):
            return self.digits(number)
        said = _spell(int(whole or "0"))
        return f"{said} point {self.digits(rest)}" if rest else said

    counted = cardinal

    def digits(self, number: str) -> str:
        """See `Reader`."""
        return " ".join("point" if digit == "." else _DIGITS[int(digit)] for digit in number)

    telephone = digits

    def year(self, number: str) -> str:
        """See `Reader`."""
        value = int(number)
        upper, lower = divmod(value, 100)
        if value < 1000 or (upper % 10 == 0 and lower < 10):
            return _spell(value)
        if lower == 0:
            return f"{_spell(upper)} hundred"
        return f"{_spell(upper)} {'oh ' if lower < 10 else ''}{_spell(lower)}"

    def model(self, number: str) -> str:
        """See `Reader`."""
        if "." in number or len(number) <= 2 or number.startswith("0"):
            return self.cardinal(number)
        if len(number) == 3:
            upper, lower = number[0], number[1:]
            if lower == "00":
                return f"{_spell(int(upper))} hundred"
            return f"{_spell(int(upper))} {'oh ' if lower[0] == '0' else ''}{_spell(int(lower))}"
        return self.year(number) if len(number) == 4 else self.digits(number)

    def ordinal(self, number: str) -> str:
        """See `Reader`."""
        return _spell_ordinal(int(number)) if len(number) <= LONGEST else self.digits(number)

    def decade(self, number: str) -> str:
        """See `Reader`."""
        century = _spell(int(number[:-2])) if number[:-2] else ""
        if number[-2:] == "00":
            return f"{self.year(number)}s"
        if number[-2:] == "10":
            return f"{century} tens".strip()
        return f"{century} {_spell(int(number[-2:]))[:-1]}ies".strip()

    def money(self, numbers: tuple[str, ...], scale: str, currency: Currency) -> str:
        """See `Reader`."""
        if len(numbers) == 1 and not scale:
            return self._amount(numbers[0], currency)
        said = " to ".join(self.cardinal(number) for number in numbers)
        return " ".join(part for part in (said, scale, currency.many) if part)

    def _amount(self, number: str, currency: Currency) -> str:
        whole, _, rest = number.partition(".")
        if len(rest) > 2 or len(whole) > LONGEST or (rest and not currency.cents):
            return f"{self.cardinal(number)} {currency.many}"
        units, cents = int(whole or "0"), int(rest.ljust(2, "0"))
        parts = []
        if units or not cents:
            parts.append(f"{_spell(units)} {currency.one if units == 1 else currency.many}")
        if cents:
            parts.append(f"{_spell(cents)} {currency.cent if cents == 1 else currency.cents}")
        return " and ".join(parts)

    def percent(self, numbers: tuple[str, ...]) -> str:
        """See `Reader`."""
        return " to ".join(self.cardinal(number) for number in numbers) + " percent"

    def time(self, hour: int, minute: int, second: int | None, half: str) -> str:
        """See `Reader`."""
        said = _spell(hour)
        if minute:
            said += f" {'oh ' if minute < 10 else ''}{_spell(minute)}"
        elif not half:
            said += " o'clock" if 0 < hour <= 12 else " hundred"
        if second:
            said += f" and {_spell(second)} second{'s' * (second != 1)}"
        return said + {"am": " AM", "pm": " PM"}.get(half, "")

    def date(self, year: int | None, month: int, day: int | None) -> str:
        """See `Reader`."""
        said = f"{MONTHS[month - 1]} {_spell_ordinal(day)}" if day else MONTHS[month - 1]
        return f"{said} {self.year(str(year))}" if year else said

    def fraction(self, whole: str, upper: str, lower: str) -> str:
        """See `Reader`."""
        if not whole and int(upper) > int(lower):
            return f"{self.cardinal(upper)} {self.cardinal(lower)}"
        many = int(upper) != 1
        name = {2: "halves" if many else "half", 4: "quarters" if many else "quarter"}.get(
            int(lower), self.ordinal(lower) + "s" * many
        )
        if not whole:
            return f"{self.cardinal(upper)} {name}"
        return f"{self.cardinal(whole)} and {self.cardinal(upper) if many else 'a'} {name}"

    def quantity(self, number: str, unit: Unit) -> str:
        """See `Reader`."""
        return f"{self.cardinal(number)} {unit.one if number == '1' else unit.many}"

    def sign(self, sign: Sign) -> str:
        """See `Reader`."""
        return _SIGNS.get(sign, sign)
