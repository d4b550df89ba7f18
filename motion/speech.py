"""What motion is told about speech: its own small dataclasses, so that it needs no voice."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Emotion = Literal["neutral", "happy", "excited", "caring", "serious", "surprised"]
Posture = Literal["idle", "listening", "thinking", "speaking"]


@dataclass(frozen=True, slots=True)
class SpokenPhone:
    """One phone as it is heard. `ipa` is one IPA segment ("" is silence); times in seconds."""

    ipa: str
    start: float
    end: float
    stress: int = 0  # 0 none, 1 primary, 2 secondary


@dataclass(frozen=True, slots=True)
class SpokenAction:
    """A semantic action bound to a moment (seconds) on the same axis as the phones."""

    action: str
    at: float
    parameters: tuple[tuple[str, float | str], ...] = ()


@dataclass(frozen=True, slots=True)
class SpokenPassage:
    """Speech that has been scheduled: phones and actions on the media clock, in seconds.

    `start` and `end` bound the passage; phones lie inside and are in order of time. A voice that
    gives no phones leaves them empty; the mouth is then moved by `mouth` (float32 [T, parts +
    contacts], 25 a second from `start` on, as `motion.lips.net` hears it) or, without that, opened
    by `loudness` (float, one value per pose, RMS in [0, 1]). `sound` (float32 [n], mono, 16 kHz,
    from `start` on) is what a mover that listens moves to; None where nobody listens. `intensity`,
    0 to 1, is how strongly the emotion is felt: 0 is neutral, 1 the whole of its face.
    """

    start: float
    end: float
    phones: tuple[SpokenPhone, ...]
    language: str
    emotion: Emotion = "neutral"
    actions: tuple[SpokenAction, ...] = ()
    loudness: tuple[float, ...] = ()
    mouth: NDArray[np.float32] | None = field(default=None, compare=False, repr=False)
    sound: NDArray[np.float32] | None = field(default=None, compare=False, repr=False)
    intensity: float = 1.0
