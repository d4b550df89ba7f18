"""How long text takes to say, for planning: a voice is heard before its length is known."""

import re
from typing import Final

from agents.clause import Language

# Seconds of usual speech, fitted to 125 lines of a room on air (90 in English, 35 in Chinese, each
# with names and figures of the other script): half of the lines are within 8 % of it, nine in ten
# within 30 %.
_LETTER: Final[dict[Language, float]] = {"en": 0.06, "zh": 0.085}
_SYLLABLE: Final[dict[Language, float]] = {"en": 0.2, "zh": 0.22}  # a Chinese character
_DIGIT: Final = 0.42  # "260" is said in five syllables
_PAUSE: Final = 0.3  # between one line and the next
LONGEST_S: Final = 12.0  # a sentence nobody may break into lasts no longer

_CHARACTERS: Final = re.compile(r"[\u3400-\u9fff]")
_DIGITS: Final = re.compile(r"[0-9]")
_LETTERS: Final = re.compile(r"[^\W\d_\u3400-\u9fff]")


def speech_seconds(text: str, language: Language, pace: float = 1.0) -> float:
    """Return about how long a text takes to say, in seconds, the pause after it included.

    Args:
        text: without marks.
        pace: how fast it is said, 1.0 as usual; greater than 0.
    """
    seconds = (
        len(_LETTERS.findall(text)) * _LETTER[language]
        + len(_CHARACTERS.findall(text)) * _SYLLABLE[language]
        + len(_DIGITS.findall(text)) * _DIGIT
    )
    return _PAUSE + seconds / pace
