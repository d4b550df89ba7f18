"""`Likeness`: which entry of a product a question is nearest to in meaning.

For where words do not tell: "how long is the cord" shares none with "cable length: 1.2 m".
"""

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from agents.clause import LANGUAGES, Language
from agents.meaning import Embedder
from agents.shop.asked import Asked
from agents.shop.labels import polarity
from agents.shop.lexicon import phrases
from agents.shop.owning import kinds_of
from agents.shop.sheet import Entry
from agents.words import sentences

# Texts whose embeddings are kept: 1.5 KB each.
_KEPT = 16384
# The best of the sentences from elsewhere that an entry must beat, on average.
_RIVALS = 2
# Ways to ask for a concept that are embedded together.
_PHRASES = 6
# Characters of a short value.
_SHORT = 60


@dataclass(frozen=True, slots=True)
class Nearness:
    """How sure it is that an entry is meant. Weights fitted to questions with known answers.

    Attributes:
        weight: evidence of words, see `agents.shop.ranking`, that one of cosine is worth.
        most: evidence of words that counts, at most.
        apart: what a cosine above that of sentences from elsewhere adds to the sureness.
        lead, widest: what evidence above that of the next entry adds, and how much counts.
        words: what the evidence of words adds.
        least: sureness an answer needs.
        unasked: sureness more, where "is it" is asked and a quantity stated.
        missed, touched: sureness less, where a property is asked for that words with less evidence
            than this do not touch.
        for_all: sureness less for what holds for all goods: words find that as a rule.
        tie: entries by less evidence apart are both told.
    """

    weight: float = 60.0
    most: float = 4.0
    apart: float = 57.0
    lead: float = 0.53
    widest: float = 3.0
    words: float = 0.83
    least: float = 2.1
    unasked: float = 0.8
    missed: float = 0.7
    touched: float = 1.4
    for_all: float = 0.9
    tie: float = 0.3


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

    def keep(self, entries: Sequence[Entry], language: Language) -> None:
        """Embed entries before they are asked for."""
        if texts := [text for entry in entries for text in _views(entry, language)]:
            self._embedded(texts)

    def nearest(
        self,
        question: Asked,
        entries: Sequence[Entry],
        evidence: Mapping[str, float],
        language: Language,
    ) -> list[Entry]:
        """Return the entry a question is about, two where both may be; none where it is of none.

        Args:
            evidence: what words say for entries, by their ids; 0 for those that are not there.
        """
        fitting = [entry for entry in entries if _may_answer(entry, question)]
        if not fitting:
            return []
        limits = self._nearness
        vector = self._embedded([_beside_names(question)])[0]
        near, nearest = self._similar(vector, fitting, language)
        words = np.array([min(limits.most, evidence.get(entry.id, 0.0)) for entry in fitting])
        meant = words + limits.weight * (near - near.mean())
        first, *others = (int(at) for at in np.argsort(-meant))
        best = fitting[first]
        # Two that say the same, a point and a sentence of the description, are no rivals.
        rival = next((at for at in others if fitting[at].topic != best.topic), None)
        lead = float(meant[first]) - (float(meant[rival]) if rival is not None else 0.0)
        elsewhere = np.sort(_elsewhere(self._embedder, language) @ vector)[-_RIVALS:].mean()
        sure = limits.apart * float(nearest[first] - elsewhere)
        sure += limits.lead * min(lead, limits.widest) + limits.words * float(words[first])
        if question.properties and words[first] < limits.touched:
            sure -= limits.missed
        if best.kind == "policy":
            sure -= limits.for_all
        if words[first] < 1.0 and any(polarity(text) is not None for text in best.value.values()):
            # "Yes, it has a lid" says nothing of what only seems alike.
            sure -= limits.for_all
        asks_whether = question.matches("yes_no") and not question.kinds
        unasked = asks_whether and not words[first] and kinds_of(best)[0]
        if sure < limits.least + (limits.unasked if unasked else 0.0):
            return []
        if rival is not None and lead < limits.tie and _are_short(best, fitting[rival]):
            return [best, fitting[rival]]
        return [best]

    def _similar(
        self, vector: NDArray[np.float32], entries: Sequence[Entry], language: Language
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return how near each entry is by the mean of its views, and by the nearest of them."""
        views = [_views(entry, language) for entry in entries]
        all_near = self._embedded([text for texts in views for text in texts]) @ vector
        ends = np.cumsum([len(texts) for texts in views])[:-1]
        parts = np.split(all_near, ends)
        means = np.array([part.mean() for part in parts], np.float32)
        return means, np.array([part.max() for part in parts], np.float32)

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


def _are_short(*entries: Entry) -> bool:
    """Say whether entries are soon told, and may be told together."""
    return all(
        entry.kind != "policy" and max(map(len, entry.value.values())) <= _SHORT
        for entry in entries
    )


def _may_answer(entry: Entry, question: Asked) -> bool:
    """Say whether an entry states the kind of quantity asked for, or none.

    What holds for all goods answers no question about a property of one.
    """
    if entry.kind == "policy" and question.properties:
        return False
    given, promised = kinds_of(entry)
    wanted = question.kinds | ({"duration"} if "frequency" in question.kinds else frozenset())
    return not (wanted and given) or bool(wanted & (given | promised))


@lru_cache(maxsize=_KEPT)
def _views(entry: Entry, language: Language) -> tuple[str, ...]:
    """Return the ways a question may come near to an entry, in a language as far as known in it.

    What it is called and says; what it says; how such is asked for; what it was asked in advance.
    """
    value = entry.value.get(language) or next(iter(entry.value.values()))
    label = entry.label.get(language) or next(filter(None, entry.label.values()), "")
    asked_for = (
        "" if entry.topic == "points" else " ".join(phrases(entry.topic, language)[:_PHRASES])
    )
    question = entry.question.get(language, "")
    said = f"{label}: {value}" if label else value
    return tuple(dict.fromkeys(filter(None, (said, value, asked_for, question))))
