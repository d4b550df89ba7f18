"""What viewers write is looked at in linear time, whatever they write. With backtracking that grows
with the length, these tests would not end.
"""

import pytest

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
