"""Ages in words and figures."""

import pytest

from avatar.creation.ages import find_ages


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("a woman in her thirties", 35),
        ("a man in his late 40s", 48),
        ("in the early sixties", 62),
        ("a 35-year-old man", 35),
        ("forty-five years old", 45),
        ("aged 62", 62),
        ("一位三十多岁的女性", 35),
        ("70 岁的老人", 70),
        ("五六十岁的大叔", 55),
        ("二十出头的小伙子", 22),
        ("年近五十岁", 50),
        ("8岁的孩子", 16),
    ],
)
def test_an_age_is_found(text: str, age: int) -> None:
    assert find_ages(text)[0] == [age]


@pytest.mark.parametrize("text", ["三十个人", "a pair of 2 earrings", "twenty buttons"])
def test_what_is_no_age_is_left(text: str) -> None:
    ages, rest = find_ages(text)
    assert ages == []
    assert rest == text
