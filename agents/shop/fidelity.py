"""Whether a model's sentence says what it was told of goods, and nothing that a viewer put in."""

import re
from collections.abc import Sequence
from itertools import pairwise

from agents.catalogue import Fact
from agents.clause import LANGUAGES
from agents.shop.asked import asked
from agents.shop.lexicon import Reading, read

# The share of a sentence's telling words that may be the model's own.
_OWN = 0.25
_NEGATED = re.compile(r"\b(?:not|no|never|none|without|cannot|neither)\b|n't\b|不|没|无|非|未|否")


class Fidelity:
    """Compares sentences with the facts they are to word.

    Args:
        facts: what the model was given.
        told: the sentences it was given of them; what they deny stays denied.
        question: what the viewer said; words that come from there alone are theirs.
    """

    def __init__(self, facts: Sequence[Fact], told: Sequence[str], question: str) -> None:
        texts = [*told, *(t for fact in facts for lang in LANGUAGES for t in fact.sentences(lang))]
        texts += [name for fact in facts for name in fact.topic.values()]
        self._known = frozenset(key for text in texts for key in _keys(read(text)))
        self._theirs = frozenset(_keys(read(question))) - self._known
        self._denies = any(_NEGATED.search(text.lower()) for text in told)

    def is_foreign(self, sentence: str) -> bool:
        """Say whether a sentence says something else than the facts."""
        reading = read(sentence)
        telling = _telling(reading)
        unknown = [key for key in telling if key not in self._known]
        if any(key in self._theirs for key in unknown):
            return True
        if not telling or len(unknown) > _OWN * len(telling):
            return True
        return self._denies != bool(_NEGATED.search(reading.text))


def _keys(reading: Reading) -> list[str]:
    """Return every word, and every pair of Chinese characters, of a text."""
    units = reading.units
    words = [unit.key for unit in units if not unit.is_han]
    pairs = [
        left.text + right.text
        for left, right in pairwise(units)
        if left.is_han and right.is_han and left.end == right.start
    ]
    return [*words, *pairs, *(unit.text for unit in units if unit.is_han)]


def _telling(reading: Reading) -> list[str]:
    """Return the words and characters of a text that are no courtesy."""
    neutral = asked(reading.text).neutral
    return [unit.key for at, unit in enumerate(reading.units) if at not in neutral]
