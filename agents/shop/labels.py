"""What attributes are called, and how the values a merchant wrote are read and said."""

import re

from agents.clause import Language
from agents.shop.lexicon import COLOURS, MATERIALS, PROPERTIES, SIZES, TOPICS, called, read
from agents.shop.phrases import bare, listed
from agents.shop.product import Words

_HAN = re.compile(r"[\u3400-\u9fff]")
_ITEMS = re.compile(r"\s*(?:[,;/|、，；]|\s(?:and|or|&)\s|和|与|及)\s*")
_YES = re.compile(r"^(?:yes|true|y|✓|✔|√|是|是的|有|支持|可以|能|可)[.。!！]?$", re.IGNORECASE)
_NO = re.compile(
    r"^(?:no|false|n|none|✗|✘|×|否|不是|无|没有|不支持|不可以|不能|不可)[.。!！]?$", re.IGNORECASE
)
# Values of figures and units alone are said in any language.
_NEUTRAL = re.compile(
    r"^[\d\s.,x×*/+°%~–-]*(?:mm|cm|m|km|g|kg|mg|ml|l|oz|w|kw|v|hz|mah|wh|gb|tb|db|h|min|in|"
    r"inch|ipx?\d+|spf\s?\d+\+*|usb-?c?)?(?:[\d\s.,x×*/+°%~–-]*(?:mm|cm|m|g|kg|ml|l|w|v)?)*$",
    re.IGNORECASE,
)


def topic_of(key: str) -> str:
    """Return the concept an attribute's name means, or the name as it is compared."""
    reading = read(key.replace("_", " ").replace("-", " "))
    senses = sorted(reading.of(TOPICS, PROPERTIES), key=lambda s: (s.weak, -s.size, -s.last))
    # "dimensions" and "size" share their words; the merchant's own is the one meant.
    for sense in senses:
        if sense.name == key:
            return sense.name
    return senses[0].name if senses else reading.text.strip()


def labels(key: str, topic: str) -> Words:
    """Return what an attribute is called in both languages; "" where that is not known."""
    written = key.replace("_", " ").strip()
    own: Language = "zh" if _HAN.search(written) else "en"
    other: Language = "en" if own == "zh" else "zh"
    reading = read(written)
    for sense in reading.of(TOPICS, PROPERTIES):
        # "Packed size" is more than a size, and a handle is no strap: neither is called that.
        first = read(called(sense.group, topic, own)) if sense.name == topic else None
        if first and [u.key for u in first.units] == [u.key for u in reading.units]:
            return {own: written, other: called(sense.group, topic, other)}
    return {own: written, other: ""}


def polarity(value: str) -> bool | None:
    """Return whether a value is a mere yes or a mere no; None where it says more."""
    text = value.strip()
    return True if _YES.match(text) else False if _NO.match(text) else None


def items_of(value: str) -> list[str]:
    """Return the entries of a value that is a list: "black, white and red"."""
    return [item.strip() for item in _ITEMS.split(bare(value)) if item.strip()]


def translated(value: str, language: Language) -> str | None:
    """Return a value in a language if every entry of it is a known colour, material or size.

    Figures with units stay as they are.
    """
    parts: list[str] = []
    for item in items_of(value):
        if _NEUTRAL.match(item):
            parts.append(item)
            continue
        found = _only_sense(item)
        if found is None:
            return None
        parts.append(called(*found, language))
    return listed(parts, language) if parts else None


def _only_sense(item: str) -> tuple[str, str] | None:
    reading = read(item)
    for sense in reading.of(COLOURS, MATERIALS, SIZES):
        if sense.size == len(reading.units):
            return sense.group, sense.name
    return None


def spoken_list(value: str, language: Language) -> str:
    """Write a bare list, "S, M, L" or "red/blue", as it is spoken."""
    items = items_of(value)
    marks = set(re.findall(r"[,;/|，；、]", value))
    short = all(len(item.split()) <= 2 and len(item) <= 20 for item in items)
    said = re.search(r"\s(?:and|or|&)\s|[和与及(（]|\d[,/x×]\d", value)
    if len(items) < 2 or len(marks) != 1 or not short or said:
        return value
    return listed(items, language)
