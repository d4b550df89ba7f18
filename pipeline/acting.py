"""Which clause is said with which action: cue words of the library, and numbers and sizes in it.

What the host was told to do (a fact of the catalogue, a line of the persona) stays. A clause
without an action gets at most one, where its words ask for it, and not twice the same running: a
speaker who illustrates every word says nothing with their hands.
"""

import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from agents.amounts_en import VALUES, values
from agents.amounts_zh import value
from agents.clause import Action, Clause, Language
from avatar.speech import Word
from motion.actions import ACTIONS
from motion.errors import MotionValueError
from motion.speech import SpokenAction

_REPEATED: Final = 4  # clauses in which an action is not made again
_NUMBERS_EN: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_NUMBERS_ZH: Final = {"一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5}
# What is counted on fingers, not measured: "three reasons", 三个.
_COUNTED_EN: Final = re.compile(
    r"(?<!every )(?<!each )(?<!any )(?<!no )(?<!another )"
    r"\b(one|two|three|four|five|[1-5]) (?:(?:great|good|simple|different|more|little) )?"
    r"(?:reasons?|tips?|colou?rs?|kinds?|sizes?|things?|steps?|ways?|of them|pieces?|flavou?rs?)\b"
)
_COUNTED_ZH: Final = re.compile(
    # 一 in front of a measure word is an article more often than a number.
    r"(?<![十百千第\d])([两二三四五2-5])(?:个|种|点|步|款|件|份|样)(?!月|小时|人)"
)
_FIRST_EN: Final = re.compile(r"\b(first|second|third|fourth|fifth)(?:ly)?\b(?=,)")
_FIRST_ZH: Final = re.compile(r"第([一二三四五])(?=[，,、点])")
_ORDER: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
_WORD_EN: Final = "|".join(sorted((*VALUES, "hundred", "point"), key=len, reverse=True))
_LENGTH_EN: Final = re.compile(
    rf"\b(\d+(?:\.\d+)?|(?:{_WORD_EN})(?:[ -](?:and )?(?:{_WORD_EN}))*) "
    r"(millimet(?:re|er)s?|centimet(?:re|er)s?|met(?:re|er)s?|inch(?:es)?) ?"
    r"(wide|across|long|high|tall|thick|thin)?"
)
_LENGTH_ZH: Final = re.compile(
    r"(\d+(?:\.\d+)?|[一两二三四五六七八九十百]+)(毫米|厘米|公分|米|寸)(宽|长|高|厚|薄)?"
)
# What stands before a cue that then means the opposite: "not cheaper", 不喜欢.
_DENIED: Final[Mapping[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"(?:\b(?:not|never|no|without|cannot)|n't)(?: (?:be|been|a|an|any|the|so))*\s*$"
    ),
    "zh": re.compile(r"(?:不|没|没有|别|并非|不是|不太|不会|不怎么)$"),
}
_METRES: Final = {"mill": 0.001, "cent": 0.01, "mete": 1.0, "metr": 1.0, "inch": 0.0254}
_METRES_ZH: Final = {"毫米": 0.001, "厘米": 0.01, "公分": 0.01, "米": 1.0, "寸": 0.0333}
_EXTENT: Final = {
    "high": "show_height", "tall": "show_height", "long": "show_length",
    "thick": "show_thickness", "thin": "show_thickness",
    "高": "show_height", "长": "show_length", "厚": "show_thickness", "薄": "show_thickness",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Found:
    """An action the words ask for: how surely (the longer the cue the surer), and on what."""

    action: Action
    weight: float


class Acting:
    """Gives the clauses of one conversation their actions, in order."""

    def __init__(self) -> None:
        self._made: deque[str] = deque(maxlen=_REPEATED)

    def bind(self, clause: Clause) -> Clause:
        """Return the clause with the action its words ask for, unless it has one or had it just."""
        if clause.action is not None:
            self._made.append(clause.action.id)
            return clause
        found = [one for one in asked(clause.text, clause.language) if self._fresh(one.action)]
        if not found:
            self._made.append("")
            return clause
        best = max(found, key=lambda one: one.weight).action
        self._made.append(best.id)
        return replace(clause, action=best)

    def _fresh(self, action: Action) -> bool:
        # Counting goes on from finger to finger; all else would look like a habit.
        return action.id == "count" or action.id not in self._made


def asked(text: str, language: Language) -> list[_Found]:
    """Return the actions that a clause's words ask for."""
    plain = text.casefold().replace("’", "'")
    return [*_measured(plain, language), *_counted(plain, language), *_cued(plain, language)]


def word_of(anchor: str, words: Sequence[Word]) -> Word | None:
    """Return the first word that an anchor goes with; any word will do where it is empty.

    Chinese words are cut by the voice, so an anchor may begin in one and end in the next.
    """
    wanted = anchor.casefold()
    for word in words:
        said = word.text.casefold()
        if wanted in said:
            return word
    spans = "".join(word.text.casefold() for word in words)
    place = spans.find(wanted)
    for word in words if place >= 0 else ():
        place -= len(word.text)
        if place < 0:
            return word
    return None


def listed(actions: Iterable[SpokenAction]) -> list[str]:
    """Return actions and when their words are said (seconds), as reports tell of them."""
    return [f"{action.action}@{action.at:.2f}" for action in actions]


def check_action(action: Action) -> None:
    """Refuse an action that the library has not, or parameters it does not take.

    Raises:
        MotionValueError: names what is accepted.
    """
    known = ACTIONS.get(action.id)
    if known is None:
        raise MotionValueError(f"action {action.id!r}; accepted: {', '.join(ACTIONS)}")
    known.check(dict(action.parameters))


def _cued(text: str, language: Language) -> list[_Found]:
    found = []
    denied = _DENIED[language]
    for cue, (name, pattern) in _cues(language).items():
        match = pattern.search(text)
        if match and not denied.search(text[: match.start()]):
            anchor = cue.split()[-1] if language == "en" else match.group()
            found.append(
                _Found(Action(name, anchor), len(cue) * (1.0 if language == "en" else 3.0))
            )
    return found


@cache
def _cues(language: Language) -> Mapping[str, tuple[str, re.Pattern[str]]]:
    """Return the actions and patterns of all cue words of a language."""
    cues = {}
    for name, action in ACTIONS.items():
        for cue in action.cues[language]:
            written = (
                rf"(?<![\w']){re.escape(cue)}(?![\w'])" if language == "en" else re.escape(cue)
            )
            cues[cue] = (name, re.compile(written))
    return cues


def _counted(text: str, language: Language) -> list[_Found]:
    patterns = (_COUNTED_EN, _FIRST_EN) if language == "en" else (_COUNTED_ZH, _FIRST_ZH)
    numbers = _NUMBERS_EN | _ORDER if language == "en" else _NUMBERS_ZH
    found = []
    for pattern in patterns:
        if match := pattern.search(text):
            number = numbers.get(match[1]) or int(match[1])
            found.append(_Found(Action("count", match[1], (("number", float(number)),)), 14.0))
    return found


def _measured(text: str, language: Language) -> list[_Found]:
    """Return the size the words name, shown as wide, high, long or thick as it is."""
    pattern = _LENGTH_EN if language == "en" else _LENGTH_ZH
    sizes = (_shown(match, language) for match in pattern.finditer(text))
    return [_Found(action, 20.0) for action in sizes if action is not None]


def _shown(match: re.Match[str], language: Language) -> Action | None:
    number = _number(match[1], language)
    if number is None:
        return None
    unit = _METRES[match[2][:4]] if language == "en" else _METRES_ZH[match[2]]
    size = number * unit
    # What is too small for two hands is shown with two fingers; what neither can is not shown.
    for name in (_EXTENT.get(match[3] or "", "show_size"), "show_thickness"):
        (parameter,) = ACTIONS[name].parameters
        if parameter.low <= size <= parameter.high:
            return Action(name, match[1].split()[0], (("size", round(size, 3)),))
    return None


def _number(written: str, language: Language) -> float | None:
    """Return the number that a figure or words say, None where they say none or several."""
    if language == "zh":
        return float(value(written))
    said = values(written)
    return float(said[0]) if len(said) == 1 else None
