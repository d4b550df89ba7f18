"""What a room's benchmark counts, on histories and answers of our own."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.clause import Clause
from agents.shop.truth import FigureCheck
from pipeline.contract import FRAME_SAMPLES, SoundFrame
from tests.fakes.rooms import small_shop
from web.bench.answers import Question, ask_all, judge, read_questions, read_shop, summary
from web.bench.measures import Witness, false_figures, measures, repeats
from web.command.outcome import CommandError

CHECK = FigureCheck(small_shop(), lambda: 1_800_000_000.0)


def _line(number: int, kind: str, text: str, at: float, **more: Any) -> dict[str, Any]:
    base = {"id": f"l{number}", "kind": kind, "text": text, "began_at": at, "whole": True}
    return {**base, "product": None, "events": [], **more}


def _chat(name: str, status: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "status": status, "name": "", "line": None, "merged_with": None, **more}


def test_waits_and_shares_are_those_of_the_questions() -> None:
    history = {
        "chat": [
            _chat("q1", "spoken", line="l2"),
            _chat("q2", "merged", merged_with="q1"),
            _chat("q3", "written"),
            _chat("q4", "waiting"),
            _chat("e5", "none"),
        ],
        "lines": [
            _line(1, "script", "Hello.", 100.0),
            _line(2, "answer", "It is 128 yuan.", 110.0, product="canvas-bag"),
        ],
        "decisions": [{"action": "keep"}, {"action": "keep"}, {"action": "offer"}],
    }
    sent = {"q1": 104.0, "q2": 109.0, "q3": 105.0, "q4": 106.0}
    told = measures(history, sent, Witness(), {"It is 5.": ["5"]}, set(), 100.0)
    assert told["questions"] == 4
    assert (told["spoken"], told["written"], told["merged"]) == (0.5, 0.25, 0.25)
    assert told["unanswered"] == 0.25
    assert told["question_to_answer_worst_s"] == 6.0
    assert told["in_time"] == 1.0
    assert told["decisions"] == {"keep": 2, "offer": 1}
    assert told["seconds"] == 10.0
    assert told["false_figures"] == 1


def test_an_answer_is_in_time_within_6_s_or_with_the_end_of_the_line_that_ran() -> None:
    lines = [
        _line(1, "script", "Long.", 100.0, ended_at=109.0, item="opening"),
        _line(2, "answer", "A.", 109.3, ended_at=113.3, item="opening"),
        _line(3, "answer", "B.", 113.5, ended_at=116.5, item="bag"),
    ]
    chat = [_chat(f"q{n}", "spoken", line=line) for n, line in enumerate(["l2", "l3", "l3"])]
    history = {"chat": chat, "lines": lines, "decisions": []}
    # The first waits for the line it came in, the second for the next one as well, the third is
    # within the 6 s.
    sent = {"q0": 101.0, "q1": 106.0, "q2": 108.0}
    told = measures(history, sent, Witness(), {}, set(), 100.0)
    assert told["in_time"] == round(2 / 3, 4)
    assert told["air"] == {"script": 0.562, "answer": 0.438}
    assert told["items"] == 2


def test_a_sentence_said_again_within_the_hour_is_counted() -> None:
    lines = [
        _line(1, "script", "Hello.", 0.0),
        _line(2, "script", "Only today!", 10.0),
        _line(3, "answer", "Yes.", 20.0),
        _line(4, "answer", "Yes.", 30.0),
        _line(5, "script", "Only today!", 40.0),
        _line(6, "script", "Hello.", 3599.0),
        _line(7, "script", "Hello.", 3599.0 + 3600.0),
        _line(8, "script", "Cut.", 50.0, whole=False),
        _line(9, "script", "Cut.", 60.0),
    ]
    assert repeats(lines, {"Only today!"}) == 1


def test_figures_that_the_shop_does_not_hold() -> None:
    wrong = _line(1, "answer", "The canvas bag costs 12 yuan.", 0.0)
    assert false_figures(wrong, [], CHECK)
    right = _line(2, "answer", "sunny 77, the canvas bag costs 128 yuan.", 0.0)
    assert false_figures(right, [], CHECK)
    assert false_figures(right, ["Sunny_77"], CHECK) == []
    assert false_figures(_line(3, "thanks", "Seven orders came in!", 0.0), [], CHECK) == []


def test_silence_is_measured_by_the_media_clock() -> None:
    witness = Witness()
    loud = np.full(FRAME_SAMPLES, 9000, np.int16)
    quiet = np.zeros(FRAME_SAMPLES, np.int16)
    for number, samples in enumerate([quiet] * 50 + [loud] + [quiet] * 100 + [loud] + [quiet] * 5):
        witness.sound(SoundFrame(samples, number * FRAME_SAMPLES))
    assert [round(gap, 3) for gap in witness.gaps] == [2.0]  # before the first word is none
    assert round(witness.seconds, 2) == 3.14


QUESTION = Question(
    "how much?", "en", True, (("128", "hundred and twenty-eight"), ("yuan",)), ("99",)
)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("It is 128 yuan.", True),
        ("It is １２８ YUAN.", True),
        ("A hundred and twenty-eight yuan.", True),
        ("It is 128 dollars.", False),
        ("It is 128 yuan, or 99 yuan today.", False),
        ("", False),
    ],
)
def test_an_answer_is_judged_by_what_must_and_must_not_be_in_it(answer: str, right: bool) -> None:
    assert judge(QUESTION, answer, CHECK).right is right


class _Host:
    """Answers by rote."""

    async def reply(self, question: str, *_: object, **__: object) -> AsyncIterator[Clause]:
        yield Clause("The canvas bag is " if "how" in question else "I do not know.", "en")
        if "how" in question:
            yield Clause("128 yuan.", "en")


async def test_shares_are_told_apart() -> None:
    asked = [QUESTION, Question("why?", "en", True, (("because",),)), Question("who?", "en", False)]
    outcomes = await ask_all(_Host(), asked, CHECK)  # type: ignore[arg-type]
    told = summary(outcomes)
    assert (told["answered_correctly"], told["declined_correctly"]) == (0.5, 1.0)
    assert [each["question"] for each in told["wrong"]] == ["why?"]
    assert told["false_figures"] == 0


def test_a_set_is_read_and_what_is_none_is_refused(tmp_path: Path) -> None:
    questions = tmp_path / "questions.json"
    entry = {
        "question": "多少钱？", "language": "zh", "focus": "bag", "answerable": True,
        "must": [["128"]], "must_not": [],
    }  # fmt: skip
    questions.write_text(json.dumps([entry]), "utf-8")
    assert read_questions(questions)[0].must == (("128",),)
    questions.write_text('[{"question": "x"}]', "utf-8")
    with pytest.raises(CommandError, match="questions"):
        read_questions(questions)
    shop = tmp_path / "shop.csv"
    shop.write_text("id,name,price,currency\nbag,Bag,128,CNY\n", "utf-8")
    assert read_shop(shop).product("bag").name == {"en": "Bag"}
    shop.write_text("id,name,price\nbag,Bag,abc\n", "utf-8")
    with pytest.raises(CommandError, match="row=2"):
        read_shop(shop)


def test_a_show_of_some_hours_by_a_virtual_clock() -> None:
    from web.bench.long_show import run

    told = run(hours=0.2, rate=0.05)
    assert told["lines"] > 60
    assert told["repeats_within_hour"] == 0
    assert told["questions"] > 10
