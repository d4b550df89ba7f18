"""Measuring a voice: how soon it sounds, how fast it works, how loud it is."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from threading import Event
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.errors import AvatarError
from avatar.speech import SPEECH_RATE
from avatar.voice.base import Voice
from avatar.voice.loudness import integrated_loudness

SENTENCES: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        "Good evening, everyone, and welcome back to our little kitchen by the harbour.",
        "The dough rests for a whole day, so the crust turns light and crisp.",
        "Today the large pizza costs $12.50, and the second one is half the price.",
        "Yes, we deliver until 10:30, usually within forty minutes.",
        "If you like mushrooms, ask for the forest one; it is my favourite.",
        "We bake over wood, which is why every slice tastes faintly of smoke.",
        "Thank you for waiting, I have found the answer to your question.",
        "Please tell me your street and I will see how far it is from here.",
    ),
    "zh": (
        "大家晚上好，欢迎回到我们海边的小厨房。",
        "面团要静置一整天，所以饼底又轻又脆。",
        "今天大号披萨只要59.9元，第二份半价。",
        "可以的，我们送餐到晚上10:30，一般四十分钟就能到。",
        "喜欢蘑菇的朋友，可以试试森林口味，这是我最喜欢的一款。",
        "我们用果木来烤，每一口都带着淡淡的烟香。",
        "谢谢您的耐心等待，您的问题我已经找到答案了。",
        "请告诉我您在哪条街，我看看离我们店有多远。",
    ),
}
"""What the measurements say: about 30 s in each language."""

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class VoiceSpeed:
    """How fast a voice is.

    Attributes:
        first_audio_s: from the request to the first chunk, median over the sentences.
        first_audio_worst_s: the slowest of them.
        real_time_factor: seconds of work for one second of speech, over all of them.
        speech_s: seconds of speech that were made.
    """

    voice: str
    language: str
    first_audio_s: float
    first_audio_worst_s: float
    real_time_factor: float
    speech_s: float


@dataclass(frozen=True, slots=True)
class VoiceLoudness:
    """How loud a voice is: integrated LUFS and the greatest sample, over about 30 s."""

    voice: str
    language: str
    lufs: float
    peak: float


def measure_speed(
    voice: Voice,
    language: str,
    sentences: Sequence[str] | None = None,
    clock: Clock = time.perf_counter,
) -> VoiceSpeed:
    """Return how fast `voice` speaks `sentences`, after a first one that does not count.

    `sentences` are the built-in ones where None is given.

    Raises:
        AvatarError: the voice gave no sound.
    """
    texts = SENTENCES[language] if sentences is None else sentences
    _timed(voice, texts[0], language, clock)
    first, work, speech = zip(
        *(_timed(voice, text, language, clock) for text in texts), strict=True
    )
    return VoiceSpeed(
        voice.info.name, language, median(first), max(first), sum(work) / sum(speech), sum(speech)
    )


def measure_loudness(voice: Voice, language: str) -> VoiceLoudness:
    """Return how loud `voice` is over the built-in sentences. The gains come from this figure.

    Raises:
        AvatarError: the voice gave no sound.
    """
    samples = np.concatenate([speak_all(voice, text, language) for text in SENTENCES[language]])
    lufs = integrated_loudness(samples, SPEECH_RATE)
    return VoiceLoudness(voice.info.name, language, lufs, float(np.abs(samples).max()))


def speak_all(voice: Voice, text: str, language: str) -> NDArray[np.float32]:
    """Return all the samples of `text`, float32 [n].

    Raises:
        AvatarError: the voice gave no sound.
    """
    chunks = [speech.samples for speech in voice.speak(text, language, cancelled=Event())]
    if not chunks:
        raise AvatarError(f"voice {voice.info.name!r} gave no sound for {text!r}")
    return np.concatenate(chunks)


def _timed(voice: Voice, text: str, language: str, clock: Clock) -> tuple[float, float, float]:
    """Return seconds to the first chunk, to the end, and of speech."""
    begin = clock()
    first = 0.0
    seconds = 0.0
    for speech in voice.speak(text, language, cancelled=Event()):
        first = first or clock() - begin
        seconds += speech.seconds
    if not seconds:
        raise AvatarError(f"voice {voice.info.name!r} gave no sound for {text!r}")
    return first, clock() - begin, seconds
