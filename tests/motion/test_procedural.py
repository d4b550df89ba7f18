"""`ProceduralMover`: continuity, determinism, bounds, cuts, lips, hands, for any speech."""

import pickle
from functools import partial
from typing import get_args

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from motion.actions import LEAD
from motion.errors import MotionValueError
from motion.eyes import Camera
from motion.kinematics import joint_positions, joint_transforms
from motion.mover import Mover
from motion.pose import Pose
from motion.procedural import ProceduralMover
from motion.rest import REST_OFFSETS
from motion.rotations import angle_between
from motion.skeleton import FACE_NAMES, JOINT_NAMES, face_index, joint_index
from motion.speech import Posture, SpokenAction, SpokenPassage
from tests.motion.samples import (
    ENGLISH,
    MEETING,
    Event,
    film,
    hand_gap,
    passage,
    passages,
    phones,
)

MOUTH = [face_index(n) for n in FACE_NAMES if n.startswith(("mouth", "jaw", "tongue"))]
OPENERS = [
    face_index(name)
    for name in ("jawOpen", "mouthFunnel", "mouthPucker", "mouthStretchLeft", "mouthLowerDownLeft")
]
EYES = {joint_index("eye.L"), joint_index("eye.R")}
BODY = [joint for joint in range(len(JOINT_NAMES)) if joint not in EYES]
# Degrees a second. A hand that is thrown turns at 1000, a saccade at 500.
FASTEST_JOINT = 650.0
FASTEST_EYE = 900.0
NARROWEST_GAP = 0.012  # metres between the bones of two hands; fingers, 15 mm thick, may brush

actors = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def scenes(draw: st.DrawFn) -> tuple[list[Event], float]:
    """Draw what happens to a mover, on a grid of 0.04 s, and when it is over.

    Passages come ahead of time, late or on top of one another; postures and cuts at any time.
    """
    events: list[Event] = []
    at = 0.4
    for _ in range(draw(st.integers(1, 4))):
        spoken = draw(passages(at))
        known = max(0.0, at - draw(st.sampled_from([0.0, 0.04, 0.2, 1.0])))
        events.append((_grid(known), partial(ProceduralMover.passage, passage=spoken)))
        if draw(st.booleans()):
            asked = _grid(draw(st.floats(at, spoken.end + 0.5)))
            due = asked + draw(st.sampled_from([0.0, 0.3]))
            kind = draw(st.sampled_from(["cut", *get_args(Posture)]))
            events.append((asked, partial(_tell, kind=kind, at=due)))
        at = spoken.end + draw(st.sampled_from([-0.3, 0.0, 0.3, 1.5]))
        at = max(at, 0.4)
    return events, at + 2.0


def _hands_meet(events: list[Event]) -> bool:
    """Return whether hands are brought together on purpose."""
    spoken = [act.keywords.get("passage") for _, act in events if isinstance(act, partial)]
    return any(action.action in MEETING for known in spoken if known for action in known.actions)


def _grid(at: float) -> float:
    return round(at * 25.0) / 25.0


def _tell(mover: ProceduralMover, kind: str, at: float) -> None:
    if kind == "cut":
        mover.cut(at)
    else:
        for posture in get_args(Posture):
            if posture == kind:
                mover.posture(posture, at)


def _times(until: float, rate: int = 25) -> NDArray[np.float64]:
    return np.arange(0, round(until * rate) + 1) / rate


def _speeds(poses: Pose, rate: int) -> NDArray[np.float64]:
    turned = angle_between(poses.rotations[:-1], poses.rotations[1:])
    return np.asarray(np.degrees(turned) * rate, np.float64)


def test_it_is_a_mover() -> None:
    mover: Mover = ProceduralMover(1)
    assert mover.pose(0.0).rotations.shape == (104, 4)


@actors
@given(scenes(), st.integers(0, 2**40))
def test_any_scene_gives_sound_and_continuous_poses(
    scene: tuple[list[Event], float], seed: int
) -> None:
    events, until = scene
    poses = film(ProceduralMover(seed), _times(until), events)
    np.testing.assert_allclose(np.linalg.norm(poses.rotations, axis=-1), 1.0, atol=1e-5)
    assert np.isfinite(poses.translation).all()
    assert np.abs(poses.translation).max() < 0.03
    assert poses.face.min() >= 0.0
    assert poses.face.max() <= 1.0
    speeds = _speeds(poses, 25)
    assert speeds[:, BODY].max() < FASTEST_JOINT
    assert speeds[:, sorted(EYES)].max() < FASTEST_EYE
    assert np.abs(np.diff(poses.face[:, face_index("jawOpen")])).max() < 0.4
    if not _hands_meet(events):
        assert hand_gap(poses).min() > NARROWEST_GAP


@actors
@given(scenes(), st.integers(0, 2**40))
def test_the_same_seed_and_scene_give_the_same_film(
    scene: tuple[list[Event], float], seed: int
) -> None:
    events, until = scene
    one, two = (film(ProceduralMover(seed), _times(until), events) for _ in range(2))
    np.testing.assert_array_equal(one.rotations, two.rotations)
    np.testing.assert_array_equal(one.face, two.face)


@actors
@given(scenes(), st.integers(0, 2**40))
def test_poses_do_not_depend_on_how_often_they_are_asked_for(
    scene: tuple[list[Event], float], seed: int
) -> None:
    known = [(0.0, act) for _, act in scene[0]]
    often = film(ProceduralMover(seed), _times(4.0, 50), known)
    seldom = film(ProceduralMover(seed), _times(4.0, 25), known)
    np.testing.assert_allclose(often.rotations[::2], seldom.rotations, atol=1e-5)
    np.testing.assert_allclose(often.face[::2], seldom.face, atol=1e-5)


def test_seeds_give_different_lives() -> None:
    one, two = (film(ProceduralMover(seed), _times(4.0)) for seed in (1, 2))
    assert np.abs(one.rotations - two.rotations).max() > 0.005


def test_lips_are_closed_at_the_centre_of_every_p_b_m() -> None:
    mover = ProceduralMover(5)
    spoken = passage(1.0, "m ˈɑ m ə b ˈɔ b ə p ˈæ p ɪ m ˈaʊ m")
    mover.passage(spoken)
    closures = 0
    for phone in spoken.phones:
        face = mover.pose((phone.start + phone.end) / 2.0).face
        jaw, close = face[face_index("jawOpen")], face[face_index("mouthClose")]
        if phone.ipa in "pbm":
            closures += 1
            assert jaw < 0.29
            assert close == pytest.approx(jaw, abs=1e-5)
        elif phone.stress:
            assert jaw - close > 0.08
    assert closures == 8


def test_the_mouth_rests_in_silence_and_moves_in_speech() -> None:
    mover = ProceduralMover(5)
    first, second = passage(1.0), passage(5.0)
    mover.passage(first)
    mover.passage(second)
    poses = film(mover, _times(9.0))
    times = _times(9.0)
    spoken = np.zeros(len(times), bool)
    for part in (first, second):
        spoken |= (times > part.start - 0.12) & (times < part.end + 0.15)
    assert poses.face[~spoken][:, OPENERS].max() < 0.01
    assert poses.face[spoken][:, face_index("jawOpen")].max() > 0.25


@pytest.mark.parametrize(
    "action", ["", "wave", "shush", "cross_arms", "bow", "point_left", "hurry"]
)
@pytest.mark.parametrize("after", [0.0, 0.2, 0.5, 0.8])
def test_a_cut_comes_to_listening_in_300_ms_without_a_jump(action: str, after: float) -> None:
    cut = 2.0 + after
    actions = (SpokenAction(action, 2.3),) if action else ()
    mover = ProceduralMover(3)
    mover.passage(passage(1.0, f"{ENGLISH} {ENGLISH}", *actions))
    mover.cut(cut)
    poses = film(mover, _times(cut + 1.0, 200))
    speeds = _speeds(poses, 200)
    assert speeds[:, BODY].max() < FASTEST_JOINT
    # No jump of speed either: acceleration is bounded across the cut.
    assert np.abs(np.diff(speeds[:, BODY], axis=0)).max() * 200 < 20_000.0
    listening = ProceduralMover(3)
    listening.posture("listening", 0.0)
    calm = film(listening, _times(cut + 1.0, 200))
    since = round((cut + 0.3) * 200) + 1
    np.testing.assert_allclose(poses.rotations[since:], calm.rotations[since:], atol=1e-4)
    assert poses.face[since:, OPENERS].max() < 0.01


def test_actions_come_with_their_words_even_where_the_hands_are_still_held() -> None:
    actions = (SpokenAction("welcome", 2.0), SpokenAction("thumbs_up", 3.2))
    mover = ProceduralMover(1)
    mover.passage(passage(1.0, ENGLISH, *actions))
    (_, first), (_, second) = mover.acts
    assert first.stroke == pytest.approx(2.0 - LEAD)
    assert second.stroke <= 3.2
    assert first.end < second.stroke + 0.05


def test_a_cut_spares_speech_that_is_added_after_it() -> None:
    mover = ProceduralMover(3)
    mover.passage(passage(1.0))
    film(mover, _times(1.4))
    mover.cut(1.5)
    mover.passage(passage(2.5))
    quiet = [mover.pose(float(at)).face[OPENERS].max() for at in np.arange(1.85, 2.35, 0.04)]
    assert max(quiet) < 0.01
    assert max(mover.pose(at).face[face_index("jawOpen")] for at in (2.6, 2.9, 3.2, 3.5)) > 0.1


def test_a_cut_before_the_first_sound_leaves_the_mouth_closed() -> None:
    mover = ProceduralMover(3)
    mover.pose(0.0)
    mover.passage(passage(0.5))
    mover.cut(0.3)
    faces = [mover.pose(float(at)).face[OPENERS].max() for at in np.arange(0.04, 4.0, 0.04)]
    assert max(faces) < 0.01


def test_a_late_passage_is_caught_up_with_and_a_passed_one_is_ignored() -> None:
    mover = ProceduralMover(3)
    film(mover, _times(2.0))
    mover.passage(passage(0.2, "ɑ ɑ"))
    assert mover.pose(2.04).face[OPENERS].max() < 0.01
    spoken = SpokenPassage(1.9, 3.1, phones("ɑ ɑ ɑ ɑ", 1.9, 0.3), "en")
    mover.passage(spoken)
    jaw = [mover.pose(at).face[face_index("jawOpen")] for at in (2.06, 2.16, 2.3)]
    assert jaw[0] < 0.1 < 0.3 < jaw[2]


def test_a_change_of_posture_delays_no_lips_and_a_late_passage_hurries_no_body() -> None:
    def arms(*, late: bool) -> Pose:
        mover = ProceduralMover(3)
        film(mover, _times(2.0))
        mover.posture("thinking", 2.04)
        mover.pose(2.04)
        if late:
            mover.passage(SpokenPassage(2.1, 2.4, phones("m ɑ m", 2.1, 0.1), "en"))
        return film(mover, 2.08 + np.arange(9) / 25.0)

    with_speech, without = arms(late=True), arms(late=False)
    assert with_speech.face[4, face_index("jawOpen")] > 0.1  # the vowel, 0.16 s on
    turned = angle_between(with_speech.rotations[:3], without.rotations[:3])
    assert np.degrees(turned).max() < 5.0


def test_two_passages_at_once_are_spoken_together() -> None:
    mover = ProceduralMover(3)
    mover.passage(passage(1.0, "ɑ ɑ ɑ ɑ ɑ"))
    mover.passage(passage(1.2, "u u u u u"))
    faces = np.array([mover.pose(float(at)).face for at in np.arange(1.0, 1.6, 0.02)])
    assert faces[:, face_index("jawOpen")].max() > 0.2
    assert faces[:, face_index("mouthPucker")].max() > 0.5


def test_state_is_bounded_through_an_hour_of_talk() -> None:
    mover = ProceduralMover(9)
    sizes = []
    for start in range(0, 3600, 6):
        mover.passage(passage(start + 0.5, ENGLISH, SpokenAction("offer", start + 1.0)))
        mover.posture("speaking", start + 0.4)
        mover.posture("listening", start + 4.0)
        if start % 5 == 0:
            mover.cut(start + 2.0)
        for step in range(6):
            mover.pose(start + step + 0.9)
        if start % 30 == 0:
            sizes.append(len(pickle.dumps(mover)))
    assert max(sizes[10:]) <= 1.02 * max(sizes[:10])


def test_the_hour_does_not_change_how_it_moves() -> None:
    def restlessness(start: float) -> float:
        mover = ProceduralMover(4)
        poses = [mover.pose(start + i / 25.0).rotations for i in range(1500)]
        return float(angle_between(np.stack(poses[:-1]), np.stack(poses[1:])).mean())

    assert restlessness(36_000.0) == pytest.approx(restlessness(0.0), rel=0.15)


def test_idle_is_alive_but_calm() -> None:
    poses = film(ProceduralMover(6), _times(30.0))
    heads = joint_positions(poses.rotations, REST_OFFSETS, poses.translation)[
        :, joint_index("head")
    ]
    assert 0.003 < np.ptp(heads, axis=0).max() < 0.06
    assert _speeds(poses, 25)[:, BODY].max() < 25.0
    assert poses.face[:, face_index("eyeBlinkLeft")].max() > 0.9
    assert poses.face[:, face_index("mouthSmileLeft")].min() > 0.05


def test_eyes_stay_on_the_camera_while_the_head_moves() -> None:
    mover = ProceduralMover(6, Camera(distance=1.2, below=0.0))
    mover.posture("listening", 0.0)
    poses = film(mover, _times(20.0))
    placed = joint_transforms(poses.rotations, REST_OFFSETS, poses.translation)
    left, right = placed[:, joint_index("eye.L")], placed[:, joint_index("eye.R")]
    ahead = (left[:, :3, :3] + right[:, :3, :3]) @ np.array([0.0, -0.5, 0.0])
    turn = np.degrees(np.arctan2(ahead[:, 0], -ahead[:, 1]))
    assert np.median(np.abs(turn)) < 2.0
    inward = np.degrees(np.arccos(np.clip((left[:, :3, 1] * right[:, :3, 1]).sum(-1), -1, 1)))
    assert np.median(inward) == pytest.approx(2.0 * Camera(1.2).vergence, abs=0.3)


def test_postures_differ_and_thinking_looks_away() -> None:
    seen = {}
    for posture in get_args(Posture):
        mover = ProceduralMover(6)
        mover.posture(posture, 0.0)
        seen[posture] = film(mover, _times(6.0))
    up = face_index("eyeLookUpLeft")
    assert np.median(seen["thinking"].face[50:, up]) > 0.2
    assert np.median(seen["listening"].face[50:, up]) < 0.05
    hands = {
        name: joint_positions(poses.rotations[100], REST_OFFSETS)[joint_index("wrist.R")]
        for name, poses in seen.items()
    }
    assert hands["speaking"][2] > hands["idle"][2] + 0.03


def test_hands_beat_while_speaking_and_stay_before_the_body() -> None:
    mover = ProceduralMover(6)
    for i in range(4):
        mover.passage(passage(1.0 + 3.0 * i))
    poses = film(mover, _times(12.0))
    places = joint_positions(poses.rotations, REST_OFFSETS, poses.translation)
    wrists = places[50:, [joint_index("wrist.L"), joint_index("wrist.R")]]
    assert np.ptp(wrists[..., 2], axis=0).max() > 0.03
    assert np.abs(wrists[..., 0]).max() < 0.24
    assert wrists[..., 1].max() < -0.1


def test_bad_input_is_named() -> None:
    mover = ProceduralMover(1)
    mover.pose(1.0)
    with pytest.raises(MotionValueError, match=r"0\.5"):
        mover.pose(0.5)
    with pytest.raises(MotionValueError, match="nan"):
        mover.pose(float("nan"))
    with pytest.raises(MotionValueError, match="inf"):
        mover.cut(float("inf"))
    with pytest.raises(MotionValueError, match="asleep"):
        mover.posture("asleep", 2.0)  # type: ignore[arg-type]
    with pytest.raises(MotionValueError, match="3"):
        mover.passage(SpokenPassage(3.0, 2.0, (), "en"))
