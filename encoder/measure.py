"""What recognition costs, for a benchmark."""

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from encoder.errors import EncoderValueError
from encoder.recognizer import HEARING_RATE
from encoder.whisper import WhisperRecognizer


@dataclass(frozen=True, slots=True)
class RecognitionTimes:
    """Medians over the repeats of one utterance, in seconds of wall time.

    Attributes:
        utterance: its length in seconds of audio.
        tokens: text tokens decoded.
        encode: features and encoder.
        detect: language detection.
        decode: the greedy decode.
        total: one call of `final`.
    """

    utterance: float
    tokens: int
    encode: float
    detect: float
    decode: float
    total: float


def recognition_times(
    recognizer: WhisperRecognizer, utterances: Sequence[NDArray[np.float32]], repeats: int = 5
) -> tuple[RecognitionTimes, ...]:
    """Time the recognition of each utterance, float32 [n] at 16 kHz, shortest first.

    One recognition is made beforehand, so that no first call is timed. Raises EncoderValueError
    without utterances or for fewer repeats than one.
    """
    if not utterances or repeats < 1:
        raise EncoderValueError(
            f"{len(utterances)} utterances, {repeats} repeats: at least one of each is needed"
        )
    recognizer.open().final(utterances[0])
    ordered = sorted(utterances, key=len)
    return tuple(_times(recognizer, samples, repeats) for samples in ordered)


def _times(
    recognizer: WhisperRecognizer, samples: NDArray[np.float32], repeats: int
) -> RecognitionTimes:
    seconds = samples.size / HEARING_RATE
    marks = []
    for _ in range(repeats):
        start = time.perf_counter()
        encoded = recognizer.encode(samples)
        heard = time.perf_counter()
        found = recognizer.languages(encoded)
        language = max(("en", "zh"), key=lambda name: found.get(name, 0.0))
        known = time.perf_counter()
        decoded = recognizer.decode(encoded, language, seconds)
        written = time.perf_counter()
        recognizer.open().final(samples)
        whole = time.perf_counter() - written
        marks.append((heard - start, known - heard, written - known, whole))
    encode, detect, decode, total = (statistics.median(part) for part in zip(*marks, strict=True))
    return RecognitionTimes(seconds, len(decoded.tokens), encode, detect, decode, total)
