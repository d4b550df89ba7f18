"""Measuring voices."""

from collections.abc import Iterator
from threading import Event

import numpy as np
import pyloudnorm
import pytest

from avatar.errors import AvatarError, AvatarValueError
from avatar.speech import SPEECH_RATE, Speech
from avatar.voice.base import VoiceInfo
from avatar.voice.loudness import integrated_loudness
from avatar.voice.measure import SENTENCES, measure_loudness, measure_speed, speak_all


class Clockwork:
    """A voice whose every chunk of half a second takes a tenth of one on its own clock."""

    info = VoiceInfo("clockwork", "test", ("en",), "none")

    def __init__(self, chunks: int) -> None:
        self.now = 0.0
        self._chunks = chunks

    def speak(
        self, text: str, language: str, *, cancelled: Event, speed: float = 1.0
    ) -> Iterator[Speech]:
        assert text
        assert language == "en"
        assert speed == 1.0
        for _ in range(0 if cancelled.is_set() else self._chunks):
            self.now += 0.1
            tone = 0.25 * np.sin(np.arange(SPEECH_RATE // 2) * 2 * np.pi * 997 / SPEECH_RATE)
            yield Speech(tone.astype(np.float32))


def test_speed_is_time_to_the_first_chunk_and_work_per_second() -> None:
    voice = Clockwork(chunks=3)
    speed = measure_speed(voice, "en", clock=lambda: voice.now)
    assert speed.first_audio_s == pytest.approx(0.1)
    assert speed.first_audio_worst_s == pytest.approx(0.1)
    assert speed.real_time_factor == pytest.approx(0.2)
    assert speed.speech_s == pytest.approx(1.5 * len(SENTENCES["en"]))


def test_a_silent_voice_is_an_error() -> None:
    voice = Clockwork(chunks=0)
    with pytest.raises(AvatarError, match="no sound"):
        measure_speed(voice, "en")
    with pytest.raises(AvatarError, match="clockwork"):
        speak_all(voice, "Hello", "en")


def test_loudness_of_a_tone() -> None:
    """A full-scale sine of 997 Hz is -3.01 LUFS; a quarter of it 12.04 less (BS.1770, annex 1)."""
    loudness = measure_loudness(Clockwork(chunks=2), "en")
    assert loudness.lufs == pytest.approx(-15.05, abs=0.1)
    assert loudness.peak == pytest.approx(0.25, abs=1e-3)


@pytest.mark.parametrize("rate", [24_000, 48_000])
def test_loudness_agrees_with_another_meter(rate: int) -> None:
    noise = np.random.default_rng(5).normal(0, 0.1, 6 * rate).astype(np.float32)
    noise[rate : 2 * rate] *= 0.001
    noise[3 * rate :] *= 0.3
    wanted = pyloudnorm.Meter(rate).integrated_loudness(noise.astype(np.float64))
    assert integrated_loudness(noise, rate) == pytest.approx(wanted, abs=0.1)


def test_silence_and_scraps_have_no_loudness() -> None:
    with pytest.raises(AvatarValueError, match="too short"):
        integrated_loudness(np.zeros(100, np.float32), SPEECH_RATE)
    with pytest.raises(AvatarValueError, match="silent"):
        integrated_loudness(np.zeros(SPEECH_RATE, np.float32), SPEECH_RATE)
