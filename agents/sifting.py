"""Lets of a language model's words only those through that may be said."""

import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import TypeVar

from agents.clause import Language
from agents.clauses import ClauseCutter
from agents.grounding import Guard, is_sensitive
from agents.tools import ToolCall

T = TypeVar("T")

_SENTENCE_END = re.compile(r"[.!?。！？…][\"'”’)]*\s*$")


class Sifter:
    """Cuts a stream into clauses and holds back those that state something until checked.

    Args:
        guard: what may be stated.
        stranger: says whether a sentence names what nobody brought up.
        max_sentences, max_tokens: bounds of the reply.
        whole_sentences: whether a sentence is heard to its end before any of it is let through.
    """

    def __init__(
        self,
        language: Language,
        guard: Guard,
        stranger: Callable[[str], bool],
        *,
        max_sentences: int,
        max_tokens: int,
        whole_sentences: bool,
    ) -> None:
        self._cutter = ClauseCutter(language)
        self._guard = guard
        self._stranger = stranger
        self._whole_sentences = whole_sentences
        self._sentences_left = max_sentences
        self._pieces_left = max_tokens
        self._sentence = ""
        self._said = ""
        self._held: list[str] = []
        self._over = False

    @property
    def within_sentence(self) -> bool:
        """Whether what was let through ends within a sentence."""
        return len(self._sentence) > sum(map(len, self._held))

    async def sift(
        self, stream: AsyncIterator[str | ToolCall], *, calls: bool
    ) -> AsyncGenerator[str | ToolCall, None]:
        """Yield clauses that may be said, then calls.

        `calls`: whether calls may come, for which a stream is read to its end.
        """
        made: list[ToolCall] = []
        async with closing(stream) as pieces:
            async for piece in pieces:
                if isinstance(piece, ToolCall):
                    made.append(piece)
                    continue
                self._pieces_left -= 1
                for clause in self._cutter.feed(piece):
                    for ready in self._accept(clause, ends=False):
                        yield ready
                if self._over and not calls:
                    return
        rest = self._cutter.flush()
        for clause in rest:
            # What was cut off by its length is no sentence.
            ends = clause is rest[-1] and self._pieces_left > 0
            for ready in self._accept(clause, ends=ends):
                yield ready
        for call in made:
            yield call

    def _accept(self, clause: str, *, ends: bool) -> list[str]:
        """Take the next clause and return those that may now be said."""
        if self._over or not clause.strip():
            return []
        self._sentence += clause
        self._held.append(clause)
        ends = ends or bool(_SENTENCE_END.search(clause))
        waits = self._whole_sentences or len(self._held) > 1 or is_sensitive(self._sentence)
        if waits and not ends:
            # Its truth depends on the rest: "delivery is free, | above $25".
            return []
        sentence = self._sentence
        if (
            self._guard.problems(sentence, self._said)
            or self._stranger(sentence)
            or _babbles(sentence)
        ):
            self._over = True
            return []
        ready, self._held = self._held, []
        if ends:
            self._said += self._sentence
            self._sentence = ""
            self._sentences_left -= 1
            self._over = self._sentences_left <= 0
        return ready


def ends_sentence(text: str) -> bool:
    """Say whether a clause is the end of its sentence."""
    return _SENTENCE_END.search(text) is not None


@asynccontextmanager
async def closing(stream: AsyncIterator[T]) -> AsyncIterator[AsyncIterator[T]]:
    """Close a stream at the end if it can be closed, which stops the work behind it."""
    try:
        yield stream
    finally:
        if isinstance(stream, AsyncGenerator):
            await stream.aclose()


def _babbles(sentence: str) -> bool:
    """Say whether a sentence goes round in circles, as small models do."""
    words = re.findall(r"[\w']+", sentence.lower())
    pairs = list(pairwise(words))
    return len(pairs) - len(set(pairs)) >= 2 or any(a == b for a, b in pairs)
