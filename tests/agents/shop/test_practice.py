"""Shops of other kinds, in the files merchants bring, and what tough viewers ask about them.

A line of questions: the product on air, the question, what a right answer says ("a|b & c": of
each group one), what it must not say. "-" stands for none; with nothing to say, to decline.
"""

import asyncio
import re
from functools import cache
from pathlib import Path

import pytest

from agents.catalogue import load_anchor
from agents.host import Host
from agents.shop.product import Shop
from agents.shop.truth import FigureCheck
from tests.agents.shop.measure import NOW
from web.bench.answers import Outcome, Question, ask_all, read_shop

DATA = Path(__file__).parent / "practice"
# The least share that words alone answer; the embedder that is shipped brings some more.
WORDS_ALONE = {"shoes": 0.83, "jewels": 0.78, "pantry": 0.74, "mixed": 0.77}


def shop(name: str) -> Shop:
    return read_shop(DATA / f"{name}.csv", DATA / f"{name}.md")


def questions(name: str) -> list[Question]:
    return [_question(line) for line in (DATA / f"{name}.tsv").read_text("utf-8").splitlines()]


def _question(line: str) -> Question:
    focus, text, right, *wrong = line.split("\t")
    groups = right.split("&") if right != "-" else []
    return Question(
        text,
        "zh" if re.search(r"[\u3400-\u9fff]", text) else "en",
        right != "-",
        tuple(tuple(group.strip().split("|")) for group in groups),
        tuple(wrong[0].split()) if wrong else (),
        None if focus == "-" else focus,
    )


@cache
def outcomes(name: str) -> list[Outcome]:
    sold = shop(name)
    host = Host(None, load_anchor(), shop=sold, now=lambda: NOW)
    return asyncio.run(ask_all(host, questions(name), FigureCheck(sold, lambda: NOW)))


@pytest.mark.parametrize("name", WORDS_ALONE)
def test_words_alone_answer_most_of_what_is_asked(name: str) -> None:
    answerable = [each for each in outcomes(name) if each.question.answerable]
    wrong = [each.question.question for each in answerable if not each.right]
    assert 1 - len(wrong) / len(answerable) >= WORDS_ALONE[name], wrong


@pytest.mark.parametrize("name", WORDS_ALONE)
def test_what_is_not_known_is_declined_and_no_figure_is_false(name: str) -> None:
    for each in outcomes(name):
        assert each.false == (), each
        assert each.question.answerable or each.right, each
