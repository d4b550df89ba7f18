"""Cutting an utterance."""

from hypothesis import given
from hypothesis import strategies as st

from avatar.voice.normalise import normalise
from avatar.voice.pieces import MAX_SYMBOLS, cut
from avatar.voice.utterance import SpokenWord, utter

some_words = st.lists(
    st.builds(
        SpokenWord,
        st.sampled_from(["a", "word", "and", "的"]),
        st.text("aɪnst ˈ", min_size=1, max_size=900).filter(lambda text: bool(text.strip())),
        st.sampled_from(["", "", "", ",", ".", "?"]),
        st.just("en"),
    ),
    max_size=60,
)


@given(some_words)
def test_pieces_join_to_the_utterance_and_fit_the_model(words: list[SpokenWord]) -> None:
    pieces = list(cut(words))
    joined = "".join(word.symbols for piece in pieces for word in piece.words)
    assert joined.replace(" ", "") == "".join(word.symbols for word in words).replace(" ", "")
    assert [word.text for piece in pieces for word in piece.words if word.text] == [
        word.text for word in words
    ]
    assert [piece.last for piece in pieces] == [False] * (len(pieces) - 1) + [True] * bool(pieces)
    for piece in pieces:
        assert 0 < len(piece.symbols) <= MAX_SYMBOLS
        for word, (first, end) in zip(piece.words, piece.ranges, strict=True):
            assert piece.symbols[first:end] == word.symbols


def texts(text: str, language: str) -> list[str]:
    spoken = utter(normalise(text, language))
    return [" ".join(word.text for word in piece.words) for piece in cut(spoken)]


def test_the_first_piece_ends_with_the_first_clause() -> None:
    assert texts("Hello there, and welcome to our little pizza shop by the river.", "en") == [
        "Hello there",
        "and welcome to our little pizza shop by the river",
    ]


def test_a_long_clause_opens_with_a_few_words() -> None:
    found = texts(
        "Yesterday evening the whole family walked along the river because nobody wanted to cook",
        "en",
    )
    assert 2 <= len(found[0].split()) <= 6
    assert len(found) <= 4


def test_a_short_clause_is_not_cut() -> None:
    assert texts("It is nine dollars today.", "en") == ["It is nine dollars today"]
    assert texts("今天的披萨很好吃。", "zh") == ["今天 的 披萨 很 好吃"]
