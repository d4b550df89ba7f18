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
_WEEKDAYS_ZH = "一二三四五六日"


def numbers_in(outputs: Iterable[str]) -> frozenset[Fraction]:
    """Return every number outputs hold, whatever its unit."""
    found: set[Fraction] = set()
    for output in outputs:
        found.update(abs(Fraction(match.group())) for match in _NUMBER.finditer(output))
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
    """Yield how the days an output writes as "2026-12-03" may be said."""
    for match in _DATE.finditer(output):
        try:
            day = datetime.date(*map(int, match.groups()))
        except ValueError:
            continue
        yield Amount("date", calendar.month_name[day.month].lower())
        yield Amount("date", calendar.day_name[day.weekday()].lower())
        yield from (Amount(kind, Fraction(day.day)) for kind in ("ordinal", "number"))
        yield Amount("number", Fraction(day.year))
        for text in (f"{day.month}月", f"{day.month}月{day.day}日", f"{day.month}月{day.day}号"):
            yield Amount("date", text)
            yield Amount("date", f"{day.year}年{text}")
        for word in ("星期", "周", "礼拜"):
            yield Amount("date", word + _WEEKDAYS_ZH[day.weekday()])
