"""`vivant bench voice`: first sound, share of real time and loudness of every voice."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from avatar.voice.measure import measure_loudness, measure_speed
from pipeline.assets import Registry
from pipeline.configuration import load_configuration
from pipeline.voices import load_voice


def run(voices: Sequence[str] = (), config: Path | None = None) -> dict[str, object]:
    """Measure the named voices (all of the configuration by default) in each language they speak.

    Raises:
        AssetError: a model is missing.
        AvatarValueError: a voice is unknown.
    """
    configuration = load_configuration(config)
    registry = Registry(configuration.cache)
    measured: dict[str, object] = {}
    for name in voices or configuration.speak.voices:
        voice = load_voice(name, configuration.speak, registry)
        measured[name] = {
            language: {
                **asdict(measure_speed(voice, language)),
                **asdict(measure_loudness(voice, language)),
            }
            for language in voice.info.languages
        }
    return {"threads": configuration.speak.threads, "voices": measured}
