"""`Clause`: the unit of a reply that goes to the voice."""

from dataclasses import dataclass
from typing import Literal

Emotion = Literal["neutral", "happy", "excited", "caring", "serious", "surprised"]
Language = Literal["en", "zh"]

LANGUAGES: tuple[Language, ...] = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Action:
    """A semantic action: `id` of the action library, its parameters, and the word it lands on."""

    id: str
    anchor: str = ""
    parameters: tuple[tuple[str, float | str], ...] = ()


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a reply.

    Attributes:
        text: as shown on captions, not yet normalised for speech; with the punctuation and the
            leading space that make the clauses of a reply join to its text.
        citations: ids of the facts it rests on; empty for talk that claims nothing.
    """

    text: str
    language: Language
    action: Action | None = None
    emotion: Emotion = "neutral"
    citations: tuple[str, ...] = ()
