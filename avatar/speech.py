"""`Speech`: a stretch of spoken audio with the times of its words and phones."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

SPEECH_RATE: Final = 24_000


@dataclass(frozen=True, slots=True)
class Word:
    """A word as written in the text that was spoken. Times in seconds within its `Speech`."""

    text: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Phone:
    """One IPA segment ("" is silence). Times in seconds within its `Speech`.

    `stress`: 0 none, 1 primary, 2 secondary (of the syllable whose vowel this is).
    """

    ipa: str
    start: float
    end: float
    stress: int = 0


@dataclass(frozen=True, slots=True)
class Speech:
    """A chunk of speech.

    Attributes:
        samples: float32 [n], mono, 24 kHz, in [-1, 1].
        words: in order of time; their times may lie beyond this chunk only in the last one.
        phones: in order of time; empty where a voice gives none.
    """

    samples: NDArray[np.float32]
    words: tuple[Word, ...] = ()
    phones: tuple[Phone, ...] = ()

    @property
    def seconds(self) -> float:
        return len(self.samples) / SPEECH_RATE
