"""Voices by name: "light", "kokoro", "kokoro:af_bella", "endpoint"."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from avatar.errors import AvatarValueError
from avatar.voice.base import Voice
from avatar.voice.endpoint import Endpoint, EndpointVoice
from avatar.voice.kokoro import KokoroVoice
from avatar.voice.light import LightVoice

ENGLISH_SPEAKER: Final = "af_heart"
MANDARIN_SPEAKER: Final = "zf_xiaobei"

_LANGUAGE_OF: Final = {"a": "en", "b": "en", "z": "zh"}


@dataclass(frozen=True, slots=True)
class VoiceFiles:
    """Where the voices' files lie; those of voices that are not opened may be None.

    Attributes:
        kokoro_model: Kokoro's ONNX file.
        kokoro_speakers: the folder of its speakers, `<name>.bin`.
        light_model, light_configuration: the Piper voice's ONNX file and its JSON.
    """

    kokoro_model: Path | None = None
    kokoro_speakers: Path | None = None
    light_model: Path | None = None
    light_configuration: Path | None = None


def open_voice(
    name: str,
    files: VoiceFiles,
    *,
    endpoint: Endpoint | None = None,
    threads: int = 2,
    lexicon: Mapping[str, str] | None = None,
) -> Voice:
    """Return the voice called `name`; `lexicon` is the merchant's pronunciations (see `Lexicon`).

    "kokoro" speaks English and Mandarin with the default speakers; "kokoro:SPEAKER" gives the
    speaker's language another speaker and keeps the default of the other.

    Raises:
        AvatarValueError: the name or the speaker is unknown, or what it needs is missing.
    """
    backend, _, speaker = name.partition(":")
    if backend == "kokoro":
        return _kokoro(name, speaker, files, threads, lexicon)
    if name == "light":
        model = _existing(files.light_model, "light_model")
        configuration = _existing(files.light_configuration, "light_configuration")
        return LightVoice(model, configuration, name=name, threads=threads, lexicon=lexicon)
    if name == "endpoint":
        if endpoint is None:
            raise AvatarValueError("voice 'endpoint' needs the address of a speech endpoint")
        return EndpointVoice(endpoint, name=name, lexicon=lexicon)
    raise AvatarValueError(
        f"voice {name!r} is unknown; accepted: kokoro, kokoro:SPEAKER, light, endpoint"
    )


def _kokoro(
    name: str,
    speaker: str,
    files: VoiceFiles,
    threads: int,
    lexicon: Mapping[str, str] | None,
) -> KokoroVoice:
    model = _existing(files.kokoro_model, "kokoro_model")
    folder = _existing(files.kokoro_speakers, "kokoro_speakers")
    chosen = {"en": ENGLISH_SPEAKER, "zh": MANDARIN_SPEAKER}
    if speaker:
        chosen[_speaker_language(speaker, folder)] = speaker
    speakers = {
        language: (each, _existing(folder / f"{each}.bin", "kokoro_speakers"))
        for language, each in chosen.items()
    }
    return KokoroVoice(model, speakers, name=name, threads=threads, lexicon=lexicon)


def _speaker_language(speaker: str, folder: Path) -> str:
    known = sorted(path.stem for path in folder.glob("*.bin") if path.stem[0] in _LANGUAGE_OF)
    if speaker not in known:
        raise AvatarValueError(f"speaker {speaker!r} is unknown; accepted: {', '.join(known)}")
    return _LANGUAGE_OF[speaker[0]]


def _existing(path: Path | None, what: str) -> Path:
    if path is None or not path.exists():
        raise AvatarValueError(f"{what}: {path} does not exist; fetch the voice's files first")
    return path
