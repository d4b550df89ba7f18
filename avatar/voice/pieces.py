"""Cutting an utterance into the pieces that are synthesised one after the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from avatar.voice.alphabet import TONES
from avatar.voice.spoken import Spoken
from avatar.voice.utterance import SpokenWord, passages, utter

MAX_SYMBOLS: Final = 400
"""Below the 510 tokens that Kokoro takes."""

_FIRST: Final = 26
_SLACK: Final = 1.4
_GROWTH: Final = 2
_LONGEST: Final = 140
_TIMELESS: Final = frozenset(TONES + "ʰˈˌ")
_SENTENCE_ENDS: Final = ".!?…"
# A cut without punctuation is heard least before words that open a phrase.
_OPENING: Final = (
    "a an and are as at because but by can for from had has have if in is my of on or our so than "
    "that the then these this to was were when where which while who will with without would your "
    "和 或 但 但是 而 因为 所以 如果 还有 以及 并且 在 从 对 把 被 给 是 有 就 都 也 要 可以"
)
_OPENERS: Final = frozenset(_OPENING.split())


@dataclass(frozen=True)
class Piece:
    """Words that are synthesised together. `last`: nothing follows in this utterance."""

    words: tuple[SpokenWord, ...]
    last: bool

    @cached_property
    def symbols(self) -> str:
        """The whole piece in Kokoro's symbols."""
        return "".join(text for text in self._texts).rstrip()

    @cached_property
    def ranges(self) -> tuple[tuple[int, int], ...]:
        """The (first, end) indices into `symbols` of each word, without its pause."""
        found = []
        start = 0
        for word, text in zip(self.words, self._texts, strict=True):
            found.append((start, start + len(word.symbols)))
            start += len(text)
        return tuple(found)

    @property
    def pause(self) -> str:
        """The punctuation the piece ends with."""
        return self.words[-1].pause

    @property
    def _texts(self) -> list[str]:
        return [word.symbols + word.pause + " " for word in self.words]


def pieces(spoken: Spoken) -> Iterator[Piece]:
    """Yield the pieces of all of `spoken`."""
    for passage in passages(spoken):
        yield from cut(utter(passage))


def cut(words: Sequence[SpokenWord]) -> Iterator[Piece]:
    """Yield the pieces of an utterance: the first short, each of the next up to twice as long.

    Cuts fall on punctuation where there is some in reach, else between two words. No piece is
    longer than `MAX_SYMBOLS`.
    """
    rest = list(_bounded(words))
    reach = _FIRST
    while rest:
        size = _piece_size(rest, reach)
        yield Piece(tuple(rest[:size]), last=size == len(rest))
        del rest[:size]
        reach = min(reach * _GROWTH, _LONGEST)


def _piece_size(words: Sequence[SpokenWord], reach: int) -> int:
    """Return how many of `words` go into a piece of about `reach` symbols."""
    lengths = _lengths(words)
    if lengths[-1] <= reach * _SLACK:
        return len(words)
    marks = [
        n for n, word in enumerate(words, 1) if word.pause and lengths[n - 1] <= reach * _SLACK
    ]
    ends = [n for n in marks if words[n - 1].pause in _SENTENCE_ENDS]
    if ends or marks:
        return (ends or marks)[-1]
    fitting = max(1, sum(length <= reach for length in lengths))
    candidates = range(max(1, fitting - 3), min(fitting + 1, len(words)))
    # Too little sound would be over before the next piece is made.
    enough = [size for size in candidates if lengths[size - 1] >= reach / 2]
    openers = [size for size in enough if _opens(words[size])]
    return openers[-1] if openers else fitting


def _lengths(words: Sequence[SpokenWord]) -> list[int]:
    """Return the symbols that take time, up to and including each word.

    At least half of all symbols count, so that `MAX_SYMBOLS` holds for any.
    """
    total = 0
    lengths = []
    for word in words:
        sounds = sum(symbol not in _TIMELESS for symbol in word.symbols)
        total += max(sounds, len(word.symbols) // 2) + len(word.pause) + 1
        lengths.append(total)
        if total > 2 * _LONGEST:
            lengths += [total] * (len(words) - len(lengths))
            break
    return lengths


def _opens(word: SpokenWord) -> bool:
    return word.text.lower() in _OPENERS


def _bounded(words: Sequence[SpokenWord]) -> Iterator[SpokenWord]:
    """Yield the words, those that are too long to be one piece in several parts."""
    for word in words:
        for start in range(0, len(word.symbols), _LONGEST):
            part = word.symbols[start : start + _LONGEST].strip()
            final = start + _LONGEST >= len(word.symbols)
            text = word.text if start == 0 else ""
            if part:
                yield SpokenWord(text, part, word.pause if final else "", word.language)
