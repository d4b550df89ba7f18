"""Quantities are recognised, and said in the other language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.clause import LANGUAGES
from agents.shop.measures import converted, kinds_asked, kinds_given, kinds_named


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("300 lumens", "300流明"),
        ("3 to 5 working days", "3到5个工作日"),
        ("3.5 minutes a litre", "每升3.5分钟"),
        ("up to 12 hours", "最多12小时"),
        ("two people", "两人"),
        ("190 x 60 cm", "190乘60厘米"),
        ("1,200 mAh", "1,200毫安时"),
    ],
)
def test_quantities_are_said_in_chinese(english: str, chinese: str) -> None:
    assert converted(english, "zh") == chinese


@pytest.mark.parametrize(
    ("chinese", "english"),
    [
        ("5分钟", "5 minutes"),
        ("1年", "1 year"),
        ("两人", "two people"),
        ("3到5个工作日", "3 to 5 working days"),
    ],
)
def test_quantities_are_said_in_english(chinese: str, english: str) -> None:
    assert converted(chinese, "en") == english


@pytest.mark.parametrize(
    "value", ["screw-on gas canisters (EN 417)", "IPX4 splash-proof", "fine", ""]
)
def test_other_words_are_not_translated_by_half(value: str) -> None:
    assert converted(value, "zh") is None
    assert converted("低亮度60小时", "en") is None


@given(st.text(max_size=40))
def test_any_text_is_read(text: str) -> None:
    for language in LANGUAGES:
        made = converted(text, language)
        digits = sum(c.isascii() and c.isdigit() for c in text)
        assert made is None or sum(c.isascii() and c.isdigit() for c in made) >= digits
    assert "count" not in kinds_asked(text) or len(kinds_asked(text)) == 1
    kinds_given(text), kinds_named(text)


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("how long does the filter last", {"duration"}),
        ("how many litres", {"volume"}),
        ("how many pieces", {"count"}),
        ("多久浇一次水", {"frequency"}),
        ("灯有多亮", {"light"}),
        ("is it waterproof", set()),
    ],
)
def test_the_form_of_a_question_asks_for_a_kind(question: str, kinds: set[str]) -> None:
    assert kinds_asked(question) == kinds


def test_values_and_names_tell_their_kind() -> None:
    assert kinds_given("60 hours on low") == {"duration"}
    assert kinds_given("once a week") == {"frequency"}
    assert kinds_given("3.2") == {"number"}
    assert kinds_given("brass") == frozenset()
    assert "duration" in kinds_named("filter life")
    assert "duration" in kinds_named("滤芯寿命")
