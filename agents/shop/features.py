"""What a text is about: its concepts, its telling words, pairs of its characters."""

from functools import lru_cache
from itertools import pairwise

from agents.shop.data import shop_data
from agents.shop.lexicon import Reading, Unit
from agents.tokens import STOP_WORDS, stem

_DATA = shop_data("questions")
_NEUTRAL_EN = frozenset(stem(word) for word in _DATA["neutral_en"].split()) | {
    stem(word) for word in STOP_WORDS
}
_NEUTRAL_ZH = sorted(_DATA["neutral_zh"].split("|"), key=len, reverse=True)
# Single characters that are never part of a telling word.
PARTICLES = frozenset(
    "的了吗呢吧啊呀哦嘛么是有没不也都就还很太这那哪我你他她它和跟与在要想能会好可以给对"
)


@lru_cache(maxsize=8192)
def neutral_units(reading: Reading) -> frozenset[int]:
    """Return the units that name nothing: particles, courtesies, those who are addressed."""
    units = reading.units
    found = {at for at, unit in enumerate(units) if not unit.is_han and unit.key in _NEUTRAL_EN}
    text = "".join(unit.text if unit.is_han else "\0" for unit in units)
    at = 0
    while at < len(text):
        word = next((w for w in _NEUTRAL_ZH if text.startswith(w, at)), "")
        found.update(range(at, at + len(word)))
        at += max(1, len(word))
    return frozenset(found)


def features(reading: Reading) -> frozenset[str]:
    """Return what a text is about: its concepts, its telling words, pairs of its characters."""
    concepts = {f"{s.group}.{s.name}" for s in reading.senses}
    # In which words a concept is asked for tells more than which it is.
    concepts |= {
        f"{s.group}.{s.name}={''.join(u.key for u in reading.units[s.first : s.last + 1])}"
        for s in reading.senses
        if not s.weak
    }
    known = {at for s in reading.senses for at in range(s.first, s.last + 1)}
    neutral = neutral_units(reading)
    units = reading.units
    words = {
        unit.key
        for at, unit in enumerate(units)
        if not unit.is_han and at not in known and at not in neutral and len(unit.key) > 1
    }
    pairs = {
        left.text + right.text
        for at, (left, right) in enumerate(pairwise(units))
        if _pairs(left, right)
        and not (at in neutral and left.text in PARTICLES)
        and not (at + 1 in neutral and right.text in PARTICLES)
        and not {at, at + 1} <= neutral
        and not (at in known or at + 1 in known)
    }
    return frozenset(concepts | words | pairs)


def characters(reading: Reading) -> frozenset[str]:
    """Return the Chinese characters of a text that tell something."""
    neutral = neutral_units(reading)
    return frozenset(
        unit.text
        for at, unit in enumerate(reading.units)
        if unit.is_han and at not in neutral and unit.text not in PARTICLES
    )


def _pairs(left: Unit, right: Unit) -> bool:
    return left.is_han and right.is_han and left.end == right.start
