"""Amounts stated in English words and in figures."""

import re
from fractions import Fraction

from agents.amounts import CURRENCIES, Mention, Scanner, mention
from agents.tokens import stem
from agents.words import word_list

VALUES = {word: n for n, word in enumerate(word_list("ones_en"))}
VALUES |= {word: 20 + 10 * n for n, word in enumerate(word_list("tens_en"))}
VALUES |= {"dozen": 12, "couple": 2, "oh": 0, "nil": 0}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_ORDINALS = {word: n for n, word in enumerate(word_list("ordinals_en"), 3)}
_UNITS: dict[str, tuple[str, Fraction]] = {}
for _words, _name, _factor in (
    ("dollar dollars buck bucks usd", "money:usd", Fraction(1)),
    ("euro euros eur", "money:eur", Fraction(1)),
    ("pound pounds quid gbp", "money:gbp", Fraction(1)),
    ("yuan rmb cny kuai", "money:cny", Fraction(1)),
    ("cent cents penny pence", "money", Fraction(1, 100)),
    ("percent %", "percent", Fraction(1)),
    ("second seconds sec secs", "minutes", Fraction(1, 60)),
    ("minute minutes min mins", "minutes", Fraction(1)),
    ("hour hours hr hrs", "minutes", Fraction(60)),
    ("day days", "days", Fraction(1)),
    ("week weeks", "weeks", Fraction(1)),
    ("month months", "months", Fraction(1)),
    ("year years", "years", Fraction(1)),
    ('inch inches "', "inches", Fraction(1)),
):
    _UNITS |= dict.fromkeys(_words.split(), (_name, _factor))
# After these a number stands for itself; any other word is what it counts.
_LOOSE = frozenset(word_list("loose_en"))

_WORD = "|".join(sorted([*VALUES, *_SCALES, "point"], key=len, reverse=True))
_SAID = rf"(?:\b(?:{_WORD})s?\b(?:[\s-]+(?:and[\s-]+)?(?={_WORD})(?:{_WORD})s?\b)*)"
_FIGURE = r"(?<![\w.])\d+(?:\.\d+)?(?:[km](?![a-z]))?"
_NUMBER = rf"(?P<number>{_FIGURE}|{_SAID})"

_PHONE = re.compile(r"\+?\(?\d(?:[\d().-]|\s(?=[\d(]))*\d")
_RATIO = re.compile(r"(\d+)\s?/\s?(\d+)")
_CLOCK = re.compile(r"\b(\d{1,2})[:.](\d{2})\s?([ap]m)\b|\b(\d{1,2}):(\d{2})(?!\d)")
_HOUR = re.compile(rf"{_NUMBER}\s?(?P<half>[ap]m\b|o'?\s?clock)")
_PAST = re.compile(rf"\b(?P<part>half|quarter|{_SAID})\s(?P<side>past|to|after)\s{_NUMBER}")
_NOON = re.compile(r"\b(noon|midday|midnight)\b")
_SIGNED = re.compile(r"(?P<sign>[$€£¥])\s?(?P<number>\d+(?:\.\d+)?(?:[km](?![a-z]))?)")
_HALF = re.compile(
    r"\b(?P<an>half an? hour|quarter of an hour|an hour(?: and a half)?|a dollar|a buck|a quarter"
    r"|half|quarters?)\b"
)
_TIMES = re.compile(r"\b(double|twice|triple|thrice|doubled|tripled)\b(?![\s-]check)")
_NTH = re.compile(rf"\b(?:(?P<figure>\d+)(?:st|nd|rd|th)|(?P<word>{'|'.join(_ORDINALS)})s?)\b")
_DATE = re.compile(
    r"\b(?:january|february|april|june|july|august|september|october|november|december"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?|tomorrow|yesterday"
    r"|(?:in|since|until|by|next|last|this)\s(?:may|march)|(?:may|march)\s(?=\d|the\s\d)"
    r"|(?:next|last)\s(?:week|month|year)|christmas|easter|halloween|thanksgiving|new year)\b"
)
_COUNTED = re.compile(rf"{_NUMBER}(?:[\s-]?(?P<unit>\"|%|[a-z]+(?:'s)?))?")


def scan_telephone(scanner: Scanner) -> None:
    """Take telephone numbers in figures out of a text, before their parts are read as numbers."""
    scanner.take(_PHONE, _phone)


def scan_english(scanner: Scanner) -> None:
    """Take every amount stated in English or in figures out of a normalised text."""
    scanner.take(_CLOCK, _clock)
    scanner.take(_RATIO, _ratio)
    scanner.take(_PAST, _past)
    scanner.take(_HOUR, _hour)
    scanner.take(_NOON, lambda m: mention(m[0], ("time", 0 if m[0] == "midnight" else 720)))
    scanner.take(_SIGNED, _signed)
    scanner.take(_DATE, lambda m: mention(m[0], ("date", m[0].removesuffix("s"))))
    scanner.take(_NTH, _nth)
    scanner.take(_HALF, _half)
    scanner.take(_TIMES, lambda m: mention(m[0], ("times", 3 if m[0][:3] in "tri thr" else 2)))
    scanner.take(_COUNTED, _counted)


def values(words: str) -> list[Fraction]:
    """Return the numbers a run of number words says: "nine ninety nine" is 9 and 99."""
    if words[0].isdigit():
        scale = {"k": 1000, "m": 10**6}.get(words[-1], 1)
        return [Fraction(words.rstrip("km")) * scale]
    found: list[Fraction] = []
    total = part = Fraction(0)
    last = -1  # The size of the word before; -1 at the start of a number.
    said = re.findall(r"[a-z]+", words)
    for at, word in enumerate(said):
        plain = word if word in VALUES or word in _SCALES else word.removesuffix("s")
        if plain == "and":
            continue
        if plain == "point":
            return [*found, total + part + _decimals(said[at + 1 :])]
        if plain in _SCALES:
            part = max(part, Fraction(1)) * _SCALES[plain]
            if plain != "hundred":
                total, part = total + part, Fraction(0)
            last = 100
            continue
        value = VALUES[plain]
        joins = last == -1 or last == 100 or (20 <= last < 100 and 0 < value < 10)
        if not joins or plain == "dozen":
            factor = value if plain == "dozen" and last != -1 else 0
            if factor:
                part *= factor
                continue
            found.append(total + part)
            total = part = Fraction(0)
        part += value
        last = value
    return [*found, total + part]


def _decimals(words: list[str]) -> Fraction:
    digits = "".join(str(VALUES.get(word, 0)) for word in words)
    return Fraction(int(digits or "0"), 10 ** len(digits))


def _phone(match: re.Match[str]) -> Mention | bool:
    digits = re.sub(r"\D", "", match[0])
    if len(digits) < 7:
        return False
    return mention(match[0], ("phone", digits))


def _ratio(match: re.Match[str]) -> Mention | bool:
    below = int(match[2])
    return mention(match[0], ("ratio", Fraction(int(match[1]), below or 1)))


def _clock(match: re.Match[str]) -> Mention | bool:
    hour, minute, half = match[1] or match[4], match[2] or match[5], match[3]
    return _time(match[0], Fraction(hour), int(minute), half)


def _hour(match: re.Match[str]) -> Mention | bool:
    found = values(match["number"])
    half = match["half"] if match["half"] in ("am", "pm") else None
    if len(found) == 2 and found[1] < 60:
        return _time(match[0], found[0], int(found[1]), half)
    return _time(match[0], found[-1], 0, half)


def _past(match: re.Match[str]) -> Mention | bool:
    word = match["part"]
    minute = {"half": 30, "quarter": 15}.get(word)
    if minute is None:
        minute = int(values(word)[0])
    hour = values(match["number"])[0]
    if word not in ("half", "quarter") and match["side"] == "to":
        # "nine to twelve dollars" is a range far more often than a time.
        return False
    if match["side"] == "to":
        return _time(match[0], hour - 1, 60 - minute, None)
    return _time(match[0], hour, minute, None)


def _time(text: str, hour: Fraction, minute: int, half: str | None) -> Mention:
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
        return mention(text, ("time", hour * 60 + minute))
    return mention(text, ("time", hour * 60 + minute), ("time", (hour + 12) % 24 * 60 + minute))


def _signed(match: re.Match[str]) -> Mention | bool:
    return mention(match[0], ("money:" + CURRENCIES[match["sign"]], values(match["number"])[0]))


def _nth(match: re.Match[str]) -> Mention | bool:
    number = int(match["figure"]) if match["figure"] else _ORDINALS[match["word"]]
    return mention(match[0], ("ordinal", number))


def _half(match: re.Match[str]) -> Mention | bool:
    word = match["an"]
    if "hour" in word:
        minutes = 30 if word.startswith("half") else 15 if word[0] == "q" else 60
        return mention(match[0], ("minutes", 90 if "and a half" in word else minutes))
    if word in ("a dollar", "a buck"):
        return mention(match[0], ("money:usd", 1))
    return mention(match[0], ("number", Fraction(1, 2 if "half" in word else 4)))


def _counted(match: re.Match[str]) -> Mention | bool:
    number, unit = match["number"], match["unit"] or ""
    found = values(number)
    if number in ("one", "ones") and unit not in _UNITS:
        return True
    if number in ("oh", "point", "points"):
        return True
    kind, factor = _kind(unit)
    text = match[0].strip()
    if len(found) == 1:
        return mention(text, (kind, found[0] * factor))
    return _several(text, found, kind, factor)


def _kind(unit: str) -> tuple[str, Fraction]:
    if unit in _UNITS:
        return _UNITS[unit]
    if not unit or unit in _LOOSE:
        return "number", Fraction(1)
    return f"count:{stem(unit)}", Fraction(1)


def _several(text: str, found: list[Fraction], kind: str, factor: Fraction) -> Mention:
    """Read numbers said one after the other: a telephone number, a price, a time."""
    parts = tuple(mention(text, ("number", value)) for value in found[:-1])
    parts += (mention(text, (kind, found[-1] * factor)),)
    readings: list[tuple[str, Fraction | int | str]] = []
    if all(value < 10 for value in found) and len(found) > 2:
        digits = "".join(str(value) for value in found)
        # Digit by digit it is nothing but that number.
        return mention(text, ("phone", digits), ("number", int(digits)))
    if len(found) == 2 and 10 <= found[1] < 100:
        price = found[0] + found[1] / 100
        readings += [("money" if kind == "number" else kind, price * factor), ("number", price)]
        if found[0] <= 24 and found[1] < 60 and kind == "number":
            readings += [("time", h % 24 * 60 + found[1]) for h in (found[0], found[0] + 12)]
    return Mention(text, mention(text, *readings).readings, parts)
