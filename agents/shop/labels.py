"""What attributes are called, and how the values a merchant wrote are read and said."""

import re
from functools import cache

from agents.clause import Language
from agents.shop.data import shop_data
from agents.shop.lexicon import (
    COLOURS,
    MATERIALS,
    PROPERTIES,
    SIZES,
    TOPICS,
    Reading,
    called,
    read,
)
from agents.shop.measures import converted
from agents.shop.phrases import bare, listed
from agents.shop.product import Words

_DATA = shop_data("glossary")
_ACRONYMS = frozenset(_DATA["acronyms"])
_HAN = re.compile(r"[\u3400-\u9fff]")
_ITEMS = re.compile(r"\s*(?:[,;/|、，；]|\s(?:and|or|&)\s|和|与|及)\s*")
_YES = re.compile(r"^(?:yes|true|y|✓|✔|√|是|是的|有|支持|可以|能|可)[.。!！]?$", re.IGNORECASE)
_NO = re.compile(
    r"^(?:no|false|n|none|✗|✘|×|否|不是|无|没有|不支持|不可以|不能|不可)[.。!！]?$", re.IGNORECASE
)
# Words of an attribute's name that leave it the same: "net weight", "colour options".
_PLAIN_WORDS = frozenset(
    unit.key
    for unit in read(
        "net gross total overall product item info information details detail options option"
        " available of the and instructions policy type level rating time"
    ).units
)
# Names that say with what something is used.
_OF_USE = frozenset(
    {"fits", "works with", "suitable for", "goes with", "for use with", "适用", "适配", "适合"}
)
# Words and characters of an entry of a list; of longer ones each says something of its own.
_LONGEST_ITEM = (3, 30)
# Values of figures and units alone are said in any language.
_NEUTRAL = re.compile(
    r"^[\d\s.,x×*/+°%~–-]*(?:mm|cm|m|km|g|kg|mg|ml|l|oz|w|kw|v|hz|mah|wh|gb|tb|db|h|min|in|"
    # Each text in one way alone ("mm" is m twice), so that none takes long.
    r"inch|ipx?\d+|spf\s?\d+\+*|usb-?c?)?(?:[\d\s.,x×*/+°%~–-]|cm|kg|[mglwv])*$",
    re.IGNORECASE,
)


def topic_of(key: str) -> str:
    """Return the concept an attribute's name means, or the name as it is compared."""
    reading = read(key.replace("_", " ").replace("-", " "))
    if reading.text.strip() in _OF_USE:
        return "compatible"
    if not _is_whole(reading):
        # A cable's length is no length of the product.
        return reading.text.strip()
    senses = sorted(reading.of(TOPICS, PROPERTIES), key=lambda s: (s.weak, -s.size, -s.last))
    # "dimensions" and "size" share their words; the merchant's own is the one meant.
    for sense in senses:
        if sense.name == key:
            return sense.name
    return senses[0].name if senses else reading.text.strip()


def _is_whole(reading: Reading) -> bool:
    """Say whether concepts explain every word of an attribute's name."""
    senses = reading.of(TOPICS, PROPERTIES)
    known = {at for sense in senses for at in range(sense.first, sense.last + 1)}
    return all(
        at in known or (not unit.is_han and unit.key in _PLAIN_WORDS)
        for at, unit in enumerate(reading.units)
    )


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
            return {own: _cased(written), other: _cased(called(sense.group, topic, other))}
    return {own: _cased(written), other: _cased(_renamed(written, other) or "")}


def _cased(label: str) -> str:
    """Return a name with its capitals: "R value", "USB port"; files are read without them."""
    return re.sub(
        r"(?<![a-z0-9'])[a-z][a-z-]*(?![a-z0-9'])",
        lambda word: word[0].upper() if _is_spelt(word[0]) else word[0],
        label,
    )


def _is_spelt(word: str) -> bool:
    return word in _ACRONYMS or (len(word) == 1 and word != "a")


def _renamed(label: str, language: Language) -> str | None:
    """Return an attribute's name in a language, word by word; None where one is not known."""
    names = _glossary("names", language)
    said: list[str] = []
    rest = label.lower()
    while rest:
        known = next((name for name in names if _begins(rest, name)), None)
        letters = re.match(r"[a-z](?![a-z])|[a-z]{2,4}(?![a-z])", rest)
        if known is None and not (letters and _is_spelt(letters[0])):
            return None
        word = known or (letters[0] if letters else "")
        said.append(names[word] if known else word.upper())
        rest = rest[len(word) :].lstrip()
    return ("" if language == "zh" else " ").join(said) or None


def _begins(text: str, word: str) -> bool:
    return text.startswith(word) and not (word.isascii() and text[len(word) :][:1].isalpha())


@cache
def _glossary(part: str, language: Language) -> dict[str, str]:
    """Return the words of a part of the glossary and what they are in a language, longest first."""
    pairs = [(en, zh) if language == "zh" else (zh, en) for en, zh in _DATA[part]]
    found: dict[str, str] = {}
    for word, meant in sorted(pairs, key=lambda pair: -len(pair[0])):
        found.setdefault(word, meant)
    return found


def polarity(value: str) -> bool | None:
    """Return whether a value is a mere yes or a mere no; None where it says more."""
    text = value.strip()
    return True if _YES.match(text) else False if _NO.match(text) else None


def items_of(value: str) -> list[str]:
    """Return the entries of a value that is a list: "black, white and red"."""
    return [item.strip() for item in _ITEMS.split(bare(value)) if item.strip()]


def translated(value: str, language: Language) -> str | None:
    """Return a value in a language if every entry of it is known: a colour, a quantity, a phrase.

    Figures without words stay as they are.
    """
    whole = _glossary("values", language).get(bare(value).lower()) or converted(value, language)
    if whole is not None:
        return whole
    parts = [_item(item, language) for item in items_of(value)]
    if not parts or None in parts:
        return None
    return listed([part for part in parts if part is not None], language)


def _item(item: str, language: Language) -> str | None:
    found = _only_sense(item)
    if found is not None:
        name = called(*found, language)
        return name.upper() if found[0] == SIZES and name.isascii() and len(name) <= 4 else name
    phrase = _glossary("values", language).get(item.lower()) or converted(item, language)
    return phrase or (item if _NEUTRAL.match(item) else None)


def _only_sense(item: str) -> tuple[str, str] | None:
    reading = read(item)
    for sense in reading.of(COLOURS, MATERIALS, SIZES):
        if sense.size == len(reading.units):
            return sense.group, sense.name
    return None


def spoken_list(value: str, language: Language) -> str:
    """Write a bare list, "S, M, L" or "red/blue", as it is spoken."""
    items = [item.strip() for item in re.split(r"\s*[,;/|、，；]\s*", bare(value)) if item.strip()]
    marks = set(re.findall(r"[,;/|，；、]", value))
    short = all(
        len(item.split()) <= _LONGEST_ITEM[0] and len(item) <= _LONGEST_ITEM[1] for item in items
    )
    said = re.search(r"\s(?:and|or|&)\s|[和与及(（]|\d[,/x×]\d", value)
    if len(items) < 2 or len(marks) != 1 or not short or said:
        return value
    return listed(items, language)
