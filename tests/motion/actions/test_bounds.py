"""Every action, at every end of its parameters: limits, no hand through the body, no haste."""

from typing import Final

import numpy as np
import pytest

from motion.actions import ACTION_IDS, ACTIONS
from motion.controls import ARM, BODY, LEFT_ARM, RIGHT_ARM
from motion.limits import beyond
from motion.rotations import angle_between
from motion.speech import SpokenAction
from tests.motion.actions.bodies import (
    RATE,
    READY,
    controls_of,
    depth_in_body,
    film_of,
    posed,
)
from tests.motion.samples import MEETING, hand_gap, hand_points

FASTEST_HAND: Final = 4.0  # metres a second
FASTEST_JOINT: Final = 650.0  # degrees a second
CASES: Final = [
    (name, *given)
    for name, action in ACTIONS.items()
    for given in [
        (),
        *(((one.name, bound),) for one in action.parameters for bound in (one.low, one.high)),
    ]
]
_NAMES: Final = [" ".join(str(part) for part in case) for case in CASES]


@pytest.mark.parametrize("case", CASES, ids=_NAMES)
def test_joints_keep_their_limits(case: tuple[str, *tuple[tuple[str, float], ...]]) -> None:
    _, controls = film_of(*case)
    assert beyond(controls).max() < 1e-9


@pytest.mark.parametrize("case", CASES, ids=_NAMES)
def test_no_hand_goes_through_torso_neck_or_head(
    case: tuple[str, *tuple[tuple[str, float], ...]],
) -> None:
    times, controls = film_of(*case)
    depth = depth_in_body(controls)
    assert depth.max() < 0.003, f"at {times[depth.argmax()]:.2f} s from the word"


@pytest.mark.parametrize("case", CASES, ids=_NAMES)
def test_hands_and_joints_do_not_hurry(case: tuple[str, *tuple[tuple[str, float], ...]]) -> None:
    _, controls = film_of(*case)
    pose = posed(controls)
    for points in hand_points(pose):
        speeds = np.linalg.norm(np.diff(points, axis=0), axis=-1) * RATE
        assert speeds.max() < FASTEST_HAND
    turned = np.degrees(angle_between(pose.rotations[:-1], pose.rotations[1:])) * RATE
    assert turned.max() < FASTEST_JOINT


@pytest.mark.parametrize("hand", ["left", "right"])
@pytest.mark.parametrize("name", sorted(set(ACTION_IDS) - MEETING))
def test_hands_that_do_not_meet_keep_apart(name: str, hand: str) -> None:
    _, controls = film_of(name, ("hand", hand))
    assert hand_gap(posed(controls)).min() > 0.012


@pytest.mark.parametrize("name", ACTION_IDS)
def test_it_starts_and_ends_where_the_body_is_without_a_jump(name: str) -> None:
    _, controls = film_of(name)
    np.testing.assert_array_equal(controls[0], READY)
    np.testing.assert_array_equal(controls[-1], READY)
    steps = np.abs(np.diff(controls, axis=0)).max(1)
    assert steps[:2].max() < 1.5  # degrees in 1/50 s
    assert steps[-2:].max() < 1.5
    # No jump of speed either.
    assert np.abs(np.diff(controls, n=2, axis=0)).max() < 12.0


@pytest.mark.parametrize("name", ACTION_IDS)
def test_shoulders_stay_at_rest(name: str) -> None:
    _, controls = film_of(name)
    for arm in (LEFT_ARM, RIGHT_ARM):
        raised = np.abs(controls[:, arm.start + ARM.index("shrug")])
        assert raised.max() <= (20.0 if name == "shrug" else 0.0)


@pytest.mark.parametrize("name", ACTION_IDS)
def test_the_left_hand_is_the_mirror_of_the_right(name: str) -> None:
    times = np.linspace(-0.9, 2.5, 30)
    action = ACTIONS[name]
    given: list[tuple[tuple[str, float | str], ...]] = [(("hand", "left"),), (("hand", "right"),)]
    if action.side:
        given = [(("azimuth", sign * 40.0),) for sign in (1.0, -1.0)]
    level = np.zeros_like(READY)
    left, right = (controls_of(SpokenAction(name, 0.0, one), times, level) for one in given)
    mirrored = right.copy()
    mirrored[:, LEFT_ARM], mirrored[:, RIGHT_ARM] = right[:, RIGHT_ARM], right[:, LEFT_ARM]
    for index, control in enumerate(BODY):
        if control.endswith(("_turn", "_tilt", "sway_x")):
            mirrored[:, index] *= -1.0
    if action.hands != "both":
        np.testing.assert_allclose(left, mirrored, atol=0.2)
    else:
        np.testing.assert_allclose(right[:, LEFT_ARM], right[:, RIGHT_ARM], atol=1e-6)
