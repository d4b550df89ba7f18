"""Kokoro's symbols become IPA segments."""

import pytest

from avatar.errors import AvatarValueError
from avatar.voice.alphabet import KOKORO_IDS, from_ipa, kokoro_ids, segments
from avatar.voice.english import pronounce


def test_the_alphabet_is_the_models() -> None:
    assert len(KOKORO_IDS) == 114
    known = {
        ";": 1,
        "…": 10,
        "A": 24,
        "Y": 41,
        "a": 43,
        "h": 50,
        "ɡ": 92,
        "ɹ": 123,
        "ˈ": 156,
        "ᵻ": 177,
    }
    assert {symbol: KOKORO_IDS[symbol] for symbol in known} == known


def test_unknown_symbols_are_named() -> None:
    with pytest.raises(AvatarValueError, match="'g'"):
        kokoro_ids("gˈO")


def test_segments_are_plain_ipa_with_stress() -> None:
    found = [(segment.ipa, segment.stress) for segment in segments("həlˈO, ʧˌIld")]
    assert found == [
        *(("h", 0), ("ə", 0), ("l", 0), ("o", 1), ("ʊ", 1), ("", 0)),
        *(("tʃ", 0), ("a", 2), ("ɪ", 2), ("l", 0), ("d", 0)),
    ]


def test_aspiration_and_tones_belong_to_the_sound_before() -> None:
    symbols = "tʰja→n ꭧʰɨ↓"
    found = [
        (segment.ipa, symbols[segment.first : segment.last + 1]) for segment in segments(symbols)
    ]
    assert found == [("tʰ", "tʰ"), ("j", "j"), ("a", "a→"), ("n", "n"), ("ʈʂʰ", "ꭧʰ"), ("ɨ", "ɨ↓")]


def test_every_symbol_of_a_word_is_covered_once() -> None:
    symbols = pronounce(["extraordinarily"], ["."])[0]
    covered = [index for part in segments(symbols) for index in range(part.first, part.last + 1)]
    assert sorted(set(covered)) == list(range(len(symbols)))


def test_ipa_is_read_as_english() -> None:
    assert from_ipa("zɛnˈtroʊvə") == "zɛnˈtɹOvə"
    with pytest.raises(AvatarValueError, match="ø"):
        from_ipa("bløb7")
