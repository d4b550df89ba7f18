"""`Spoken`: a text as it is said, still tied to the text as it is shown."""

from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "zh"]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the shown text and how it is said.

    Attributes:
        said: words without digits, markup or punctuation; several are separated by spaces.
        start, end: the slice of the shown text that this says.
        language: which front end pronounces it.
        pause: the punctuation that follows, one of "" , . ! ? ; : …
        phonemes: how to say it, from a pronunciation lexicon; "" where the front end decides.
    """

    said: str
    start: int
    end: int
    language: Language
    pause: str = ""
    phonemes: str = ""


@dataclass(frozen=True, slots=True)
class Spoken:
    """The spans of `shown`, in order, without overlap."""

    shown: str
    spans: tuple[Span, ...]

    @property
    def text(self) -> str:
        """The words and pauses as one line of text; normalising it again changes nothing."""
        parts: list[str] = []
        for before, span in zip((None, *self.spans), self.spans, strict=False):
            if before is not None and _spaced(before, span):
                parts.append(" ")
            parts.append(span.said + _mark(span))
        return "".join(parts)

    def written(self, span: Span) -> str:
        """Return what the shown text has where `span` is said."""
        return self.shown[span.start : span.end]


_CHINESE_MARKS = {",": "，", ".": "。", "!": "！", "?": "？", ";": "；", ":": "："}


def _mark(span: Span) -> str:
    return _CHINESE_MARKS.get(span.pause, span.pause) if span.language == "zh" else span.pause


def _spaced(before: Span, after: Span) -> bool:
    return not (before.language == "zh" and (after.language == "zh" or before.pause))
