"""Scripts of host talk, written by a grammar."""

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, Literal

from agents.clause import Emotion, Language

Split = Literal["train", "test"]

_SLOT: Final = re.compile(r"<(\w+)>")
# One template in `_HELD_EVERY` of a kind, and the last of a small one, is kept for the test.
_HELD_EVERY: Final = 5
_OPENED: Final = 0.3  # share of sentences with an opener, "By the way, ..."
# What keeps its capital behind an opener.
_PROPER: Final = re.compile(r"I\b")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a script: what kind it is ("price", "welcome") and how it is felt."""

    text: str
    kind: str
    emotion: Emotion


class Grammar:
    """What hosts say in one language. Sentences of the test never occur in training.

    A talk is a row of kinds of sentence; a kind has templates; a template's `<slots>` are filled
    from lists of words, without one word twice in a sentence where there is a choice.
    """

    def __init__(self, content: Mapping[str, Any]) -> None:
        self._talks: list[list[str]] = [talk.split() for talk in content["talks"]]
        self._kinds: Mapping[str, Any] = content["kinds"]
        self._words: Mapping[str, Sequence[str]] = content["words"]
        self._openers: Sequence[str] = content["openers"]
        self._comma = content["comma"]

    def talk(self, rng: random.Random, split: Split) -> list[Sentence]:
        """Return the sentences of one talk; the state of `rng` decides which."""
        return [self._sentence(kind, rng, split) for kind in rng.choice(self._talks)]

    def templates(self, kind: str, split: Split) -> list[str]:
        """Return the templates of a kind for a split."""
        every: list[str] = self._kinds[kind]["sentences"]
        held = every[_HELD_EVERY - 1 :: _HELD_EVERY] or every[-1:]
        return held if split == "test" else [text for text in every if text not in held]

    @property
    def kinds(self) -> list[str]:
        """Return the kinds of sentence there are."""
        return list(self._kinds)

    def _sentence(self, kind: str, rng: random.Random, split: Split) -> Sentence:
        used: set[str] = set()

        def fill(slot: re.Match[str]) -> str:
            words = self._words[slot[1]]
            word = rng.choice([w for w in words if w not in used] or list(words))
            used.add(word)
            return word

        text = _SLOT.sub(fill, rng.choice(self.templates(kind, split)))
        text = re.sub(r"\b([Aa]) (?=[aeiouAEIOU])", r"\1n ", text)
        if rng.random() < _OPENED:
            kept = _PROPER.match(text)
            text = (
                rng.choice(self._openers)
                + self._comma
                + (text if kept else text[0].lower() + text[1:])
            )
        return Sentence(text, kind, self._kinds[kind]["emotion"])


@cache
def grammar_of(language: Language) -> Grammar:
    """Return the grammar of a language."""
    file = resources.files("pipeline.corpus.data").joinpath(f"scripts_{language}.json")
    return Grammar(json.loads(file.read_text("utf-8")))
