"""Poses that clothes are tried in: what a host does on air, to its widest."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from motion.pose import Pose
from motion.rotations import axis_degrees, from_axis_angle, from_degrees, multiply
from motion.skeleton import joint_index

Floats = NDArray[np.floating[Any]]
Angles = Mapping[str, float]

# Degrees. Arms, from the rest pose (45 degrees down): down, forward, turn (inwards, about the
# upper arm), bend (elbow), supine (palm up), flex (wrist, to the palm), curl (fingers, each joint;
# index, middle, ring and pinky where one differs), thumb. Alike on both sides.
_HANG: Final[Angles] = {"down": 31, "forward": 2, "bend": 10, "curl": 18}
_READY: Final[Angles] = {"down": 30, "forward": 8, "bend": 46, "turn": 26, "curl": 22}
_OPEN: Final[Angles] = {"down": 38, "bend": 60, "supine": 56, "flex": -18, "curl": 12, "thumb": 4}
_POINTING: Final[Angles] = {"curl": 74, "index": 2, "thumb": 24}
_FIST: Final[Angles] = {"curl": 82, "index": 82, "flex": -8}
_TWO: Final[Angles] = {"curl": 72, "index": 2, "middle": 4, "thumb": 34, "flex": -12}
_UP: Final[Angles] = {"down": -42, "forward": 12, "bend": 30, "turn": -20, "supine": 20}

# Left arm, right arm. One mapping stands for both arms.
_ARMS: Final[Mapping[str, tuple[Angles, Angles] | Angles]] = {
    "rest": {},
    "idle": _READY,
    "hanging": _HANG,
    "close": {"down": 40, "bend": 6},
    "point left": ({"down": 8, "forward": 10, "bend": 12, "index": 2, "curl": 60}, _READY),
    "point right": (_READY, {"down": 8, "forward": 10, "bend": 12, "index": 2, "curl": 60}),
    "point beside": (
        {"down": 30, "forward": 30, "turn": -18, "bend": 64, "supine": 28, **_POINTING},
        _READY,
    ),
    "point up": (_HANG, {"down": 18, "forward": 40, "bend": 104, "turn": -20, **_POINTING}),
    "point down": ({"down": 32, "forward": 26, "bend": 24, "supine": -20, **_POINTING}, _READY),
    "point forward": (_READY, {"down": 18, "forward": 62, "bend": 34, "turn": 10, **_POINTING}),
    "point across": (_READY, {"down": 30, "forward": 40, "bend": 70, "turn": 48}),
    "show product": ({**_OPEN, "forward": 30, "turn": 10, "bend": 68, "flex": -40}, _READY),
    "offer": (_READY, {**_OPEN, "forward": 30, "turn": 4, "bend": 50, "supine": 72}),
    "welcome": {**_OPEN, "forward": 22, "turn": -5},
    "show size": {"down": 30, "forward": 30, "turn": -8, "bend": 70, "supine": 10, "curl": 10},
    "one hand up": (_HANG, _UP),
    "both hands up": {"down": 30, "forward": 34, "bend": 112, "turn": -26, "supine": -26},
    "arms up": _UP,
    "overhead": {"down": -78, "forward": 8, "bend": 24},
    "arms out": {"down": -8, "bend": 4},
    "arms forward": {"down": 14, "forward": 64, "bend": 20, "turn": 6},
    "arms crossed": {"down": 36, "forward": 34, "bend": 92, "turn": 56, "curl": 30},
    "hands together": {"down": 34, "forward": 22, "bend": 84, "turn": 36, "curl": 30},
    "on the heart": (_HANG, {"down": 38, "forward": 26, "bend": 104, "turn": 46, "curl": 10}),
    "hands on the heart": {"down": 38, "forward": 26, "bend": 102, "turn": 46, "curl": 10},
    "chin": (
        _READY,
        {"down": 38, "forward": 44, "bend": 100, "turn": 22, "supine": 44, "curl": 60},
    ),
    "wave": (_HANG, {"down": 24, "forward": 34, "bend": 112, "turn": -16, "supine": -30}),
    "refuse": (
        _HANG,
        {"down": 27, "forward": 36, "turn": 6, "bend": 66, "supine": -52, "flex": -32},
    ),
    "thumb up": (_HANG, {"down": 26, "forward": 34, "bend": 68, "turn": 24, "supine": 30, **_FIST}),
    "count": ({"down": 26, "forward": 44, "bend": 83, "turn": 3, "supine": -54, **_TWO}, _READY),
    "palms": {"down": 32, "forward": 10, "bend": 52, "turn": 6, "supine": 55, "curl": 8},
    "hands on hips": {"down": 16, "forward": -14, "bend": 92, "turn": 62, "curl": 20},
    "shrug": {"down": 30, "forward": 8, "bend": 74, "turn": -4, "supine": 60, "curl": 12},
    "bow": _HANG,
    "deep bow": {"down": 34, "forward": 22, "bend": 50, "turn": 30},
    "turn left": _READY,
    "turn right": _READY,
    "lean": _HANG,
    "sway left": _READY,
    "sway right": _HANG,
    "step": _HANG,
}

# Degrees of the whole trunk: pitch bows, tilt leans left, turn turns left; of the head; of the
# collar bones; of the hips, which sway over standing feet; of a step, one leg before the other.
_TRUNK: Final[Mapping[str, Angles]] = {
    "bow": {"pitch": 22, "nod": 12},
    "deep bow": {"pitch": 34, "nod": 16},
    "turn left": {"turn": 24, "look": 30},
    "turn right": {"turn": -24, "look": -30},
    "lean": {"tilt": 10, "nod": -8},
    "chin": {"nod": 8, "pitch": 4},
    "shrug": {"shrug": 12},
    "overhead": {"shrug": 14, "pitch": -6},
    "both hands up": {"shrug": 4},
    "arms up": {"shrug": 8},
    "arms forward": {"reach": 10},
    "arms crossed": {"reach": 8},
    "sway left": {"sway": 3.5, "tilt": -4},
    "sway right": {"sway": -3.5, "turn": 8},
    "step": {"stride": 6},
}

# How much more the fingers curl than told, from the index to the little one, and of their joints
# from the knuckle on: a hand at rest closes towards the little finger.
_FINGERS: Final = (("index", 0.78), ("middle", 0.97), ("ring", 1.10), ("pinky", 1.20))
_CURL_SHARES: Final = (1.0, 1.1, 0.75)

_SPINE: Final = (("spine04", 0.2), ("spine03", 0.3), ("spine02", 0.3), ("spine01", 0.2))
_NECK: Final = (("neck01", 0.15), ("neck02", 0.2), ("neck03", 0.25), ("head", 0.4))


def trial_poses(joints: Floats) -> Mapping[str, Pose]:
    """Return the poses by name for a body whose joints rest at `joints` [104, 3], metres."""
    made = {name: _pose(np.asarray(joints), name) for name in _ARMS}
    return MappingProxyType(made)


def _pose(joints: Floats, name: str) -> Pose:
    pose = Pose.rest()
    arms = _ARMS[name]
    both = (arms, arms) if isinstance(arms, Mapping) else arms
    for side, angles in zip("LR", both, strict=True):
        set_arm(pose, joints, side, angles)
    trunk = _TRUNK.get(name, {})
    for chain, nod, turn in ((_SPINE, "pitch", "turn"), (_NECK, "nod", "look")):
        for joint, share in chain:
            tilt = trunk.get("tilt", 0.0) if chain is _SPINE else 0.0
            bent = from_degrees(
                share * trunk.get(nod, 0.0), share * tilt, share * trunk.get(turn, 0.0)
            )
            _set(pose, joint, bent)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        lift = axis_degrees("y", -sign * trunk.get("shrug", 0.0))
        reach = axis_degrees("z", -sign * trunk.get("reach", 0.0))
        _set(pose, f"clavicle.{side}", multiply(reach, lift))
        sway, stride = trunk.get("sway", 0.0), sign * trunk.get("stride", 0.0)
        leg = from_degrees(x=-stride, y=sway)
        _set(pose, f"upperleg01.{side}", leg)
        _set(pose, f"foot.{side}", from_degrees(x=0.6 * stride, y=-sway))
        _set(pose, f"lowerleg01.{side}", axis_degrees("x", max(-stride, 0.0)))
    hip, ankle = joints[joint_index("upperleg01.L")], joints[joint_index("foot.L")]
    pose.translation[0] = np.sin(np.radians(trunk.get("sway", 0.0))) * (hip - ankle)[2]
    return pose


def set_arm(pose: Pose, joints: Floats, side: str, angles: Angles) -> None:
    """Set one arm, "L" or "R", by degrees: down, forward, turn, bend, supine, flex, curl, the
    fingers by name, thumb; the right one mirrors the left.
    """
    sign = 1.0 if side == "L" else -1.0

    def at(name: str) -> Floats:
        return np.asarray(joints[joint_index(f"{name}.{side}")])

    def degrees(name: str) -> float:
        return float(np.radians(angles.get(name, 0.0)))

    upper, fore = at("lowerarm01") - at("upperarm01"), at("wrist") - at("lowerarm01")
    swing = multiply(
        axis_degrees("x", -angles.get("forward", 0.0)),
        axis_degrees("y", sign * angles.get("down", 0.0)),
    )
    turn = degrees("turn") * sign
    _set(pose, f"upperarm01.{side}", multiply(swing, from_axis_angle(upper, 0.45 * turn)))
    _set(pose, f"upperarm02.{side}", from_axis_angle(upper, 0.55 * turn))
    _set(pose, f"lowerarm01.{side}", from_axis_angle(np.cross(upper, fore), degrees("bend")))
    half = from_axis_angle(fore, -sign * degrees("supine") / 2.0)
    _set(pose, f"lowerarm02.{side}", half)
    _set(pose, f"wrist.{side}", half)
    hand, across = at("finger3-1") - at("wrist"), at("finger2-1") - at("finger5-1")
    palm = sign * np.cross(hand, across)
    flex = from_axis_angle(np.cross(hand, palm), degrees("flex"))
    _set(pose, f"wrist.{side}", multiply(half, flex))
    for finger, (name, more) in enumerate(_FINGERS, start=2):
        along = at(f"finger{finger}-2") - at(f"finger{finger}-1")
        curl = angles.get(name, more * angles.get("curl", 0.0))
        for phalanx, share in enumerate(_CURL_SHARES, start=1):
            bend = from_axis_angle(np.cross(along, palm), float(np.radians(share * curl)))
            _set(pose, f"finger{finger}-{phalanx}.{side}", bend)
    thumb = np.cross(at("finger1-2") - at("finger1-1"), hand)
    for phalanx, share in enumerate((0.5, 1.0, 1.0), start=1):
        bend = from_axis_angle(thumb, sign * share * degrees("thumb"))
        _set(pose, f"finger1-{phalanx}.{side}", bend)


def _set(pose: Pose, joint: str, rotation: Floats) -> None:
    pose.rotations[joint_index(joint)] = rotation
