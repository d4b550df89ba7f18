"""Actions show what they say: sizes, directions, numbers, and where hands are."""

import numpy as np
import pytest
from numpy.typing import NDArray

from motion.actions import ACTIONS, direction_to, gesture
from motion.actions.hands import WIDEST_PINCH
from motion.controls import ARM, CONTROL_INDEX, RIGHT_ARM
from motion.kinematics import joint_transforms
from motion.rest import REST_OFFSETS
from motion.skeleton import joint_index
from motion.speech import SpokenAction
from tests.motion.actions.bodies import controls_of, posed
from tests.motion.samples import hand_points

Floats = NDArray[np.float64]

# Where a neutral body would be, so that what is measured is the action's own.
STILL = np.zeros(len(CONTROL_INDEX))
# Rows of `hand_points`: the wrist, then three joints and the tip of each finger, thumb first.
WRIST, THUMB_TIP, INDEX_KNUCKLE, INDEX_TIP, MIDDLE_KNUCKLE, MIDDLE_TIP = 0, 4, 5, 8, 9, 12


def _held(name: str, **given: float | str) -> Floats:
    """Return the controls just after the stroke."""
    phases = ACTIONS[name].phases
    at = np.array([-0.37 + phases.stroke + 0.02])
    return np.asarray(controls_of(SpokenAction(name, 0.0, tuple(given.items())), at, STILL)[0])


def _hands(controls: Floats) -> tuple[Floats, Floats]:
    """Return points of the left and the right hand, [21, 3], metres."""
    left, right = hand_points(posed(controls[None]))
    return left[0].astype(np.float64), right[0].astype(np.float64)


@pytest.mark.parametrize("size", [0.1, 0.2, 0.3, 0.45, 0.6, 0.7])
@pytest.mark.parametrize("name", ["show_size", "show_length"])
def test_hands_are_as_far_apart_as_the_thing_is_wide(name: str, size: float) -> None:
    left, right = _hands(_held(name, size=size))
    tip = MIDDLE_TIP if name == "show_size" else INDEX_TIP
    gap = left[tip] - right[tip]
    assert gap[0] == pytest.approx(size, abs=0.02)
    assert np.abs(gap[1:]).max() < 0.01


@pytest.mark.parametrize("size", [0.1, 0.2, 0.3, 0.4])
def test_palms_are_as_far_apart_as_the_thing_is_high(size: float) -> None:
    left, right = _hands(_held("show_height", size=size))
    over, under = right[MIDDLE_KNUCKLE], left[MIDDLE_KNUCKLE]
    # Knuckles lie a palm's half thickness away from what is held.
    assert over[2] - under[2] == pytest.approx(size, abs=0.05)
    assert np.linalg.norm((over - under)[:2]) < 0.15


@pytest.mark.parametrize("size", [0.012, 0.03, 0.05, 0.08, round(WIDEST_PINCH, 2)])
def test_thumb_and_index_are_as_far_apart_as_the_thing_is_thick(size: float) -> None:
    _, right = _hands(_held("show_thickness", size=size))
    assert np.linalg.norm(right[INDEX_TIP] - right[THUMB_TIP]) == pytest.approx(size, abs=0.02)


def test_round_things_are_held_at_their_size() -> None:
    spans = []
    for size in (0.24, 0.32, 0.4):
        left, right = _hands(_held("show_round", size=size))
        spans.append(left[MIDDLE_KNUCKLE, 0] - right[MIDDLE_KNUCKLE, 0])
    assert np.diff(spans) == pytest.approx([0.08, 0.08], abs=0.02)


@pytest.mark.parametrize("azimuth", [-70.0, -45.0, -20.0, 10.0, 40.0, 70.0])
@pytest.mark.parametrize("elevation", [-50.0, -20.0, 0.0, 25.0, 45.0])
@pytest.mark.parametrize("name", ["point_left", "point_product"])
def test_a_hand_points_where_it_is_told(name: str, azimuth: float, elevation: float) -> None:
    controls = _held(name, azimuth=azimuth, elevation=elevation)
    left, right = _hands(controls)
    points = left if azimuth > 0.0 else right
    from_, tip = (INDEX_KNUCKLE, INDEX_TIP) if name == "point_left" else (WRIST, MIDDLE_KNUCKLE)
    pointed = points[tip] - points[from_]
    pointed /= np.linalg.norm(pointed)
    flat = np.cos(np.radians(elevation))
    turn = np.radians(azimuth)
    aim = np.array([flat * np.sin(turn), -flat * np.cos(turn), np.sin(np.radians(elevation))])
    assert np.degrees(np.arccos(np.clip(pointed @ aim, -1.0, 1.0))) < 8.0


def test_directions_are_found_from_places() -> None:
    assert direction_to((1.0, 1.0, 0.0)) == pytest.approx((45.0, 0.0))
    assert direction_to((-1.0, 0.0, 0.0)) == pytest.approx((-90.0, 0.0))
    azimuth, elevation = direction_to((0.0, 1.0, -1.0))
    assert (azimuth, elevation) == pytest.approx((0.0, -45.0))


def test_head_and_eyes_go_where_the_hand_points() -> None:
    for azimuth in (45.0, -45.0):
        given = {"azimuth": azimuth}
        assert _held("point_product", **given)[CONTROL_INDEX["head_turn"]] * azimuth > 0.0
        made = gesture(SpokenAction("point_product", 10.0, tuple(given.items())), 0.0)
        assert made is not None
        weight, turn, _ = made.gaze(10.0)
        assert weight == 1.0
        assert turn * azimuth > 0.0


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_counting_stretches_as_many_fingers(number: int) -> None:
    shown = _held("count", number=number)[RIGHT_ARM]
    stretched = [shown[ARM.index(name)] < 20.0 for name in ("index", "middle", "ring", "pinky")]
    assert sum(stretched) == min(number, 4)
    assert (shown[ARM.index("thumb")] < 0.0) == (number == 5)


def test_levels_say_how_far() -> None:
    pitch = CONTROL_INDEX["torso_pitch"]
    assert _held("bow", level=1.0)[pitch] > _held("bow", level=0.0)[pitch] + 15.0
    for name, axis, sign in (("price_drop", 2, -1.0), ("price_up", 2, 1.0), ("grow", 0, -1.0)):
        little, much = (_hands(_held(name, level=level))[1][WRIST] for level in (0.0, 1.0))
        assert sign * (much - little)[axis] > 0.08


def test_strokes_are_repeated_as_often_as_told() -> None:
    phases = ACTIONS["beat_chop"].phases
    times = np.arange(-0.37, -0.37 + phases.stroke + 0.02, 0.01)
    for number in (1, 2, 3):
        played = controls_of(SpokenAction("beat_chop", 0.0, (("number", number),)), times, STILL)
        high = np.array([_hands(one)[1][MIDDLE_TIP, 2] for one in played])
        falls = np.diff(high) < -0.002
        assert np.count_nonzero(falls[1:] & ~falls[:-1]) + int(falls[0]) == number


def test_hands_are_where_their_meaning_is() -> None:
    def tip(name: str, point: int = MIDDLE_TIP) -> Floats:
        return np.asarray(_hands(_held(name))[1][point], np.float64)

    def joint(name: str, controls: Floats) -> Floats:
        placed = joint_transforms(posed(controls[None]).rotations, REST_OFFSETS)
        return np.asarray(placed[0, joint_index(name), :3, 3], np.float64)

    eyes = joint("eye.L", STILL)[2]
    assert abs(tip("shush", INDEX_TIP)[0]) < 0.02
    assert eyes - 0.12 < tip("shush", INDEX_TIP)[2] < eyes
    assert eyes - 0.25 < tip("think", INDEX_TIP)[2] < eyes - 0.1
    assert tip("listen", WRIST)[0] < -0.08
    assert tip("thumbs_up", THUMB_TIP)[2] > tip("thumbs_up", MIDDLE_KNUCKLE)[2] + 0.04
    assert tip("hand_on_heart")[0] > 0.0  # the right hand, on the left side
    assert tip("point_viewer", INDEX_TIP)[1] < -0.4
    assert tip("point_self")[1] > -0.3
    for name in ("applause", "thanks", "heart_hands", "together"):
        phases = ACTIONS[name].phases
        late = -0.37 + phases.stroke + phases.hold
        held = controls_of(SpokenAction(name, 0.0), np.array([late]), STILL)[0]
        left, right = _hands(held)
        assert np.linalg.norm(left[INDEX_TIP] - right[INDEX_TIP]) < 0.06
    left, right = _hands(_held("welcome"))
    assert left[MIDDLE_TIP, 0] - right[MIDDLE_TIP, 0] > 0.4
