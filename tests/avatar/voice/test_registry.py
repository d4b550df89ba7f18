"""Voices by name."""

import re
from pathlib import Path
from threading import Event

import pytest

from avatar.errors import AvatarValueError
from avatar.voice.base import Voice
from avatar.voice.endpoint import Endpoint
from avatar.voice.registry import VoiceFiles, open_voice


def test_what_the_voices_are(light: Voice, kokoro: Voice) -> None:
    assert (light.info.name, light.info.languages) == ("light", ("en",))
    assert (kokoro.info.name, kokoro.info.languages) == ("kokoro", ("en", "zh"))
    assert {light.info.licence, kokoro.info.licence} == {"CC0-1.0", "Apache-2.0"}


def test_an_endpoint_needs_its_address(voice_files: VoiceFiles) -> None:
    with pytest.raises(AvatarValueError, match="address"):
        open_voice("endpoint", voice_files)
    voice = open_voice("endpoint", voice_files, endpoint=Endpoint("http://127.0.0.1:9/v1"))
    assert voice.info.backend == "endpoint"


@pytest.mark.parametrize("name", ["", "Light", "piper", "kokoro:", "light:x", "../light"])
def test_unknown_names_are_refused(name: str) -> None:
    expected = "kokoro, kokoro:SPEAKER, light, endpoint|does not exist"
    with pytest.raises(AvatarValueError, match=expected):
        open_voice(name, VoiceFiles())


@pytest.mark.parametrize("speaker", ["nobody", "../voices/af_heart", "jf_alpha"])
def test_unknown_speakers_are_refused(speaker: str, voice_files: VoiceFiles) -> None:
    with pytest.raises(AvatarValueError, match=rf"{re.escape(repr(speaker))}.*af_bella"):
        open_voice(f"kokoro:{speaker}", voice_files)


def test_a_file_that_is_no_speaker_is_refused(tmp_path: Path, voice_files: VoiceFiles) -> None:
    for name in ("af_heart", "zf_xiaobei"):
        (tmp_path / f"{name}.bin").write_bytes(b"\0" * 16)
    files = VoiceFiles(kokoro_model=voice_files.kokoro_model, kokoro_speakers=tmp_path)
    with pytest.raises(AvatarValueError, match="4 numbers"):
        open_voice("kokoro", files)


def test_a_file_that_is_no_model_is_refused(tmp_path: Path, voice_files: VoiceFiles) -> None:
    model = tmp_path / "voice.onnx"
    model.write_bytes(b"not a model at all")
    files = VoiceFiles(light_model=model, light_configuration=voice_files.light_configuration)
    with pytest.raises(AvatarValueError, match=r"ONNX model|not the one expected"):
        open_voice("light", files)


def test_the_lexicon_reaches_the_voice(voice_files: VoiceFiles) -> None:
    voice = open_voice("light", voice_files, threads=1, lexicon={"Qzx": "/bəˈnænə/"})
    (chunk,) = voice.speak("Qzx", "en", cancelled=Event())
    assert [phone.ipa for phone in chunk.phones if phone.ipa] == ["b", "ə", "n", "æ", "n", "ə"]
