"""Inverse kinematics: places are reached, limits kept, and a small step of the goal is a small
step of the arm.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from motion.controls import CONTROLS, LEFT_ARM, to_rotations
from motion.inverse_kinematics import SOLVED, Goals, reached, solve
from motion.kinematics import joint_transforms
from motion.limits import ARM_LIMITS
from motion.rest import REST_OFFSETS
from motion.skeleton import joint_index

Floats = NDArray[np.float64]

LOW, HIGH = np.array([ARM_LIMITS[name] for name in SOLVED]).T
# Where an arm is while it speaks, from the shoulder's rest to the elbow's and wrist's ease.
USUAL = np.array([0.0, 0.0, 35.0, 22.0, 12.0, 58.0, 0.0, 0.0, 0.0])
EASY_LOW = np.array([0.0, 0.0, 0.0, -5.0, -30.0, 5.0, -50.0, -40.0, -18.0])
EASY_HIGH = np.array([0.0, 0.0, 50.0, 75.0, 50.0, 95.0, 55.0, 40.0, 14.0])
POINT = np.array([0.04, -0.07, -0.05])


def _goals(places: Floats, directions: Floats | None = None) -> Goals:
    goals = Goals.none(len(places))
    goals.places[:] = places
    goals.points[:] = POINT
    goals.preferred[:] = USUAL
    goals.axes[:] = np.eye(3)[:2]
    if directions is not None:
        goals.directions[:] = directions
        goals.weights[:] = 1.0
    return goals


def _some_arms(count: int, seed: int = 0) -> Floats:
    return np.random.default_rng(seed).uniform(EASY_LOW, EASY_HIGH, (count, len(SOLVED)))


def test_its_forward_kinematics_is_that_of_the_body() -> None:
    arms = _some_arms(20)
    controls = np.zeros((len(arms), CONTROLS))
    controls[:, LEFT_ARM.start : LEFT_ARM.start + len(SOLVED)] = arms
    wrists = joint_transforms(to_rotations(controls), REST_OFFSETS)[:, joint_index("wrist.L")]
    places, turns = reached(arms, np.tile(POINT, (len(arms), 1)))
    np.testing.assert_allclose(turns, wrists[:, :3, :3], atol=1e-5)
    np.testing.assert_allclose(places, wrists[:, :3, 3] + wrists[:, :3, :3] @ POINT, atol=1e-5)


@pytest.mark.parametrize("turned", [False, True])
def test_what_can_be_reached_is_reached_within_a_centimetre(turned: bool) -> None:
    arms = _some_arms(200)
    places, turns = reached(arms, np.tile(POINT, (len(arms), 1)))
    directions = np.swapaxes(turns, 1, 2)[:, :2]  # where the hand's x and y point
    goals = _goals(places, directions if turned else None)
    found = solve(goals)
    there, way = reached(found, goals.points)
    assert np.linalg.norm(there - places, axis=1).max() < 0.01
    if turned:
        pointed = np.swapaxes(way, 1, 2)[:, :2]
        apart = np.degrees(np.arccos(np.clip((pointed * directions).sum(-1), -1.0, 1.0)))
        assert apart.max() < 5.0


@settings(deadline=None, max_examples=40)
@given(st.tuples(*[st.floats(-3.0, 3.0)] * 3))
def test_limits_are_kept_wherever_the_goal_is(place: tuple[float, float, float]) -> None:
    found = solve(_goals(np.array([place])))
    assert np.isfinite(found).all()
    assert (found >= LOW - 1e-9).all()
    assert (found <= HIGH + 1e-9).all()


def test_out_of_reach_the_arm_stretches_towards_the_goal() -> None:
    shoulder = np.array([0.147, -0.02, 0.459])
    for direction in ([0.5, -1.0, 0.0], [0.2, -1.0, 0.4], [1.0, -0.6, -0.2]):
        far = shoulder + 2.0 * np.array(direction) / np.linalg.norm(direction)
        goals = _goals(far[None])
        there, _ = reached(solve(goals), goals.points)
        way = there[0] - shoulder
        assert np.linalg.norm(way) > 0.5  # all but straight; 0.55 with this point of the hand
        aim = way @ (far - shoulder) / np.linalg.norm(way) / 2.0
        assert np.degrees(np.arccos(aim)) < 12.0


def test_a_goal_that_moves_evenly_moves_the_arm_evenly() -> None:
    share = np.linspace(0.0, 1.0, 201)[:, None]
    for start, end in (
        ([0.05, -0.3, 0.2], [0.35, -0.35, 0.5]),
        ([0.3, -0.2, 0.1], [-0.05, -0.35, 0.35]),
        ([0.2, -0.3, 0.3], [0.5, -0.9, 0.7]),  # out of reach at its end
    ):
        found = solve(_goals(np.array(start) + share * (np.array(end) - np.array(start))))
        steps = np.abs(np.diff(found, axis=0)).max(1)
        assert steps.max() < 3.0
        assert np.abs(np.diff(found, n=2, axis=0)).max() < 1.0


def test_of_all_ways_the_one_near_to_the_preferred_is_taken() -> None:
    places = np.array([[0.15, -0.35, 0.4]])
    low, high = _goals(places), _goals(places)
    high.preferred[:, SOLVED.index("adduct")] = -30.0
    elbows = []
    for goals in (low, high):
        controls = np.zeros(CONTROLS)
        found = solve(goals)[0]
        there, _ = reached(found[None], goals.points)
        np.testing.assert_allclose(there, places, atol=0.01)
        controls[LEFT_ARM.start : LEFT_ARM.start + len(SOLVED)] = found
        placed = joint_transforms(to_rotations(controls), REST_OFFSETS)
        elbows.append(placed[joint_index("lowerarm01.L"), 2, 3])
    assert elbows[1] > elbows[0] + 0.05
