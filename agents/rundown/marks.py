"""Marks in a script, "[happy:0.6] Hello! Here is [point_product] the bag.", and what they ask for.

A mark of an emotion holds from where it stands to the next one, as in texts of `vivant say`. A
mark of a gesture asks for it on the word that follows.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from agents.clause import Action, Clause, Feeling, Language
from agents.clauses import cut
from agents.errors import AgentValueError
from agents.feelings import EMOTIONS, read_feeling
from agents.rundown.gestures import GESTURES, MARKS

_MARK: Final = re.compile(r"\[([a-z][a-z_]*)(:[^\[\]\s]*)?\]")
_WORD: Final = re.compile(r"[\u3400-\u9fff]{1,2}|[^\W\u3400-\u9fff][\w'’]*")


@dataclass(frozen=True, slots=True)
class _Part:
    """Text under one emotion, perhaps with a gesture on its first word."""

    text: str
    feeling: Feeling | None
    gesture: str


def plain(text: str) -> str:
    """Return a text without its marks, as captions show it."""
    return re.sub(r"(?<=\s) +", "", _MARK.sub(_known, text)).strip()


def check_marks(text: str) -> list[str]:
    """Return what is wrong with the marks of a text, a sentence each."""
    found = []
    for mark in _MARK.finditer(text):
        name, strength = mark[1], mark[2] or ""
        if name not in MARKS:
            found.append(f"{mark.group()} is no mark; accepted are an emotion or a gesture, such as"
                         f" [happy:0.6] or [point_product]: {', '.join(MARKS)}")  # fmt: skip
        elif name in EMOTIONS:
            try:
                read_feeling(name + strength)
            except AgentValueError as error:
                found.append(str(error))
        elif strength:
            found.append(f"{mark.group()}: a gesture has no strength; accepted is [{name}]")
    return found


def marked_clauses(text: str, language: Language) -> tuple[Clause, ...]:
    """Return the clauses of a script's text; joined they are the text without its marks.

    Marks nobody knows stay in the text; `check_marks` finds them.
    """
    clauses: list[Clause] = []
    for part in _parts(_spaced(text)):
        emotion, intensity = part.feeling or (None, 1.0)
        for number, piece in enumerate(cut(part.text, language)):
            action = None
            if part.gesture and number == 0:
                word = _WORD.search(piece)
                action = Action(part.gesture, word.group() if word else "")
            clauses.append(Clause(piece, language, action, emotion, (), intensity))
    return tuple(_joined(clauses))


def _parts(text: str) -> Iterator[_Part]:
    feeling: Feeling | None = None
    gesture, start = "", 0
    for mark in _MARK.finditer(text):
        if not _is_known(mark):
            continue
        if text[start : mark.start()]:
            yield _Part(text[start : mark.start()], feeling, gesture)
            gesture = ""
        start = mark.end()
        if mark[1] in EMOTIONS:
            feeling = read_feeling(mark.group()[1:-1])
        else:
            gesture = mark[1]
    if text[start:]:
        yield _Part(text[start:], feeling, gesture)


def _joined(clauses: list[Clause]) -> Iterator[Clause]:
    """Yield clauses, one that says nothing joined to the one before."""
    held: Clause | None = None
    for clause in clauses:
        if held is None:
            held = clause
        elif not _WORD.search(clause.text) or not _WORD.search(held.text):
            one = held if _WORD.search(held.text) else clause
            held = Clause(held.text + clause.text, one.language, one.action, one.emotion,
                          one.citations, one.intensity)  # fmt: skip
        else:
            yield held
            held = clause
    if held is not None:
        yield held


def _spaced(text: str) -> str:
    """Return the text with one space where a mark had one on either side."""
    text = re.sub(r"(?:(?<=\s)|^)((?:\[[a-z][a-z_]*(?::[^\[\]\s]*)?\])+) +", r"\1", text.strip())
    return text.strip()


def _is_known(mark: re.Match[str]) -> bool:
    if mark[1] in GESTURES:
        return not mark[2]
    if mark[1] not in EMOTIONS:
        return False
    try:
        read_feeling(mark.group()[1:-1])
    except AgentValueError:
        return False
    return True


def _known(mark: re.Match[str]) -> str:
    return "" if _is_known(mark) else mark.group()
