"""With what emotion a clause is said: as it is written down, or as its words suggest.

Written down, an emotion is "happy" or, with how strongly it is felt, "happy:0.6". Words suggest
one by a few groups of cues: who apologises is caring, who warns serious. A clause that holds none
of them suggests nothing.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any, Final, cast, get_args

from agents.clause import Clause, Emotion, Feeling, Language
from agents.errors import AgentValueError

EMOTIONS: Final[tuple[Emotion, ...]] = get_args(Emotion)

_DATA: Final[Mapping[str, Any]] = json.loads(
    (resources.files("agents") / "data" / "feelings.json").read_text("utf-8")
)
# What a number may look like, so that "nan" and "1e3" are none.
_WRITTEN: Final = re.compile(r"([a-z]+)(?::(\d(?:\.\d{1,3})?|\.\d{1,3}))?")
_MARK: Final = re.compile(rf"\[({'|'.join(EMOTIONS)})(:[^\[\]\s]*)?\]")
_CUE: Final = 0.1  # by which every further cue strengthens
_MARKS: Final = 0.12  # by which an exclamation mark does, two at most
_STRONGER: Final = 0.18
_SOFTER: Final = 0.2
_FAINTEST: Final = 0.2
_EXCLAIMED: Final = 0.28  # of a clause that only an exclamation mark warms
# What is cheerful is not when it is denied; an apology or a warning often is a denial.
_DENIABLE: Final = ("surprised", "excited", "happy")


@dataclass(frozen=True, slots=True)
class _Cues:
    """What suggests one emotion, most telling groups first, and how strongly by itself."""

    emotion: Emotion
    intensity: float
    pattern: re.Pattern[str]


def read_feeling(written: str) -> Feeling:
    """Read "happy" or "happy:0.6".

    Raises:
        AgentValueError: names what is accepted.
    """
    match = _WRITTEN.fullmatch(written)
    if match is None or match[1] not in EMOTIONS or float(match[2] or 1.0) > 1.0:
        raise AgentValueError(
            f"{written!r:.60}; accepted are {', '.join(EMOTIONS)}, alone or with an intensity from "
            '0 to 1 as in "happy:0.6"'
        )
    return Feeling(cast("Emotion", match[1]), float(match[2] or 1.0))


def marked(text: str) -> Iterator[tuple[Feeling | None, str]]:
    """Part a text at its marks, "[happy:0.6] Welcome!": what is felt, None before the first.

    Raises:
        AgentValueError: a mark's intensity is no number from 0 to 1.
    """
    feeling, start = None, 0
    for mark in _MARK.finditer(text):
        if mark.start() > start:
            yield feeling, text[start : mark.start()]
        feeling, start = read_feeling(mark.group()[1:-1]), mark.end()
    if start < len(text):
        yield feeling, text[start:]


def suggested(text: str, language: Language) -> Feeling | None:
    """Return the emotion that the words of a clause suggest, None where they suggest none."""
    plain = text.casefold().replace("’", "'")
    found: dict[Emotion, list[float]] = {}
    for cues in _groups(language):
        for match in cues.pattern.finditer(plain):
            if not (cues.emotion in _DENIABLE and _denied(language).search(plain[: match.start()])):
                found.setdefault(cues.emotion, []).append(cues.intensity)
    marks = min(2, sum(plain.count(mark) for mark in "!！"))
    if not found:
        return Feeling("happy", _EXCLAIMED + marks * _MARKS) if marks else None
    # Groups stand in the order in which they prevail: the first of equally many is kept.
    emotion = max(found, key=lambda each: len(found[each]))
    strength = max(found[emotion]) + _CUE * min(2, len(found[emotion]) - 1) + _MARKS * marks
    strength += _STRONGER * bool(_degree("stronger", language).search(plain))
    strength -= _SOFTER * bool(_degree("softer", language).search(plain))
    return Feeling(emotion, round(min(1.0, max(_FAINTEST, strength)), 3))


def felt(clause: Clause) -> Clause:
    """Return the clause with an emotion: its own, or else what its words suggest, or neutral."""
    if clause.emotion is not None:
        return clause
    feeling = suggested(clause.text, clause.language) or Feeling("neutral")
    return replace(clause, emotion=feeling.emotion, intensity=feeling.intensity)


@cache
def _groups(language: Language) -> tuple[_Cues, ...]:
    return tuple(
        _Cues(group["emotion"], group["intensity"], _any(group[language], language))
        for group in _DATA["groups"]
    )


@cache
def _degree(name: str, language: Language) -> re.Pattern[str]:
    return _any(_DATA[name][language], language)


@cache
def _denied(language: Language) -> re.Pattern[str]:
    return re.compile(_DATA["denied"][language])


def _any(alternatives: Sequence[str], language: Language) -> re.Pattern[str]:
    """Return what finds any of them, as whole words where words have bounds."""
    joined = "|".join(sorted(alternatives, key=len, reverse=True))
    return re.compile(rf"(?<![\w'])(?:{joined})(?![\w'])" if language == "en" else joined)
