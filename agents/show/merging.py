"""Which questions are the same: in words, in what they ask of what, or nearly in words."""

import re
from collections.abc import Iterable
from typing import Final

from agents.rundown.said import normalised
from agents.show.waiting import ASKING, Entry

_ALIKE: Final = 0.85  # share of letter pairs two questions have in common
_SHORTEST: Final = 6  # characters below which only the same words are the same question
_LOOKED_AT: Final = 120  # newest entries compared by their letters


def same_question(wanted: Entry, entries: Iterable[Entry]) -> Entry | None:
    """Return an entry that asks the same as `wanted` in the same language, None where none does."""
    text = normalised(wanted.text)
    rivals = [one for one in entries if one.kind in ASKING and one.language == wanted.language]
    for one in rivals:
        if wanted.asked is not None and one.asked == wanted.asked:
            return one
        if text and normalised(one.text) == text:
            return one
    return _alike(wanted, text, rivals[-_LOOKED_AT:])


def similarity(left: str, right: str) -> float:
    """Return how alike two texts are, 0 to 1: the Dice coefficient of their pairs of letters."""
    first, second = _pairs(left), _pairs(right)
    if not first or not second:
        return float(left == right)
    return 2.0 * len(first & second) / (len(first) + len(second))


def _alike(wanted: Entry, text: str, rivals: list[Entry]) -> Entry | None:
    if len(text) < _SHORTEST:
        return None
    for one in rivals:
        # Where both are known to ask for something, they ask for different things.
        known = wanted.asked is not None and one.asked is not None
        other = normalised(one.text)
        # "Size 38" is not "size 39", alike as they look.
        if not known and _figures(text) == _figures(other) and similarity(text, other) >= _ALIKE:
            return one
    return None


def _pairs(text: str) -> frozenset[str]:
    return frozenset(text[n : n + 2] for n in range(len(text) - 1))


def _figures(text: str) -> list[str]:
    return re.findall(r"\d+", text)
