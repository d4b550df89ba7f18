"""Lines a voice has rehearsed are played; all else is spoken; what is kept is found again."""

import importlib
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

from avatar.speech import Speech
from avatar.voice.rules import SAY
from pipeline.rehearsal import RehearsedVoice
from tests.fakes.voice import FakeVoice

LINES = {"en": ["We open at eleven,", "Yes,"], "zh": ["好的，"]}


def spoken(voice: RehearsedVoice, text: str, speed: float = 1.0) -> list[Speech]:
    return list(voice.speak(text, "en", cancelled=Event(), speed=speed))


def test_a_rehearsed_line_is_the_same_sound_without_speaking(tmp_path: Path) -> None:
    inner = FakeVoice()
    voice = RehearsedVoice(inner, tmp_path, "")
    expected = spoken(voice, "We open at eleven,")
    voice.rehearse(LINES)
    inner.spoken.clear()
    (line,) = spoken(voice, " We open at eleven,")
    assert not inner.spoken
    np.testing.assert_array_equal(line.samples, expected[0].samples)
    assert (line.words, line.phones) == (expected[0].words, expected[0].phones)


def test_other_lines_and_speeds_are_spoken(tmp_path: Path) -> None:
    inner = FakeVoice()
    voice = RehearsedVoice(inner, tmp_path, "")
    voice.rehearse(LINES)
    inner.spoken.clear()
    assert spoken(voice, "We close at ten.")
    assert spoken(voice, "Yes,", speed=1.5)
    assert inner.spoken == ["We close at ten.", "Yes,"]


def test_what_was_kept_is_found_again(tmp_path: Path) -> None:
    RehearsedVoice(FakeVoice(), tmp_path, "").rehearse(LINES)
    inner = FakeVoice()
    voice = RehearsedVoice(inner, tmp_path, "")
    steps: list[tuple[str, int, int]] = []
    voice.rehearse(LINES, lambda *step: steps.append(step))
    assert not inner.spoken
    assert spoken(voice, "Yes,")
    assert [step[1:] for step in steps] == [(1, 3), (2, 3), (3, 3)]


def test_in_a_hurry_only_what_was_kept_is_read(tmp_path: Path) -> None:
    RehearsedVoice(FakeVoice(), tmp_path, "").rehearse({"en": ["Yes,"]})
    inner = FakeVoice()
    voice = RehearsedVoice(inner, tmp_path, "")
    voice.rehearse(LINES, kept=True)
    assert not inner.spoken
    assert spoken(voice, "Yes,")
    assert not inner.spoken


def test_another_lexicon_is_another_rehearsal(tmp_path: Path) -> None:
    RehearsedVoice(FakeVoice(), tmp_path, "").rehearse(LINES)
    inner = FakeVoice()
    RehearsedVoice(inner, tmp_path, "lexicon").rehearse(LINES)
    assert len(inner.spoken) == 3


@pytest.mark.parametrize(
    ("language", "what", "read"),
    [
        ("en", "avatar.voice.rules.SAY", {"number": SAY["plus"]}),
        ("en", "avatar.voice.english._OVERRIDES", {"OK": "ˌOkˈe"}),
        ("zh", "avatar.voice.mandarin._TONES", {"1": "", "2": "", "3": "", "4": "", "5": ""}),
    ],
    ids=["words", "English sounds", "Mandarin sounds"],
)
def test_another_reading_of_the_same_text_is_another_rehearsal(
    language: str,
    what: str,
    read: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = {language: ["OK, it is 5.", "好的，5元。"]}
    RehearsedVoice(FakeVoice(), tmp_path, "").rehearse(lines)
    module, _, name = what.rpartition(".")
    table = getattr(importlib.import_module(module), name)
    for key, value in read.items():
        monkeypatch.setitem(table, key, value)
    inner = FakeVoice()
    RehearsedVoice(inner, tmp_path, "").rehearse(lines)
    assert inner.spoken


def test_languages_the_voice_lacks_and_long_lines_are_left(tmp_path: Path) -> None:
    inner = FakeVoice(languages=("en",))
    voice = RehearsedVoice(inner, tmp_path, "")
    long = " ".join(["word"] * 40)
    voice.rehearse({"en": [long], "zh": ["好的，"]})
    inner.spoken.clear()
    assert spoken(voice, long)
    assert inner.spoken == [long]


def test_a_cancelled_line_gives_nothing(tmp_path: Path) -> None:
    voice = RehearsedVoice(FakeVoice(), tmp_path, "")
    voice.rehearse(LINES)
    cancelled = Event()
    cancelled.set()
    assert not list(voice.speak("Yes,", "en", cancelled=cancelled))
