"""Sentences of documents that answer what no product does."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agents.clause import LANGUAGES, Language
from agents.shop.features import features
from agents.shop.lexicon import read

# Evidence that a sentence answers, as a share of what the question asks.
_LEAST = 0.5
_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_HAN = re.compile(r"[\u3400-\u9fff]")
_LONGEST = 240


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document: its text, and how it is cited."""

    text: str
    citation: str


# Finds passages that may answer a question, best first. Blocks.
FindPassages = Callable[[str, Language], Sequence[Passage]]


@dataclass(frozen=True, slots=True)
class Quoted:
    """A sentence that answers, the language it is in, and where it stands."""

    text: str
    language: Language
    citation: str


def quote(question: str, passages: Sequence[Passage]) -> Quoted | None:
    """Return the sentence that answers a question; None where none does."""
    sought = features(read(question))
    if not sought:
        return None
    best: tuple[float, str, str] = (0.0, "", "")
    for passage in passages:
        for sentence in _SENTENCES.split(passage.text):
            text = re.sub(r"^[\s#>*-]+", "", sentence).strip()
            shared = sought & features(read(text))
            share = len(shared) / len(sought)
            if text and len(text) <= _LONGEST and share > best[0]:
                best = (share, text, passage.citation)
    if best[0] < _LEAST:
        return None
    language: Language = "zh" if _HAN.search(best[1]) else "en"
    assert language in LANGUAGES
    return Quoted(best[1], language, best[2])
