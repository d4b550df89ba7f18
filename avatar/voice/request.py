"""Checking what a voice is asked for."""

from typing import Final

from avatar.errors import AvatarValueError
from avatar.voice.base import VoiceInfo

SLOWEST: Final = 0.5
FASTEST: Final = 2.0


def check_language(info: VoiceInfo, language: str) -> None:
    """Raise AvatarValueError unless the voice speaks `language`."""
    if language not in info.languages:
        accepted = ", ".join(repr(item) for item in info.languages)
        raise AvatarValueError(
            f"voice {info.name!r} does not speak {language!r}; it accepts {accepted}"
        )


def check_speed(speed: float) -> None:
    """Raise AvatarValueError unless `speed` is within 0.5 to 2.0."""
    if not SLOWEST <= speed <= FASTEST:
        raise AvatarValueError(f"speed {speed!r} is outside {SLOWEST} to {FASTEST}")
