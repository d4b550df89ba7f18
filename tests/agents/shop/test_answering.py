"""Whether questions about two shops of different kinds are answered from the right facts."""

import pytest

from agents.shop.answering import Context
from agents.shop.truth import FigureCheck
from tests.agents.shop.measure import NOW, ask, cases, clerk_of, is_right, shop

# The least share of our own questions that has to be right.
LEAST = 0.98


@pytest.mark.parametrize("name", ["outdoor", "beauty"])
def test_questions_are_answered_from_the_right_facts(name: str) -> None:
    clerk = clerk_of(name)
    wrong = [case.question for case in cases(name) if not is_right(case, ask(clerk, case))]
    share = 1 - len(wrong) / len(list(cases(name)))
    assert share >= LEAST, wrong


@pytest.mark.parametrize("name", ["outdoor", "beauty"])
def test_no_answer_states_a_false_figure(name: str) -> None:
    clerk, check = clerk_of(name), FigureCheck(shop(name), lambda: NOW)
    for case in cases(name):
        for answer in ask(clerk, case):
            for text in answer.texts:
                assert check.false(text, case.focus) == [], text


@pytest.mark.parametrize(
    ("question", "focus", "told", "cited"),
    [
        ("how much is it", "headlamp", ("lite-tent",), "headlamp.price"),
        ("how much is it", None, ("lite-tent",), "lite-tent.price"),
        ("how much is the other one", "headlamp", ("headlamp", "lite-tent"), "lite-tent.price"),
        ("how heavy is the cheaper one", None, ("lite-tent", "headlamp"), "headlamp.weight"),
        ("刚才那款多少钱", "headlamp", ("headlamp", "lite-tent"), "lite-tent.price"),
        ("第一款多少钱", "headlamp", (), "trail-runner.price"),
    ],
)
def test_what_it_refers_to(
    question: str, focus: str | None, told: tuple[str, ...], cited: str
) -> None:
    language = "zh" if question[0] > "\u3400" else "en"
    answers = clerk_of("outdoor").answer(question, language, Context(focus, told))
    assert [c for answer in answers for c in answer.citations] == [cited]


def test_both_are_told_of() -> None:
    context = Context(None, ("lite-tent", "headlamp"))
    answers = clerk_of("outdoor").answer("how heavy are both", "en", context)
    cited = {c for answer in answers for c in answer.citations}
    assert cited == {"lite-tent.weight", "headlamp.weight"}
