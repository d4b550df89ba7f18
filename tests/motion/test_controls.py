"""Controls turn the joints they say, mirrored left and right."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from motion.controls import (
    ARM,
    CONTROL_NAMES,
    CONTROLS,
    LEFT_ARM,
    RIGHT_ARM,
    arm,
    arm_vector,
    control_vector,
    to_rotations,
    to_translation,
)
from motion.errors import MotionValueError
from motion.kinematics import joint_positions
from motion.rest import REST_OFFSETS, REST_POSITIONS
from motion.skeleton import joint_index

Array = NDArray[np.float32]


def _positions(**values: float) -> Array:
    controls = control_vector(values)
    return joint_positions(to_rotations(controls), REST_OFFSETS, to_translation(controls))


def _at(positions: Array, joint: str) -> Array:
    return np.asarray(positions[joint_index(joint)])


REST = _positions()


def test_zero_controls_are_the_rest_pose() -> None:
    np.testing.assert_allclose(REST, REST_POSITIONS, atol=1e-6)


@settings(deadline=None)
@given(st.lists(st.floats(-90.0, 90.0), min_size=CONTROLS, max_size=CONTROLS))
def test_any_controls_give_unit_quaternions(values: list[float]) -> None:
    norms = np.linalg.norm(to_rotations(values), axis=-1)
    np.testing.assert_allclose(norms, 1.0, atol=1e-5)


@settings(deadline=None)
@given(st.lists(st.floats(-60.0, 60.0), min_size=len(ARM), max_size=len(ARM)))
def test_equal_arms_are_mirror_images(values: list[float]) -> None:
    controls = np.zeros(CONTROLS)
    controls[LEFT_ARM] = controls[RIGHT_ARM] = values
    positions = joint_positions(to_rotations(controls), REST_OFFSETS)
    for joint in ("lowerarm01", "wrist", "finger1-3", "finger2-3", "finger5-3"):
        mirrored = _at(positions, f"{joint}.R") * [-1.0, 1.0, 1.0]
        # Rest positions are rounded to millimetres on either side.
        np.testing.assert_allclose(mirrored, _at(positions, f"{joint}.L"), atol=6e-3)


def test_arm_controls_move_the_hand_where_they_say() -> None:
    hang = {"adduct_left": 30.0, "flex_left": 70.0}
    bent, wrist = _positions(**hang), "wrist.L"
    assert _at(_positions(adduct_left=30.0), wrist)[0] < _at(REST, wrist)[0] - 0.1
    assert _at(_positions(forward_left=30.0), wrist)[1] < _at(REST, wrist)[1] - 0.1
    assert _at(bent, wrist)[2] > _at(_positions(adduct_left=30.0), wrist)[2] + 0.05
    assert _at(_positions(**hang, inward_left=30.0), wrist)[0] < _at(bent, wrist)[0] - 0.05
    assert _at(_positions(shrug_left=10.0), "upperarm01.L")[2] > _at(REST, "upperarm01.L")[2]
    assert _at(_positions(reach_left=10.0), "upperarm01.L")[1] < _at(REST, "upperarm01.L")[1]


def test_curl_brings_fingertips_to_the_palm_and_supination_turns_it_up() -> None:
    open_hand = _positions(adduct_left=30.0, flex_left=70.0)
    fist = _positions(adduct_left=30.0, flex_left=70.0, middle_left=80.0)
    wrist = _at(open_hand, "wrist.L")
    assert np.linalg.norm(_at(fist, "finger3-3.L") - wrist) < 0.75 * np.linalg.norm(
        _at(open_hand, "finger3-3.L") - wrist
    )
    turned = _positions(adduct_left=30.0, flex_left=70.0, supinate_left=60.0, middle_left=80.0)
    assert _at(turned, "finger3-3.L")[2] > _at(fist, "finger3-3.L")[2] + 0.01


def test_head_controls_bow_tilt_and_turn_to_the_left() -> None:
    def face_of(**values: float) -> Array:
        positions = _positions(**values)
        return (_at(positions, "eye.L") + _at(positions, "eye.R")) / 2.0 - _at(positions, "head")

    rest = face_of()
    assert face_of(head_pitch=20.0)[2] < rest[2] - 0.02
    assert face_of(head_turn=20.0)[0] > rest[0] + 0.02
    eyes = _positions(head_tilt=20.0)
    assert _at(eyes, "eye.L")[2] < _at(eyes, "eye.R")[2] - 0.01


def test_sway_moves_the_hips_and_keeps_the_feet() -> None:
    swayed = _positions(sway_x=2.0, sway_y=-1.5)
    np.testing.assert_allclose(_at(swayed, "root"), [0.02, -0.015, 0.0], atol=1e-6)
    for foot in ("foot.L", "foot.R"):
        np.testing.assert_allclose(_at(swayed, foot), _at(REST, foot), atol=2e-3)


def test_breath_lifts_the_shoulders_and_keeps_the_head_upright() -> None:
    full = to_rotations(control_vector({"breath": 1.0}))
    positions = joint_positions(full, REST_OFFSETS)
    assert _at(positions, "upperarm01.L")[2] > _at(REST, "upperarm01.L")[2] + 0.0005
    lean = _at(positions, "eye.L") - _at(positions, "head")
    np.testing.assert_allclose(lean, _at(REST, "eye.L") - _at(REST, "head"), atol=1e-4)


def test_leading_axes_are_free() -> None:
    stacked = to_rotations(np.zeros((2, 3, CONTROLS)))
    assert stacked.shape == (2, 3, 104, 4)
    assert to_translation(np.zeros((2, 3, CONTROLS))).shape == (2, 3, 3)


def test_curl_sets_the_fingers_not_named() -> None:
    made = arm_vector(arm(curl=40.0, index=5.0))
    assert made[ARM.index("index")] == 5.0
    assert made[ARM.index("ring")] == 40.0


def test_unknown_names_are_refused() -> None:
    with pytest.raises(MotionValueError, match="'knee'"):
        control_vector({"knee": 1.0})
    with pytest.raises(MotionValueError, match="'knee'"):
        arm_vector({"knee": 1.0})
    assert len(set(CONTROL_NAMES)) == CONTROLS
