"""The events hearing emits. Times are seconds of input audio since the session began."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SpeechStarted:
    """0.1 s of speech was heard; `at` is where it began (before the prefix padding)."""

    at: float


@dataclass(frozen=True, slots=True)
class SpeechConfirmed:
    """The speech has lasted 0.25 s: it is no click or cough."""

    at: float


@dataclass(frozen=True, slots=True)
class SpeechPaused:
    """Silence has lasted about 0.15 s since `at`: time to speculate on `samples`.

    `samples`: float32 [n], 16 kHz, the utterance with its prefix.
    """

    at: float
    samples: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SpeechResumed:
    """The pause was not the end: anything speculated is void."""

    at: float


@dataclass(frozen=True, slots=True)
class SpeechStopped:
    """The turn ended; speech ended at `at`. `confirmed` is False for a false start (< 0.25 s)."""

    at: float
    samples: NDArray[np.float32]
    confirmed: bool = True


HearingEvent = SpeechStarted | SpeechConfirmed | SpeechPaused | SpeechResumed | SpeechStopped
