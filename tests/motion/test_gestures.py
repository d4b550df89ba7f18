"""Beats, actions and expressions: when they happen, and that they are what they are called."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from motion.gestures import PREPARE as ACTION_PREPARE
from numpy.typing import NDArray

from motion.actions import ACTION_IDS, LEAD, gesture
from motion.beats import Accent, Strokes, Timing, accents, plan_beats, plan_brows, plan_nods
from motion.controls import ARM, CONTROL_INDEX, CONTROLS, LEFT_ARM, RIGHT_ARM, to_rotations
from motion.errors import MotionValueError
from motion.expressions import EMOTIONS, brows, emotion_at, face_vector, with_mouth
from motion.kinematics import joint_positions
from motion.lips.visemes import PART, PARTS
from motion.postures import POSTURES, nod
from motion.rest import REST_OFFSETS
from motion.skeleton import face_index, joint_index
from motion.speech import Emotion, SpokenAction, SpokenPassage
from motion.style import NATURAL
from tests.motion.samples import MANDARIN, passage

READY = POSTURES["speaking"].controls
USUAL = Timing.of(NATURAL, 1.0)


def _played(action: str, at: float, **parameters: float | str) -> NDArray[np.float64]:
    """Return the controls of an action anchored at 10 s."""
    made = gesture(SpokenAction(action, 10.0, tuple(parameters.items())), 0.0)
    assert made is not None
    return made.apply(READY, at)


def _joint(controls: NDArray[np.float64], name: str) -> NDArray[np.float32]:
    positions = joint_positions(to_rotations(controls), REST_OFFSETS)
    return np.asarray(positions[joint_index(name)])


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


@pytest.mark.parametrize("action", ACTION_IDS)
def test_the_stroke_starts_ahead_of_the_word_and_hands_come_back(action: str) -> None:
    made = gesture(SpokenAction(action, 10.0), 0.0)
    assert made is not None
    assert made.weight(10.0 - LEAD - ACTION_PREPARE) == 0.0
    assert made.weight(10.0 - LEAD) == 1.0
    assert made.weight(10.0) == 1.0
    assert 10.5 < made.end < 12.5
    np.testing.assert_array_equal(made.apply(READY, made.end), READY)
    moved = np.abs(made.apply(READY, 10.1) - READY)[[*range(CONTROLS)][LEFT_ARM.start :]]
    assert moved.max() > 10.0


def test_a_late_action_is_played_later_and_a_very_late_one_not_at_all() -> None:
    action = SpokenAction("offer", 10.0)
    late = gesture(action, 10.0)
    assert late is not None
    assert late.start == pytest.approx(10.0)
    assert gesture(action, 11.0) is None
    assert gesture(SpokenAction("juggle", 10.0), 0.0) is None


def test_sizes_are_shown_as_far_apart_as_they_are() -> None:
    gaps = {}
    for size in (0.2, 0.3, 0.38):
        shown = _played("show_size", 10.4, size=size)
        gaps[size] = _joint(shown, "finger3-3.L")[0] - _joint(shown, "finger3-3.R")[0]
    assert gaps == pytest.approx({0.2: 0.2, 0.3: 0.3, 0.38: 0.38}, abs=0.01)
    wide = _played("show_size", 10.4, size=9.0)
    assert _joint(wide, "finger3-3.L")[0] < 0.25


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_counting_stretches_as_many_fingers(number: int) -> None:
    shown = _played("count", 10.3, number=number)[RIGHT_ARM]
    stretched = [shown[ARM.index(name)] < 20.0 for name in ("index", "middle", "ring", "pinky")]
    assert sum(stretched) == min(number, 4)
    assert (shown[ARM.index("thumb")] < 0.0) == (number == 5)


@pytest.mark.parametrize("hand", ["left", "right"])
def test_one_handed_actions_use_the_hand_they_are_told(hand: str) -> None:
    for action in ("count", "thumbs_up", "think", "refuse", "offer", "wave"):
        moved = np.abs(_played(action, 10.0, hand=hand) - READY)
        used, other = (LEFT_ARM, RIGHT_ARM) if hand == "left" else (RIGHT_ARM, LEFT_ARM)
        assert moved[used].max() > 10.0
        assert moved[other].max() < 1e-9


def test_pointing_looks_and_reaches_to_its_side() -> None:
    for side, sign in (("left", 1.0), ("right", -1.0)):
        made = gesture(SpokenAction("point_product", 10.0, (("side", side),)), 0.0)
        assert made is not None
        weight, turn, _ = made.gaze(10.0)
        assert weight == 1.0
        assert turn * sign > 15.0
        controls = made.apply(READY, 10.1)
        assert sign * _joint(controls, f"finger3-3.{side[0].upper()}")[0] > 0.15
        assert sign * controls[CONTROL_INDEX["head_turn"]] > 5.0


def test_hands_are_where_the_names_say() -> None:
    chin = _joint(_played("think", 10.3), "finger2-1.R")
    head = _joint(_played("think", 10.3), "head")
    assert 0.05 < head[2] - chin[2] < 0.22
    assert abs(chin[0]) < 0.16
    thumb = _played("thumbs_up", 10.3)
    assert _joint(thumb, "finger1-3.R")[2] > _joint(thumb, "finger2-2.R")[2] + 0.01
    wide = _played("welcome", 10.3)
    ready = READY
    assert _joint(wide, "wrist.L")[0] > _joint(ready, "wrist.L")[0]


@pytest.mark.parametrize("emotion", get_args(Emotion))
def test_emotions_come_in_300_ms_and_go(emotion: Emotion) -> None:
    spoken = [(emotion, 1.0, 3.0)]
    neutral = EMOTIONS["neutral"]
    np.testing.assert_array_equal(emotion_at(0.85, spoken), neutral)
    np.testing.assert_allclose(emotion_at(1.25, spoken), EMOTIONS[emotion], atol=1e-9)
    np.testing.assert_array_equal(emotion_at(5.0, spoken), neutral)


def test_emotions_look_different() -> None:
    faces = list(EMOTIONS.values())
    for i, one in enumerate(faces):
        for other in faces[:i]:
            assert np.abs(one - other).max() > 0.1
    smile = face_index("mouthSmileLeft")
    assert EMOTIONS["happy"][smile] > EMOTIONS["neutral"][smile] > EMOTIONS["serious"][smile]


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
