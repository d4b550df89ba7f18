"""Asks a clerk questions with known answers, and says which it got wrong."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agents.clause import Language
from agents.shop.answering import Answer, Clerk, Context
from agents.shop.assortment import Assortment
from agents.shop.form import shop_from_json
from agents.shop.product import Shop

DATA = Path(__file__).parent.parent / "data"
# A moment at which the offers of the shops hold.
NOW = 1_797_000_000.0


@dataclass(frozen=True, slots=True)
class Case:
    """A question about the product on air, what the answer must rest on, and say.

    `citations`: one of them at least; empty where nothing may be claimed to be known.
    """

    question: str
    focus: str | None
    citations: tuple[str, ...]
    parts: tuple[str, ...]

    @property
    def language(self) -> Language:
        """Of the question."""
        return "zh" if any("\u3400" <= c <= "\u9fff" for c in self.question) else "en"


def shop(name: str) -> Shop:
    """Return a shop of the data."""
    return shop_from_json(json.loads((DATA / f"{name}_shop.json").read_text("utf-8")))


def cases(name: str) -> Iterator[Case]:
    """Yield the questions asked of a shop."""
    for line in (DATA / f"{name}_questions.tsv").read_text("utf-8").splitlines():
        focus, question, cited, *rest = line.split("\t")
        citations = () if cited == "-" else tuple(cited.split("|"))
        parts = tuple(filter(None, rest[0].split("|"))) if rest else ()
        yield Case(question, None if focus == "-" else focus, citations, parts)


def ask(clerk: Clerk, case: Case) -> list[Answer]:
    """Return the answers to a question."""
    return clerk.answer(case.question, case.language, Context(case.focus))


def is_right(case: Case, answers: list[Answer]) -> bool:
    """Say whether answers rest on the right facts and say what is asked."""
    cited = {citation for answer in answers for citation in answer.citations}
    if not case.citations:
        return not cited
    said = " ".join(answer.texts[0] for answer in answers).lower()
    return bool(cited & set(case.citations)) and all(p.lower() in said for p in case.parts)


def clerk_of(name: str) -> Clerk:
    """Return a clerk of a shop of the data."""
    return Clerk(Assortment(shop(name), NOW))
