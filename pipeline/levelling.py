"""A voice of any loudness brought to that of the host, as it comes."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.speech import SPEECH_RATE

Sound = NDArray[np.float32]

TARGET_DB: Final = -21.0  # RMS of speech, of full scale
QUIET_DB: Final = -50.0  # below this nobody speaks, and the gain stays
MOST_DB: Final = 24.0  # of gain, either way
_FAST: Final = 0.25  # seconds in which it gives way to loud speech
_SLOW: Final = 1.2  # and in which it comes up again
_KNEE: Final = 0.7  # of full scale, above which peaks are rounded


class Leveller:
    """Brings speech to -21 dB RMS, and keeps peaks below full scale."""

    def __init__(self) -> None:
        self._gain_db = 0.0

    def __call__(self, samples: Sound) -> Sound:
        """Return the next samples (float32 [n], 24 kHz) at their level."""
        before, level = self._gain_db, level_db(samples)
        if level > QUIET_DB:
            wish = float(np.clip(TARGET_DB - level, -MOST_DB, MOST_DB))
            seconds = len(samples) / SPEECH_RATE
            share = 1.0 - np.exp(-seconds / (_FAST if wish < before else _SLOW))
            self._gain_db = before + share * (wish - before)
        gain = np.linspace(before, self._gain_db, len(samples), dtype=np.float32)
        return _rounded(samples * np.power(np.float32(10.0), gain / np.float32(20.0)))


def level_db(samples: Sound) -> float:
    """Return the RMS of samples in dB of full scale, at least -120."""
    if not len(samples):
        return -120.0
    power = float(np.mean(np.square(samples, dtype=np.float64)))
    return 10.0 * float(np.log10(power + 1e-12))


def _rounded(samples: Sound) -> Sound:
    loud = np.abs(samples)
    room = np.float32(1.0 - _KNEE)
    over = np.tanh(np.maximum(loud - np.float32(_KNEE), 0) / room) * room
    bent = np.where(loud > _KNEE, np.sign(samples) * (np.float32(_KNEE) + over), samples)
    return np.asarray(bent, np.float32)
