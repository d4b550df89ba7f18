"""Limits of controls: all have one, base postures keep them, and it is told how far one is out."""

import numpy as np
import pytest

from motion.controls import ARM, BODY, CONTROL_INDEX, CONTROLS
from motion.limits import ARM_LIMITS, BODY_LIMITS, HIGHEST, LOWEST, beyond, clamped
from motion.postures import POSTURES


def test_every_control_has_a_range_around_the_rest_pose() -> None:
    assert tuple(BODY_LIMITS) == BODY
    assert tuple(ARM_LIMITS) == ARM
    assert LOWEST.shape == HIGHEST.shape == (CONTROLS,)
    assert (LOWEST <= 0.0).all()
    assert (HIGHEST > 0.0).all()
    for name, (low, high) in ARM_LIMITS.items():
        for side in ("left", "right"):
            index = CONTROL_INDEX[f"{name}_{side}"]
            assert (LOWEST[index], HIGHEST[index]) == (low, high)


def test_the_range_of_a_joint_is_what_people_have() -> None:
    def span(name: str) -> float:
        return ARM_LIMITS[name][1] - ARM_LIMITS[name][0]

    assert 140.0 <= span("flex") <= 155.0
    assert 150.0 <= span("supinate") <= 180.0
    assert span("wrist_flex") <= 155.0
    assert span("wrist_thumb") <= 55.0


@pytest.mark.parametrize("posture", POSTURES)
def test_base_postures_keep_the_limits(posture: str) -> None:
    for known, base in POSTURES.items():
        if known == posture:
            assert beyond(base.controls).max() == 0.0


def test_what_is_out_is_told_and_brought_back() -> None:
    controls = np.zeros((2, CONTROLS))
    flex = CONTROL_INDEX["flex_left"]
    controls[0, flex], controls[1, flex] = 130.0, -60.0
    out = beyond(controls)
    assert out[0, flex] == pytest.approx(130.0 - ARM_LIMITS["flex"][1])
    assert out[1, flex] == pytest.approx(ARM_LIMITS["flex"][0] + 60.0)
    assert beyond(clamped(controls)).max() == 0.0
    inside = np.full(CONTROLS, 0.0)
    np.testing.assert_array_equal(clamped(inside), inside)
