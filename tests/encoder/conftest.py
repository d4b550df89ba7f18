"""Fixtures of hearing: the models are loaded once."""

from pathlib import Path

import pytest

from encoder.recognizer import Transcript
from encoder.whisper import WhisperRecognizer
from tests.recordings import Recording


@pytest.fixture(scope="session")
def recognizer(models: Path) -> WhisperRecognizer:
    """Return Whisper on two threads."""
    return WhisperRecognizer(models / "whisper-base")


@pytest.fixture(scope="session")
def silero(models: Path) -> Path:
    """Return the path of the voice activity network."""
    return models / "silero-vad" / "silero_vad.onnx"


@pytest.fixture(scope="session")
def spoken(recordings: dict[str, Recording]) -> dict[str, Recording]:
    """Return the recordings of speech in one language."""
    return {
        name: recording
        for name, recording in recordings.items()
        if recording.kind == "speech" and recording.language in ("en", "zh")
    }


@pytest.fixture(scope="session")
def finals(spoken: dict[str, Recording], recognizer: WhisperRecognizer) -> dict[str, Transcript]:
    """Return what the recogniser makes of each of them, heard whole."""
    return {
        name: recognizer.open().final(recording.samples()[0]) for name, recording in spoken.items()
    }
