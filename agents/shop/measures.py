"""Quantities: which kinds of them a question asks for, a value gives, and a name promises.

"How long" asks for a duration or a length, "300 lumens" is light, a "filter life" lasts. Values
that are figures and units are said in either language.
"""

import json
import re
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from agents.clause import LANGUAGES, Language
from agents.shop.lexicon import plain

_DATA = json.loads((resources.files("agents") / "data" / "shop_measures.json").read_text("utf-8"))
_ASKED = {
    kind: re.compile("|".join(patterns[language] for language in LANGUAGES))
    for kind, patterns in _DATA["asked"].items()
}
# English words and what they are in Chinese, where they stand in the same order in both.
_NUMBERS: dict[str, str] = _DATA["numbers"]
_QUALIFIERS: dict[str, str] = _DATA["qualifiers"]
_MARKS = r"[×,，、;；~°%()（）]|usb-c|usb|ipx?\d+|spf\s?\d+\+*"
_FIGURE = r"\d+(?:[.,]\d+)*"
_RANGE = re.compile(rf"(?<=[\d%])\s?(?:-|–|—|~|～|\bto\b|至|到)\s?(?={_FIGURE})")
_TIMES = re.compile(rf"(?<=\d)\s?[x×*]\s?(?={_FIGURE})")
_OFTEN = re.compile(r"\b(?:once|twice|every|daily|weekly|monthly|times a)\b|每.{1,4}次|次/")
# "3.5 minutes a litre", "每升3.5分钟": a quantity for one of something.
_RATE: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"^(?P<value>.*\d.*?)\s?(?:/|\bper\b|\ban?\b)\s?(?P<unit>[a-z]+)$", re.I),
    "en": re.compile(r"^每(?P<unit>[\u3400-\u9fff]+?)(?P<value>[\d.]+\D+)$"),
}


@lru_cache(maxsize=4096)
def kinds_asked(question: str) -> frozenset[str]:
    """Return the kinds of quantity that the form of a question asks for; most ask for none."""
    lower = plain(question)
    found = {kind for kind, pattern in _ASKED.items() if pattern.search(lower)}
    # "How many litres" counts nothing, and "多久一次" is no duration.
    found -= {"duration"} if "frequency" in found else set()
    return frozenset(found - {"count"} if len(found) > 1 else found)


@lru_cache(maxsize=8192)
def kinds_given(value: str) -> frozenset[str]:
    """Return the kinds of quantity that a value states; "number" for a bare one."""
    lower = plain(value)
    found = {
        str(_units(language)[match["unit"]]["kind"])
        for language in LANGUAGES
        for match in _scanner(language).finditer(lower)
        # "39码" is a size, no yards.
        if match["unit"] and match["unit"] != "码"
    }
    if _OFTEN.search(lower):
        return frozenset({"frequency"})
    if not found and re.fullmatch(rf"\W*{_FIGURE}\W*", lower):
        return frozenset({"number"})
    return frozenset(found)


@lru_cache(maxsize=8192)
def kinds_named(label: str) -> frozenset[str]:
    """Return the kinds of quantity that an attribute's name promises: "boil time"."""
    lower = plain(label)
    words = set(re.findall(r"[a-z]+", lower))
    return frozenset(
        kind
        for kind, names in _DATA["labels"].items()
        if words & set(names["en"].split()) or re.search(names["zh"], lower)
    )


@lru_cache(maxsize=8192)
def converted(value: str, language: Language) -> str | None:
    """Return a value of figures, units and words such as "up to" in a language.

    None where it holds any other word.
    """
    text = value.strip()
    rate = _RATE[language].match(text)
    if rate:
        unit = _units(_other(language)).get(rate["unit"].lower())
        amount = converted(rate["value"], language)
        if unit and amount:
            name = str(unit[language][0])
            return f"每{name}{amount}" if language == "zh" else f"{amount} a {name}"
    return _in_order(text, language)


def _in_order(text: str, language: Language) -> str | None:
    to = {"en": " to ", "zh": "到"}[language]
    times = {"en": " x ", "zh": "乘"}[language]
    rest = _TIMES.sub("×", text)
    whole = _RANGE.sub("→", rest).lower()
    parts = list(_scanner(_other(language)).finditer(whole))
    read = "".join(match.group() for match in parts)
    if not parts or re.sub(r"\s", "", read) != re.sub(r"\s", "", whole):
        return None
    said = [_said(match, language) for match in parts]
    joined = (" " if language == "en" else "").join(said)
    joined = joined.replace("×", times).replace("→", to)
    joined = re.sub(r"\s+([,;%°])", r"\1", re.sub(r"\s+", " ", joined))
    return re.sub(r"[;；]|,(?!\d{3})", "、", joined) if language == "zh" else joined


def _said(match: re.Match[str], language: Language) -> str:
    if match["number"] is not None:
        amount = match["number"]
        named = _NUMBERS.get(amount, amount) if language == "zh" else _english(_NUMBERS, amount)
        if not match["unit"]:
            return named
        names = _units(_other(language))[match["unit"]][language]
        if language == "zh":
            return named + str(names[0])
        return f"{named} {names[0] if named in ('1', 'one') else names[1]}"
    if match["word"]:
        word = match["word"]
        return _QUALIFIERS[word] if language == "zh" else _english(_QUALIFIERS, word)
    return match["mark"].upper() if match["mark"].isascii() else match["mark"]


def _english(words: dict[str, str], chinese: str) -> str:
    return next((en for en, zh in words.items() if zh == chinese), chinese)


def _other(language: Language) -> Language:
    return "zh" if language == "en" else "en"


@cache
def _units(language: Language) -> dict[str, dict[str, Any]]:
    """Return the units by how they are written in a language, lower case."""
    found: dict[str, dict[str, Any]] = {}
    for unit in _DATA["units"]:
        for form in unit[language]:
            found.setdefault(form.lower(), unit)
    return found


@cache
def _scanner(written: Language) -> re.Pattern[str]:
    """Return what reads a value written in a language, in lower case, part by part."""
    units = "|".join(map(re.escape, sorted(_units(written), key=len, reverse=True)))
    if written == "en":
        number, unit = rf"[-−+]?{_FIGURE}|\b(?:{'|'.join(_NUMBERS)})\b", rf"(?:{units})(?![a-z])"
        said = sorted(_QUALIFIERS, key=len, reverse=True)
        word = rf"\b(?:{'|'.join(said)})\b"
    else:
        number, unit = rf"[-−+]?{_FIGURE}|[{''.join(_NUMBERS.values())}二]+", f"(?:{units})"
        word = "|".join(sorted(_QUALIFIERS.values(), key=len, reverse=True))
    return re.compile(
        rf"(?P<word>{word})|(?P<mark>→|{_MARKS})"
        rf"|(?P<number>{number})(?:\s?(?P<unit>{unit}))?"
    )
