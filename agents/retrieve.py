"""Finds the facts a question asks for, by words and, where one is given, by meaning."""

import re
from dataclasses import dataclass

from agents.catalogue import Catalogue, Fact
from agents.clause import LANGUAGES, Language
from agents.index import Hit, Index
from agents.meaning import Embedder, Meaning
from agents.shop.lexicon import GOODS, read
from agents.tokens import is_question, is_short

__all__ = ["Embedder", "Hit", "Retriever", "Thresholds"]

# Where one question may end and the next begin.
_PARTS: dict[Language, re.Pattern[str]] = {
    "en": re.compile(r"[,.?!;]|\b(?:and|also|plus|with)\b", re.IGNORECASE),
    "zh": re.compile(r"[，。？！、；,.?!;]|还有|還有|以及|另外|然后"),
}


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What counts as found.

    Attributes:
        score: least evidence, in units of the weight of one telling word.
        question, statement: least share of an utterance's telling words that the fact explains.
    """

    score: float = 0.9
    question: float = 0.26
    statement: float = 0.6


class Retriever:
    """Hybrid search over a catalogue.

    Keyword phrases and BM25 over the texts decide where they are sure; otherwise the embedder,
    if there is one, may. Tolerates the slips of speech recognition: in English misspelt, split
    and joined words, in Chinese every homophone, tones and neighbouring sounds apart.

    Args:
        embedder: maps n texts to float32 [n, d], rows of length one; a model that tells queries
            from passages should embed all as queries. Called with some seventy texts here, for a
            second or two, and with one a question that words do not decide.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        embedder: Embedder | None = None,
        thresholds: Thresholds | None = None,
    ) -> None:
        self._thresholds = thresholds or Thresholds()
        self._indexes = {language: Index(catalogue, language) for language in LANGUAGES}
        self._meaning = (
            {language: Meaning(catalogue, language, embedder) for language in LANGUAGES}
            if embedder
            else {}
        )

    @property
    def uses_embedder(self) -> bool:
        """Whether a question may cost an embedding, some 20 ms of one core."""
        return bool(self._meaning)

    def search(self, question: str, language: Language) -> list[Hit]:
        """Return the facts found, best first; empty when nothing is sure enough."""
        asks = is_question(question, language) or is_short(question, language)
        sure = self._by_words(question, language, asks)
        if sure or not self._meaning or not is_question(question, language):
            return sure
        fact = self._meaning[language].nearest(question)
        if fact is None or _names_other_goods(question, fact):
            return []
        return [Hit(fact, self._indexes[language].aspect(fact, question), 0.0, 0.0)]

    def plan(self, question: str, language: Language, most: int = 2) -> list[Hit]:
        """Return what to answer, in the order asked: one fact a question, at most `most`."""
        parts = [part for part in _PARTS[language].split(question) if part.strip()]
        asks = is_question(question, language)
        found: dict[str, Hit] = {}
        for part in parts if len(parts) > 1 else ():
            for hit in self._by_words(part, language, asks)[:1]:
                found.setdefault(hit.fact.id, hit)
        if len(found) > 1:
            return list(found.values())[:most]
        return self.search(question, language)[:1]

    def _by_words(self, question: str, language: Language, asks: bool) -> list[Hit]:
        limits = self._thresholds
        least = limits.question if asks else limits.statement
        hits = self._indexes[language].search(question)
        return [hit for hit in hits if hit.score >= limits.score and hit.share >= least]


def _names_other_goods(question: str, fact: Fact) -> bool:
    """Say whether a thing is named that a fact is not about: tea, where it tells of pizzas.

    In meaning "what does tea cost" is near to any price.
    """
    asked = read(question).names(GOODS)
    if not asked:
        return False
    aspects = (fact.whole, *fact.aspects)
    known = [word for a in aspects for language in LANGUAGES for word in a.keywords[language]]
    known += [text for language in LANGUAGES for text in fact.sentences(language)]
    return asked.isdisjoint(name for text in known for name in read(text).names(GOODS))
