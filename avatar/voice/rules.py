"""How each kind of the grammar is said: match and reader in, words and their places out."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from avatar.voice import rules_calendar as calendar
from avatar.voice import rules_measure as measure
from avatar.voice import rules_name as name
from avatar.voice import rules_number as numeric
from avatar.voice.grammar import HAN
from avatar.voice.place import Place, Rule, after, before, of_sign, silent, whole
from avatar.voice.reading import Reader
from avatar.voice.units import UNITS

_EACH: Final = {"mo": "month", "yr": "year", "wk": "week", "ea": "each", "pc": "piece"}
_HAN: Final = re.compile(f"[{HAN}]")
_TAG_AFTER: Final = re.compile(rf"\d{{4}}|\d+[{HAN}]")
_SUN_BEFORE: Final = re.compile(r"SPF[ ]?\d+$")


def _per(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    unit = UNITS.get(match["each"] or "")
    if match["short_each"]:
        said = _EACH[match["short_each"]]
        return whole(match, said if said == "each" else f"{reader.sign('per')} {said}")
    noun = "" if unit is None else unit.chinese if reader.language == "zh" else unit.one
    return whole(match, f"{reader.sign('per')} {noun}")


def _hash(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    if reader.language == "zh" and _TAG_AFTER.match(after(match)):
        return silent(match, reader)
    return whole(match, "第" if reader.language == "zh" else "number")


def _at(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    return silent(match, reader) if reader.language == "zh" else whole(match, "at")


def _more(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    ahead = before(match)
    if _SUN_BEFORE.search(ahead):
        return whole(match, reader.sign("plus"))
    if reader.language == "zh" and (ahead.endswith("岁") or not _HAN.match(after(match))):
        return whole(match, "以上")
    return whole(match, reader.sign("or more"))


def _always(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    return whole(match, "全天候" if reader.language == "zh" else "twenty four seven")


def _offer(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    return whole(match, reader.sign("per") if reader.language == "zh" else "for")


def _less(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    return whole(match, "减" if reader.language == "zh" else "minus")


def _pluses(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    return whole(match, " ".join([reader.sign("plus")] * len(match.group())))


SAY: Final[Mapping[str, Rule]] = {
    "link": name.link,
    "mail": name.mail,
    "handle": silent,
    "sharp": lambda match, _reader: whole(match, "sharp"),
    "hash": _hash,
    "at": _at,
    "date": calendar.date,
    "month": calendar.month,
    "day": calendar.weekday,
    "months": calendar.months,
    "year": calendar.year,
    "years": calendar.years,
    "time": calendar.time,
    "phone": numeric.telephone,
    "money": measure.money,
    "percent": measure.percent,
    "feet": measure.feet,
    "always": _always,
    "fraction": measure.fraction,
    "ratio": measure.ratio,
    "by": measure.by,
    "multiple": measure.multiple,
    "decade": calendar.decade,
    "discount": numeric.discount,
    "festival": numeric.festival,
    "bargain": measure.bargain,
    "hours": calendar.hours,
    "karat": measure.karat,
    "quantity": measure.quantity,
    "scaled": numeric.scaled,
    "ordinal": numeric.ordinal,
    "version": name.version,
    "prefix": name.as_written,
    "sizes": name.sizes,
    "model": name.model,
    "stars": measure.stars,
    "number": numeric.number,
    "less": _less,
    "range": numeric.between,
    "minus": of_sign("minus"),
    "per": _per,
    "offer": _offer,
    "slash": of_sign("per"),
    "more": _more,
    "plus": of_sign("plus"),
    "pluses": _pluses,
    "equals": of_sign("equals"),
    "about": of_sign("about"),
    "tolerance": of_sign("plus or minus"),
    "above": of_sign("above"),
    "below": of_sign("below"),
    "divided": of_sign("divided by"),
    "and": of_sign("and"),
    "initials": name.initials,
    "short": name.short,
    "dot": of_sign("dot"),
    "roman": name.roman,
}
