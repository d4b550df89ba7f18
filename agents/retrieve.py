"""Finds the facts a question asks for, by words and, where one is given, by meaning."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from agents.catalogue import Aspect, Catalogue, Fact
from agents.clause import LANGUAGES, Language
from agents.meaning import Embedder, Meaning
from agents.tokens import (
    COMMON_WORDS,
    Token,
    allowed_distance,
    distance,
    is_question,
    is_short,
    stem,
    tokenize,
)

__all__ = ["Embedder", "Hit", "Retriever", "Thresholds"]

# Where one question may end and the next begin.
_PARTS: dict[Language, re.Pattern[str]] = {
    "en": re.compile(r"[,.?!;]|\b(?:and|also|plus)\b", re.IGNORECASE),
    "zh": re.compile(r"[，。？！、；,.?!;]|还有|還有|以及|另外|然后"),
}

# A keyword phrase may have this many foreign words among its own.
_GAPS = 2
_ASPECT_SHARE = 0.75
_SOUND_SHARE = 0.85
# Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
_K1, _B = 1.2, 0.75
_BM25_SHARE = 0.25


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


@dataclass(frozen=True, slots=True)
class Hit:
    """A fact found: the aspect asked for, its score, the share of the utterance it explains."""

    fact: Fact
    aspect: Aspect
    score: float
    share: float


@dataclass(frozen=True, slots=True)
class _Phrase:
    keys: tuple[str, ...]
    exact: str
    weight: float


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
        self._indexes = {language: _Index(catalogue, language) for language in LANGUAGES}
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
        if fact is None:
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


class _Index:
    """The words of a catalogue in one language."""

    def __init__(self, catalogue: Catalogue, language: Language) -> None:
        self.facts = catalogue.facts
        self._language = language
        self._bags = [Counter(self._keys(_all_text(f, language))) for f in self.facts]
        self._mean_length = sum(b.total() for b in self._bags) / max(1, len(self._bags))
        self._spread = Counter(key for bag in self._bags for key in bag)
        self._phrases = {
            aspect.id: [p for text in aspect.keywords[language] if (p := self._phrase(text)).keys]
            for fact in self.facts
            for aspect in (fact.whole, *fact.aspects)
        }
        keyed = {k for phrases in self._phrases.values() for p in phrases for k in p.keys}
        self._vocabulary = keyed | set(self._spread)
        self._by_letter: dict[str, list[str]] = {}
        for key in sorted(self._vocabulary):
            self._by_letter.setdefault(key[0], []).append(key)

    def search(self, question: str) -> list[Hit]:
        """Return every fact with any evidence, best first."""
        tokens = self._mend(tokenize(question, self._language))
        total = sum(self._weight(t.key) for t in tokens if not t.stop)
        hits = [
            self._score(fact, bag, tokens, total)
            for fact, bag in zip(self.facts, self._bags, strict=True)
        ]
        return sorted((h for h in hits if h.score > 0), key=lambda h: -h.score)

    def aspect(self, fact: Fact, question: str) -> Aspect:
        """Return the side of a fact a question asks for."""
        tokens = self._mend(tokenize(question, self._language))
        scored = [(sum(self._cover(a, tokens).values()), a) for a in fact.aspects]
        score, best = max(scored, key=lambda s: s[0], default=(0.0, fact.whole))
        return best if score >= 0.5 else fact.whole

    def _score(self, fact: Fact, bag: Counter[str], tokens: Sequence[Token], total: float) -> Hit:
        covered = self._cover(fact.whole, tokens)
        best, best_score = fact.whole, 0.0
        for aspect in fact.aspects:
            part = self._cover(aspect, tokens)
            if sum(part.values()) > best_score:
                best, best_score = aspect, sum(part.values())
            for place, weight in part.items():
                covered[place] = max(covered.get(place, 0.0), weight * _ASPECT_SHARE)
        score = sum(covered.values())
        # A Chinese character that is mostly a particle counts where it is part of a keyword.
        counts = [at for at in covered if self._language == "zh" or not tokens[at].stop]
        share = sum(self._weight(tokens[at].key) for at in counts)
        total += sum(self._weight(tokens[at].key) for at in counts if tokens[at].stop)
        if score:
            score += _BM25_SHARE * self._bm25(bag, tokens)
        aspect = best if best_score >= 0.5 else fact.whole
        return Hit(fact, aspect, score, share / total if total else float(score > 0))

    def _cover(self, aspect: Aspect, tokens: Sequence[Token]) -> dict[int, float]:
        """Return the evidence per token that the keywords of an aspect explain."""
        covered: dict[int, float] = {}
        for phrase in self._phrases[aspect.id]:
            places = _find(phrase, tokens)
            if not places:
                continue
            exact = all(tokens[at].exact in phrase.exact for at in places)
            share = 1.0 if exact or self._language == "en" else _SOUND_SHARE
            # Longer phrases are stronger evidence than the same words alone.
            share *= 1.0 + 0.25 * (len(places) - 1)
            for at in places:
                weight = share * phrase.weight / len(places)
                covered[at] = max(covered.get(at, 0.0), weight)
        return covered

    def _phrase(self, text: str) -> _Phrase:
        tokens = tokenize(text, self._language)
        weights = [0.15 if t.stop else self._weight(t.key) for t in tokens]
        if self._language == "zh":
            # A syllable alone says little, so a phrase weighs by what it is, not by its length.
            return _Phrase(tuple(t.key for t in tokens), text, min(2.0, 0.55 * len(tokens)))
        if len(tokens) > 1 and all(t.stop for t in tokens):
            # "where are you" asks by its very form.
            return _Phrase(tuple(t.key for t in tokens), text, 1.0)
        return _Phrase(tuple(t.key for t in tokens), text, sum(weights))

    def _weight(self, key: str) -> float:
        """Return the share of facts that lack a word, 0.3 to 1; unknown words weigh 0.8."""
        if self._language == "zh":
            return 0.5
        count = self._spread.get(key, 0)
        return 0.8 if not count else max(0.3, 1.0 - (count - 1) / len(self.facts))

    def _bm25(self, bag: Counter[str], tokens: Sequence[Token]) -> float:
        score = 0.0
        length = _K1 * (1 - _B + _B * bag.total() / self._mean_length)
        for key in {t.key for t in tokens if not t.stop}:
            if key in bag:
                rarity = math.log(
                    1 + (len(self.facts) - self._spread[key] + 0.5) / (self._spread[key] + 0.5)
                )
                score += rarity * bag[key] * (_K1 + 1) / (bag[key] + length)
        return score

    def _keys(self, text: str) -> list[str]:
        return [t.key for t in tokenize(text, self._language) if not t.stop]

    def _mend(self, tokens: list[Token]) -> list[Token]:
        """Replace misheard English words by the words of the catalogue they resemble."""
        if self._language == "zh":
            return tokens
        mended: list[Token] = []
        at = 0
        while at < len(tokens):
            token = tokens[at]
            pair = self._joined(tokens, at)
            if pair:
                mended.append(pair)
                at += 2
                continue
            mended.extend(self._guess(token))
            at += 1
        return mended

    def _joined(self, tokens: Sequence[Token], at: int) -> Token | None:
        """Return a word that was heard as two, "deliver e" or "glue ten"."""
        if at + 1 >= len(tokens):
            return None
        left, right = tokens[at], tokens[at + 1]
        if left.key in self._vocabulary and right.key in self._vocabulary:
            return None
        whole = left.exact + right.exact
        if len(whole) < 6 or (left.stop and right.stop):
            return None
        near = [
            key
            for key in self._by_letter.get(whole[0], ())
            if len(key) > 4 and abs(len(key) - len(whole)) <= 1 and distance(whole, key) <= 1
        ]
        return Token(near[0], near[0], False) if near else None

    def _guess(self, token: Token) -> list[Token]:
        if token.stop or token.key in self._vocabulary or token.exact in COMMON_WORDS:
            return [token]
        for at in range(4, len(token.exact) - 2):
            left, right = token.exact[:at], token.exact[at:]
            if stem(left) in self._vocabulary and stem(right) in self._vocabulary:
                return tokenize(f"{left} {right}", "en")
        allowed = allowed_distance(token.key)
        near = [
            (distance(token.key, key), key)
            for key in self._by_letter.get(token.key[0], ())
            if abs(len(key) - len(token.key)) <= allowed
        ]
        best = min(near, default=(99, ""))
        return [Token(best[1], best[1], False)] if best[0] <= allowed else [token]


def _find(phrase: _Phrase, tokens: Sequence[Token]) -> list[int]:
    """Return where the words of a phrase stand, in order and near each other; else nothing."""
    keys = phrase.keys
    for start, token in enumerate(tokens):
        if token.key != keys[0]:
            continue
        places = [start]
        for key in keys[1:]:
            window = range(places[-1] + 1, min(places[-1] + 2 + _GAPS, len(tokens)))
            found = next((at for at in window if tokens[at].key == key), None)
            if found is None:
                break
            places.append(found)
        if len(places) == len(keys):
            return places
    return []


def _all_text(fact: Fact, language: Language) -> str:
    words = [word for a in (fact.whole, *fact.aspects) for word in a.keywords[language]]
    return " ".join([*words, *fact.sentences(language), fact.topic[language]])
