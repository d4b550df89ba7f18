"""IPA is read as voices write it, and never refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motion.phones import CONSONANTS, VOWELS, Consonant, Vowel, is_vowel, segments


def _only(ipa: str) -> Vowel | Consonant:
    (segment,) = segments(ipa)
    return segment.features


@pytest.mark.parametrize("marked", ["iː", "ˈi", "i˥", "ĩ", "i̯", "i↗", "iˑ", "i5"])
def test_marks_do_not_change_the_vowel(marked: str) -> None:
    assert _only(marked) == VOWELS["i"]


@pytest.mark.parametrize(("ipa", "base"), [("tʰ", "t"), ("ɫ", "l"), ("d̪", "d"), ("g", "ɡ")])
def test_marks_do_not_change_the_place_of_a_consonant(ipa: str, base: str) -> None:
    found, wanted = _only(ipa), CONSONANTS[base]
    assert isinstance(found, Consonant)
    assert found.place == wanted.place


@pytest.mark.parametrize(("ipa", "parts"), [("aɪ", "aɪ"), ("I", "aɪ"), ("oʊ", "oʊ"), ("Y", "ɔɪ")])
def test_diphthongs_are_two_vowels(ipa: str, parts: str) -> None:
    assert [segment.features for segment in segments(ipa)] == [VOWELS[part] for part in parts]
    assert sum(segment.share for segment in segments(ipa)) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("ipa", "place"),
    [
        ("tɕ", "palatal"),
        ("tɕʰ", "palatal"),
        ("ʨ", "palatal"),
        ("tʂ", "retroflex"),
        ("ʈʂʰ", "retroflex"),
        ("ꭧ", "retroflex"),
        ("ts", "alveolar"),
        ("ʦʰ", "alveolar"),
        ("tʃ", "postalveolar"),
        ("ʧ", "postalveolar"),
        ("d͡ʒ", "postalveolar"),
    ],
)
def test_affricates_end_in_their_hiss_for_most_of_their_time(ipa: str, place: str) -> None:
    stop, hiss = segments(ipa)
    assert isinstance(hiss.features, Consonant)
    assert hiss.features.place == place
    assert hiss.features.sibilant
    assert hiss.share > stop.share


def test_syllabic_consonants_of_mandarin_are_close_vowels_and_nasals_stay() -> None:
    assert _only("ɻ̩") == _only("ɹ̩") == VOWELS["ɨ"]
    assert _only("m̩") == CONSONANTS["m"]


@pytest.mark.parametrize("ipa", ["", " ", "ː", "˥˩", "ˈ", "."])
def test_silence_and_bare_marks_have_no_segments(ipa: str) -> None:
    assert segments(ipa) == ()


@settings(deadline=None)
@given(st.text(max_size=8))
def test_nothing_is_refused(ipa: str) -> None:
    found = segments(ipa)
    assert not found or sum(segment.share for segment in found) == pytest.approx(1.0)


def test_only_what_carries_a_syllable_is_a_vowel() -> None:
    assert [is_vowel(ipa) for ipa in ("a", "ɚ", "ɻ̩", "aʊ", "t", "m", "")] == [True] * 4 + [
        False
    ] * 3
