"""The figures a tool's output holds, and how they may be said."""

import calendar
import datetime
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from agents.amounts import Amount, Mention
from agents.figures import find_amounts

_DATE = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
_NUMBER = re.compile(r"(?<![\w.])-?\d{1,15}(?:\.\d{1,9})?(?![\w.])")
# Within a code too, "R77", of which Chinese sentences are read to state the number.
_DIGITS = re.compile(r"\d{1,15}")
_DAYS_EN = tuple(name.lower() for name in calendar.day_name)
_DAYS_ZH = tuple(
    tuple(f"{week}{day}" for week in ("星期", "周", "礼拜")) for day in "一二三四五六日"
)


def numbers_in(outputs: Iterable[str]) -> frozenset[Fraction]:
    """Return every number outputs hold, whatever its unit."""
    found: set[Fraction] = set()
    for output in outputs:
        found.update(abs(Fraction(match.group())) for match in _NUMBER.finditer(output))
        found.update(Fraction(match.group()) for match in _DIGITS.finditer(output))
        for mention in find_amounts(output):
            found.update(r.value for r in mention.readings if isinstance(r.value, Fraction))
    return frozenset(found)


def is_among(mention: Mention, numbers: frozenset[Fraction]) -> bool:
    """Say whether an amount is one of some numbers, in whatever unit."""
    plain = [r for r in mention.readings if isinstance(r.value, Fraction) and r.kind != "time"]
    if any(reading.value in numbers for reading in plain):
        return True
    return bool(mention.parts) and all(is_among(part, numbers) for part in mention.parts)


def dated(output: str) -> Iterator[Amount]:
    """Yield how the days of an output may be said: "2026-12-03", "Tuesday", in both languages."""
    plain = output.lower()
    for number, names in enumerate(_DAYS_ZH):
        if _DAYS_EN[number] in plain or any(name in plain for name in names):
            yield from _weekday(number)
    for match in _DATE.finditer(output):
        try:
            day = datetime.date(*map(int, match.groups()))
        except ValueError:
            continue
        yield Amount("date", calendar.month_name[day.month].lower())
        yield from _weekday(day.weekday())
        yield from (Amount(kind, Fraction(day.day)) for kind in ("ordinal", "number"))
        yield Amount("number", Fraction(day.year))
        for text in (f"{day.month}月", f"{day.month}月{day.day}日", f"{day.month}月{day.day}号"):
            yield Amount("date", text)
            yield Amount("date", f"{day.year}年{text}")


def _weekday(number: int) -> Iterator[Amount]:
    yield from (Amount("date", name) for name in (_DAYS_EN[number], *_DAYS_ZH[number]))
