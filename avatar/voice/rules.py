"""How each kind of the grammar is said: match and reader in, words and their places out."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from avatar.voice.grammar import HAN
from avatar.voice.reading import Reader, Sign
from avatar.voice.reading_en import MONTHS
from avatar.voice.units import CURRENCIES, UNITS, Unit

Place = tuple[str, int, int]
"""Words as said, and the slice of the text that they say."""

Rule = Callable[[re.Match[str], Reader], Iterator[Place]]

_MEASURES: Final = re.compile(
    "[ ]?[个位件只条张瓶杯份盒包袋箱斤天年次种套台块元倍双对本支枚颗粒片层间家米人周千万亿点折]"
    "|[ ]?[架朵篇场岁页排]|[ ]?(?:小时|分钟|公斤|公里|个月|口味)"
)
_YEAR_BEFORE: Final = re.compile(
    r"\b(?:in|since|by|until|till|from|year|of|before|after|during|early|late|mid|spring|summer|"
    r"autumn|fall|winter|around|circa|established|founded|©|copyright|class)[ ]+$",
    re.IGNORECASE,
)
_COUNTED_AFTER: Final = re.compile(
    r"[ ]?(?:[a-z]{2,20}[ ])?(?!(?:is|was|has|as|this|its)\b)[a-z]+s\b|[ ]?%|[ ]?(?:yuan|people)\b"
)
_CALL_BEFORE: Final = re.compile(
    r"(?:\b(?:call|dial|phone|text|hotline|tel)\W{1,3}"
    r"|(?:拨打|电话|致电|热线|手机号?)[:：]?[ ]?)$",
    re.IGNORECASE,
)
_SCALES: Final = {"k": "thousand", "m": "million", "b": "billion", "bn": "billion"}
_VULGAR: Final = {
    "½": (1, 2), "¼": (1, 4), "¾": (3, 4), "⅓": (1, 3), "⅔": (2, 3),
    "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8), "⅕": (1, 5),
}  # fmt: skip
_SHORT: Final = {
    "mr": "mister",
    "mrs": "missus",
    "dr": "doctor",
    "e.g": "for example",
    "i.e": "that is",
    "vs": "versus",
    "etc": "et cetera",
    "approx": "approximately",
    "w/": "with",
    "w/o": "without",
}
_RUNS: Final = re.compile(r"[A-Za-z]+|\d+(?:\.\d+)?")
_LONG: Final = 7
_MOST_DIGITS: Final = 60
_INCHES: Final = ('"', "”", "″")


def _plain(number: str | None) -> str:
    """Return a number without commas, and with a nought before a leading point."""
    bare = (number or "").replace(",", "")
    return f"0{bare}" if bare.startswith(".") else bare


def _whole(match: re.Match[str], said: str) -> Iterator[Place]:
    yield said, match.start(), match.end()


def _of_sign(sign: Sign) -> Rule:
    def say(match: re.Match[str], reader: Reader) -> Iterator[Place]:
        return _whole(match, reader.sign(sign))

    return say


def _silent(_match: re.Match[str], _reader: Reader) -> Iterator[Place]:
    return iter(())


def _link(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    host = (match["host"] or match["bare"] or "").removeprefix("www.").strip(".-")
    return _whole(match, _address(host, reader, reader.sign("dot")))


def _mail(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    user = _address(match["user"], reader, "dot")
    return _whole(match, f"{user} at {_address(match['server'], reader, 'dot')}")


def _address(name: str, reader: Reader, dot: str) -> str:
    return f" {dot} ".join(
        " ".join(
            reader.digits(run) if run.isdigit() else run
            for run in re.findall(r"[A-Za-z]+|\d+", label)
        )
        for label in name.split(".")
        if label
    )


def _date(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    year, month, day = (match[a] or match[b] for a, b in (("y1", "y2"), ("m1", "m2"), ("d1", "d2")))
    return _whole(match, reader.date(int(year), int(month), int(day)))


def _month(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    name = match["n1"] or match["n2"]
    month = next(n for n, full in enumerate(MONTHS, 1) if full.startswith(name[:3]))
    year = match["y3"] or match["y4"]
    day = int(match["d3"] or match["d4"])
    return _whole(match, reader.date(int(year) if year else None, month, day))


def _year(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    return _whole(match, reader.year(match.group()))


def _time(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    half = (match["half"] or match["half2"] or "").lower()
    second = int(match["sec"]) if match["sec"] else None
    hour, minute = int(match["h"] or match["h2"]), int(match["min"] or 0)
    return _whole(match, reader.time(hour, minute, second, f"{half}m" if half else ""))


def _phone(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    plus = f"{reader.sign('plus')} " if match.group().startswith("+") else ""
    return _whole(match, plus + reader.telephone(re.sub(r"\D", "", match.group())))


def _money(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    currency = CURRENCIES[match["cur"] or match["cur2"]]
    scale = (match["scale"] or match["scale2"] or "").strip()
    numbers = tuple(_plain(match[name]) for name in ("a1", "a2", "a3") if match[name])
    minus = match["sign"] or (match["neg"] or "").strip()
    said = reader.money(numbers, _SCALES.get(scale.lower(), scale), currency)
    return _whole(match, f"{reader.sign('minus')} {said}" if minus else said)


def _percent(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    numbers = tuple(_plain(match[name]) for name in ("p1", "p2") if match[name])
    return _whole(match, reader.percent(numbers))


def _feet(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    feet = reader.quantity(match["ft"], UNITS["ft"])
    return _whole(match, f"{feet} {reader.quantity(match['inch'], UNITS['in'])}")


def _fraction(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    if match["vulgar"]:
        upper, lower = (str(part) for part in _VULGAR[match["vulgar"]])
    else:
        upper, lower = match["up"], match["low"]
    whole = match["whole"] or match["whole2"] or ""
    if not int(lower):
        return _whole(match, " ".join(reader.cardinal(part) for part in (upper, lower)))
    return _whole(match, reader.fraction(whole, upper, lower))


def _ratio(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    joint = "比" if reader.language == "zh" else " to "
    return _whole(match, joint.join(reader.cardinal(match[name]) for name in ("r1", "r2")))


def _multiple(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    times = reader.sign("times")
    if match["mul"]:
        return _whole(match, f"{reader.counted(_plain(match['mul']))} {times}")
    return _whole(match, f"{times} {reader.cardinal(match['mul2'])}")


def _quantity(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    unit = UNITS[match["unit"]]
    if match["unit"] in _INCHES and re.match(
        r" [a-z]", match.string[match.end() : match.end() + 2]
    ):
        unit = Unit(unit.one, unit.one, unit.chinese)  # a 15.6 inch screen
    return _whole(match, reader.quantity(_plain(match["q"]), unit))


def _discount(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    return _whole(match, reader.digits(match["off"] + match["part"]))


def _per(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    unit = UNITS.get(match["each"] or "")
    name = "" if unit is None else unit.chinese if reader.language == "zh" else unit.one
    return _whole(match, f"{reader.sign('per')} {name}")


def _scaled(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    number, scale = match["k"], match["ks"]
    if (scale == "K" and number in ("2", "4", "5", "6", "8")) or scale == "W":
        return _model(match, reader)
    value = float(number) * (10_000 if scale == "w" else 1000)
    return _whole(match, reader.cardinal(f"{value:.0f}"))


def _model(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    for run in _RUNS.finditer(match.group()):
        text = run.group()
        said = reader.model(text) if text[0].isdigit() else text
        yield said, match.start() + run.start(), match.start() + run.end()


def _version(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    point = "点" if reader.language == "zh" else " point "
    return _whole(match, point.join(map(reader.cardinal, match.group().split("."))))


def _ordinal(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    return _whole(match, reader.ordinal(_plain(match["ord"])))


def _decade(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    return _whole(match, reader.decade(match["dec"]))


def _number(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    return _whole(match, _read_number(match, reader))


def _read_number(match: re.Match[str], reader: Reader) -> str:
    number = match.group()[:_MOST_DIGITS]
    before = match.string[max(0, match.start() - 12) : match.start()]
    plain = _plain(number)
    if number.isdigit() and (
        _CALL_BEFORE.search(before) or (len(number) > _LONG and _is_code(match))
    ):
        return reader.telephone(number)
    if reader.language == "zh":
        measured = _MEASURES.match(match.string, match.end())
        return reader.counted(plain) if measured else reader.cardinal(plain)
    if len(number) == 4 and number.isdigit() and 1100 <= int(number) < 2100:
        after = _COUNTED_AFTER.match(match.string, match.end(), match.end() + 40)
        if _YEAR_BEFORE.search(before) and not after:
            return reader.year(number)
    return reader.cardinal(plain)


def _is_code(match: re.Match[str]) -> bool:
    """Long digits that count nothing: an order number, a barcode."""
    after = match.string[match.end() : match.end() + 2].lstrip()
    return not re.match(f"[{HAN}]", after) or after[0] not in "元块个人次年万亿"


def _initials(match: re.Match[str], _reader: Reader) -> Iterator[Place]:
    return _whole(match, match.group().replace(".", ""))


def _short(match: re.Match[str], _reader: Reader) -> Iterator[Place]:
    return _whole(match, _SHORT[(match["abbr"] or match["with"]).lower()])


def _hash(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    return _whole(match, "第" if reader.language == "zh" else "number")


SAY: Final[Mapping[str, Rule]] = {
    "link": _link,
    "mail": _mail,
    "handle": _silent,
    "hash": _hash,
    "date": _date,
    "month": _month,
    "year": _year,
    "time": _time,
    "phone": _phone,
    "money": _money,
    "percent": _percent,
    "feet": _feet,
    "fraction": _fraction,
    "ratio": _ratio,
    "by": _of_sign("by"),
    "multiple": _multiple,
    "quantity": _quantity,
    "discount": _discount,
    "scaled": _scaled,
    "decade": _decade,
    "ordinal": _ordinal,
    "version": _version,
    "model": _model,
    "number": _number,
    "minus": _of_sign("minus"),
    "range": _of_sign("to"),
    "per": _per,
    "slash": _of_sign("per"),
    "more": _of_sign("or more"),
    "plus": _of_sign("plus"),
    "equals": _of_sign("equals"),
    "about": _of_sign("about"),
    "above": _of_sign("above"),
    "below": _of_sign("below"),
    "tolerance": _of_sign("plus or minus"),
    "divided": _of_sign("divided by"),
    "and": _of_sign("and"),
    "initials": _initials,
    "short": _short,
    "dot": _of_sign("dot"),
}
