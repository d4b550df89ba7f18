"""Passages."""

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from agents.clause import Language
from agents.knowledge.chunking import passages
from agents.knowledge.terms import terms


@given(st.text(max_size=3000), st.sampled_from(get_args(Language)))
def test_passages_are_all_of_a_text_but_blanks_and_none_is_long(
    text: str, language: Language
) -> None:
    found = passages(text, language)
    longest = 600 if language == "en" else 240
    assert all(0 < len(each.text) <= longest for each in found)
    assert all(text[each.start : each.stop] == each.text for each in found)
    assert [each.number for each in found] == list(range(len(found)))
    joined = "".join("".join(each.text.split()) for each in found)
    assert joined == "".join(text.split())


def test_passages_end_where_sentences_and_paragraphs_do() -> None:
    text = "It costs 3.50 today. " * 40 + "\n\nNext one."
    found = [each.text for each in passages(text, "en")]
    assert len(found) == 3
    assert all(each.endswith("today.") for each in found[:2])
    assert found[2] == "Next one."


def test_terms_are_stems_words_and_characters() -> None:
    found = terms("The bags, 保溫杯 and Bluetooth 5.3")
    assert found.words == ("bag", "保温", "保温杯", "bluetooth", "5", "3")
    assert found.characters == ("保", "温", "杯")
