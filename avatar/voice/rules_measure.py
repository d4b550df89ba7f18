"""How measures are said: money, percentages, units, fractions."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from avatar.voice.place import Place, after, before, plain, whole
from avatar.voice.reading import Reader
from avatar.voice.rules_calendar import is_date
from avatar.voice.units import CURRENCIES, UNITS, Currency, Unit

_SCALES: Final = {"k": "thousand", "m": "million", "b": "billion", "bn": "billion"}
_VULGAR: Final = {
    "½": (1, 2), "¼": (1, 4), "¾": (3, 4), "⅓": (1, 3), "⅔": (2, 3),
    "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8), "⅕": (1, 5),
}  # fmt: skip
# Words that follow a measure without being measured by it: "5 km from here", not "a 5 km run".
_LOOSE_WORDS: Final = (
    "of in and or to for from with without at on by per each is are was were be been has have had "
    "do does did can will would should could may might must makes costs weighs goes gets feels "
    "equals away wide tall long deep high thick across total more less off than as if but when "
    "while before after until till every a an the left ago later now today tonight free plus minus "
    "extra max maximum minimum tops into over under only it you we they i he she this that these "
    "those so then through out up down apart north south east west heavier lighter longer shorter "
    "taller wider deeper further farther faster slower cheaper flat straight outside inside "
    "indoors outdoors too also again not no because since within around about between versus vs "
    "x times"
)
_LOOSE: Final = frozenset(_LOOSE_WORDS.split())
_DETERMINED: Final = re.compile(
    r"\b(?i:an?|the|this|that|our|your|my|his|her|their|its|each|every|another|any|one)[ ]+$"
)
_NEXT_WORD: Final = re.compile(r" ([a-z]+)(?![A-Za-z])")
# What is poured or weighed stands in the plural before its matter: 500 grams flour.
_MASS: Final = frozenset(
    ("g", "kg", "mg", "ml", "mL", "L", "l", "oz", "lb", "lbs", "fl oz", "tsp", "tbsp")
)
_NAMED_BEFORE: Final = re.compile(
    r"\b(?:iPhone|iPad|Galaxy|Redmi|Jordan|Pixel|Model|[Ss]izes?)[ ]+$"
)
_QUOTES: Final = {'"': '"', "”": "“"}
_RATING_BEFORE: Final = re.compile(
    r"(?:\b(?i:rated?|rating|scores?|scored|review(?:s|ed)?|average)|评分|打分|得分|评价|口碑|星级)"
    r"[^\d\n]{0,12}$"
)
_RATING_AFTER: Final = re.compile(r"[ ]?(?:stars?\b|★|rating\b|would\b|recommend)")
_PAIR: Final = 100
_PRODUCT_AFTER: Final = re.compile(
    r"[$£€¥￥]|\d+(?:\.\d+)?[ ]?(?:=|(?:m[lL]|[lLg]|kg|oz|pcs)(?![A-Za-z]))"
)


def _attributive(match: re.Match[str], determined: bool) -> bool:
    """Tell whether a noun follows that the measure belongs to; it then stands in the singular."""
    following = after(match)
    if re.match(r"-[A-Za-z]", following):
        return True
    word = _NEXT_WORD.match(following)
    if word is None or word[1] in _LOOSE or word[1].endswith("ly"):
        return False
    return not determined or bool(_DETERMINED.search(before(match)))


def money(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say an amount, or a range of two."""
    currency = CURRENCIES[match["cur"] or match["cur2"]]
    scale = (match["scale"] or match["scale2"] or "").strip()
    scale = _SCALES.get(scale.lower(), scale)
    numbers = tuple(plain(match[name]) for name in ("a1", "a2", "a3") if match[name])
    minus = match["sign"] or (match["neg"] or "").strip()
    if reader.language == "en" and _attributive(match, True):
        said = _before_noun(numbers, scale, currency, reader)
    else:
        said = reader.money(numbers, scale, currency)
    return whole(match, f"{reader.sign('minus')} {said}" if minus else said)


def _before_noun(numbers: tuple[str, ...], scale: str, currency: Currency, reader: Reader) -> str:
    """Return "five dollar" of a five dollar coupon, "four ninety nine" of a $4.99 one."""
    units, _, cents = numbers[0].partition(".")
    if len(numbers) == 1 and not scale and len(cents) == 2 and int(cents) and int(units):
        low = f"oh {reader.cardinal(cents[1])}" if cents[0] == "0" else reader.cardinal(cents)
        return f"{reader.cardinal(units)} {low}"
    return reader.money(numbers, scale, replace(currency, many=currency.one, cents=currency.cent))


def percent(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say a percentage, or a range of two."""
    numbers = tuple(plain(match[name]) for name in ("p1", "p2") if match[name])
    said = reader.percent(numbers)
    if match["of100"] == "‰":
        said = said.replace("百分之", "千分之").replace("percent", "per thousand")
    return whole(match, said)


def feet(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say 5'11", 6' tall, 20' x 30'."""
    if match["ft3"]:
        width, length = reader.counted(match["ft3"]), reader.quantity(match["ft4"], UNITS["ft"])
        return whole(match, f"{width} {reader.sign('by')} {length}")
    said = reader.quantity(match["ft"] or match["ft2"], UNITS["ft"])
    if match["inch"]:
        said = f"{said} {reader.quantity(match['inch'], UNITS['in'])}"
    return whole(match, said)


def fraction(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say 3/4, and what is only written like it: 12/25, 24/7, 50/50, 4.8/5."""
    if match["vulgar"]:
        upper, lower = (str(part) for part in _VULGAR[match["vulgar"]])
        return whole(match, reader.fraction(match["whole2"] or "", upper, lower))
    upper, lower, ahead = match["up"], match["low"], match["whole"] or ""
    zh = reader.language == "zh"
    other = _unlike_fraction(match, upper, lower, reader)
    if other:
        number = f"{reader.cardinal(ahead)} " if ahead else ""
        return whole(match, number + other)
    said = reader.fraction(ahead, upper, lower)
    if match["part"]:
        unit = UNITS[match["part"]]
        if not (zh or ahead) and _attributive(match, False):
            said = said.removesuffix("s")  # a three quarter inch pipe
        said += unit.chinese if zh else f" {unit.many if ahead else unit.one}"
    return whole(match, said + (match["points"] or ""))


def _unlike_fraction(match: re.Match[str], upper: str, lower: str, reader: Reader) -> str:
    zh = reader.language == "zh"
    if is_date(match, upper, lower):
        return reader.date(None, int(upper), int(lower))
    pair = [reader.cardinal(part) for part in (upper, lower)]
    if not int(lower):
        return " ".join(pair)
    if upper.isdigit() and (int(upper) + int(lower) == _PAIR or upper == lower == "20"):
        return ("比" if zh else " ").join(pair)
    if _is_rating(match, upper, lower, zh):
        return f"{pair[0]}分满分{pair[1]}分" if zh else " out of ".join(pair)
    return ""


def _is_rating(match: re.Match[str], upper: str, lower: str, zh: bool) -> bool:
    if "." in upper or _RATING_BEFORE.search(before(match)):
        return True
    if int(upper) > int(lower):
        return False
    if match["points"] or _RATING_AFTER.match(after(match)):
        return True
    tens = int(lower) in (10, 100) and int(upper) > 1
    return upper == lower or (tens and not zh and not after(match).startswith(" of"))


def ratio(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say 3:1."""
    joint = "比" if reader.language == "zh" else " to "
    return whole(match, joint.join(reader.cardinal(match[name]) for name in ("r1", "r2")))


def by(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say the cross of 3 x 4 cm, and that of a product."""
    product = _PRODUCT_AFTER.match(after(match))
    return whole(match, "times" if product and reader.language == "en" else reader.sign("by"))


def multiple(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say 3x, and x3."""
    times = reader.sign("times")
    if match["mul"]:
        return whole(match, f"{reader.counted(plain(match['mul']))} {times}")
    number = reader.cardinal(match["mul2"])
    return whole(match, f"乘{number}" if reader.language == "zh" else f"{times} {number}")


def quantity(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say a measure, or a range of two."""
    written = match["unit"]
    number = plain(match["q"])
    if written in _QUOTES and _closes_quotation(match, written):
        return whole(match, reader.cardinal(number))
    if written in ("s", "c") and _NAMED_BEFORE.search(before(match)):
        return whole(match, f"{reader.model(number)} {written}")
    unit = UNITS[written]
    if written == "MP" and reader.language == "zh":
        return whole(match, reader.cardinal(f"{float(number) * 1_000_000:.0f}") + "像素")
    rate = " per " in unit.one
    if reader.language == "en" and not rate and _attributive(match, written in _MASS):
        unit = Unit(unit.one, unit.one, unit.chinese)  # a 15.6 inch screen
    said = reader.quantity(number, unit)
    if match["q0"]:
        first = plain(match["q0"])
        named = match["unit0"] and match["unit0"] != written
        low = reader.quantity(first, UNITS[match["unit0"]]) if named else reader.counted(first)
        said = f"{low}到{said}" if reader.language == "zh" else f"{low} to {said}"
    return whole(match, said)


def _closes_quotation(match: re.Match[str], mark: str) -> bool:
    """Tell whether the mark behind a number ends a quotation instead of meaning inches."""
    ahead = before(match, 200)
    if mark == '"':
        opened = False
        for quote in re.finditer('"', ahead):
            opened = not opened and not ahead[: quote.start()][-1:].isdigit()
        return opened
    return ahead.rfind(_QUOTES[mark]) > ahead.rfind(mark)


def karat(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say 18K of gold."""
    said = reader.cardinal(match["kt"])
    return whole(match, f"{said} K" if reader.language == "zh" else f"{said} karat")


def bargain(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say 9.9包邮 as 九块九包邮."""
    return whole(match, f"{reader.counted(match['yuan'])}块{reader.cardinal(match['jiao'])}")


def stars(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say 4.9★."""
    value = plain(match["starred"])
    if reader.language == "zh":
        return whole(match, f"{reader.cardinal(value)}星")
    many = value != "1" and not _attributive(match, False)
    return whole(match, f"{reader.cardinal(value)} star{'s' * many}")
