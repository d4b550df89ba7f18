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
# upper arm), bend (elbow), supine (palm up), curl (fingers). Alike on both sides.
_HANG: Final[Angles] = {"down": 31, "forward": 2, "bend": 10, "curl": 18}
_READY: Final[Angles] = {"down": 30, "forward": 8, "bend": 46, "turn": 26, "curl": 22}
_POINT: Final[Angles] = {"down": 26, "forward": 14, "bend": 82, "turn": -14, "curl": 55}
_UP: Final[Angles] = {"down": -42, "forward": 12, "bend": 30, "turn": -20, "supine": 20}

# Left arm, right arm. One mapping stands for both arms.
_ARMS: Final[Mapping[str, tuple[Angles, Angles] | Angles]] = {
    "rest": {},
    "idle": _READY,
    "hanging": _HANG,
    "close": {"down": 40, "bend": 6},
    "point left": ({"down": 8, "forward": 10, "bend": 12}, _READY),
    "point right": (_READY, {"down": 8, "forward": 10, "bend": 12}),
    "point up": (_HANG, {"down": 10, "forward": 40, "bend": 105, "turn": -30}),
    "point down": ({"down": 32, "forward": 26, "bend": 24, "supine": -20}, _READY),
    "point forward": (_READY, {"down": 18, "forward": 62, "bend": 34, "turn": 10}),
    "point across": (_READY, {"down": 30, "forward": 40, "bend": 70, "turn": 48}),
    "one hand up": (_HANG, _UP),
    "both hands up": _UP,
    "overhead": {"down": -78, "forward": 8, "bend": 24},
    "arms out": {"down": -8, "bend": 4},
    "arms forward": {"down": 14, "forward": 64, "bend": 20, "turn": 6},
    "arms crossed": {"down": 36, "forward": 34, "bend": 92, "turn": 56, "curl": 30},
    "hands together": {"down": 34, "forward": 22, "bend": 84, "turn": 36, "curl": 30},
    "on the heart": (_HANG, {"down": 30, "forward": 26, "bend": 118, "turn": 40}),
    "chin": (_READY, {"down": 36, "forward": 44, "bend": 126, "turn": 18, "curl": 60}),
    "wave": (_HANG, {"down": 14, "forward": 30, "bend": 108, "turn": -34, "curl": 4}),
    "thumb up": (_HANG, {"down": 28, "forward": 30, "bend": 76, "turn": 20, "curl": 84}),
    "count": ({"down": 30, "forward": 28, "bend": 88, "turn": 8, "curl": 50}, _READY),
    "palms": {"down": 30, "forward": 6, "bend": 48, "supine": 55, "curl": 8},
    "hands on hips": {"down": 16, "forward": -14, "bend": 92, "turn": 62, "curl": 20},
    "shrug": {"down": 26, "forward": 8, "bend": 78, "turn": -16, "supine": 60},
    "bow": _HANG,
    "deep bow": {"down": 34, "forward": 22, "bend": 50, "turn": 30},
    "turn left": _READY,
    "turn right": _POINT,
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
    "both hands up": {"shrug": 8},
    "arms forward": {"reach": 10},
    "arms crossed": {"reach": 8},
    "sway left": {"sway": 3.5, "tilt": -4},
    "sway right": {"sway": -3.5, "turn": 8},
    "step": {"stride": 6},
}

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
    """Set one arm, "L" or "R", by degrees of down, forward, turn, bend, supine, curl; the right
    one mirrors the left.
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
    for finger in range(2, 6):
        along = at(f"finger{finger}-2") - at(f"finger{finger}-1")
        bend = from_axis_angle(np.cross(along, palm), degrees("curl"))
        for phalanx in (1, 2, 3):
            _set(pose, f"finger{finger}-{phalanx}.{side}", bend)


def _set(pose: Pose, joint: str, rotation: Floats) -> None:
    pose.rotations[joint_index(joint)] = rotation
