"""How long text takes to say, for planning: a voice is heard before its length is known."""

import re
from typing import Final

from agents.clause import Language

# Characters a second of usual speech.
_RATE_EN: Final = 14.0
_RATE_ZH: Final = 4.5
_PAUSE: Final = 0.35  # seconds between one sentence and the next
LONGEST_S: Final = 12.0  # a sentence nobody may break into lasts no longer

# What takes a syllable of its own in Chinese: a character, or a figure read out.
_SYLLABLE: Final = re.compile(r"[\u3400-\u9fff0-9]")
_SILENT: Final = re.compile(r"[\s。！？；，、：…—“”‘’（）《》]")


def speech_seconds(text: str, language: Language, pace: float = 1.0) -> float:
    """Return about how long a text takes to say, in seconds, the pause after it included.

    Args:
        text: without marks.
        pace: how fast it is said, 1.0 as usual; greater than 0.
    """
    if language == "en":
        return _PAUSE + len(text) / _RATE_EN / pace
    syllables = len(_SYLLABLE.findall(text))
    letters = len(_SILENT.sub("", text)) - syllables
    return _PAUSE + (syllables / _RATE_ZH + letters / _RATE_EN) / pace
