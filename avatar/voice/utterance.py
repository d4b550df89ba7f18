"""From a text as said to the symbols a voice reads, word by word."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from avatar.voice import english, mandarin
from avatar.voice.spoken import Language, Span, Spoken


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """A word of an utterance.

    Attributes:
        text: as written in the shown text ("$9.99").
        symbols: Kokoro's phonemes; spaces part the words it is said with ("nine ninety nine").
        pause: the punctuation after it, "" for none.
        language: whose phonemes they are.
    """

    text: str
    symbols: str
    pause: str
    language: Language


_SENTENCE_ENDS: Final = (".", "!", "?", "…")
_AT_ONCE: Final = 40


def passages(spoken: Spoken) -> Iterator[Spoken]:
    """Yield `spoken` in parts that are pronounced one after the other, so that sound comes early.

    A part is some 40 spans and goes on to the end of the sentence, but no further than 80.
    """
    start = 0
    for index, span in enumerate(spoken.spans, 1):
        size = index - start
        if size >= 2 * _AT_ONCE or (
            size >= _AT_ONCE and span.pause and span.pause in _SENTENCE_ENDS
        ):
            yield Spoken(spoken.shown, spoken.spans[start:index])
            start = index
    if start < len(spoken.spans):
        yield Spoken(spoken.shown, spoken.spans[start:])


def utter(spoken: Spoken) -> list[SpokenWord]:
    """Return the words of `spoken` with their phonemes; those without a sound are left out."""
    found: list[SpokenWord] = []
    for language, group in groupby(spoken.spans, lambda span: span.language):
        spans = list(group)
        words = _english(spoken, spans) if language == "en" else _mandarin(spoken, spans)
        found += [word for word in words if word.symbols]
    return found


def _english(spoken: Spoken, spans: Sequence[Span]) -> Iterator[SpokenWord]:
    symbols = english.pronounce([span.said for span in spans], [span.pause for span in spans])
    for span, said in zip(spans, symbols, strict=True):
        yield SpokenWord(spoken.written(span), span.phonemes or said, span.pause, "en")


def _mandarin(spoken: Spoken, spans: Sequence[Span]) -> Iterator[SpokenWord]:
    """Read all the characters at once: a reading depends on its neighbours, across spans too."""
    characters = ["呃" if span.phonemes else span.said for span in spans]
    readings = iter(mandarin.readings("".join(characters)))
    for span, heard in zip(spans, characters, strict=True):
        said = [next(readings) for _ in heard]
        if span.phonemes:
            yield SpokenWord(spoken.written(span), span.phonemes, span.pause, "zh")
        elif span.said == spoken.written(span):
            yield from _characters(span, said)
        else:
            symbols = " ".join(
                "".join(mandarin.syllable(said.pop(0)) for _ in word)
                for word in mandarin.words(span.said)
            )
            yield SpokenWord(spoken.written(span), symbols, span.pause, "zh")


def _characters(span: Span, readings: list[str]) -> Iterator[SpokenWord]:
    """Yield the words of a span that is said as it is written, one by one."""
    position = 0
    for word in mandarin.words(span.said):
        syllables = readings[position : position + len(word)]
        position += len(word)
        pause = span.pause if position == len(span.said) else ""
        yield SpokenWord(word, "".join(map(mandarin.syllable, syllables)), pause, "zh")
