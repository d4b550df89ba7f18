"""Forward kinematics against closed forms."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motion import rotations as r
from motion.errors import MotionValueError
from motion.kinematics import (
    joint_positions,
    joint_transforms,
    rest_offsets,
    skinning_transforms,
)
from motion.pose import Pose
from motion.rest import REST_OFFSETS, REST_POSITIONS
from motion.skeleton import JOINT_NAMES, JOINT_PARENTS, joint_index


def test_at_rest_every_joint_is_where_it_rests() -> None:
    positions = joint_positions(Pose.rest(2).rotations, REST_OFFSETS)
    np.testing.assert_allclose(positions, np.stack([REST_POSITIONS] * 2), atol=1e-6)


def test_a_turned_root_turns_everything_about_itself() -> None:
    rotations = Pose.rest().rotations.copy()
    rotations[0] = r.axis_degrees("z", 90)
    positions = joint_positions(rotations, REST_OFFSETS)
    x, y, z = REST_POSITIONS.T
    np.testing.assert_allclose(positions, np.stack([-y, x, z], -1), atol=1e-6)


def test_a_bent_elbow_moves_the_hand_on_a_circle_and_nothing_above() -> None:
    elbow, hand = joint_index("lowerarm01.L"), joint_index("finger3-1.L")
    rotations = Pose.rest().rotations.copy()
    rotations[elbow] = r.from_axis_angle([1.0, 0.0, 0.0], 0.7)
    positions = joint_positions(rotations, REST_OFFSETS)
    arm = REST_POSITIONS[hand] - REST_POSITIONS[elbow]
    expected = REST_POSITIONS[elbow] + r.rotate(rotations[elbow], arm)
    np.testing.assert_allclose(positions[hand], expected, atol=1e-6)
    np.testing.assert_allclose(positions[elbow], REST_POSITIONS[elbow], atol=1e-6)


def test_two_turns_along_a_chain_compose() -> None:
    shoulder, elbow = joint_index("upperarm01.R"), joint_index("lowerarm01.R")
    rotations = Pose.rest().rotations.copy()
    rotations[shoulder] = r.axis_degrees("y", 30)
    rotations[elbow] = r.axis_degrees("x", -40)
    turned = joint_transforms(rotations, REST_OFFSETS)[joint_index("wrist.R"), :3, :3]
    expected = r.to_matrix(r.multiply(rotations[shoulder], rotations[elbow]))
    np.testing.assert_allclose(turned, expected, atol=1e-6)


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_bones_keep_their_length(seed: int) -> None:
    noise = np.random.default_rng(seed).normal(size=(len(JOINT_NAMES), 4))
    positions = joint_positions(r.normalise(noise), REST_OFFSETS)
    for joint, parent in enumerate(JOINT_PARENTS):
        if parent >= 0:
            length = np.linalg.norm(positions[joint] - positions[parent])
            assert abs(length - np.linalg.norm(REST_OFFSETS[joint])) < 1e-5


def test_translation_moves_all_joints_alike() -> None:
    step = np.array([0.1, -0.2, 0.3], np.float32)
    moved = joint_positions(Pose.rest().rotations, REST_OFFSETS, step)
    np.testing.assert_allclose(moved, REST_POSITIONS + step, atol=1e-6)


def test_skinning_leaves_the_rest_pose_alone_and_follows_its_joint() -> None:
    rest = skinning_transforms(
        joint_transforms(Pose.rest().rotations, REST_OFFSETS), REST_POSITIONS
    )
    np.testing.assert_allclose(rest, np.broadcast_to(np.eye(4), rest.shape), atol=1e-6)
    rotations = Pose.rest().rotations.copy()
    head = joint_index("head")
    rotations[head] = r.axis_degrees("x", 25)
    placed = joint_transforms(rotations, REST_OFFSETS)
    nose = np.append(REST_POSITIONS[head] + [0.0, -0.1, 0.0], 1.0)
    moved = skinning_transforms(placed, REST_POSITIONS)[head] @ nose
    expected = placed[head] @ np.array([0.0, -0.1, 0.0, 1.0])
    np.testing.assert_allclose(moved, expected, atol=1e-6)


def test_offsets_add_up_to_positions() -> None:
    summed = np.zeros_like(REST_OFFSETS)
    for joint, parent in enumerate(JOINT_PARENTS):
        summed[joint] = REST_OFFSETS[joint] + (summed[parent] if parent >= 0 else 0.0)
    np.testing.assert_allclose(summed, REST_POSITIONS, atol=1e-6)


def test_bad_shapes_are_named() -> None:
    with pytest.raises(MotionValueError, match="103 joints"):
        joint_transforms(np.ones((103, 4)), REST_OFFSETS)
    with pytest.raises(MotionValueError, match="positions"):
        rest_offsets(np.zeros((104, 4)))
