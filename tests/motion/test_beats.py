"""Beats and expressions: when they happen, and that they are what they are called."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motion.beats import Accent, Strokes, Timing, accents, plan_beats, plan_brows, plan_nods
from motion.controls import CONTROL_INDEX, LEFT_ARM, RIGHT_ARM
from motion.errors import MotionValueError
from motion.expressions import brows, face_vector, with_mouth
from motion.lips.visemes import PART, PARTS
from motion.postures import nod
from motion.skeleton import face_index
from motion.speech import SpokenPassage
from motion.style import NATURAL
from tests.motion.samples import MANDARIN, passage

USUAL = Timing.of(NATURAL, 1.0)


def test_accents_are_the_stressed_vowels() -> None:
    found = accents(passage(1.0, "b ˈɑ t ə k ˈi"))
    assert [round(accent.at, 2) for accent in found] == [1.08, 1.40]


def test_speech_without_stress_marks_still_has_accents() -> None:
    assert len(accents(passage(0.0, MANDARIN))) > 5
    loud = tuple(0.2 + 0.15 * np.sin(np.arange(50) * 0.8))
    assert len(accents(SpokenPassage(0.0, 2.0, (), "zh", loudness=loud))) == 6


@settings(deadline=None)
@given(st.lists(st.floats(0.0, 60.0), max_size=80), st.integers(0, 1000))
def test_beats_keep_their_distance_and_start_no_earlier_than_allowed(
    times: list[float], seed: int
) -> None:
    found = [Accent(at, 1.0) for at in sorted(times)]
    beats = plan_beats(found, seed, 5.0, [(20.0, 24.0)])
    at = np.array([beat.at for beat in beats])
    assert (np.diff(at) >= 0.7).all()
    assert (at >= 5.0 + USUAL.prepare).all()
    assert not ((at > 20.0 - USUAL.reach) & (at < 24.0 + USUAL.prepare)).any()
    assert {beat.at for beat in beats} <= set(times)


def test_beats_are_frequent_but_not_on_every_stress_and_vary() -> None:
    beats = plan_beats([Accent(0.3 * i, 1.0) for i in range(400)], 1, 0.0, [])
    assert 0.7 < 120.0 / len(beats) < 1.5
    assert {beat.hand for beat in beats} == {"left", "right", "both"}
    assert np.std([beat.size for beat in beats]) > 0.1


def test_a_beat_lifts_the_hand_strikes_at_its_time_and_leaves_nothing() -> None:
    beats = plan_beats([Accent(10.0, 1.0)], 2, 0.0, [])
    strokes = Strokes(beats, [])
    times = np.arange(9.0, 11.0, 0.01)
    moved = np.array([strokes(float(at)) for at in times])
    busy = np.flatnonzero(np.abs(moved).max(1) > 1e-9)
    assert times[busy[0]] >= 10.0 - USUAL.prepare - 1e-9
    assert times[busy[-1]] <= 10.0 + USUAL.reach + 1e-9
    arm = LEFT_ARM if beats[0].hand == "left" else RIGHT_ARM
    speed = np.abs(np.diff(moved[:, arm], axis=0)).sum(1)
    assert abs(times[speed.argmax()] - 10.0) < 0.12


def test_head_and_brows_mark_some_accents() -> None:
    found = [Accent(0.4 * i, 1.0) for i in range(100)]
    raises, nods = plan_brows(found, 3, 0.0), plan_nods(found, 3, 0.0)
    assert 5 < len(raises) < 34
    assert 20 < len(nods) < 80
    assert brows(raises[0][0] + 0.05, raises) == pytest.approx(raises[0][1], abs=0.01)
    assert Strokes([], nods)(nods[0][0] + 0.07)[CONTROL_INDEX["head_pitch"]] > 0.5


def test_a_smile_gives_way_to_rounded_lips_and_a_press_to_speech() -> None:
    face = face_vector({"mouthSmile": 0.6, "mouthPress": 0.2})
    silent = with_mouth(face, np.zeros(len(PARTS)))
    np.testing.assert_array_equal(silent, face)
    rounded = np.zeros(len(PARTS))
    rounded[PART["pucker"]] = 0.9
    spoken = with_mouth(face, rounded)
    assert spoken[face_index("mouthSmileLeft")] < 0.3
    assert spoken[face_index("mouthPressLeft")] < 0.05
    assert spoken[face_index("mouthPucker")] == pytest.approx(0.9)


def test_face_vector_sets_both_sides_and_refuses_unknown_names() -> None:
    face = face_vector({"browDown": 0.4, "browInnerUp": 0.2})
    assert face[face_index("browDownLeft")] == face[face_index("browDownRight")] == 0.4
    assert face[face_index("browInnerUp")] == 0.2
    with pytest.raises(MotionValueError, match="'ears'"):
        face_vector({"ears": 1.0})


def test_listeners_nod_now_and_then_and_speakers_do_not_nod_by_chance() -> None:
    times = np.arange(0.0, 120.0, 0.05)
    pitch = np.array([nod(4, float(at), 8.0) for at in times])
    nodding = pitch > 1.0
    starts = np.count_nonzero(nodding[1:] & ~nodding[:-1])
    assert 6 < starts < 48
    assert pitch.max() < 8.0
    assert max(nod(4, float(at), 0.0) for at in times) == 0.0
