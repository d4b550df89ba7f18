"""`Likeness`: which entry of a product a question is nearest to in meaning.

For where words do not tell: "how long is the cord" shares none with "cable length: 1.2 m".
"""

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from agents.clause import LANGUAGES, Language
from agents.meaning import Embedder
from agents.shop.asked import Asked
from agents.shop.owning import kinds_of
from agents.shop.sheet import Entry
from agents.words import sentences

# Texts whose embeddings are kept: 1.5 KB each.
_KEPT = 4096
# The best of the sentences from elsewhere that an entry must beat, on average.
_RIVALS = 2


@dataclass(frozen=True, slots=True)
class Nearness:
    """By how much (in cosine) an entry must be nearer to a question than all else.

    Attributes:
        apart: than sentences from elsewhere.
        lead: than the next entry.
        both: of the two together, at least.
        unasked: than sentences from elsewhere, where "is it" is asked and a quantity stated.
    """

    apart: float = 0.025
    lead: float = 0.012
    both: float = 0.05
    unasked: float = 0.08


class Likeness:
    """Embeddings of entries, kept by their words. Safe to use from several threads.

    Args:
        embedder: maps n texts to float32 [n, d], rows of length one; blocks.
    """

    def __init__(self, embedder: Embedder, nearness: Nearness | None = None) -> None:
        self._embedder = embedder
        self._nearness = nearness or Nearness()
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = Lock()

    def prepare(self) -> None:
        """Embed what every question is compared with; takes a second or two."""
        for language in LANGUAGES:
            _elsewhere(self._embedder, language)

    def nearest(
        self, question: Asked, entries: Sequence[Entry], language: Language
    ) -> Entry | None:
        """Return the entry a question is about; None where it is about none of them."""
        fitting = [entry for entry in entries if not _states_another_kind(entry, question)]
        if not fitting:
            return None
        vector = self._embedder([_beside_names(question)])[0]
        near = self._embedded([_said(entry, language) for entry in fitting]) @ vector
        order = np.argsort(-near)
        best = fitting[int(order[0])]
        others = [float(near[at]) for at in order[1:] if fitting[int(at)].topic != best.topic]
        rivals = np.sort(_elsewhere(self._embedder, language) @ vector)[-_RIVALS:]
        apart = float(near[order[0]] - rivals.mean())
        lead = float(near[order[0]]) - max(others, default=-1.0)
        limits = self._nearness
        if apart < limits.apart or lead < limits.lead or apart + lead < limits.both:
            return None
        asks_whether = question.matches("yes_no") and not question.kinds
        if asks_whether and kinds_of(best)[0] and apart < limits.unasked:
            return None
        return best

    def _embedded(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of texts, those of new ones made."""
        with self._lock:
            known = {text: self._vectors[text] for text in texts if text in self._vectors}
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known |= dict(zip(new, self._embedder(new), strict=True))
        with self._lock:
            for text in texts:
                self._vectors[text] = known[text]
                self._vectors.move_to_end(text)
            while len(self._vectors) > _KEPT:
                self._vectors.popitem(last=False)
        return np.stack([known[text] for text in texts])


@lru_cache(maxsize=8)
def _elsewhere(embedder: Embedder, language: Language) -> NDArray[np.float32]:
    """Return the embeddings of sentences about no goods; rooms share their embedder, and these."""
    return embedder(list(sentences(f"elsewhere_{language}")))


def _beside_names(question: Asked) -> str:
    """Return a question with "it" for a product: its name would be near to all told of it."""
    units, text = question.reading.units, question.reading.text
    named = sorted(question.named)
    if not named:
        return text
    start, end = units[named[0]].start, units[named[-1]].end
    if named[-1] - named[0] >= len(named) + 1:
        return text
    before = re.sub(r"\b(?:the|your|this|that|these|those|a|an)\s$", "", text[:start])
    return f"{before}{'这个' if units[named[0]].is_han else 'it'}{text[end:]}"


def _states_another_kind(entry: Entry, question: Asked) -> bool:
    """Say whether a question asks for one kind of quantity and an entry states another."""
    given, promised = kinds_of(entry)
    return bool(question.kinds and given and not question.kinds & (given | promised))


def _said(entry: Entry, language: Language) -> str:
    """Return what an entry is called and says, in a language as far as it is known in it."""
    value = entry.value.get(language) or next(iter(entry.value.values()))
    label = entry.label.get(language) or next(filter(None, entry.label.values()), "")
    return f"{label}: {value}" if label else value
