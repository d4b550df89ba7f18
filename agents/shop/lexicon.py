"""What words of shopping mean, in English and Mandarin alike: topics, properties, colours, goods.

"How heavy", "weighs" and "多重" are one concept, so that what a merchant wrote in one language
answers what a viewer asks in the other.
"""

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from agents.clause import LANGUAGES, Language
from agents.tokens import simplified, stem

_DATA = json.loads((resources.files("agents") / "data" / "retail.json").read_text("utf-8"))

# What concepts there are: what is asked; what things may be like; values; what things are called.
TOPICS, PROPERTIES, COLOURS, MATERIALS, SIZES, GOODS = (
    "topics", "concepts", "colours", "materials", "sizes", "goods",
)  # fmt: skip
_GROUPS = (TOPICS, PROPERTIES, COLOURS, MATERIALS, SIZES, GOODS)

_UNIT = re.compile(r"\$+|[a-z0-9]+(?:[.'][a-z0-9]+)*|[\u3400-\u9fff]")
_CONTRACTED = re.compile(r"\b(what|where|when|who|how|which|that|there|it|here)'?s\b")
_HOWS = re.compile(r"\bhow'?s(?=\s(?:much|many|long)\b)")
_NEGATED = re.compile(r"\b(do|does|is|are|can|will|would|should|did|was|has|have)n'?t\b")
_USB_C = re.compile(r"(?<![a-z0-9])(?:usb[\s-]?)?type[\s-]?c(?![a-z0-9])")
_HAN = re.compile(r"[\u3400-\u9fff]")
_GAP = "*"
# Beside a Chinese word of one character stand others that belong to no longer word.
_BEFORE = frozenset("这那此个款的有买卖只双条件把张本台支瓶是要和跟与或吗呢，,。 没色带用哪件种么")
_AFTER = frozenset(
    "这那有吗呢么是的能可怎多什啥要还在价卖贵，,。？?! 和跟与或款几好没会我你了呀啊多色怎哪谁"
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A word or a Chinese character of a text: as compared, as written, and where it stands."""

    key: str
    text: str
    start: int
    end: int

    @property
    def is_han(self) -> bool:
        """Whether it is a Chinese character."""
        return len(self.text) == 1 and "\u3400" <= self.text <= "\u9fff"


@dataclass(frozen=True, slots=True)
class Sense:
    """A concept named in a text.

    Attributes:
        group, name: which concept it is.
        first, last: its units, last one included.
        weak: whether it only hints at it, as "how much" at a price.
    """

    group: str
    name: str
    first: int
    last: int
    weak: bool = False

    @property
    def size(self) -> int:
        """How many units it takes."""
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as the shop understands it."""

    text: str
    units: tuple[Unit, ...]
    senses: tuple[Sense, ...]

    def names(self, *groups: str) -> frozenset[str]:
        """Return the concepts of some groups that are named."""
        return frozenset(sense.name for sense in self.senses if sense.group in groups)

    def of(self, *groups: str) -> list[Sense]:
        """Return the senses of some groups, in order."""
        return [sense for sense in self.senses if sense.group in groups]


def plain(text: str) -> str:
    """Return a text in lower case, Simplified, with one form of every width and contraction."""
    lower = unicodedata.normalize("NFKC", text).lower().replace("’", "'")
    lower = _HOWS.sub("how", lower)
    lower = _CONTRACTED.sub(r"\1 is", lower)
    lower = _NEGATED.sub(r"\1 not", lower)
    lower = _USB_C.sub("usb-c", lower)
    return simplified(lower) if _HAN.search(lower) else lower


@lru_cache(maxsize=8192)
def read(text: str) -> Reading:
    """Return the units of a text and the concepts it names, longest phrases before their parts."""
    lower = plain(text)
    units = units_of(lower)
    found = [
        Sense(group, name, at, at + size - 1, weak)
        for at in range(len(units))
        for group, name, size, weak in _phrases_at(units, at)
    ]
    kept = tuple(sense for sense in found if not _is_within(sense, found))
    return Reading(lower, units, kept)


def units_of(lower: str) -> tuple[Unit, ...]:
    """Return the words and characters of a text made `plain`."""
    return tuple(
        Unit(_key(match.group()), match.group(), match.start(), match.end())
        for match in _UNIT.finditer(lower)
    )


def called(group: str, name: str, language: Language) -> str:
    """Return what a concept is called in a language, its first phrase."""
    return str(_DATA[group][name][language].split("|")[0]).removesuffix("~")


@cache
def phrases(name: str, language: Language) -> tuple[str, ...]:
    """Return the ways to ask for a topic or a property in a language; none where it is neither."""
    group = next((group for group in (TOPICS, PROPERTIES) if name in _DATA[group]), None)
    if group is None:
        return ()
    return tuple(text.removesuffix("~") for text in _DATA[group][name][language].split("|"))


def concepts(group: str) -> tuple[str, ...]:
    """Return the names of a group's concepts."""
    return tuple(_DATA[group])


def _key(word: str) -> str:
    return word if word.startswith("$") else stem(word.removesuffix("'s"))


def _phrases_at(units: tuple[Unit, ...], at: int) -> Iterator[tuple[str, str, int, bool]]:
    for keys, group, name, weak in _phrases().get(units[at].key, ()):
        size = _length(units, at, keys)
        if not size:
            continue
        if size == 1 and units[at].is_han and not _stands_alone(units, at):
            continue
        yield group, name, size, weak


def _length(units: tuple[Unit, ...], at: int, keys: tuple[str, ...]) -> int:
    """Return how many units a phrase takes here, 0 where it does not stand here.

    "*" stands for one unit or two: "keep * hot" is "keep it hot" and "keep your tea hot".
    """
    if _GAP not in keys:
        size = len(keys)
        return size if tuple(unit.key for unit in units[at : at + size]) == keys else 0
    gap = keys.index(_GAP)
    before, after = keys[:gap], keys[gap + 1 :]
    for width in (1, 2):
        size = gap + width + len(after)
        found = [unit.key for unit in units[at : at + size]]
        if tuple(found[:gap]) == before and tuple(found[gap + width :]) == after:
            return size
    return 0


def _stands_alone(units: tuple[Unit, ...], at: int) -> bool:
    before = units[at - 1] if at and units[at - 1].end == units[at].start else None
    after = units[at + 1] if at + 1 < len(units) else None
    if after is not None and after.start != units[at].end:
        after = None
    return (before is None or not before.is_han or before.text in _BEFORE) and (
        after is None or not after.is_han or after.text in _AFTER
    )


def _is_within(sense: Sense, others: list[Sense]) -> bool:
    """Say whether a longer phrase holds this one: "free shipping" is more than "shipping"."""
    return any(
        other.first <= sense.first and sense.last <= other.last and other.size > sense.size
        for other in others
    )


def _keys(text: str) -> list[str]:
    return [unit.key for unit in units_of(plain(text))]


@cache
def single_words() -> frozenset[str]:
    """Return the keys of all English phrases of one word: what a slip of the pen may mean."""
    return frozenset(
        first
        for first, entries in _phrases().items()
        if first.isascii()
        and len(first) > 3
        # A name, "Cooper", is no slip for a colour or what a thing is made of.
        and any(len(keys) == 1 and group in (TOPICS, PROPERTIES) for keys, group, *_ in entries)
    )


@cache
def written_words() -> frozenset[str]:
    """Return English phrases of one word that ask for something, as they are written."""
    return frozenset(
        word
        for group in (TOPICS, PROPERTIES)
        for entry in _DATA[group].values()
        for word in (text.removesuffix("~") for text in entry["en"].split("|"))
        if word.isalpha()
    )


@cache
def _phrases() -> dict[str, list[tuple[tuple[str, ...], str, str, bool]]]:
    """Return the phrases of all concepts by their first unit."""
    found: dict[str, list[tuple[tuple[str, ...], str, str, bool]]] = {}
    for group in _GROUPS:
        for name, entry in _DATA[group].items():
            for language in LANGUAGES:
                for phrase in entry[language].split("|"):
                    weak = phrase.endswith("~")
                    keys = tuple(
                        key
                        for part in re.split(r"(\*)", phrase.removesuffix("~"))
                        for key in ([_GAP] if part == _GAP else _keys(part))
                    )
                    if keys:
                        found.setdefault(keys[0], []).append((keys, group, name, weak))
    return found
