"""Speech with its mouth: of a voice that gives no phones, the mouth is heard in the sound.

It is heard where the voice speaks, on the voice's worker, while the sound comes in: 0.4 s of it
cost a few milliseconds. Sound waits until the 120 ms behind it are there, which a voice that is
quicker than speech makes at once.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from threading import Event
from typing import Final

import numpy as np
import soxr
import torch
from numpy.typing import NDArray

from avatar.speech import SPEECH_RATE, Speech, Word
from avatar.voice import Voice
from motion.audio import AUDIO_RATE
from motion.lips.stream import LipCheckpoint, LipStream
from motion.pose import POSES_PER_SECOND
from motion.trained import trained_lips

_POSE: Final = SPEECH_RATE // POSES_PER_SECOND  # samples

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Mouthed:
    """Speech, and for a voice without phones its mouth as `SpokenPassage.mouth` holds it."""

    speech: Speech
    mouth: Array | None = None


@cache
def listening_lips() -> LipCheckpoint:
    """Return the lips that ship, read once; the network is too small to be worth two threads."""
    torch.set_num_threads(1)
    return trained_lips()


def speak_mouthed(
    voice: Voice, text: str, language: str, *, cancelled: Event, speed: float = 1.0
) -> Iterator[Mouthed]:
    """Speak as `Voice.speak` does, each chunk with its mouth where the voice gives no phones.

    Those chunks are cut anew, at whole poses.
    """
    chunks = voice.speak(text, language, cancelled=cancelled, speed=speed)
    if voice.info.phones:
        yield from map(Mouthed, chunks)
        return
    ear = Ear(listening_lips())
    for chunk in chunks:
        if (heard := ear.hear(chunk)) is not None:
            yield heard
    if not cancelled.is_set() and (heard := ear.finish()) is not None:
        yield heard


class Ear:
    """Hears the mouth in chunks of one clause, and hands them on as far as it knows it."""

    def __init__(self, checkpoint: LipCheckpoint) -> None:
        self._lips = LipStream(checkpoint)
        self._lower = soxr.ResampleStream(SPEECH_RATE, AUDIO_RATE, 1, "float32", "MQ")
        self._sound: Array = np.zeros(0, np.float32)
        self._words: list[Word] = []  # timed from the first of the samples that wait

    def hear(self, chunk: Speech) -> Mouthed | None:
        """Take the next chunk; return what is ready now."""
        waiting = len(self._sound) / SPEECH_RATE
        self._words += [_moved(word, waiting) for word in chunk.words]
        self._sound = np.concatenate([self._sound, chunk.samples])
        mouth = self._lips.hear(self._lower.resample_chunk(chunk.samples))
        return self._ready(mouth) if len(mouth) else None

    def finish(self) -> Mouthed | None:
        """Return what still waits, as if silence followed."""
        rest = self._lower.resample_chunk(np.zeros(0, np.float32), last=True)
        mouth = np.concatenate([self._lips.hear(rest), self._lips.rest()])
        if not len(self._sound):
            return None
        return Mouthed(
            Speech(self._sound, tuple(self._words)), mouth[: -(-len(self._sound) // _POSE)]
        )

    def _ready(self, mouth: Array) -> Mouthed:
        samples = len(mouth) * _POSE
        made, self._sound = self._sound[:samples], self._sound[samples:]
        seconds = samples / SPEECH_RATE
        words = tuple(word for word in self._words if word.start < seconds)
        self._words = [_moved(w, -seconds) for w in self._words if w.start >= seconds]
        return Mouthed(Speech(made, words), mouth)


def _moved(word: Word, by: float) -> Word:
    return Word(word.text, word.start + by, word.end + by)
