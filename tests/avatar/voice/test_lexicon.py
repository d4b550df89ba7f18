"""A merchant's pronunciations."""

import pytest

from avatar.errors import AvatarValueError
from avatar.voice.normalise import normalise
from avatar.voice.utterance import utter

ENTRIES = {
    "Zentrova": "zen trova",
    "Kilobyx": "/kˈɪləbɪks/",
    "重庆小面": "/chong2 qing4 xiao3 mian4/",
    "A4X": "/eɪ fɔr ɛks/",
    "乐活": "月活",
}


def symbols(text: str, language: str) -> dict[str, str]:
    return {word.text: word.symbols for word in utter(normalise(text, language, ENTRIES))}


def test_entries_are_said_as_written_down() -> None:
    said = symbols("New ZENTROVA and Kilobyx, the A4X!", "en")
    plain = {word.text: word.symbols for word in utter(normalise("zen trova", "en"))}
    assert said["ZENTROVA"] == f"{plain['zen']} {plain['trova']}"
    assert said["Kilobyx"] == "kˈɪləbɪks"
    assert said["A4X"] == "A fɔɹ ɛks"
    assert said["New"] == "nˈu"


def test_entries_in_chinese() -> None:
    said = symbols("来一碗重庆小面和乐活", "zh")
    assert said["重庆小面"] == "ꭧʰʊ↗ŋʨʰi↘ŋɕjau↓mjɛ↘n"
    assert said["乐活"] == "ɥe↘xwo↗"
    assert said["一碗"] == "i→wa↓n"


def test_a_part_of_a_word_is_no_entry() -> None:
    assert normalise("Zentrovas", "en", ENTRIES).spans[0].said == "Zentrovas"


@pytest.mark.parametrize("entry", [("X", "/#+/"), ("X", "9 lives"), ("X", ""), (" ", "x")])
def test_bad_entries_are_named(entry: tuple[str, str]) -> None:
    with pytest.raises(AvatarValueError, match=r"lexicon|phonemes"):
        normalise("x", "en", dict([entry]))
