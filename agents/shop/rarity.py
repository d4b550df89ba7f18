"""What words say that stand, whole or within others, in few of a product's entries alone.

"Will it slip", "会滑倒吗" of a sole that is said not to slip: no word, no pair of characters is the
same, and yet nothing else of the product holds either.
"""

from collections.abc import Sequence
from functools import lru_cache

from agents.shop.asked import Asked
from agents.shop.features import PARTICLES
from agents.shop.lexicon import read
from agents.shop.sheet import Entry

# Entries that a telling word may stand in.
_MOST_ENTRIES = 2
# Evidence where all that is asked stands in one entry alone: in words, in single characters.
_WORDS, _CHARACTERS = 1.3, 0.9
# Letters of a word found within another, "sole" in "resoled", and that two begin with.
_WITHIN, _ROOT = 4, 5


def rare_evidence(
    entries: Sequence[Entry], question: Asked, covered: frozenset[int]
) -> dict[str, float]:
    """Return, by the ids of entries, what rare words of a question say for them.

    Args:
        covered: units of the question that name the product.
    """
    units = question.reading.units
    telling = [
        units[at]
        for at in question.rest()
        if at not in covered
        and (units[at].text not in PARTICLES if units[at].is_han else len(units[at].key) >= _WITHIN)
    ]
    if not telling:
        return {}
    found: dict[str, float] = {}
    for unit in telling:
        holding = [entry for entry in entries if _holds(entry, unit.key, is_han=unit.is_han)]
        if 0 < len(holding) <= _MOST_ENTRIES:
            share = (_CHARACTERS if unit.is_han else _WORDS) / len(holding) / len(telling)
            for entry in holding:
                found[entry.id] = found.get(entry.id, 0.0) + share
    return found


def _holds(entry: Entry, key: str, *, is_han: bool) -> bool:
    characters, words = _told(entry)
    if is_han:
        return key in characters
    root = key[:_ROOT] if len(key) >= _ROOT else key
    return any(word.startswith(root) or key in word for word in words)


@lru_cache(maxsize=8192)
def _told(entry: Entry) -> tuple[frozenset[str], frozenset[str]]:
    """Return the Chinese characters and the English words of an entry."""
    texts = [text for text in (*entry.value.values(), *entry.label.values()) if text]
    units = [unit for text in texts for unit in read(text).units]
    return (
        frozenset(unit.text for unit in units if unit.is_han),
        frozenset(unit.text for unit in units if not unit.is_han),
    )
