"""Chinese characters become phonemes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypinyin.constants import PINYIN_DICT

from avatar.errors import AvatarValueError
from avatar.voice.alphabet import KOKORO_IDS
from avatar.voice.mandarin import readings, syllable, words

BASIC = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF)


@pytest.mark.parametrize(
    ("pinyin", "symbols"),
    [
        ("ma1", "ma→"),
        ("hao3", "xau↓"),
        ("zhi4", "ꭧɨ↘"),
        ("ci2", "ʦʰɨ↗"),
        ("xue2", "ɕɥe↗"),
        ("lv4", "ly↘"),
        ("jun1", "ʨy→n"),
        ("quan2", "ʨʰɥɛ↗n"),
        ("yuan2", "ɥɛ↗n"),
        ("weng1", "wə→ŋ"),
        ("wo3", "wo↓"),
        ("you3", "jou↓"),
        ("liu4", "ljou↘"),
        ("gui4", "kwei↘"),
        ("er2", "ɚ↗"),
        ("de5", "tɤ"),
    ],
)
def test_syllables(pinyin: str, symbols: str) -> None:
    assert syllable(pinyin) == symbols


def test_every_reading_of_the_dictionary_has_a_sound() -> None:
    """Each of the 20,000 most used characters, by its first reading."""
    characters = "".join(chr(code) for code in PINYIN_DICT if 0x4E00 <= code <= 0x9FFF)
    found = {syllable(reading) for reading in set(readings(characters))}
    assert set("".join(found)) <= KOKORO_IDS.keys()
    assert len(found) > 1000


@pytest.mark.parametrize("pinyin", ["", "ma", "xyz1", "ma6", "a b1"])
def test_what_is_no_pinyin_is_named(pinyin: str) -> None:
    with pytest.raises(AvatarValueError, match="pinyin"):
        syllable(pinyin)


def test_readings_depend_on_the_word() -> None:
    assert readings("重庆银行很重要") == [
        "chong2",
        "qing4",
        "yin2",
        "hang2",
        "hen3",
        "zhong4",
        "yao4",
    ]


@given(st.text(BASIC, min_size=1, max_size=30))
def test_one_reading_for_each_character_and_words_that_join(text: str) -> None:
    assert len(readings(text)) == len(text)
    assert "".join(words(text)) == text
