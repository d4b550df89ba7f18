"""How dates, days and times are said."""

import re
from collections.abc import Iterator
from typing import Final

from avatar.voice.grammar import BEFORE_DAY, DAY, JOINED, MONTH, TO
from avatar.voice.place import Place, after, before, plain, whole
from avatar.voice.reading import Reader
from avatar.voice.reading_en import MONTHS

_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
# Abbreviations that are words or names too: the sun, he sat, Jan.
_UNSURE: Final = ("Mon", "Wed", "Sat", "Sun", "Jan", "Mar")
_DAY_BEFORE: Final = re.compile(
    rf"{DAY}s?\.?{JOINED}$|\b(?i:on|every|this|next|last|until|till|by|open|closed|each)[ ]+$"
)
_DAY_AFTER: Final = re.compile(BEFORE_DAY)
_MONTH_BEFORE: Final = re.compile(
    rf"{MONTH}\.?{JOINED}$|\b(?i:in|since|until|till|by|from|early|late|mid|this|next|last)[ -]+$"
)
_MONTH_AFTER: Final = re.compile(rf"{JOINED}{MONTH}(?![a-z])")
_YEARS_BEFORE: Final = re.compile(
    r"\b(?i:in|from|since|between|during|years?|©)[ ]*(?:\d{4})?$|(?:从|自)[ ]?$"
)
_RATIO_BEFORE: Final = re.compile(
    r"(?:\b(?i:ratio|scale|mix|mixed|odds|score|scored|diluted?)(?i:\W{0,2}(?:it|of|is|was|at|to))?"
    r"|比例|比分|打成|按)\W{0,2}$"
)
_HALF_AFTER: Final = re.compile(rf"{TO}\d{{1,2}}(?:[:.]\d\d)?[ ]?[aApP]\.?[mM]")
_RECENT: Final = range(1900, 2100)


def date(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say 2026-07-08 and 7/8/2026."""
    year, month, day = (match[a] or match[b] for a, b in (("y1", "y2"), ("m1", "m2"), ("d1", "d2")))
    return whole(match, reader.date(int(year), int(month), int(day)))


def month(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say July 4, July 4-7, 4th of July, May 2024."""
    name = match["n1"] or match["n2"] or match["n3"]
    number = _month_number(name)
    year = match["y3"] or match["y4"] or match["y5"]
    day = match["d3"] or match["d4"]
    if match["of"] and reader.language == "en":
        said = f"{reader.ordinal(day)} of {MONTHS[number - 1]}"
        return whole(match, f"{said} {reader.year(year)}" if year else said)
    said = reader.date(None if match["d5"] else _int(year), number, _int(day))
    if match["d5"]:
        last = reader.cardinal(match["d5"]) + "日"
        last = last if reader.language == "zh" else reader.ordinal(match["d5"])
        said = f"{said} {reader.sign('to')} {last}".replace(" 到 ", "到")
        said += f" {reader.year(year)}" if year else ""
    return whole(match, said)


def _month_number(name: str) -> int:
    return next(n for n, full in enumerate(MONTHS, 1) if full.startswith(name[:3]))


def _int(number: str | None) -> int | None:
    return int(number) if number else None


def weekday(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say Thu. as Thursday; Sun and Sat only where they must be days."""
    written = match["weekday"]
    plural = match.group().rstrip(".") != written
    full = next(day for day in _DAYS if day.startswith(written[:3]))
    if written == full or plural or not _is_sure(match, written, _DAY_BEFORE, _DAY_AFTER):
        return whole(match, match.group().rstrip("."))
    zh = reader.language == "zh"
    return whole(match, "周" + "一二三四五六日"[_DAYS.index(full)] if zh else full)


def months(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say Sept. as September; Jan and Mar only where they must be months."""
    written = match["mon"]
    number = _month_number(written)
    full = MONTHS[number - 1]
    if written == full or not _is_sure(match, written, _MONTH_BEFORE, _MONTH_AFTER):
        return whole(match, match.group().rstrip("."))
    return whole(match, reader.cardinal(str(number)) + "月" if reader.language == "zh" else full)


def _is_sure(
    match: re.Match[str], written: str, ahead: re.Pattern[str], behind: re.Pattern[str]
) -> bool:
    return bool(written not in _UNSURE or ahead.search(before(match)) or behind.match(after(match)))


def year(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say the digits of a year before 年."""
    return whole(match, reader.year(match.group()))


def years(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say 1999-2005 and 2023-24 as years, 1500-2000 as two numbers."""
    first, last = match["ya"], match["yb"]
    begin = int(first)
    end = int(last) if len(last) == 4 else begin // 100 * 100 + int(last)
    known = _YEARS_BEFORE.search(before(match)) or begin in _RECENT
    if known and begin < end < begin + 100 and end in range(1500, 2100):
        said = [
            reader.year(first),
            reader.year(last) if len(last) == 4 else _short_year(last, reader),
        ]
    else:
        said = [reader.cardinal(first), reader.cardinal(last)]
    joint = " " if "/" in match["dash"] else f" {reader.sign('to')} "
    return whole(match, joint.join(said).replace(" 到 ", "到"))


def _short_year(number: str, reader: Reader) -> str:
    return reader.digits(number) if reader.language == "zh" else reader.cardinal(number)


def time(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say 10:05, 7.30pm, 3-5pm."""
    half = (match["half"] or match["half2"] or "").lower()
    half = f"{half}m" if half else ""
    if not half and not match["sec"] and _RATIO_BEFORE.search(before(match)):
        joint = "比" if reader.language == "zh" else " to "
        return whole(match, joint.join(reader.cardinal(match[name]) for name in ("h", "min")))
    second = int(match["sec"]) if match["sec"] else None
    hour, minute = int(match["h"] or match["h2"]), int(match["min"] or match["min2"] or 0)
    if reader.language == "en" and not (half or minute) and _HALF_AFTER.match(after(match)):
        return whole(match, reader.cardinal(str(hour)))
    if not match["h0"]:
        return whole(match, reader.time(hour, minute, second, half))
    if reader.language == "zh":
        first = reader.time(int(match["h0"]), 0, None, half)
        return whole(match, f"{first}到{reader.time(hour, minute, second, '')}")
    first = reader.cardinal(plain(match["h0"]).lstrip("0"))
    return whole(match, f"{first} to {reader.time(hour, minute, second, half)}")


def hours(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say 2h 15m."""
    hour, minute = match["hh"], match["mm"]
    if reader.language == "zh":
        return whole(match, f"{reader.counted(hour)}小时{reader.cardinal(minute)}分钟")
    many = ["" if int(number) == 1 else "s" for number in (hour, minute)]
    return whole(
        match,
        f"{reader.cardinal(hour)} hour{many[0]} {reader.cardinal(minute)} minute{many[1]}",
    )


_DATE_BEFORE: Final = re.compile(
    r"(?:\b(?i:on|until|till|ends?|ending|through|thru|dated?|due|starts?|starting|begins?|expires?"
    r"|since|valid)\W{1,2}|(?:截止到?|截至|日期|时间)[:： ]{0,2})$"
)
_ALSO_BEFORE: Final = re.compile(rf"\d{{1,2}}/\d{{1,2}}{TO}$")
_ALSO_AFTER: Final = re.compile(rf"{TO}\d{{1,2}}/\d{{1,2}}(?!\d|/)")
_COMMON_PARTS: Final = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20)


def is_date(match: re.Match[str], upper: str, lower: str) -> bool:
    """Tell whether 12/25 is a day of the year: as a fraction it is rare, or a date is awaited."""
    if not (upper.isdigit() and 1 <= int(upper) <= 12 and 1 <= int(lower) <= 31):
        return False
    if _DATE_BEFORE.search(before(match)):
        return True
    if _ALSO_BEFORE.search(before(match)) or _ALSO_AFTER.match(after(match)):
        return int(lower) not in (2, 3, 4, 8, 16) or int(upper) >= int(lower)
    if upper == lower:
        return int(upper) > 5 and upper != "10"
    return int(upper) < int(lower) and int(upper) != 1 and int(lower) not in _COMMON_PARTS


def decade(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say the 1980s and the '90s; 30s elsewhere is a time."""
    number = match["dec"]
    if len(number) == 2 and "'" not in match.group() and not _AGE_BEFORE.search(before(match)):
        if reader.language == "zh":
            return whole(match, f"{reader.cardinal(number)}秒")
        if _TIMED_BEFORE.search(before(match)):
            return whole(match, f"{reader.cardinal(number)} seconds")
    return whole(match, reader.decade(number))


_AGE_BEFORE: Final = re.compile(r"\b(?i:the|early|mid|late|high|low|his|her|my|their|your)[ -]+$")
_TIMED_BEFORE: Final = re.compile(
    r"\b(?i:in|for|takes?|only|just|about|under|of|every|after|[Ww]ait|lasts?|[Hh]old|[Rr]est)[ ]+$"
)
