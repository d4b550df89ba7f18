"""`Clause`: the unit of a reply that goes to the voice."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

Emotion = Literal["neutral", "happy", "excited", "caring", "serious", "surprised"]
Language = Literal["en", "zh"]

LANGUAGES: tuple[Language, ...] = ("en", "zh")


class Feeling(NamedTuple):
    """An emotion, and how strongly it is felt: `intensity` from 0, not at all, to 1."""

    emotion: Emotion
    intensity: float = 1.0


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
        emotion: None where nobody said which; `agents.feelings.felt` finds one in the words.
        citations: ids of the facts it rests on; empty for talk that claims nothing.
        intensity: how strongly the emotion is felt, 0 to 1.
    """

    text: str
    language: Language
    action: Action | None = None
    emotion: Emotion | None = None
    citations: tuple[str, ...] = ()
    intensity: float = 1.0
