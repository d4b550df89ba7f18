"""Keeps the figures of one fact apart: opening from closing, a fee from what waives it."""

import re
from collections.abc import Sequence
from functools import lru_cache

from agents.amounts import Amount, Mention, Scanner, held_amounts, normalise
from agents.amounts_en import scan_english, scan_telephone
from agents.amounts_zh import scan_chinese
from agents.catalogue import Fact, Figure
from agents.clause import LANGUAGES


@lru_cache(maxsize=1024)
def find_amounts(text: str) -> tuple[Mention, ...]:
    """Return every amount a text states, in English, Chinese or figures."""
    scanner = Scanner(normalise(text))
    scan_telephone(scanner)
    scan_chinese(scanner)
    scan_english(scanner)
    return tuple(scanner.mentions)


class Figures:
    """Tells whether each amount of a fact is said of the thing it belongs to.

    A fact that states two amounts of a kind, two prices or two times, is told right only where
    the words beside each amount name its own side. Where the catalogue names no sides, none of
    these amounts may be said in other words than its own.
    """

    def __init__(self, fact: Fact) -> None:
        self._sides = [_Side(figure) for figure in fact.figures]
        self._ambiguous = frozenset() if self._sides else _ambiguous(fact)

    def mistaken(self, sentence: str, said: str = "") -> list[str]:
        """Return the amounts of a sentence that are not said of their own side.

        `said`: what was said before it, "A large is $15.", which "It is 14 inches wide" is about.
        """
        earlier = normalise(said)
        text = f"{earlier} {normalise(sentence)}"
        mentions = sorted(find_amounts(text), key=lambda one: one.start)
        if self._ambiguous:
            return [m.text for m in mentions if m.is_held_by(self._ambiguous)]
        found: list[str] = []
        sided = [m for m in mentions if any(m.is_held_by(side.held) for side in self._sides)]
        side, before, span = None, None, (0, 0)
        for number, one in enumerate(sided):
            end = sided[number + 1].start if number + 1 < len(sided) else len(text)
            named, span = self._named(text, span, one, end)
            if named is None and before is not None and _differ(before, one):
                named = side
            wrong = named is None or not one.is_held_by(named.held) or not named.sure(text)
            if wrong and one.start >= len(earlier):
                found.append(one.text)
            side, before = named, one
        return found

    def _named(
        self, text: str, span: tuple[int, int], one: Mention, end: int
    ) -> tuple["_Side | None", tuple[int, int]]:
        """Return the side that the words around an amount name, and the span for the next one.

        `span`: where the amount before it ended, and the words that named that one. They name this
        one too where nothing else does, as the "to" in "11 AM to 10 PM".
        """
        after = one.start + len(one.text)
        start, used = span
        if side := self._last(text, used, one.start):
            return side, (after, after)
        following = [
            (match.start(), -match.end(), side)
            for side in self._sides
            if side.after and (match := side.after.search(text, after, end))
        ]
        if following:
            _, stop, side = min(following, key=lambda found: found[:2])
            return side, (after, -stop)
        return self._last(text, start, one.start), (after, after)

    def _last(self, text: str, start: int, end: int) -> "_Side | None":
        """Return the side named last within a span by words that precede amounts."""
        found = [
            (match.end(), match.end() - match.start(), side)
            for side in self._sides
            for match in side.before.finditer(text, start, end)
        ]
        return max(found, key=lambda one: one[:2])[2] if found else None


class _Side:
    def __init__(self, figure: Figure) -> None:
        self.held = held_amounts(m for text in figure.amounts for m in find_amounts(text))
        self.before = _words(figure.before["en"], figure.before["zh"])
        self.after = _words(figure.after["en"], figure.after["zh"]) if figure.after else None
        self._needs = _words(figure.needs["en"], figure.needs["zh"]) if figure.needs else None

    def sure(self, text: str) -> bool:
        """Say whether the words without which the amount misleads are there."""
        return self._needs is None or self._needs.search(text) is not None


def _words(english: Sequence[str], chinese: Sequence[str]) -> re.Pattern[str]:
    plain = [rf"\b{re.escape(normalise(word))}\b" for word in english]
    return re.compile("|".join([*plain, *(re.escape(normalise(word)) for word in chinese)]))


def _kinds(one: Mention) -> set[str]:
    return {reading.kind.partition(":")[0] for reading in one.readings}


def _differ(left: Mention, right: Mention) -> bool:
    """Say whether two amounts are of different kinds, a price and a width, beyond doubt."""
    kinds = _kinds(left), _kinds(right)
    return kinds[0].isdisjoint(kinds[1]) and "number" not in kinds[0] | kinds[1]


def _ambiguous(fact: Fact) -> frozenset[Amount]:
    """Return the amounts of kinds of which a fact states more than one."""
    found: set[Amount] = set()
    for language in LANGUAGES:
        mentions = [m for text in fact.sentences(language) for m in find_amounts(text)]
        for one in mentions:
            rivals = [other for other in mentions if _kinds(other) == _kinds(one)]
            if any(rival.readings.isdisjoint(one.readings) for rival in rivals):
                found |= held_amounts([one])
    return frozenset(found)
