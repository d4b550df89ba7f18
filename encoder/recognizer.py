"""The contract of a speech recogniser."""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

HEARING_RATE: Final = 16_000


@dataclass(frozen=True, slots=True)
class Transcript:
    """What was recognised so far in one utterance.

    Attributes:
        stable: prefix two consecutive decodes agreed on; never taken back within the utterance.
        provisional: the rest, which may still change. Empty in a final transcript.
        language: "en" or "zh".
        confidence: mean token log-probability as exp(), in [0, 1].
        speech: whether the recogniser believes there was speech at all.
    """

    stable: str
    provisional: str
    language: str
    confidence: float
    speech: bool

    @property
    def text(self) -> str:
        return self.stable + self.provisional


class Recognition(Protocol):
    """One utterance being recognised. Blocking calls, one at a time, from a worker thread."""

    def partial(self, samples: NDArray[np.float32]) -> Transcript:
        """Decode the utterance so far: float32 [n], 16 kHz, from the start of the utterance."""

    def final(self, samples: NDArray[np.float32]) -> Transcript:
        """Decode the finished utterance. May be called again if speech resumes."""


class Recognizer(Protocol):
    """Makes recognitions; holds the model. `languages` restricts detection, e.g. ("en", "zh")."""

    def open(self, languages: tuple[str, ...] = ("en", "zh")) -> Recognition: ...
