import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.usage import count_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("  \n", 0),
        ("Hello, world!", 4),
        ("internationally", 3),
        ("我们11点开门。", 7),
        ("こんにちは", 5),
        ("a_b", 3),
        ("用iPhone付款", 4),
    ],
)
def test_counts_by_the_rule(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@given(st.text(), st.text())
def test_texts_side_by_side_count_together(left: str, right: str) -> None:
    assert count_tokens(f"{left} {right}") == count_tokens(left) + count_tokens(right)
