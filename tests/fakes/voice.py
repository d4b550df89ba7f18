"""A voice that hums one tone per word."""

from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from threading import Event
from typing import Any

import numpy as np

from avatar.errors import AvatarError
from avatar.speech import SPEECH_RATE, Phone, Speech, Word
from avatar.voice import VoiceInfo
from pipeline.mouthing import Mouthed
from pipeline.voice_health import Speaker

WORD_SECONDS = 0.3


@dataclass(frozen=True, slots=True)
class CostlySpeaker(Speaker):
    """A speaker whose voice takes `share` of the time it speaks, by a clock."""

    clock: Any = None
    share: float = 0.0

    async def speech(self, text: str, language: str) -> AsyncGenerator[Mouthed, None]:
        """Speak, each chunk after its time."""
        async for made in Speaker.speech(self, text, language):
            seconds = self.share * made.speech.seconds
            await self.clock.sleep_until(self.clock.now() + seconds)
            yield made


class FakeVoice:
    """0.3 s of a quiet sine for each word, one chunk per clause. The text "broken" fails."""

    def __init__(self, name: str = "fake", languages: tuple[str, ...] = ("en", "zh")) -> None:
        self.info = VoiceInfo(name, "fake", languages, "Apache-2.0")
        self.spoken: list[str] = []

    def speak(
        self, text: str, language: str, *, cancelled: Event, speed: float = 1.0
    ) -> Iterator[Speech]:
        del language
        if "broken" in text:
            raise AvatarError("the voice broke; a retry may help")
        words = text.split()
        if not words or cancelled.is_set():
            return
        self.spoken.append(text)
        length = WORD_SECONDS / speed
        times = np.arange(round(len(words) * length * SPEECH_RATE)) / SPEECH_RATE
        samples = (0.2 * np.sin(2 * np.pi * 440 * times)).astype(np.float32)
        marks = [(word, index * length) for index, word in enumerate(words)]
        yield Speech(
            samples,
            tuple(Word(word, start, start + length) for word, start in marks),
            tuple(Phone("a", start, start + length, 1) for _, start in marks),
        )
