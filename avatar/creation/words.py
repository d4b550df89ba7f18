"""Reads a sentence into concepts: longest phrases of a vocabulary, English and Chinese mixed."""

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from avatar.words.looks import looks

_WORD: Final = re.compile(r"[a-z]+|\d+|[㐀-鿿]|[,.;:!?，。；：！？、（）()]")
_HAN: Final = re.compile(r"[㐀-鿿]")
_MARKS: Final = frozenset(",.;:!?，。；：！？、（）()")
_LONGEST: Final = 6
# What is worn when no kind was said.
_PLAINEST: Final = {"earrings": "studs"}


@dataclass(frozen=True, slots=True)
class Concept:
    """Something a sentence can say: of a kind ("colour", "garment", ...), and its value."""

    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Word:
    """A piece of a sentence.

    Attributes:
        text: as written. concept: what it means; None where it is not known.
        also: what it means besides: a grandfather is a man, and old.
        filler: it says nothing about looks. mark: it is punctuation.
    """

    text: str
    concept: Concept | None = None
    also: tuple[Concept, ...] = ()
    filler: bool = False
    mark: bool = False


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Phrases, each a tuple of words or of Chinese characters, and what they mean.

    `named`: each concept with every phrase for it as text.
    """

    phrases: dict[tuple[str, ...], tuple[Concept, ...]]
    fillers: frozenset[tuple[str, ...]]
    named: tuple[tuple[Concept, str], ...]


@cache
def vocabulary() -> Vocabulary:
    """Return the vocabulary that ships."""
    text = resources.files("avatar.creation").joinpath("vocabulary.json").read_text("utf-8")
    content = json.loads(text)
    phrases: dict[tuple[str, ...], tuple[Concept, ...]] = {}
    named: list[tuple[Concept, str]] = []
    own = [
        (kind, value, [p.replace("-", " ") for p in (*english.split(), *chinese.split())])
        for kind, value, english, chinese in content["concepts"]
    ]
    shared = [
        (kind, _PLAINEST.get(value, value), said)
        for kind, senses in looks().items()
        for value, said in senses.items()
    ]
    for kind, value, said in [*own, *shared]:
        concept = Concept(kind, value)
        for phrase in said:
            key = tuple(_pieces(phrase))
            phrases[key] = (*phrases.get(key, ()), concept)
            named.append((concept, phrase))
    fillers = [*content["filler_en"].split(), *content["filler_zh"].split()]
    return Vocabulary(phrases, frozenset(tuple(_pieces(f)) for f in fillers), tuple(named))


def read(sentence: str) -> list[Word]:
    """Cut a sentence into words with their meaning, longest phrases first."""
    pieces = _pieces(sentence)
    words: list[Word] = []
    at = 0
    while at < len(pieces):
        if pieces[at] in _MARKS:
            words.append(Word(pieces[at], mark=True))
            at += 1
            continue
        length, word = _longest(pieces, at)
        words.append(word)
        at += length
    return words


def _longest(pieces: list[str], at: int) -> tuple[int, Word]:
    book = vocabulary()
    for length in range(min(_LONGEST, len(pieces) - at), 0, -1):
        part = tuple(pieces[at : at + length])
        concepts = book.phrases.get(part) or book.phrases.get(_singular(part))
        text = _joined(part)
        if concepts:
            return length, Word(text, concepts[0], concepts[1:])
        if part in book.fillers:
            return length, Word(text, filler=True)
    return 1, Word(pieces[at])


def _pieces(text: str) -> list[str]:
    plain = re.sub(r"\bt[- ]?shirt", "tshirt", text.lower())
    plain = re.sub(r"['’]s\b", " ", plain).replace("t恤", "恤")
    return _WORD.findall(plain)


def _singular(part: tuple[str, ...]) -> tuple[str, ...]:
    last = part[-1]
    return (*part[:-1], last[:-1]) if len(last) > 3 and last.endswith("s") else part


def _joined(part: tuple[str, ...]) -> str:
    return "".join(part) if _HAN.match(part[0]) else " ".join(part)


def is_han(text: str) -> bool:
    """Tell whether a word is Chinese."""
    return bool(_HAN.match(text))
