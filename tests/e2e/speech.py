"""Speech for the tests: questions in our own voice, and recognition of what was received."""

import wave
from collections.abc import Callable
from pathlib import Path
from threading import Event

import numpy as np
import soxr
from numpy.typing import NDArray

from avatar.speech import SPEECH_RATE
from avatar.voice.registry import VoiceFiles, open_voice
from encoder.recognizer import HEARING_RATE
from encoder.whisper import WhisperRecognizer
from pipeline.contract import WIRE_RATE

Samples = NDArray[np.float32]


def speaker(models: Path, voice: str = "light", language: str = "en") -> Callable[[str], Samples]:
    """Return text -> float32 [n] at `WIRE_RATE`, in a voice that ships."""
    light, kokoro = models / "piper-joe", models / "kokoro-82m"
    files = VoiceFiles(
        light_model=light / "voice.onnx",
        light_configuration=light / "voice.onnx.json",
        kokoro_model=kokoro / "model.onnx",
        kokoro_speakers=kokoro / "voices",
    )
    opened = open_voice(voice, files, threads=1)

    def say(text: str) -> Samples:
        chunks = [chunk.samples for chunk in opened.speak(text, language, cancelled=Event())]
        return resampled(np.concatenate(chunks), SPEECH_RATE, WIRE_RATE)

    return say


def listener(models: Path) -> Callable[[Samples, int, str], str]:
    """Return (samples, rate, language) -> what is said in them."""
    recognizer = WhisperRecognizer(models / "whisper-base", threads=1)

    def recognise(samples: Samples, rate: int, language: str) -> str:
        heard = resampled(sounding(samples), rate, HEARING_RATE)
        return recognizer.open((language,)).final(heard).text

    return recognise


def sounding(samples: Samples) -> Samples:
    """Return the part from the first to the last sound, with a little silence around it."""
    loud = np.flatnonzero(np.abs(samples) > 0.01)
    assert len(loud), "there is no sound in it"
    margin = 4800
    return samples[max(0, loud[0] - margin) : loud[-1] + margin]


def resampled(samples: Samples, rate: int, target: int) -> Samples:
    """Return the whole recording at another rate."""
    return np.asarray(soxr.resample(samples, rate, target), np.float32)


def write_wave(path: Path, samples: Samples, *, lead: float, trail: float) -> None:
    """Write samples at `WIRE_RATE` with seconds of silence around them, as Chromium plays it."""
    silence = [np.zeros(round(seconds * WIRE_RATE), np.float32) for seconds in (lead, trail)]
    whole = np.concatenate([silence[0], samples, silence[1]])
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(WIRE_RATE)
        file.writeframes((np.clip(whole, -1, 1) * 32767).astype(np.int16).tobytes())
