"""Cuts a document into passages that a search can answer with."""

import re
from dataclasses import dataclass
from typing import Final

from agents.clause import Language

# Characters of a passage. An embedder reads about 500 tokens, and a host cites a few sentences.
_LONGEST: Final[dict[Language, int]] = {"en": 600, "zh": 240}
# Up to a mark that ends a sentence, or an empty line; a full stop within a number ends none.
_SENTENCE: Final = re.compile(
    r"(?:[^\n。！？!?.]|\.(?=\S))*(?:[。！？!?]+[”’\"')）]*|\.(?=\s|$)|\n+|$)"
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document's text: characters `start` to `stop`, the second not included."""

    number: int
    start: int
    stop: int
    text: str


def passages(text: str, language: Language) -> list[Passage]:
    """Return the passages of a text, in order; together they are all of it but blanks.

    Passages end where sentences do, and where paragraphs do that are not very short.
    """
    longest = _LONGEST[language]
    spans: list[tuple[int, int]] = []
    for start, stop, breaks in _pieces(text, longest):
        full = not spans or stop - spans[-1][0] > longest
        # Short paragraphs share a passage, since each passage costs an embedding.
        enough = bool(spans) and spans[-1][1] - spans[-1][0] >= longest // 3
        if full or (breaks and enough):
            spans.append((start, stop))
        else:
            spans[-1] = (spans[-1][0], stop)
    found = [span for span in (_trimmed(text, *span) for span in spans) if span[0] < span[1]]
    return [Passage(number, *span, text[slice(*span)]) for number, span in enumerate(found)]


def _pieces(text: str, longest: int) -> list[tuple[int, int, bool]]:
    """Return sentences, cut where they are too long, and whether each begins a paragraph."""
    pieces: list[tuple[int, int, bool]] = []
    breaks = False
    for match in _SENTENCE.finditer(text):
        for start in range(match.start(), match.end(), longest):
            pieces.append((start, min(start + longest, match.end()), breaks))
            breaks = False
        breaks = "\n\n" in match[0] or (breaks and not match[0])
    return pieces


def _trimmed(text: str, start: int, stop: int) -> tuple[int, int]:
    piece = text[start:stop]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())
