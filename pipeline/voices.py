"""The voices of a configuration, and which of them speaks a language."""

from collections.abc import Iterable, Mapping
from typing import Final

from avatar.voice import Voice, VoiceInfo
from avatar.voice.endpoint import Endpoint, EndpointVoice
from avatar.voice.registry import VoiceFiles, open_voice
from pipeline.assets import Registry
from pipeline.configuration import SpeakSettings, secret
from pipeline.errors import ConfigurationError
from pipeline.probe import ClickVoice

# The backend whose voices speak elsewhere.
ENDPOINT: Final = "endpoint"


def load_voice(name: str, settings: SpeakSettings, registry: Registry) -> Voice:
    """Open the voice called `name`.

    Raises:
        AssetError: its files are missing.
        AvatarValueError: nobody is called that.
    """
    if name == "click":
        return ClickVoice()
    if name == "endpoint":
        return EndpointVoice(_endpoint(settings), lexicon=settings.lexicon)
    if name.partition(":")[0] == "light":
        folder = registry.folder("piper-joe")
        files = VoiceFiles(
            light_model=folder / "voice.onnx", light_configuration=folder / "voice.onnx.json"
        )
    else:
        folder = registry.folder("kokoro-82m")
        files = VoiceFiles(kokoro_model=folder / "model.onnx", kokoro_speakers=folder / "voices")
    threads = 1 if name == "light" else settings.threads  # it is quick enough with one
    return open_voice(name, files, threads=threads, lexicon=settings.lexicon)


def choose_voice(languages: Mapping[str, Iterable[str]], name: str | None, language: str) -> str:
    """Return the wished voice, or where it lacks the language the first that has it.

    Args:
        languages: what each voice speaks, the default voice first.

    Raises:
        ConfigurationError: nobody is called that, or nobody speaks that.
    """
    if name is not None and name not in languages:
        raise ConfigurationError(f"voice is {name!r}; accepted: {', '.join(languages)}")
    for candidate in [*([name] if name is not None else []), *languages]:
        if language in languages[candidate]:
            return candidate
    raise ConfigurationError(f"no voice here speaks {language!r}; add one that does")


def choose_spare(voices: Mapping[str, VoiceInfo], language: str) -> str | None:
    """Return the first voice that speaks here, not at an endpoint, and has the language."""
    for candidate, info in voices.items():
        if info.backend != ENDPOINT and language in info.languages:
            return candidate
    return None


def _endpoint(settings: SpeakSettings) -> Endpoint:
    if not settings.url:
        raise ConfigurationError("speak.voices names 'endpoint'; speak.url is needed")
    key = secret(settings.key_variable)
    if settings.name:
        return Endpoint(settings.url, voice=settings.name, api_key=key)
    return Endpoint(settings.url, api_key=key)
