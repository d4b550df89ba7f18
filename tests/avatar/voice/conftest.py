"""The voices, opened once, and an ear that hears what they said."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soxr
from faster_whisper import WhisperModel
from numpy.typing import NDArray

from avatar.voice.base import Voice
from avatar.voice.registry import VoiceFiles, open_voice

Ear = Callable[[NDArray[np.float32], str], str]
"""24 kHz samples and their language in, words out: lower case, without punctuation."""


@pytest.fixture(scope="session")
def voice_files(models: Path) -> VoiceFiles:
    return VoiceFiles(
        kokoro_model=models / "kokoro-82m" / "model.onnx",
        kokoro_speakers=models / "kokoro-82m" / "voices",
        light_model=models / "piper-joe" / "voice.onnx",
        light_configuration=models / "piper-joe" / "voice.onnx.json",
    )


@pytest.fixture(scope="session")
def kokoro(voice_files: VoiceFiles) -> Voice:
    return open_voice("kokoro", voice_files)


@pytest.fixture(scope="session")
def light(voice_files: VoiceFiles) -> Voice:
    return open_voice("light", voice_files)


@pytest.fixture(scope="session")
def ear(models: Path) -> Ear:
    """Whisper base, as the product hears with."""
    model = WhisperModel(
        str(models / "whisper-base"), device="cpu", compute_type="int8", cpu_threads=2
    )

    def hear(samples: NDArray[np.float32], language: str) -> str:
        audio = soxr.resample(np.pad(samples, 4800), 24_000, 16_000)
        segments, _ = model.transcribe(audio, language=language, beam_size=1)
        text = " ".join(segment.text for segment in segments).lower()
        return re.sub(r"\s+", " ", re.sub(r"[^\w\s']", " ", text)).strip()

    return hear
