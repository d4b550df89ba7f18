"""Text as shown to text as said, in English and Mandarin, mixed text included."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Final

from avatar.errors import AvatarValueError
from avatar.voice.grammar import HAN, PATTERN
from avatar.voice.lexicon import Lexicon
from avatar.voice.markup import without_markup
from avatar.voice.reading import Reader
from avatar.voice.reading_en import EnglishReader
from avatar.voice.reading_zh import MandarinReader
from avatar.voice.rules import SAY
from avatar.voice.rules_name import unstretched
from avatar.voice.spoken import Language, Span, Spoken

_READERS: Final[dict[str, Reader]] = {"en": EnglishReader(), "zh": MandarinReader()}
_CLAUSE_END: Final = re.compile(r"[。！？；!?;\n]|\.(?=\s)")
_HAN: Final = re.compile(f"[{HAN}]")
_LETTER: Final = re.compile(r"[a-z]{3}")
_ANY_LETTER: Final = re.compile(f"[A-Za-z{HAN}]")
_NEAR: Final = 40
_SCRIPTS: Final = re.compile(rf"[{HAN}]+|[^{HAN}]+")
_PAUSE_RANK: Final = ",:;….!?"
_PAUSE_OF: Final = str.maketrans("，、：；。！？\n|—–-()（）", ",,:;.!?.,,,,,,,,")


def normalise(text: str, language: str, lexicon: Mapping[str, str] | None = None) -> Spoken:
    """Return how `text` is said.

    Markdown, emoji, links' addresses and stage directions fall silent; numbers, dates, money,
    units and signs become words. Digits are read in `language`, unless their clause is written in
    the other one. Takes time in proportion to the length of `text`, and raises for no text.

    Args:
        text: as it is shown.
        language: "en" or "zh".
        lexicon: written form -> respelling, or /phonemes/ (see `Lexicon`).

    Raises:
        AvatarValueError: the language, or an entry of the lexicon, is not accepted.
    """
    if language not in _READERS:
        raise AvatarValueError(f"language {language!r} is not accepted; accepted: 'en', 'zh'")
    shown = without_markup(text)
    clauses = _Clauses(shown, language)
    spans: list[Span] = []
    for part in Lexicon.of(lexicon).cut(shown):
        if part.entry is not None:
            spans.append(Span(part.entry.said, part.start, part.end, *part.entry.spoken_as))
            continue
        for match in PATTERN.finditer(shown, part.start, part.end):
            if match.lastgroup == "pause":
                _pause(spans, match.group())
            else:
                spans += _said(match, _READERS[clauses.language(match.start())])
    return Spoken(text, tuple(spans))


def _said(match: re.Match[str], reader: Reader) -> Iterator[Span]:
    """Yield the spans of one match; the words of one number stay together."""
    kind = match.lastgroup or ""
    start, end = match.span()
    if kind == "word":
        triple = match.group() == "AAA" and reader.language == "en"
        yield Span("triple A" if triple else unstretched(match.group()), start, end, "en")
        return
    if kind == "han":
        yield Span(match.group(), start, end, "zh")
        return
    for said, first, last in SAY[kind](match, reader):
        for run in _SCRIPTS.findall(said):
            if word := run.strip():
                of: Language = "zh" if _HAN.match(word) else "en"
                yield Span(word, first, last, of)
                first = last


def _pause(spans: list[Span], marks: str) -> None:
    """Give the last span the strongest pause among `marks`."""
    if not spans:
        return
    last = spans[-1]
    found = {mark for mark in marks.translate(_PAUSE_OF) if mark in _PAUSE_RANK}
    if "…" in marks or "..." in marks:
        found = found - {"."} | {"…"}
    pause = max((*found, last.pause), key=lambda mark: _PAUSE_RANK.find(mark) if mark else -1)
    spans[-1] = Span(last.said, last.start, last.end, last.language, pause, last.phonemes)


class _Clauses:
    """Which language the digits at a place are read in."""

    def __init__(self, text: str, language: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in _CLAUSE_END.finditer(text))]
        ends = [*self._starts[1:], len(text)]
        self._languages = [
            _language_of(text[start:end], language)
            for start, end in zip(self._starts, ends, strict=True)
        ]

    def language(self, position: int) -> str:
        clause = bisect_right(self._starts, position) - 1
        return self._languages[clause] or self._nearest(self._starts[clause], position)

    def _nearest(self, start: int, position: int) -> str:
        """Go by the last letter before, else by the next one."""
        before = self._text[max(start, position - _NEAR) : position][::-1]
        after = self._text[position : position + _NEAR]
        letter = _ANY_LETTER.search(before) or _ANY_LETTER.search(after)
        return "zh" if letter and _HAN.match(letter.group()) else "en"


def _language_of(clause: str, default: str) -> str:
    """Return the language of the digits of `clause`, "" where both are written in it."""
    if not _HAN.search(clause):
        return "en" if default == "en" or _LETTER.search(clause) else "zh"
    return "" if default == "en" else "zh"
