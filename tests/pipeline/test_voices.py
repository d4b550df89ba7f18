"""Which voice speaks a language."""

from pathlib import Path

import pytest

from pipeline.assets import Registry
from pipeline.configuration import SpeakSettings
from pipeline.errors import AssetError, ConfigurationError
from pipeline.voices import choose_voice, load_voice

LANGUAGES = {"light": ("en",), "kokoro": ("en", "zh")}


@pytest.mark.parametrize(
    ("wished", "language", "chosen"),
    [
        (None, "en", "light"),
        (None, "zh", "kokoro"),
        ("kokoro", "en", "kokoro"),
        ("light", "zh", "kokoro"),
    ],
)
def test_the_wish_counts_where_it_has_the_language(
    wished: str | None, language: str, chosen: str
) -> None:
    assert choose_voice(LANGUAGES, wished, language) == chosen


def test_unknown_names_and_languages_are_named() -> None:
    with pytest.raises(ConfigurationError, match="voice is 'robot'; accepted: light, kokoro"):
        choose_voice(LANGUAGES, "robot", "en")
    with pytest.raises(ConfigurationError, match="'fr'"):
        choose_voice(LANGUAGES, None, "fr")


def test_a_voice_without_files_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="vivant models fetch piper-joe"):
        load_voice("light", SpeakSettings(), Registry(tmp_path))


def test_an_endpoint_needs_an_address(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"speak\.url"):
        load_voice("endpoint", SpeakSettings(voices=("endpoint",)), Registry(tmp_path))
