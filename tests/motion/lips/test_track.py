"""Lips: closures, rounding, rest, speed, and voices without phones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from motion.lips.track import ANTICIPATION, LipTrack, mouth
from motion.lips.visemes import PART, PARTS, to_face
from motion.phones import VOWELS
from motion.speech import SpokenPassage, SpokenPhone
from tests.motion.samples import ENGLISH, MANDARIN, passage, passages, phones

Vector = NDArray[np.float64]


def _track(text: str, seconds: float = 0.08, start: float = 1.0) -> LipTrack:
    return LipTrack(passage(start, text, seconds=seconds))


def _shape(text: str, which: int, seconds: float = 0.08) -> Vector:
    """Return the mouth at the centre of the phone numbered `which`."""
    return mouth([_track(text, seconds)], 1.0 + (which + 0.5) * seconds)


@pytest.mark.parametrize("stop", ["p", "b", "m"])
@pytest.mark.parametrize("seconds", [0.04, 0.06, 0.1])
@pytest.mark.parametrize("vowel", sorted(VOWELS))
def test_lips_close_for_p_b_m_between_any_vowels(stop: str, seconds: float, vowel: str) -> None:
    at_centre = _shape(f"{vowel} {stop} {vowel}", 1, seconds)
    jaw, close = at_centre[PART["jaw"]], at_centre[PART["close"]]
    assert jaw < 0.29
    assert close == pytest.approx(jaw, abs=1e-6)  # the lips meet over what the jaw leaves open
    assert at_centre[PART["press"]] > 0.25
    for part in ("funnel", "upper_up", "lower_down", "tongue"):
        assert at_centre[PART[part]] < 1e-6


@settings(deadline=None)
@given(st.data())
def test_lips_close_whatever_the_neighbours(data: st.DataObject) -> None:
    spoken = data.draw(passages(0.0)).phones
    track = LipTrack(SpokenPassage(0.0, 10.0, spoken, "en"))
    for phone in spoken:
        if phone.ipa in ("p", "b", "m"):
            shape = mouth([track], (phone.start + phone.end) / 2.0)
            assert shape[PART["close"]] == pytest.approx(shape[PART["jaw"]], abs=1e-6)
            assert shape[PART["lower_down"]] < 1e-6


@pytest.mark.parametrize("text", ["ɑ f ɑ", "u v u", "ə f i"])
def test_the_lower_lip_goes_under_the_teeth_for_f_and_v(text: str) -> None:
    shape = _shape(text, 1)
    assert shape[PART["jaw"]] < 0.05
    assert shape[PART["roll_lower"]] > 0.5
    assert shape[PART["upper_up"]] > 0.3
    assert shape[PART["close"]] == 0.0


@pytest.mark.parametrize("vowel", ["u", "y", "o"])
def test_rounded_vowels_are_rounded_before_they_begin(vowel: str) -> None:
    track = _track(f"ə t {vowel}", 0.1)
    at_start, at_centre = mouth([track], 1.2), mouth([track], 1.25)
    assert at_start[PART["pucker"]] > 0.5 * at_centre[PART["pucker"]] > 0.2


def test_vowels_differ_as_they_should() -> None:
    a, i, u = (_shape(f"t {vowel} t", 1, 0.12) for vowel in ("ɑ", "i", "u"))
    assert a[PART["jaw"]] > 2.0 * i[PART["jaw"]]
    assert a[PART["jaw"]] > 2.0 * u[PART["jaw"]]
    assert i[PART["stretch"]] > 0.25 > 0.05 > u[PART["stretch"]]
    assert u[PART["pucker"]] > 0.7 > 0.1 > i[PART["pucker"]]


def test_hisses_bring_the_teeth_together() -> None:
    for hiss in ("s", "ʃ", "ʂ", "ɕ"):
        assert _shape(f"ɑ {hiss} ɑ", 1, 0.1)[PART["jaw"]] < 0.2


@pytest.mark.parametrize("text", [ENGLISH, MANDARIN, "ɑ", "u w u", "p", "f"])
def test_the_mouth_rests_within_150_ms_of_silence_and_stirs_120_ms_ahead_at_most(
    text: str,
) -> None:
    spoken = passage(2.0, text)
    track = LipTrack(spoken)
    silent = [*np.arange(1.0, 2.0 - ANTICIPATION, 0.01), *np.arange(spoken.end + 0.15, 5.0, 0.01)]
    assert max(float(mouth([track], float(at)).max()) for at in silent) < 1e-6
    talking = np.arange(2.0, spoken.end, 0.01)
    assert max(float(mouth([track], float(at)).max()) for at in talking) > 0.1


def test_the_mouth_rests_in_a_gap_between_words() -> None:
    spoken = (*phones("ɑ", 1.0, 0.2), *phones("ɑ", 1.6, 0.2))
    track = LipTrack(SpokenPassage(1.0, 1.8, spoken, "en"))
    assert float(mouth([track], 1.42).max()) < 1e-6
    marked = (*phones("ɑ", 1.0, 0.2), SpokenPhone("", 1.2, 1.6), *phones("ɑ", 1.6, 0.2))
    track = LipTrack(SpokenPassage(1.0, 1.8, marked, "en"))
    assert float(mouth([track], 1.42).max()) < 1e-6


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_shapes_stay_in_range_and_lips_at_a_plausible_speed(data: st.DataObject) -> None:
    spoken = data.draw(passages(0.0))
    track = LipTrack(spoken)
    times = np.arange(-0.3, spoken.end + 0.4, 0.01)
    film = np.array([mouth([track], float(at)) for at in times])
    assert np.isfinite(film).all()
    assert film.min() >= 0.0
    assert film.max() <= 1.0
    speed = np.abs(np.diff(film, axis=0)).max(0) / 0.01
    # A jaw moves at up to about 0.25 m/s in speech; 1 is 34 mm of opening. Phones of no length,
    # which no voice makes, cost it half as much again.
    assert speed[PART["jaw"]] < 12.0
    assert speed.max() < 25.0


def test_passages_that_follow_each_other_are_one_utterance() -> None:
    whole = LipTrack(SpokenPassage(0.0, 0.8, phones("m ɑ m ɑ u ɑ t i", 0.0, 0.1), "en"))
    first = LipTrack(SpokenPassage(0.0, 0.4, phones("m ɑ m ɑ", 0.0, 0.1), "en"))
    second = LipTrack(SpokenPassage(0.4, 0.8, phones("u ɑ t i", 0.4, 0.1), "en"))
    for at in np.arange(0.0, 0.8, 0.02):
        one, two = mouth([whole], float(at)), mouth([first, second], float(at))
        np.testing.assert_allclose(one, two, atol=0.22)


def test_loudness_opens_the_mouth_where_there_are_no_phones() -> None:
    loud = (0.0,) * 10 + (0.3,) * 20 + (0.0,) * 20
    track = LipTrack(SpokenPassage(1.0, 3.0, (), "en", loudness=loud))
    assert mouth([track], 1.8)[PART["jaw"]] > 0.25
    assert mouth([track], 1.1)[PART["jaw"]] < 0.02
    assert float(mouth([track], 2.5).max()) < 0.02
    assert float(mouth([track], 3.2).max()) == 0.0


def test_silence_alone_keeps_the_mouth_at_rest() -> None:
    track = LipTrack(SpokenPassage(0.0, 1.0, (SpokenPhone("", 0.0, 1.0),), "en"))
    assert float(mouth([track], 0.5).max()) == 0.0
    assert float(mouth([], 0.5).max()) == 0.0


def test_a_mouth_shape_reaches_both_sides_of_the_face() -> None:
    shape = np.zeros(len(PARTS))
    shape[PART["stretch"]] = 0.5
    assert np.count_nonzero(to_face(shape)) == 2
