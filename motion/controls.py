"""Controls: the few angles a body is posed by, and how they turn its joints.

Postures, gestures and sway are written as vectors of controls in degrees; blending them is plain
addition, and only the sum is turned into quaternions. Every control turns its joints about fixed
axes, derived from the rest positions, so a curve that is smooth in controls is smooth in joints.
The right side mirrors the left: equal controls give a symmetric body.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motion.errors import MotionValueError
from motion.rest import REST_POSITIONS
from motion.rotations import multiply
from motion.skeleton import JOINT_INDEX, JOINT_NAMES

Vector = NDArray[np.float64]
Arm = Mapping[str, float]

# Body controls, in degrees, but sway_x and sway_y: centimetres the hips move left and back while
# the feet stay. Torso and head: pitch bows, tilt leans left, turn turns left. breath: 1 is a full
# chest.
BODY: Final = (
    "sway_x",
    "sway_y",
    "breath",
    "torso_pitch",
    "torso_tilt",
    "torso_turn",
    "head_pitch",
    "head_tilt",
    "head_turn",
    "eye_pitch",
    "eye_turn_left",
    "eye_turn_right",
)
# Arm controls, each with the suffix _left and _right. From the rest pose, arms 45 degrees down:
# adduct brings the arm to the side, forward swings it to the front, inward turns the upper arm
# so that a bent forearm comes before the belly, flex bends the elbow, supinate turns the palm up.
# wrist_flex bends to the palm, wrist_thumb to the thumb; index to pinky curl, thumb bends, spread
# parts the fingers, oppose brings the thumb before the palm.
ARM: Final = (
    "shrug",
    "reach",
    "adduct",
    "forward",
    "inward",
    "flex",
    "supinate",
    "wrist_flex",
    "wrist_thumb",
    "index",
    "middle",
    "ring",
    "pinky",
    "thumb",
    "spread",
    "oppose",
)
SIDES: Final = ("left", "right")
CONTROL_NAMES: Final[tuple[str, ...]] = BODY + tuple(f"{a}_{s}" for s in SIDES for a in ARM)
CONTROL_INDEX: Final[dict[str, int]] = {name: i for i, name in enumerate(CONTROL_NAMES)}
CONTROLS: Final = len(CONTROL_NAMES)
LEFT_ARM: Final = slice(len(BODY), len(BODY) + len(ARM))
RIGHT_ARM: Final = slice(len(BODY) + len(ARM), CONTROLS)

_LEG: Final = 0.816  # metres from hip to ankle
_TORSO: Final = (("spine04", 0.2), ("spine03", 0.3), ("spine02", 0.3), ("spine01", 0.2))
_NECK: Final = (("neck01", 0.15), ("neck02", 0.2), ("neck03", 0.25), ("head", 0.4))
_FINGERS: Final = (("index", 2), ("middle", 3), ("ring", 4), ("pinky", 5))
_CURL_SHARES: Final = (1.0, 1.1, 0.8)  # knuckle, middle joint, tip
_SPREAD_SHARES: Final = {"index": 1.0, "middle": 0.25, "ring": -0.5, "pinky": -1.2}
# A share of the upper arm's twist is given to its second joint, so that the sleeve does not wring.
_TWIST_SHARES: Final = (0.45, 0.55)

# One turn of one joint: its axis, and the degrees each control adds. A joint's turns compose in
# the order they are listed: the last listed acts first.
Turn = tuple[Vector, dict[str, float]]


def control_vector(values: Mapping[str, float]) -> Vector:
    """Return controls float64 [CONTROLS] with `values` set and zero elsewhere.

    Raises:
        MotionValueError: when a name is not in `CONTROL_NAMES`.
    """
    out = np.zeros(CONTROLS)
    for name, value in values.items():
        if name not in CONTROL_INDEX:
            raise MotionValueError(f"unknown control {name!r}; accepted: names in CONTROL_NAMES")
        out[CONTROL_INDEX[name]] = value
    return out


def arm(base: Arm | None = None, /, **changes: float) -> Arm:
    """Return an arm's controls by name: those of `base` with `changes` made."""
    return {**(base or {}), **changes}


def arm_vector(values: Arm) -> Vector:
    """Return the controls of one arm, float64 [len(ARM)], `values` keyed by the names in `ARM`.

    `curl` sets all four fingers that are not named themselves.

    Raises:
        MotionValueError: when a name is neither in `ARM` nor `curl`.
    """
    out = np.zeros(len(ARM))
    for name, value in sorted(values.items(), key=lambda item: item[0] != "curl"):
        if name == "curl":
            out[ARM.index("index") : ARM.index("pinky") + 1] = value
        elif name in ARM:
            out[ARM.index(name)] = value
        else:
            raise MotionValueError(f"unknown arm control {name!r}; accepted: curl, names in ARM")
    return out


def to_rotations(controls: ArrayLike) -> NDArray[np.float32]:
    """Return local joint rotations [..., 104, 4] for controls [..., CONTROLS]."""
    values = np.asarray(controls, np.float64)
    half: Vector = (values @ _DEGREES).reshape(*values.shape[:-1], *_AXES.shape[:-1])
    half *= np.pi / 360.0
    turns = np.empty((*half.shape, 4), np.float32)
    turns[..., 0] = np.cos(half)
    turns[..., 1:] = np.sin(half)[..., None] * _AXES
    first, second, third = turns[..., 0, :, :], turns[..., 1, :, :], turns[..., 2, :, :]
    out = np.zeros((*values.shape[:-1], len(JOINT_NAMES), 4), np.float32)
    out[..., 0] = 1.0
    out[..., _JOINTS, :] = multiply(multiply(first, second), third)
    return out


def to_translation(controls: ArrayLike) -> NDArray[np.float32]:
    """Return the root translation [..., 3] in metres for controls [..., CONTROLS]."""
    values = np.asarray(controls, np.float64)
    out = np.zeros((*values.shape[:-1], 3), np.float32)
    out[..., 0] = values[..., CONTROL_INDEX["sway_x"]] / 100.0
    out[..., 1] = values[..., CONTROL_INDEX["sway_y"]] / 100.0
    return out


def _at(joint: str) -> Vector:
    return np.asarray(REST_POSITIONS[JOINT_INDEX[joint]], np.float64)


def _unit(vector: ArrayLike) -> Vector:
    v = np.asarray(vector, np.float64)
    return np.asarray(v / np.linalg.norm(v), np.float64)


_X, _Y, _Z = np.eye(3)


def _trunk() -> dict[str, list[Turn]]:
    turns: dict[str, list[Turn]] = {}
    for part, joints in (("torso", _TORSO), ("head", _NECK)):
        for joint, share in joints:
            turns[joint] = [
                (_Z, {f"{part}_turn": share}),
                (_Y, {f"{part}_tilt": share}),
                (_X, {f"{part}_pitch": share}),
            ]
    # A full chest leans the upper spine back and the neck as far forward: the head stays.
    turns["spine01"][2][1]["breath"] = -1.0
    turns["neck01"][2][1]["breath"] = 1.0
    for side, letter in zip(SIDES, "LR", strict=True):
        turns[f"eye.{letter}"] = [(_Z, {f"eye_turn_{side}": 1.0}), (_X, {"eye_pitch": 1.0})]
    return turns


def _legs() -> dict[str, list[Turn]]:
    degrees = float(np.degrees(0.01 / _LEG))
    turns: dict[str, list[Turn]] = {}
    for letter in "LR":
        for joint, sign in ((f"upperleg01.{letter}", 1.0), (f"foot.{letter}", -1.0)):
            turns[joint] = [
                (_Y, {"sway_x": sign * degrees}),
                (_X, {"sway_y": -sign * degrees}),
            ]
    return turns


def left_arm_turns() -> dict[str, list[Turn]]:
    """Return what turns each joint of the left arm and hand; the right one is its mirror."""
    upper = _unit(_at("lowerarm01.L") - _at("upperarm01.L"))
    fore = _unit(_at("wrist.L") - _at("lowerarm01.L"))
    hand = _unit(_at("finger3-1.L") - _at("wrist.L"))
    across = _at("finger2-1.L") - _at("finger5-1.L")
    palm = _unit(np.cross(hand, across))
    turns: dict[str, list[Turn]] = {
        "clavicle.L": [(-_Y, {"shrug": 1.0, "breath": 1.2}), (-_Z, {"reach": 1.0})],
        "upperarm01.L": [
            (-_X, {"forward": 1.0}),
            (_Y, {"adduct": 1.0}),
            (upper, {"inward": _TWIST_SHARES[0]}),
        ],
        "upperarm02.L": [(upper, {"inward": _TWIST_SHARES[1]})],
        "lowerarm01.L": [(_unit(np.cross(upper, fore)), {"flex": 1.0})],
        "lowerarm02.L": [(-fore, {"supinate": 0.5})],
        "wrist.L": [
            (-fore, {"supinate": 0.5}),
            (_unit(np.cross(hand, palm)), {"wrist_flex": 1.0}),
            (palm, {"wrist_thumb": 1.0}),
        ],
    }
    for name, number in _FINGERS:
        turns |= _left_finger(name, number, palm)
    thumb = _at("finger1-2.L") - _at("finger1-1.L")
    bend = _unit(np.cross(thumb, hand))
    for joint, share in ((1, 0.5), (2, 1.0), (3, 1.0)):
        turns[f"finger1-{joint}.L"] = [(bend, {"thumb": share})]
    turns["finger1-1.L"].insert(0, (hand, {"oppose": 1.0}))
    return turns


def _left_finger(name: str, number: int, palm: Vector) -> dict[str, list[Turn]]:
    along = _at(f"finger{number}-2.L") - _at(f"finger{number}-1.L")
    bend = _unit(np.cross(along, palm))
    turns: dict[str, list[Turn]] = {}
    for joint, share in enumerate(_CURL_SHARES, start=1):
        turns[f"finger{number}-{joint}.L"] = [(bend, {name: share})]
    turns[f"finger{number}-1.L"].insert(0, (palm, {"spread": _SPREAD_SHARES[name]}))
    return turns


def _all_turns() -> dict[str, list[Turn]]:
    turns = _trunk() | _legs()
    mirror = np.array([1.0, -1.0, -1.0])  # a turn's axis in a mirror across the body
    for joint, listed in left_arm_turns().items():
        for side, letter, flip in (("left", "L", np.ones(3)), ("right", "R", mirror)):
            turns[joint[:-1] + letter] = [
                (axis * flip, {_sided(name, side): share for name, share in shares.items()})
                for axis, shares in listed
            ]
    return turns


def _sided(name: str, side: str) -> str:
    return f"{name}_{side}" if name in ARM else name


def _tables() -> tuple[NDArray[np.intp], Vector, Vector]:
    """Return the joints that move [n], their axes [3, n, 3] and degrees per control [C, 3 n]."""
    turns = _all_turns()
    joints = np.array([JOINT_INDEX[name] for name in turns])
    axes = np.zeros((3, len(joints), 3))
    degrees = np.zeros((CONTROLS, 3, len(joints)))
    for column, listed in enumerate(turns.values()):
        for row, (axis, shares) in enumerate(listed):
            axes[row, column] = axis
            for name, share in shares.items():
                degrees[CONTROL_INDEX[name], row, column] = share
    return joints, axes, degrees.reshape(CONTROLS, -1)


_JOINTS, _AXES, _DEGREES = _tables()
