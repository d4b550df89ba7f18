"""What speaks for an entry of a merchant's own making: "filter life", "R value", a selling point.

Of such no concept is known. What they are called, what kind of quantity they state, and the words
they have in common with a question decide.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from agents.shop.asked import Asked
from agents.shop.attributes import WORDED
from agents.shop.labels import items_of
from agents.shop.lexicon import phrases, plain, read
from agents.shop.measures import kinds_given, kinds_named
from agents.shop.sheet import Entry

# Kinds of entry that a merchant wrote in words of their own.
WRITTEN = ("attribute", "point", "description")
# That a question holds the whole name of an attribute...
_NAMED = 2.7
# ...or words of it, some of which name the product as well: the filter of a filter bottle...
_WORD, _MOST_WORDS = 0.6, 1.2
# ...that it asks for the kind of quantity that is stated, or for another one.
_KIND, _OTHER_KIND, _NO_KIND, _ANOTHER = 0.75, -0.6, -1.4, -2.5
# ...and the very dimension asked for.
_DIMENSION = 1.6
# Kinds that no value states without a unit.
_TOLD_BY_UNIT = frozenset({"duration", "mass", "temperature", "light", "sound", "speed"})
# ...that one of the things listed is asked about...
_LISTED = 1.3
# ...that a quantity is stated for which it names a limit, or what the product itself has.
_WITHIN, _NO_LIMIT = 1.9, -2.0
# Asked whether something comes with a product, what comes with it is looked at first.
_INCLUDED = 2.4
_LEFT_OUT = re.compile(
    r"\bnot included\b|\bsold separately\b|\bnot supplied\b|不[含带配送附]|另购|另配|自备"
)
# Kinds that products have as a whole, and their parts each have of their own.
_MEASURES = frozenset({"length", "volume", "area", "mass"})
# Properties that "how long does it last" asks for whatever lasts.
_LASTING = frozenset({"duration", "battery", "shelf_life", "capacity", "speed", "dose"})
# Attributes that are a product's as a whole.
_OF_WHOLE = frozenset({"colour", "size", "dimensions", "material", "weight", "capacity"})
# What attributes are called that name a limit.
_LIMITS = re.compile(
    r"load|hold|capacity|max|limit|suit|fit|chest|head|waist|neck|foot|range|age|height|recommend"
    r"|weight range|适|承|载|限|最[大多高重]|范围|能|可|围|身高|年龄"
)
# What a Chinese name ends with that says which kind of quantity is stated, or that one is.
_CORE = re.compile(
    r"(?:时间|时长|周期|次数|数量|大小|尺寸|长度|高度|宽度|厚度|深度|直径|重量|等级|范围|温度|距离|寿命|要求|方式|间隔)$"
)
_SIZES = re.compile(r"(?:^|\s)sizes?$|(?:尺码|尺寸|号码|圈口)$", re.IGNORECASE)
# Dimensions by the words that ask for them, and for attributes named after them.
_DIMENSIONS = tuple(
    (re.compile(asked), re.compile(named))
    for asked, named in (
        (r"\bhow (?:tall|high)\b|\bheights?\b|多高|高度|几厘米高", r"height|tall|高"),
        (r"\bhow (?:wide|broad)\b|\bwidths?\b|多宽|宽度", r"width|wide|宽"),
        (r"\bhow (?:thick|thin)\b|\bthickness\b|多厚|厚度|厚不厚", r"thick|厚"),
        (r"\bhow deep\b|\bdepths?\b|多深|深度", r"depth|deep|深"),
        (r"\bhow long (?:is|are)\b|\blengths?\b|多长(?!时间)|长度", r"length|long|长度|线长"),
    )
)
# "How far does it go", "最高能调到多少": a range, or at least a figure, of that dimension answers.
_EXTREMES = tuple(
    (re.compile(asked), re.compile(named))
    for asked, named in (
        (
            r"\b(?:highest|lowest|tallest|how (?:high|low|tall))\b|最[高低矮](?!.{0,4}[温度])",
            r"\b(?:height|tall|high)|高",
        ),
        (r"\b(?:widest|how wide)\b|最[宽窄]", r"\b(?:width|wide)|宽"),
        (r"\b(?:longest|shortest|how long)\b|最[长短]", r"\b(?:length|long|reach)|长"),
        (r"\b(?:deepest|how deep)\b|最[深浅]", r"\b(?:depth|deep)|深"),
        (r"\bbrightest\b|最亮", r"lumen|lux|bright|流明|亮"),
        (r"\b(?:fastest|how fast)\b|最[快慢]", r"speed|rpm|km/h|速|转"),
        (
            r"\bthe most\b.{0,16}\b(?:hold|take|carry|bear|support)\b|最多能?[放装挂承坐载提]",
            r"load|capacity|承重|载重|容量",
        ),
        (r"\b(?:heaviest)\b|最重", r"\b(?:load|weight)|重"),
        (
            r"\b(?:hottest|coldest|how (?:hot|cold))\b|最[热冷]|最[高低].{0,4}[温度]",
            r"temp|°|degrees|温|度",
        ),
    )
)
_RANGES = re.compile(
    r"\d\D{0,4}(?:[-–—~～至到]|\bto\b)\s?\d|\b(?:up to|max\w*|at most|down to) ?\d"
    r"|最[多高大低长]\D{0,3}\d"
)
_IN_RANGE, _IN_DIMENSION, _NO_FIGURE = 0.8, 2.0, -1.5
# Characters that stand in names of most attributes.
_COMMON = frozenset("时间度值量力方式类型大小最数")


def own_evidence(entry: Entry, question: Asked, covered: frozenset[int]) -> float:
    """Return what an entry's name, and the kind of its value, say for it.

    Args:
        covered: units of the question that name the product.
    """
    total = _kinds(entry, question) + _limit(entry, question) + _extreme(entry, question)
    if entry.kind == "attribute":
        total += _named(entry, question, covered)
        total += _LISTED if _lists(entry, question, covered) else 0.0
    if entry.topic == "contents" and question.matches("included"):
        total += _INCLUDED if _mentions(entry, question) else 0.0
    elif question.matches("included") and _says_left_out(entry) and _mentions(entry, question):
        total += _INCLUDED
    return total


def only_of_kind(entries: Sequence[Entry], question: Asked) -> Entry | None:
    """Return the one attribute that states the kind of quantity asked for, if nothing else is.

    "How many?" of a puzzle, "多久浇一次水" of a plant.
    """
    if not question.kinds or question.properties - _LASTING:
        return None
    found = [
        entry
        for entry in entries
        if entry.kind == "attribute"
        and entry.topic not in WORDED
        and question.kinds & frozenset().union(*kinds_of(entry))
    ]
    if len(found) != 1 or (question.kinds & _MEASURES and _is_of_part(found[0])):
        return None
    rest = {question.reading.units[at].key for at in question.rest()}
    labels = [read(label) for label in found[0].label.values() if label]
    names = {unit.key for label in labels for unit in label.units}
    return found[0] if not rest or rest & names else None


def _kinds(entry: Entry, question: Asked) -> float:
    """Return what the kind of quantity asked for says: "how long" for one that lasts."""
    if not question.kinds:
        return 0.0
    given, promised = kinds_of(entry)
    counted = "count" in question.kinds and "number" in given
    if counted or question.kinds & given or question.kinds & promised:
        return _KIND + (_DIMENSION if _is_dimension_asked(entry, question) else 0.0)
    if given and not (entry.kind == "attribute" and question.kinds <= _TOLD_BY_UNIT):
        return _OTHER_KIND
    told = entry.kind == "attribute" and question.kinds <= _TOLD_BY_UNIT
    return (_ANOTHER if given else _NO_KIND) if told else 0.0


def _is_dimension_asked(entry: Entry, question: Asked) -> bool:
    """Say whether an attribute is named after the dimension asked for: "how tall", shaft height."""
    if entry.kind != "attribute":
        return False
    names = " ".join(entry.label.values()).lower()
    text = question.reading.text
    if question.parts and not shares_name(entry, question):
        return False
    return any(asked.search(text) and named.search(names) for asked, named in _DIMENSIONS)


def _lists(entry: Entry, question: Asked, covered: frozenset[int]) -> bool:
    """Say whether one of the things an attribute lists is asked about: "bass" of what it fits."""
    if entry.topic in _OF_WHOLE:
        return False
    units = question.reading.units
    text = " ".join(unit.key for at, unit in enumerate(units) if at not in covered)
    return any(f" {item} " in f" {text} " for item in _listed(entry))


@lru_cache(maxsize=8192)
def _listed(entry: Entry) -> frozenset[str]:
    """Return the entries of an attribute that is a list of names, as keys of units."""
    items = [item for value in entry.value.values() for item in items_of(value)]
    read_items = [read(item).units for item in items if not any(c.isdigit() for c in item)]
    return frozenset(" ".join(unit.key for unit in units) for units in read_items if units)


def _limit(entry: Entry, question: Asked) -> float:
    """Return what a quantity that is stated, "I weigh 90 kg", says for what names a limit of it."""
    if entry.kind != "attribute" or not question.stated & kinds_of(entry)[0]:
        return 0.0
    if any(_LIMITS.search(label) for label in entry.label.values()):
        return _WITHIN
    return _NO_LIMIT if entry.topic == "weight" else 0.0


def _extreme(entry: Entry, question: Asked) -> float:
    """Return what a figure says for an entry where the highest or the lowest is asked for."""
    if not question.asks_extreme:
        return 0.0
    told = " ".join((*entry.label.values(), *entry.value.values())).lower()
    if not any(char.isdigit() for char in told):
        return _NO_FIGURE
    text = question.reading.text
    named = any(asked.search(text) and of.search(told) for asked, of in _EXTREMES)
    ranged = any(_RANGES.search(value) for value in entry.value.values())
    ranged = ranged or any(_LIMITS.search(label.lower()) for label in entry.label.values())
    return _IN_RANGE * ranged + _IN_DIMENSION * (named and ranged)


def names_sizes(entry: Entry) -> bool:
    """Say whether an attribute lists the sizes there are: a size, a ring size."""
    if entry.topic == "size":
        return True
    if entry.kind != "attribute" or kinds_of(entry)[0] & _MEASURES:
        return False
    return any(_SIZES.search(label) for label in entry.label.values())


def names_part(entry: Entry, question: Asked, named: frozenset[int]) -> bool:
    """Say whether words that name another product call a part of this one: boots have insoles."""
    units = question.reading.units
    keys = {units[at].key for at in named if not units[at].is_han}
    text = "".join(units[at].text for at in sorted(named) if units[at].is_han)
    for label in filter(None, entry.label.values() if entry.kind == "attribute" else ()):
        own = {unit.key for unit in read(label).units}
        if (keys and keys <= own) or (len(text) > 1 and text in label):
            return True
    return False


def _is_of_part(entry: Entry) -> bool:
    """Say whether an attribute is named after a part: how big a fern grows is no pot size."""
    return any(_label_keys(label) for label in entry.label.values() if label)


@lru_cache(maxsize=8192)
def kinds_of(entry: Entry) -> tuple[frozenset[str], frozenset[str]]:
    """Return the kinds of quantity an entry states, and those its name promises."""
    given = frozenset().union(*(kinds_given(text) for text in entry.value.values()))
    promised = frozenset().union(*(kinds_named(text) for text in entry.label.values() if text))
    return given, promised


def _named(entry: Entry, question: Asked, covered: frozenset[int]) -> float:
    """Return what words of a question that call an attribute by its name say for it."""
    units = question.reading.units
    keys = {unit.key for at, unit in enumerate(units) if not unit.is_han}
    beside = {unit.key for at, unit in enumerate(units) if at not in covered}
    best = 0.0
    for label in filter(None, entry.label.values()):
        own = _label_keys(label)
        # Chinese names of concepts, "颜色", count as what is asked for, not once more as a name.
        words = own or frozenset("" if phrases(entry.topic, "zh") else label)
        if _stands_in(label, question.reading.text) and not words <= {
            units[at].key for at in covered
        }:
            return _NAMED + _WORD * (len(read(label).units) > 1)
        if _is_called(label, own, keys, beside, question):
            best = max(best, _NAMED + _WORD)
        shared = own & keys
        best = max(best, min(_MOST_WORDS, _WORD * len(shared)))
        best = max(best, _characters(label, beside))
    return best


def _is_called(
    label: str, own: frozenset[str], keys: set[str], beside: set[str], question: Asked
) -> bool:
    """Say whether an attribute is called by all that tells it apart: "engraving take how long".

    Of its name, "engraving time", the other words say which kind of quantity it states.
    """
    promised = kinds_named(label)
    core = _CORE.sub("", label) if not label.isascii() else ""
    whole = bool(own) and own <= keys and bool(own & beside)
    whole = whole or (len(core) > 1 and core in question.reading.text)
    others = frozenset(unit.key for unit in read(label).units) - own
    return whole and bool(promised & question.kinds or (others and others <= keys))


def shares_name(entry: Entry, question: Asked) -> bool:
    """Say whether a telling word of an attribute's name is in a question."""
    units = question.reading.units
    keys = {unit.key for unit in units}
    text = question.reading.text
    concepts = {"colour", "color"}
    for label in filter(None, entry.label.values()):
        if keys & _label_keys(label) - concepts:
            return True
        han = "".join(c for c in label if "\u3400" <= c <= "\u9fff" and c not in _COMMON)
        if any(
            han[at : at + 2] in text and han[at : at + 2] != "颜色" for at in range(len(han) - 1)
        ):
            return True
    return False


def is_of_another_part(entry: Entry, question: Asked) -> bool:
    """Say whether a part is asked about of which an entry says nothing: "the wick"."""
    parts = question.parts
    if not parts or entry.topic not in _OF_WHOLE:
        return False
    told = [read(text).text for text in (*entry.value.values(), *entry.label.values()) if text]
    return not any(part in text for part in parts for text in told)


def _characters(label: str, beside: set[str]) -> float:
    """Return what telling characters of a Chinese name that are there, apart, say for it."""
    own = {c for c in label if "\u3400" <= c <= "\u9fff"} - _COMMON
    shared = own & beside
    return _WORD if len(shared) > 1 and 2 * len(shared) >= len(own) else 0.0


def _says_left_out(entry: Entry) -> bool:
    """Say whether an entry tells of something that does not come with the product."""
    return any(_LEFT_OUT.search(text.lower()) for text in entry.value.values())


def _mentions(entry: Entry, question: Asked) -> bool:
    """Say whether a thing asked for stands in what comes with a product."""
    units = question.reading.units
    rest = [
        at for at in range(len(units)) if at not in question.neutral and at not in question.named
    ]
    words = {units[at].key for at in rest if not units[at].is_han}
    pairs = {units[at].text + units[at + 1].text for at in rest if at + 1 in rest}
    for text in entry.value.values():
        told = read(text)
        if words & {unit.key for unit in told.units} or any(pair in told.text for pair in pairs):
            return True
    return False


@lru_cache(maxsize=4096)
def _label_keys(label: str) -> frozenset[str]:
    """Return the telling words of an attribute's name."""
    return frozenset(
        unit.key for unit in read(label).units if not unit.is_han and unit.key not in _PROMISING
    )


def _stands_in(label: str, text: str) -> bool:
    name = plain(label)
    if len(name) < 2:
        return False
    if name.isascii():
        return re.search(rf"(?<![a-z0-9]){re.escape(name)}s?(?![a-z0-9])", text) is not None
    return name in text


# Words that say what kind of thing an attribute is, not which.
_PROMISING = frozenset(
    unit.key
    for unit in read(
        "life time duration length width height depth size weight value rating level range number"
        " type max min maximum minimum recommended total"
    ).units
)
