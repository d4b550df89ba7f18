"""What viewers write is looked at in linear time, whatever they write. With backtracking that grows
with the length, these tests would not end.
"""

import pytest

from agents.shop.labels import _NEUTRAL
from agents.tokens import is_question


@pytest.mark.parametrize(
    "text",
    [
        "and  " * 4000 + "x",
        "so, " * 5000 + "x",
        "x " * 10_000,
        "a" * 20_000,
        "hm " * 7000,
        " " * 20_000,
    ],
    ids=lambda text: text[:4],
)
def test_whether_a_text_is_a_question_is_soon_told(text: str) -> None:
    assert not is_question(text, "en")


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("and so what is it", True),
        ("  hi, um, is it red", True),
        ("two mugs please", True),
        ("a b c please.", True),
        ("mugs please", False),
        ("please", False),
        ("andwhat", False),
        ("red please thanks", False),
    ],
)
def test_leads_and_requests(text: str, asks: bool) -> None:
    assert is_question(text, "en") is asks


@pytest.mark.parametrize("text", ["mg " * 7000 + "!", "m" * 20_000 + "!", "1" * 20_000 + "!"])
def test_whether_a_value_is_figures_and_units_is_soon_told(text: str) -> None:
    assert _NEUTRAL.match(text) is None


@pytest.mark.parametrize("text", ["500 ml", "30 x 20 cm", "1.2kg", "2 mm x 3 mm", "IPX7", "100%"])
def test_figures_and_units_are_said_in_any_language(text: str) -> None:
    assert _NEUTRAL.match(text)
