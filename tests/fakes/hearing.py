"""A voice activity detector that hears loudness, and a recogniser that knows its lines."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from encoder.errors import EncoderError
from encoder.recognizer import Transcript


class LoudnessVad:
    """Speech is whatever is loud."""

    def probability(self, window: NDArray[np.float32]) -> float:
        return 0.95 if float(np.sqrt(np.mean(window**2))) > 0.02 else 0.02

    def reset(self) -> None:
        """There is nothing to forget."""


class FakeRecognizer:
    """Recognises an utterance as what `script(samples)` says; "" is no speech, "!" an error."""

    def __init__(self, script: Callable[[NDArray[np.float32]], str]) -> None:
        self.script = script
        self.finals = 0

    def open(self, languages: tuple[str, ...] = ("en", "zh")) -> "FakeRecognition":
        return FakeRecognition(self, languages)


class FakeRecognition:
    def __init__(self, recognizer: FakeRecognizer, languages: tuple[str, ...]) -> None:
        self._recognizer = recognizer
        self._languages = languages

    def partial(self, samples: NDArray[np.float32]) -> Transcript:
        text = self._recognizer.script(samples)
        half = text[: len(text) // 2]
        return Transcript(half, text[len(half) :], self._languages[0], 0.9, bool(text))

    def final(self, samples: NDArray[np.float32]) -> Transcript:
        self._recognizer.finals += 1
        text = self._recognizer.script(samples)
        if text == "!":
            raise EncoderError("the recogniser broke; a retry may help")
        return Transcript(text, "", self._languages[0], 0.9, bool(text))
