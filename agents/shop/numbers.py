"""Numbers a question names: what may be spent, which one of a list, a size."""

import re
from decimal import Decimal

from agents.shop.data import shop_data

_DATA = shop_data("questions")
_HAN_NUMBERS = {"十": 10, "百": 100, "千": 1000}
_HAN_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"两": 2}
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_BOUND = re.compile(
    r"(?:under|below|less than|cheaper than|up to|within|at most|no more than|max|"
    r"budget(?: of| is)?)"
    r"\s*(?:[$€£¥]|usd|rmb)?\s?(?P<en>\d+(?:\.\d+)?)"
    r"|(?P<zh>\d+(?:\.\d+)?|[一二三四五六七八九两]?[十百千]+)\s?(?:块钱?|元|美元|美金|欧元?|英?镑|刀|米)?\s?"
    r"(?:以内|以下|之内|之下|内的|左右|预算)"
    r"|(?:预算|不超过|低于|不到|小于)\s?(?P<zh2>\d+(?:\.\d+)?|[一二三四五六七八九两]?[十百千]+)"
)
_ORDINAL = re.compile(
    r"\b(?P<word>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d{1,2}(?:st|nd|rd|th))"
    r" (?:one|product|item|link|thing)\b"
    r"|\b(?:number|no\.?|item|link|product|#)\s?(?P<number>\d{1,2}|one|two|three|four|five|six)\b"
    r"|(?<![\w$])#(?P<hash>\d{1,2})\b"
    r"|第(?P<han>[一二三四五六七八九十两\d]{1,3})[个款件号种双套条只支瓶盒]"
    r"|(?P<link>[一二三四五六七八九十\d]{1,3})号(?:链接|款|商品|宝贝|产品|链)?(?!码|线|楼|电池|色)"
    r"|链接(?P<link2>[一二三四五六七八九十\d]{1,2})|(?P<end>最后[一]?[个款件])"
)
_SIZE_NUMBER = re.compile(
    r"\b(?:sizes?|eu|us|uk)\s?(?:an?\s)?(?:eu |us |uk )?(\d{2}(?:\.5)?|\d(?:\.5)?)\b"
    r"|(?<![\d.])(\d{1,3}(?:\.5)?)\s?(?:的?码(?!数)|号(?![链款商宝产])|脚)"
    r"|有(?:没有)?(\d{1,2}(?:\.5)?)(?:的)?[吗么没不]|\bi(?: a)?'?m an? (\d{1,2}(?:\.5)?)\b"
)
_FIGURES = re.compile(r"(?<![\d.])\d{1,6}(?:\.\d{1,2})?(?![\d.])")


def budget_in(text: str) -> Decimal | None:
    """Return the most that may be spent, where a text says so."""
    match = _BOUND.search(text)
    return None if match is None else _number(match["en"] or match["zh"] or match["zh2"])


def ordinal_in(text: str) -> int | None:
    """Return which of the products a text points at by its number, from 1; -1 is the last."""
    match = _ORDINAL.search(text)
    if match is None:
        return None
    if match["end"] or match["word"] == "last":
        return -1
    if match["word"]:
        words = _DATA["ordinals"]["en"]
        digits = re.match(r"\d+", match["word"])
        return int(digits[0]) if digits else words.index(match["word"]) + 1
    named = match["number"] or match["hash"] or match["han"] or match["link"] or match["link2"]
    if named in _WORDS:
        return _WORDS[named]
    return int(_number(named)) if named else None


def size_in(text: str) -> str:
    """Return the number of a size a text asks for, "43" of "size 43" or "43码"; "" for none."""
    match = _SIZE_NUMBER.search(text)
    return next(filter(None, match.groups()), "") if match else ""


def figures_in(text: str) -> frozenset[Decimal]:
    """Return the numbers in figures that a text names."""
    return frozenset(map(Decimal, _FIGURES.findall(text)))


def _number(text: str) -> Decimal:
    """Return a number in figures or in Chinese below ten thousand."""
    if text[0].isdigit():
        return Decimal(text)
    total = digit = 0
    for char in text:
        if char in _HAN_DIGITS:
            digit = _HAN_DIGITS[char]
        else:
            total += (digit or 1) * _HAN_NUMBERS[char]
            digit = 0
    return Decimal(total + digit)
