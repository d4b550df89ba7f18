"""Ages in sentences: "in her late thirties", "35-year-old", "三十多岁", "五六十岁"."""

import re
from typing import Final

_TENS: Final = {
    "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70,
    "eighties": 80, "teens": 15,
}  # fmt: skip
_NUMBERS: Final = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_UNITS: Final = {
    name: i + 1
    for i, name in enumerate("one two three four five six seven eight nine".split())  # noqa: SIM905
}
_DIGITS: Final = {digit: i for i, digit in enumerate("零一二三四五六七八九")} | {"两": 2}
_PART: Final = {"early": 2, "mid": 5, "middle": 5, "late": 8}

_DECADE: Final = re.compile(
    r"\b(?:in\s+)?(?:his|her|their|the)?\s*(?:(early|mid|middle|late)[\s-]+)?"
    r"(twenties|thirties|forties|fifties|sixties|seventies|eighties|teens|[2-8]0'?s)\b"
)
_YEARS: Final = re.compile(
    r"\b(?:aged?\s+(\d{1,3})\b"
    r"|(\d{1,3})[\s-]*(?:years?|yrs?)?[\s-]*(?:old|of age)\b"
    r"|(\d{2})\s*yo\b)"
)
_SPELT: Final = re.compile(
    r"\b(" + "|".join(_NUMBERS) + r")(?:[\s-](" + "|".join(_UNITS) + r"))?[\s-]+years?[\s-]+old\b"
)
_HAN: Final = re.compile(
    r"(?:大约|约|大概|快|将近|年近|年过)?"
    r"(\d{1,3}|[一二三四五六七八九]?[一二三四五六七八九]?十[一二三四五六七八九]?)"
    r"(多|来|几|出头|左右|上下)?\s?岁?(多|出头|左右|上下)?(?<=[岁多几来头右下])(?:的|了)?"
)
_YOUNGEST, _OLDEST = 16, 100


def find_ages(text: str) -> tuple[list[int], str]:
    """Return the ages a sentence states, in years, and the sentence without their words."""
    found: list[int] = []

    def keep(age: int) -> str:
        found.append(min(max(age, _YOUNGEST), _OLDEST))
        return " "

    plain = text.lower()
    plain = _DECADE.sub(lambda m: keep(_decade(m)), plain)
    plain = _SPELT.sub(lambda m: keep(_NUMBERS[m[1]] + _UNITS.get(m[2] or "", 0)), plain)
    plain = _YEARS.sub(lambda m: keep(int(m[1] or m[2] or m[3])), plain)
    plain = _HAN.sub(lambda m: keep(_chinese(m)), plain)
    return found, plain


def _decade(match: re.Match[str]) -> int:
    word = match[2].rstrip("s").rstrip("'")
    start = int(word) if word.isdigit() else _TENS[match[2]]
    return start + _PART.get(match[1] or "mid", 5)


def _chinese(match: re.Match[str]) -> int:
    number, about, after = match[1], match[2] or "", match[3] or ""
    if number.isdigit():
        age = int(number)
    else:
        before, _, unit = number.partition("十")
        tens = [_DIGITS[digit] for digit in before] or [1]
        # "五六十" is between the two.
        age = int(10 * sum(tens) / len(tens)) + (_DIGITS[unit] if unit else 0)
    vague = (about + after)[:1]
    return age + {"多": 5, "几": 5, "来": 3, "出": 2}.get(vague, 0)
