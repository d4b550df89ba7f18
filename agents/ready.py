"""Ready words of a host: which line answers what no fact does, and how clauses join."""

import re
from collections.abc import Sequence
from dataclasses import replace

from agents.answer import to_clauses
from agents.clause import Clause, Language
from agents.history import MARK, History
from agents.smalltalk import Intent
from agents.tokens import is_question, is_short


def line_kind(intent: Intent | None, question: str, language: Language) -> str:
    """Return the kind of line that answers what no fact does."""
    if not re.search(r"\w", question):
        return "silence"
    if intent is None:
        if is_question(question, language):
            return "unknown"
        return "agree" if is_short(question, language) else "statement"
    others = {"injection": "refuse", "repeat": "silence", "declined": "agree"}
    return others.get(intent, intent)


def said_before(language: Language, history: History) -> list[Clause]:
    """Return the host's last words again, without the mark of an interruption."""
    said = [item.text for item in history if item.role == "assistant" and item.text.strip()]
    if not said:
        return []
    text = said[-1].strip()
    for mark in MARK.values():
        text = text.removesuffix(mark)
    return to_clauses(text, language)


def following(gap: str, clauses: Sequence[Clause]) -> list[Clause]:
    """Return clauses that follow others, parted from them by a space where one is needed."""
    first, *rest = clauses
    text = first.text if first.text.startswith(" ") else gap + first.text
    return [replace(first, text=text), *rest]
