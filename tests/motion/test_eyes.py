"""Eyes: blinks that look like a person's, a gaze that stays on its target."""

import numpy as np
import pytest

from motion.controls import control_vector, to_rotations
from motion.eyes import (
    Camera,
    Gaze,
    blink,
    eye_angles,
    flicker,
    glance,
    look_coefficients,
)
from motion.kinematics import joint_transforms
from motion.rest import REST_OFFSETS
from motion.skeleton import joint_index


def _blink_starts(seed: int, seconds: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    times = np.arange(0.0, seconds, 0.01)
    shut = np.array([blink(seed, float(at), ()) for at in times]) > 0.5
    return times[1:][shut[1:] & ~shut[:-1]]


def test_blinks_come_at_a_natural_rate_and_irregularly() -> None:
    starts = _blink_starts(5, 600.0)
    between = np.diff(starts)
    assert 10.0 < len(starts) / 10.0 < 24.0
    assert between.std() > 0.4 * between.mean()
    assert between.min() > 0.15
    assert between.max() < 12.0


def test_a_blink_closes_fully_and_falls_faster_than_it_rises() -> None:
    times = np.arange(0.0, 0.4, 0.001)
    lid = np.array([blink(1, float(at), (0.1,)) for at in times])
    alone = np.array([blink(1, float(at), ()) for at in times])
    assert alone.max() == 0.0  # this seed's first blink comes later
    assert lid.max() == 1.0
    shut = np.flatnonzero(lid == 1.0)
    falling, rising = shut[0] - np.flatnonzero(lid)[0], np.flatnonzero(lid)[-1] - shut[-1]
    assert 50 < falling < rising
    assert np.count_nonzero(lid > 0.05) < 230


def test_small_saccades_are_quick_and_small_and_hold_between() -> None:
    times = np.arange(0.0, 60.0, 0.01)
    turn = np.array([flicker(3, float(at)).turn for at in times])
    assert np.abs(turn).max() < 2.0
    moving = np.abs(np.diff(turn)) > 1e-9
    assert 0.02 < moving.mean() < 0.12
    assert np.abs(np.diff(turn)).max() / 0.01 < 150.0


def test_glances_leave_the_listener_now_and_then_and_return() -> None:
    times = np.arange(0.0, 300.0, 0.02)
    away = np.array([abs(glance(2, float(at), 0.5).turn) for at in times])
    assert 0.03 < (away > 5.0).mean() < 0.2
    assert max(abs(glance(2, float(at), 0.0).turn) for at in times) == 0.0


def test_both_eyes_meet_on_the_camera_whatever_the_head_does() -> None:
    camera = Camera(distance=1.2, below=0.1)
    head = {"head_turn": 9.0, "head_pitch": 5.0, "torso_turn": -3.0}
    turned = Gaze(6.0, 5.0)
    left, right, pitch = eye_angles(camera.gaze, turned, camera.vergence)
    eyes = {"eye_turn_left": left, "eye_turn_right": right, "eye_pitch": pitch}
    placed = joint_transforms(to_rotations(control_vector(head | eyes)), REST_OFFSETS)
    left_eye, right_eye = placed[joint_index("eye.L")], placed[joint_index("eye.R")]
    middle = (left_eye[:3, 3] + right_eye[:3, 3]) / 2.0
    for eye in (left_eye, right_eye):
        ahead = eye[:3, :3] @ np.array([0.0, -1.0, 0.0])
        reached = eye[:3, 3] + ahead * (1.2 / -ahead[1])
        assert abs(reached[0] - middle[0]) < 0.03
        assert abs(reached[2] - (middle[2] - 0.1)) < 0.03


def test_eyes_turn_no_further_than_eyes_can() -> None:
    left, right, pitch = eye_angles(Gaze(90.0, -60.0), Gaze(0.0, 0.0), 1.0)
    assert max(left, right) < 30.0
    assert pitch > -21.0


def test_lids_follow_the_eyes() -> None:
    left = look_coefficients(10.0, 12.0, 5.0)
    assert left["eyeLookOutLeft"] > 0.3 < left["eyeLookInRight"]
    assert left["eyeLookInLeft"] == left["eyeLookOutRight"] == left["eyeLookUpLeft"] == 0.0
    assert left["eyeLookDownLeft"] == pytest.approx(0.2)
    assert max(look_coefficients(-80.0, -80.0, -80.0).values()) == 1.0
