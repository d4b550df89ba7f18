"""The words of a catalogue in one language, and the evidence they give for each fact."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.asking import is_neutral, kinds_answered, kinds_asked, only_asks, telling
from agents.catalogue import Aspect, Catalogue, Fact
from agents.clause import Language
from agents.mending import Mender
from agents.tokens import Token, same_sound, tokenize

# A keyword phrase may have this many foreign words among its own.
_GAPS = 2
_ASPECT_SHARE = 0.75
# The evidence that a side of a fact needs.
_ASPECT_LEAST = 0.5
_SOUND_SHARE = 0.85
# Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
_K1, _B = 1.2, 0.75
_BM25_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Hit:
    """A fact found: the aspect asked for, its score, the share of the utterance it explains."""

    fact: Fact
    aspect: Aspect
    score: float
    share: float


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A keyword. `asks`: whether it only says what kind of thing is wanted, as "how much"."""

    keys: tuple[str, ...]
    exact: tuple[str, ...]
    weight: float
    asks: bool


class Index:
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
        self._mender = Mender(keyed | set(self._spread))
        self._words = [
            {telling(t, language) for t in tokenize(_all_text(f, language), language)}
            for f in self.facts
        ]
        self._answers = [kinds_answered(fact) for fact in self.facts]

    def search(self, question: str) -> list[Hit]:
        """Return every fact with any evidence, best first."""
        tokens = self._read(question)
        total = sum(self._weight(t.key) for t in tokens if not is_neutral(t, self._language))
        asked = kinds_asked(tokens, self._language)
        hits = [
            self._score(number, tokens, total)
            for number in range(len(self.facts))
            if (not asked or asked & self._answers[number]) and not self._foreign(number, tokens)
        ]
        return sorted((h for h in hits if h.score > 0), key=lambda h: -h.score)

    def aspect(self, fact: Fact, question: str) -> Aspect:
        """Return the side of a fact a question asks for."""
        tokens = self._read(question)
        return self._side(fact, tokens, {a.id: self._cover(a, tokens) for a in fact.aspects})

    def _side(
        self, fact: Fact, tokens: Sequence[Token], covers: Mapping[str, Mapping[int, float]]
    ) -> Aspect:
        """Return the side with the most evidence; the whole where two are named, or none is."""
        scored = [(sum(covers[aspect.id].values()), aspect) for aspect in fact.aspects]
        score, best = max(scored, key=lambda s: s[0], default=(0.0, fact.whole))
        if score < _ASPECT_LEAST:
            return fact.whole
        for other_score, other in scored:
            apart = covers[best.id].keys().isdisjoint(covers[other.id])
            if other_score >= _ASPECT_LEAST and apart and self._names(other, tokens):
                return fact.whole if self._names(best, tokens) else other
        return best

    def _names(self, aspect: Aspect, tokens: Sequence[Token]) -> bool:
        """Say whether more than a "how big" asks for a side."""
        found = (p for p in self._phrases[aspect.id] if _find(p, tokens, self._language))
        return any(not phrase.asks for phrase in found)

    def _read(self, question: str) -> list[Token]:
        tokens = tokenize(question, self._language)
        return self._mender.mend(tokens) if self._language == "en" else tokens

    def _foreign(self, number: int, tokens: Sequence[Token]) -> bool:
        """Say whether only "how much" and its like speak for a fact, asked of a thing it lacks."""
        fact = self.facts[number]
        covered: set[int] = set()
        for aspect in (fact.whole, *fact.aspects):
            for phrase in self._phrases[aspect.id]:
                places = _find(phrase, tokens, self._language)
                if places and not phrase.asks:
                    return False
                covered.update(places)
        return any(
            telling(token, self._language) not in self._words[number]
            for at, token in enumerate(tokens)
            if at not in covered and not is_neutral(token, self._language)
        )

    def _score(self, number: int, tokens: Sequence[Token], total: float) -> Hit:
        fact, bag = self.facts[number], self._bags[number]
        covered = self._cover(fact.whole, tokens)
        covers = {aspect.id: self._cover(aspect, tokens) for aspect in fact.aspects}
        for part in covers.values():
            for place, weight in part.items():
                covered[place] = max(covered.get(place, 0.0), weight * _ASPECT_SHARE)
        score = sum(covered.values())
        # A Chinese character that is mostly a particle counts where it is part of a keyword.
        counts = [at for at in covered if self._language == "zh" or not tokens[at].stop]
        share = sum(self._weight(tokens[at].key) for at in counts)
        neutral = [at for at in counts if is_neutral(tokens[at], self._language)]
        total += sum(self._weight(tokens[at].key) for at in neutral)
        if score:
            score += _BM25_SHARE * self._bm25(bag, tokens)
        aspect = self._side(fact, tokens, covers)
        return Hit(fact, aspect, score, share / total if total else float(score > 0))

    def _cover(self, aspect: Aspect, tokens: Sequence[Token]) -> dict[int, float]:
        """Return the evidence per token that the keywords of an aspect explain."""
        covered: dict[int, float] = {}
        for phrase in self._phrases[aspect.id]:
            places = _find(phrase, tokens, self._language)
            if not places:
                continue
            exact = self._language == "en" or _as_written(phrase, tokens, places)
            share = 1.0 if exact else _SOUND_SHARE
            # Longer phrases are stronger evidence than the same words alone.
            share *= 1.0 + 0.25 * (len(places) - 1)
            for at in places:
                weight = share * phrase.weight / len(places)
                covered[at] = max(covered.get(at, 0.0), weight)
        return covered

    def _phrase(self, text: str) -> _Phrase:
        tokens = tokenize(text, self._language)
        if self._language == "zh":
            # A syllable alone says little, so a phrase weighs by what it is, not by its length.
            weight = min(2.0, 0.55 * len(tokens))
        elif len(tokens) > 1 and all(t.stop for t in tokens):
            # "where are you" asks by its very form.
            weight = 1.0
        else:
            weight = sum(0.15 if t.stop else self._weight(t.key) for t in tokens)
        keys, exact = tuple(t.key for t in tokens), tuple(t.exact for t in tokens)
        return _Phrase(keys, exact, weight, only_asks(tokens, self._language))

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


def _find(phrase: _Phrase, tokens: Sequence[Token], language: Language) -> list[int]:
    """Return where the words of a phrase stand, in order and near each other; else nothing."""
    # Two syllables alike are found in any sentence, so they must follow each other.
    gaps = 0 if language == "zh" and len(phrase.keys) < 3 else _GAPS
    for start, token in enumerate(tokens):
        if token.key != phrase.keys[0]:
            continue
        places = [start]
        for key in phrase.keys[1:]:
            window = range(places[-1] + 1, min(places[-1] + 2 + gaps, len(tokens)))
            found = next((at for at in window if tokens[at].key == key), None)
            if found is None:
                break
            places.append(found)
        if len(places) < len(phrase.keys):
            continue
        if language == "en" or _heard(phrase, tokens, places):
            return places
    return []


def _heard(phrase: _Phrase, tokens: Sequence[Token], places: Sequence[int]) -> bool:
    """Say whether a Chinese phrase may have been misheard as what stands there.

    Not all of it: "hao ma" is no number. And of two syllables the other keeps its tone, and is
    no particle.
    """
    others = [
        (tokens[at], exact)
        for at, exact in zip(places, phrase.exact, strict=True)
        if tokens[at].exact != exact
    ]
    if len(places) == 2 and any(t.stop or not same_sound(t.exact, e) for t, e in others):
        return False
    return len(others) < len(places)


def _as_written(phrase: _Phrase, tokens: Sequence[Token], places: Sequence[int]) -> bool:
    """Say whether the words of a phrase stand there as they are written."""
    return all(tokens[at].exact == exact for at, exact in zip(places, phrase.exact, strict=True))


def _all_text(fact: Fact, language: Language) -> str:
    words = [word for a in (fact.whole, *fact.aspects) for word in a.keywords[language]]
    return " ".join([*words, *fact.sentences(language), fact.topic[language]])
