"""What a host says of a tool's output."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.clause import Language
from agents.grounding import Guard
from agents.outcome import is_failure, readable, speak_output

SHOES = json.dumps(
    [{"id": n, "name": name, "price": 59} for n, name in enumerate(["Trail", "City", "Sea", "Sun"])]
)


@pytest.mark.parametrize(
    ("output", "english", "chinese"),
    [
        ("Your order is on its way.", "Your order is on its way.", "Your order is on its way."),
        ("已经发货了", "已经发货了.", "已经发货了。"),
        ("It costs $1.50", "It costs $1.50.", "It costs $1.50."),
        ("", "All right, that's done.", "好的，已经办好了。"),
        ('{"ok": true}', "All right, that's done.", "好的，已经办好了。"),
        ('{"say": "Three left!", "count": 3}', "Three left!", "Three left!"),
        (
            '{"status": "shipped", "eta": "Tuesday"}',
            "The status is shipped. The eta is Tuesday.",
            "状态是已发货。预计到达时间是星期二。",
        ),
        (
            '{"in_stock": true, "sizes": ["S", "M"], "note": null}',
            "In stock: yes. The sizes are S and M.",
            "有货：是。尺码有S、M。",
        ),
        ('{"order": {"carrier": "UPS"}}', "The order carrier is UPS.", "订单快递公司是UPS。"),
        (
            SHOES,
            "There are 4: Trail price 59, City price 59, Sea price 59, and 1 more.",
            "一共有4个：Trail 价格 59、City 价格 59、Sea 价格 59、另外1个。",
        ),
        ("[]", "I found nothing.", "没有找到。"),
        (
            '{"error": "no such order"}',
            "I'm sorry, that didn't work: no such order.",
            "抱歉，这次没有办成：no such order.",
        ),
        (
            '{"error": {"code": 404, "message": "Not found."}}',
            "I'm sorry, that didn't work: Not found.",
            "抱歉，这次没有办成：Not found.",
        ),
        ('{"success": false}', "I'm sorry, that didn't work.", "抱歉，这次没有办成。"),
        ("1.50", "1.50.", "1.50."),
    ],
)
def test_an_output_is_told_literally(output: str, english: str, chinese: str) -> None:
    assert speak_output(output, "en") == english
    assert speak_output(output, "zh") == chinese


def test_long_outputs_are_cut_at_sentences() -> None:
    said = speak_output("It is a long story. " * 100, "en")
    assert len(said) < 400
    assert said.endswith("long story.")
    assert len(speak_output(json.dumps({f"field_{n}": "x" * 90 for n in range(50)}), "en")) < 500


def test_failures_are_known() -> None:
    assert is_failure('{"error": "no"}')
    assert not is_failure('{"error": null, "status": "fine"}')
    assert not is_failure("an error occurred, says the text")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=9), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.text(max_size=600) | JSON.map(json.dumps), st.sampled_from(["en", "zh"]))
def test_anything_is_told_in_bounds(output: str, language: Language) -> None:
    said = speak_output(output, language)
    assert said.strip()
    assert len(said) < 700


@pytest.mark.parametrize(
    ("output", "sentence", "held"),
    [
        ('{"price": 12.5}', "It costs $12.50.", True),
        ('{"price": 12.5}', "It costs twelve fifty.", True),
        ('{"price": 12.5}', "It costs $13.", False),
        ('{"eta": "2026-12-03"}', "It arrives on Thursday, December 3rd.", True),
        ('{"eta": "2026-12-03"}', "它12月3号到，星期四。", True),
        ('{"eta": "2026-12-03"}', "It arrives on Friday.", False),
        ('{"eta": "Tuesday"}', "星期二送到。", True),
        ('{"eta": "周二"}', "It comes on Tuesday.", True),
        ('{"eta": "Tuesday"}', "星期三送到。", False),
        ('{"booking": "R77"}', "预订号是R77。", True),
        ('{"at": "18:30"}', "Come at 6:30 PM.", True),
        ('{"at": "18:30"}', "Come at 7 PM.", False),
        ('{"left": 3}', "There are three left.", True),
        ('{"left": 3}', "还剩三件。", True),
        ('{"left": 3}', "还剩五件。", False),
        ('{"delivery": "free"}', "Delivery is free.", True),
        ('{"delivery": "paid"}', "Delivery is free.", False),
        ('{"eta": "2026-13-45"}', "It arrives soon.", True),
    ],
)
def test_the_guard_holds_replies_to_outputs(output: str, sentence: str, held: bool) -> None:
    assert (Guard((), [output]).problems(sentence) == []) == held


@given(st.text(max_size=200) | JSON.map(json.dumps))
def test_any_output_can_be_held_against(output: str) -> None:
    assert isinstance(readable(output), str)
    assert isinstance(Guard((), [output]).problems("It costs $12.50."), list)
