"""A voice for tests that hums: each word for a quarter of a second, as m and a."""

from collections.abc import Iterator
from threading import Event

import numpy as np

from avatar.speech import SPEECH_RATE, Phone, Speech, Word
from avatar.voice.base import VoiceInfo


class Hum:
    """Hums English words; see `avatar.voice.base.Voice`."""

    info = VoiceInfo("hum", "hum", ("en",), "none")

    def speak(
        self, text: str, language: str, *, cancelled: Event, speed: float = 1.0
    ) -> Iterator[Speech]:
        del language, cancelled
        length = 0.25 / speed
        words, phones = [], []
        for number, word in enumerate(text.split()):
            at = number * length
            words.append(Word(word, at, at + length))
            phones += [Phone("m", at, at + 0.1), Phone("ɑ", at + 0.1, at + length, 1)]
        count = round(len(words) * length * SPEECH_RATE)
        time = np.arange(count) / SPEECH_RATE
        pulse = np.abs(np.sin(np.pi * time / length))
        sound = (0.2 * pulse * np.sin(2 * np.pi * 220 * time)).astype(np.float32)
        yield Speech(sound, tuple(words), tuple(phones))
