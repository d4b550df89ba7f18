from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from encoder.errors import EncoderError, EncoderValueError
from encoder.tokens import PROMPTS, WhisperTokens, echoes


@pytest.fixture(scope="module")
def tokens(models: Path) -> WhisperTokens:
    return WhisperTokens(models / "whisper-base" / "tokenizer.json")


def test_a_decode_begins_with_the_language_and_no_times(tokens: WhisperTokens) -> None:
    assert tokens.before("en") == [50258, 50259, 50359, 50363]
    mandarin = tokens.before("zh")
    assert mandarin[-4:] == [50258, 50260, 50359, 50363]
    assert mandarin[0] == 50361
    assert tokens.text(mandarin) == PROMPTS["zh"]


def test_special_tokens_and_half_characters_are_not_written(tokens: WhisperTokens) -> None:
    written = [token for token in tokens.before("zh") if token < tokens.end]
    texts = [tokens.text(written[:count]) for count in range(len(written) + 1)]
    assert all(PROMPTS["zh"].startswith(text) for text in texts)
    assert tokens.text([tokens.end]) == ""


def test_other_languages_are_refused(tokens: WhisperTokens) -> None:
    with pytest.raises(EncoderValueError, match="'fr': accepted are en, zh"):
        tokens.before("fr")


def test_a_missing_or_foreign_vocabulary_is_named(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="no Whisper vocabulary"):
        WhisperTokens(tmp_path / "none.json")
    path = tmp_path / "other.json"
    Tokenizer(WordLevel({"a": 0}, unk_token="a")).save(str(path))
    with pytest.raises(EncoderError, match="endoftext"):
        WhisperTokens(path)


@pytest.mark.parametrize(
    ("tokens", "echo"),
    [
        ((9, 1, 2, 3, 4, 1, 2, 3, 4), True),
        ((1, 2, 3, 4, 0, 1, 2, 3, 4), True),
        ((9, 1, 2, 3, 4, 1, 2, 3, 4, 0), True),
        ((1, 2, 3, 4, 0, 1, 2, 3, 4, 7), True),
        ((1, 2, 3, 1, 2, 3), False),
        ((1, 2, 3, 4, 5, 1, 2, 3, 8), False),
        ((1, 2, 3, 4, 1, 2, 3, 4, 5, 6), False),
        ((), False),
    ],
)
def test_a_phrase_written_twice_at_the_end_is_an_echo(tokens: tuple[int, ...], echo: bool) -> None:
    assert echoes(tokens) is echo
