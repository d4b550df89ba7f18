"""The questions of a benchmark: real and spoken in turn, only complete utterances."""

import json
import wave
from pathlib import Path

import pytest

from pipeline.assets import Registry
from web.bench.questions import SPEAKERS, TEXTS, questions


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    """Return a registry whose spoken questions are there already."""
    for language, speaker in SPEAKERS.items():
        for index in range(len(TEXTS[language])):
            path = tmp_path / "bench" / f"{speaker.partition(':')[2]}-{index}.wav"
            _wave(path, 0.5)
    return Registry(tmp_path)


def _wave(path: Path, seconds: float) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    loud, silent = b"\x00\x40" * round(seconds * 16_000), b"\x00\x00" * 8000
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(loud + silent)


def _entry(name: str, tags: list[str], segments: list[list[float]]) -> dict[str, object]:
    return {
        "file": name,
        "language": "en",
        "text": name,
        "kind": "speech",
        "tags": tags,
        "speech_segments_s": segments,
    }


def test_without_recordings_all_are_spoken(registry: Registry, tmp_path: Path) -> None:
    asked = questions(("en", "zh"), 20, registry, tmp_path / "nowhere")
    assert len(asked) == 20
    assert not any(question.real for question in asked)
    assert asked[0].speech_end == pytest.approx(0.5)
    assert {question.language for question in asked} == {"en", "zh"}


def test_real_ones_come_every_second_time(registry: Registry, tmp_path: Path) -> None:
    entries = [
        _entry("whole.wav", ["read"], [[0.1, 2.0], [2.4, 3.0]]),
        _entry("cut.wav", ["cut-sentence"], [[0.1, 2.0]]),
        _entry("pausing.wav", ["pauses"], [[0.1, 2.0], [3.4, 4.0]]),
    ]
    folder = tmp_path / "audio"
    folder.mkdir()
    (folder / "index.json").write_text(json.dumps(entries), "utf-8")
    asked = questions(("en",), 6, registry, folder)
    assert [question.real for question in asked] == [False, True] * 3
    assert {question.path.name for question in asked if question.real} == {"whole.wav"}
    assert asked[1].speech_end == 3.0
    assert not any(question.real for question in questions(("zh",), 4, registry, folder))
