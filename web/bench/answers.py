"""How many questions of a set about a shop a host answers as it should."""

import asyncio
import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from agents.brief import PLAIN
from agents.clause import Clause, Language
from agents.history import History
from agents.host import Host
from agents.shop.importing import import_file, merge
from agents.shop.product import Shop
from agents.shop.truth import FigureCheck
from web.command.outcome import CommandError

DATA: Final = Path(__file__).parent / "data"
SHOP: Final = DATA / "held_out_shop.csv"
POLICIES: Final = DATA / "held_out_policies.md"
QUESTIONS: Final = DATA / "held_out_questions.json"
_GAPS: Final = re.compile(r"[\s,，]+")


@dataclass(frozen=True, slots=True)
class Question:
    """A question and what tells a right answer.

    Attributes:
        focus: id of the product on air; None for none.
        answerable: whether the shop has an answer.
        must: for each of these groups, one at least of its texts is in the answer.
        must_not: none of these is.
    """

    question: str
    language: Language
    answerable: bool
    must: tuple[tuple[str, ...], ...] = ()
    must_not: tuple[str, ...] = ()
    focus: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was answered: `right` as the question tells; `false`: figures the shop does not hold."""

    question: Question
    answer: str
    right: bool
    false: tuple[str, ...]


def read_questions(path: Path = QUESTIONS) -> list[Question]:
    """Return the questions of a file.

    Raises:
        CommandError: it cannot be read.
    """
    try:
        entries: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
        return [
            Question(
                entry["question"],
                entry["language"],
                bool(entry["answerable"]),
                tuple(tuple(group) for group in entry.get("must", ())),
                tuple(entry.get("must_not", ())),
                entry.get("focus"),
            )
            for entry in entries
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CommandError(f"{path} holds no questions: {error!r}") from error


def read_shop(path: Path = SHOP, policies: Path = POLICIES) -> Shop:
    """Return the shop of a merchant's files; `policies` need not be there.

    Raises:
        CommandError: a row of them was not taken.
    """
    shop = Shop("held-out", {"en": "Held out"})
    for file in (path, policies) if policies.is_file() else (path,):
        try:
            imported = import_file(file.name, file.read_bytes())
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}") from error
        if imported.problems:
            raise CommandError(f"{file}: {imported.problems[0]}")
        shop = merge(shop, imported)
    return shop


async def ask_all(
    host: Host,
    questions: Sequence[Question],
    check: FigureCheck,
    asked: Callable[[], None] = lambda: None,
) -> list[Outcome]:
    """Ask a host every question, each in a conversation of its own."""
    outcomes = []
    for question in questions:
        outcomes.append(judge(question, await _answer(host, question), check))
        asked()
        await asyncio.sleep(0)  # who else is on the loop has a turn
    return outcomes


def judge(question: Question, answer: str, check: FigureCheck) -> Outcome:
    """Say whether an answer is right."""
    plain = _plain(answer)
    there = all(any(_plain(text) in plain for text in group) for group in question.must)
    clean = not any(_plain(text) in plain for text in question.must_not)
    false = tuple(check.false(answer, question.focus))
    return Outcome(question, answer, bool(plain) and there and clean, false)


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return the shares of right answers, and what was wrong, for a report."""
    answerable = [each for each in outcomes if each.question.answerable]
    others = [each for each in outcomes if not each.question.answerable]
    return {
        "questions": len(outcomes),
        "answered_correctly": _share(answerable),
        "declined_correctly": _share(others),
        "answered_correctly_en": _share([o for o in answerable if o.question.language == "en"]),
        "answered_correctly_zh": _share([o for o in answerable if o.question.language == "zh"]),
        "false_figures": sum(len(each.false) for each in outcomes),
        "wrong": [
            {"question": each.question.question, "answer": each.answer, "false": list(each.false)}
            for each in outcomes
            if not each.right or each.false
        ],
    }


async def _answer(host: Host, question: Question) -> str:
    parts = host.reply(question.question, question.language, History(), PLAIN, focus=question.focus)
    return "".join([part.text async for part in parts if isinstance(part, Clause)])


def _plain(text: str) -> str:
    """Return a text without what does not matter: case, width, gaps and commas in numbers."""
    return _GAPS.sub("", unicodedata.normalize("NFKC", text).casefold())


def _share(outcomes: Sequence[Outcome]) -> float | None:
    return round(sum(each.right for each in outcomes) / len(outcomes), 4) if outcomes else None
