"""Actions: gestures with a meaning, by id, as keyframes of arms, body and gaze.

An action is anchored to a word: its stroke starts `LEAD` before it (gestures run ahead of the
words they go with), its preparation `PREPARE` before that.
"""

import math
from collections.abc import Callable, Mapping
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from motion.controls import (
    CONTROLS,
    LEFT_ARM,
    RIGHT_ARM,
    Arm,
    arm,
    arm_vector,
    to_rotations,
)
from motion.gestures import PREPARE, Gesture, Key, Score
from motion.kinematics import joint_positions
from motion.rest import REST_OFFSETS
from motion.skeleton import joint_index
from motion.speech import SpokenAction

Vector = NDArray[np.float64]
Parameters = Mapping[str, float | str]
Hand = Literal["left", "right"]

LEAD: Final = 0.37
_LATEST: Final = 1.2  # seconds an action may come late, where its words were scheduled too late


def gesture(action: SpokenAction, earliest: float, hand: Hand = "right") -> Gesture | None:
    """Return the gesture of an action, none before `earliest` (seconds).

    `hand` makes it where the action does not say which.

    None where the library has no such action, or where it would come too late to be understood.
    """
    write = _LIBRARY.get(action.action)
    if write is None or earliest > action.at - LEAD - PREPARE + _LATEST:
        return None
    return Gesture(write({"hand": hand} | dict(action.parameters)), action.at, earliest)


def _handed(parameters: Parameters, name: str = "hand") -> str:
    return "left" if parameters.get(name) == "left" else "right"


def _one(hand: str, at: float, posed: Arm, **body: float) -> Key:
    return Key(at, posed, None, body) if hand == "left" else Key(at, None, posed, body)


def _number(parameters: Parameters, name: str, default: float) -> float:
    """Return a number that may have been written as text; `default` where it is not one."""
    try:
        value = float(parameters.get(name, default))
    except ValueError:
        return default
    return value if math.isfinite(value) else default


_OPEN: Final = arm(
    adduct=38, forward=14, inward=-1, flex=60, supinate=56, wrist_flex=-18, curl=12, thumb=4
)


def _welcome(_: Parameters) -> Score:
    near = arm(_OPEN, inward=10, forward=8, supinate=40, wrist_flex=0, curl=16)
    wide = arm(_OPEN, forward=22, inward=-5)
    return Score(
        (
            Key(-LEAD, near, near),
            Key(0.0, wide, wide, {"head_pitch": 5.0, "torso_pitch": 2.5}),
            Key(0.5, wide, wide, {"head_pitch": 1.0, "torso_pitch": 2.0}),
        ),
        face={"mouthSmile": 0.08, "browInnerUp": 0.18, "browOuterUp": 0.12},
    )


def _offer(parameters: Parameters) -> Score:
    hand = _handed(parameters)
    near = arm(_OPEN, inward=8, forward=10, flex=66, supinate=50)
    out = arm(_OPEN, forward=30, inward=4, flex=50, supinate=72, wrist_flex=-26)
    lean = {"torso_pitch": 2.5, "head_pitch": 2.0}
    return Score(
        (
            _one(hand, -LEAD, near),
            _one(hand, 0.0, out, **lean),
            _one(hand, 0.6, out, **lean),
        ),
        face={"browInnerUp": 0.12, "browOuterUp": 0.1},
    )


def _point_product(parameters: Parameters) -> Score:
    hand = _handed(parameters, "side")
    sign = 1.0 if hand == "left" else -1.0
    # The polite way: an open hand, palm up, turned to the side from the wrist.
    near = arm(_OPEN, adduct=32, forward=16, inward=16, flex=78, supinate=34, wrist_flex=-4)
    out = arm(
        adduct=37,
        forward=30,
        inward=10,
        flex=68,
        supinate=52,
        wrist_flex=-40,
        wrist_thumb=16,
        curl=16,
        index=5,
        middle=10,
    )
    body = {"head_turn": 10.0 * sign, "head_pitch": 3.0, "torso_turn": 4.0 * sign}
    return Score(
        (
            _one(hand, -LEAD, near),
            _one(hand, 0.0, out, **body),
            _one(hand, 0.75, out, **(body | {"head_turn": 3.0 * sign})),
        ),
        gaze=(-LEAD, 0.5, 24.0 * sign, 12.0),
    )


def _show_size(parameters: Parameters) -> Score:
    size = min(max(_number(parameters, "size", 0.3), _GAPS[0]), _GAPS[-1])
    apart, closer = _sized(_inward(size)), _sized(_inward(0.75 * size))
    near = arm(closer, forward=22)
    body = {"head_pitch": 4.0}
    return Score(
        (
            Key(-LEAD, near, near),
            Key(0.0, apart, apart, body),
            Key(0.8, apart, apart, body),
        ),
        gaze=(-LEAD, 0.15, 0.0, 22.0),
        face={"browInnerUp": 0.1, "browOuterUp": 0.1},
    )


def _count(parameters: Parameters) -> Score:
    hand = _handed(parameters)
    number = int(min(max(_number(parameters, "number", 1.0), 1.0), 5.0))
    names = ("index", "middle", "ring", "pinky")
    fingers = {name: 2.0 if i < number else 82.0 for i, name in enumerate(names)}
    fingers |= {"thumb": -12.0 if number == 5 else 34.0, "spread": 5.0 if number > 1 else 0.0}
    up = arm(
        adduct=26, forward=44, inward=3, flex=83, supinate=-54, wrist_flex=-12, wrist_thumb=-16
    )
    low = arm(up, forward=36, flex=80)
    return Score(
        (
            _one(hand, -LEAD, arm(low, curl=70, thumb=30)),
            _one(hand, -0.05, arm(up, **fingers), head_pitch=2.0),
            _one(hand, 0.75, arm(up, **fingers)),
        ),
        face={"browInnerUp": 0.12, "browOuterUp": 0.12},
    )


def _thumbs_up(parameters: Parameters) -> Score:
    hand = _handed(parameters)
    fist = arm(
        adduct=26, forward=34, inward=24, flex=68, supinate=30, curl=84, thumb=16, wrist_flex=-8
    )
    low = arm(fist, forward=20, flex=64, thumb=34)
    return Score(
        (
            _one(hand, -LEAD, low),
            _one(hand, -0.05, fist, head_pitch=3.5),
            _one(hand, 0.7, fist),
        ),
        face={"mouthSmile": 0.1, "cheekSquint": 0.15},
    )


def _think(parameters: Parameters) -> Score:
    hand = _handed(parameters)
    sign = 1.0 if hand == "left" else -1.0
    chin = arm(
        adduct=38,
        forward=42,
        inward=22,
        flex=80,
        supinate=44,
        wrist_flex=2,
        wrist_thumb=-6,
        curl=62,
        index=34,
        thumb=10,
    )
    low = arm(chin, forward=32, flex=76)
    body = {"head_tilt": -5.0 * sign, "head_pitch": -1.0, "head_turn": -4.0 * sign}
    return Score(
        (
            _one(hand, -LEAD, low),
            _one(hand, 0.0, chin, **body),
            _one(hand, 0.8, chin, **body),
        ),
        gaze=(-LEAD, 0.6, -14.0 * sign, -10.0),
        face={"browInnerUp": 0.2, "browDownLeft": 0.1, "eyeSquint": 0.12},
    )


def _refuse(parameters: Parameters) -> Score:
    hand = _handed(parameters)
    palm = arm(
        adduct=27, forward=36, inward=6, flex=66, supinate=-52, wrist_flex=-32, curl=6, thumb=-4
    )
    keys = [_one(hand, -LEAD, palm)]
    for i, (inward, turn) in enumerate(((18, 6.0), (-8, -6.0), (16, 5.0), (2, 0.0))):
        keys.append(_one(hand, -0.1 + 0.27 * i, arm(palm, inward=inward), head_turn=turn))
    return Score(tuple(keys), face={"browInnerUp": 0.15, "browDown": 0.1})


def _wave(parameters: Parameters) -> Score:
    hand = _handed(parameters)
    palm = arm(
        adduct=24,
        forward=38,
        inward=4,
        flex=92,
        supinate=-48,
        wrist_flex=-12,
        curl=6,
        spread=5,
        thumb=-8,
    )
    keys = [_one(hand, -LEAD, palm)]
    for i, (inward, thumb) in enumerate(((-8, 10), (10, -14), (-8, 10), (4, 0))):
        swung = arm(palm, inward=inward, wrist_thumb=thumb)
        keys.append(_one(hand, -0.12 + 0.24 * i, swung, head_tilt=2.0))
    return Score(tuple(keys), face={"mouthSmile": 0.08, "browOuterUp": 0.12})


_LIBRARY: Final[dict[str, Callable[[Parameters], Score]]] = {
    "welcome": _welcome,
    "wave": _wave,
    "offer": _offer,
    "point_product": _point_product,
    "show_size": _show_size,
    "count": _count,
    "thumbs_up": _thumbs_up,
    "think": _think,
    "refuse": _refuse,
}
ACTION_IDS: Final[tuple[str, ...]] = tuple(_LIBRARY)


def _sized(inward: float) -> Arm:
    """Return an arm whose palm faces the other; the wrist makes up for the forearm's turn."""
    return arm(
        adduct=29,
        forward=28,
        inward=inward,
        flex=60,
        supinate=14,
        wrist_flex=-12 - 0.8 * inward,
        wrist_thumb=-14,
        curl=10,
        thumb=4,
    )


def _inward(size: float) -> float:
    """Return the turn of both arms at which the middle fingertips are `size` metres apart."""
    return float(np.interp(size, _GAPS, _TURNS))


def _fingertip_gaps(turns: Vector) -> Vector:
    controls = np.zeros((len(turns), CONTROLS))
    controls[:, LEFT_ARM] = controls[:, RIGHT_ARM] = [arm_vector(_sized(turn)) for turn in turns]
    positions = joint_positions(to_rotations(controls), REST_OFFSETS)
    left, right = (positions[:, joint_index(f"finger3-3.{letter}"), 0] for letter in "LR")
    return np.asarray(left - right, np.float64)


_TURNS: Final = np.linspace(32.0, -6.0, 11)
_GAPS: Final = _fingertip_gaps(_TURNS)
