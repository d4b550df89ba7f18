"""An identity from a sentence, English or Chinese: `from_sentence`."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.creation.ages import find_ages
from avatar.creation.grammar import take_apart
from avatar.creation.person import Person
from avatar.creation.words import Concept, Word, is_han, read, vocabulary
from avatar.errors import AvatarValueError
from avatar.spec import AvatarSpec

Embedder = Callable[[list[str]], NDArray[np.float32]]

LONGEST: Final = 400
# A word that is not in the vocabulary is taken for the phrase it is nearest to, when it is this
# near and nearer than to phrases of another kind by the margin. Small embedders place words by
# their spelling too: at 0.93 other forms and misspellings are found, below it chance ones.
_NEAR, _MARGIN = 0.93, 0.01
_GUESSED: Final = ("colour", "garment", "mood", "ornament", "pattern", "build", "style", "fabric")


@dataclass(frozen=True, slots=True)
class SentenceIdentity:
    """What a sentence gave.

    Attributes:
        spec: the identity; what the sentence leaves open is chosen by its seed.
        unused: parts of the sentence that are not understood or cannot be shown.
        conflicts: what was said twice differently, and which of it was taken.
        guesses: words taken for others by meaning, each (word, meaning).
        nearest: what cannot be shown as it was said, and as what it is shown.
    """

    spec: AvatarSpec
    unused: tuple[str, ...]
    conflicts: tuple[str, ...]
    guesses: tuple[tuple[str, str], ...]
    nearest: tuple[str, ...]


def from_sentence(sentence: str, embedder: Embedder | None = None) -> SentenceIdentity:
    """Make the identity that a sentence describes.

    The same sentence gives the same identity, always dressed.

    Args:
        sentence: 1 to `LONGEST` characters, English, Chinese or both.
        embedder: texts -> float32 [n, d] of length one, for words outside the vocabulary.

    Raises:
        AvatarValueError: the sentence is empty or too long.
    """
    text = " ".join(sentence.split())
    if not 0 < len(text) <= LONGEST:
        raise AvatarValueError(
            f"sentence: {len(text)} characters; accepted: 1 to {LONGEST}, such as "
            "'a cheerful woman in her thirties, short black hair, green apron'"
        )
    ages, rest = find_ages(text)
    words = read(rest)
    guesses: tuple[tuple[str, str], ...] = ()
    if embedder is not None:
        words, guesses = _guessed(words, embedder)
    description = take_apart(words)
    seed = int.from_bytes(hashlib.sha256(text.lower().encode()).digest()[:4], "big") >> 1
    # Who writes in Chinese and says nothing else mostly means a Chinese host.
    person = Person(seed, "asian" if any(is_han(c) for c in text) else "")
    person.take(description, ages)
    return SentenceIdentity(
        person.spec(text),
        (*description.unused, *person.unused),
        tuple(person.conflicts),
        guesses,
        tuple(description.nearest),
    )


def _guessed(
    words: list[Word], embedder: Embedder
) -> tuple[list[Word], tuple[tuple[str, str], ...]]:
    """Give unknown words the concept that means nearly the same."""
    strange = [i for i, w in enumerate(words) if not w.concept and not w.filler and not w.mark]
    strange = [i for i in strange if len(words[i].text) > 2]
    if not strange:
        return words, ()
    named, known = _known(embedder)
    found = embedder([words[i].text for i in strange]) @ known.T
    out, guesses = list(words), []
    for i, row in zip(strange, found, strict=True):
        best = _nearest(row, [c for c, _ in named])
        if best is not None:
            concept, name = named[best]
            out[i] = Word(words[i].text, concept)
            guesses.append((words[i].text, name))
    return out, tuple(guesses)


@lru_cache(maxsize=2)
def _known(embedder: Embedder) -> tuple[list[tuple[Concept, str]], NDArray[np.float32]]:
    """Return the phrases a word may be taken for, and their embeddings: seconds, once."""
    named = [(c, name) for c, name in vocabulary().named if c.kind in _GUESSED]
    return named, embedder([name for _, name in named])


def _nearest(likeness: NDArray[np.float32], concepts: list[Concept]) -> int | None:
    best = int(likeness.argmax())
    others = [v for v, c in zip(likeness, concepts, strict=True) if c.kind != concepts[best].kind]
    near = likeness[best] >= _NEAR and likeness[best] - max(others) >= _MARGIN
    return best if near else None
