"""Poses a host takes, for tests."""

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset
from motion.pose import Pose
from motion.rotations import axis_degrees, from_axis_angle, multiply
from motion.skeleton import FACE_INDEX, face_index, joint_index

Floats = NDArray[np.float32]


def face(**coefficients: float) -> Pose:
    """Return the rest pose with face coefficients; a name without a side sets both sides."""
    pose = Pose.rest()
    for name, value in coefficients.items():
        names = [name] if name in FACE_INDEX else [f"{name}Left", f"{name}Right"]
        for each in names:
            pose.face[face_index(each)] = value
    return pose


def hosts(asset: AvatarAsset) -> dict[str, Pose]:
    """Return the poses of a host by name: idle, listening, beat, point, palms."""
    out = {name: Pose.rest() for name in ("idle", "listening", "beat", "point", "palms")}
    for side in ("L", "R"):
        _arm(asset, out["idle"], side, down=31, forward=8, bend=44, inwards=26, curl=20)
        _arm(asset, out["listening"], side, down=31, forward=2, bend=8, curl=16)
        _arm(asset, out["beat"], side, down=30, forward=38, bend=42, inwards=8, curl=14)
        _arm(asset, out["palms"], side, down=30, forward=6, bend=48, supine=55, curl=8)
    _arm(asset, out["point"], "L", down=31, forward=2, bend=8, curl=16)
    _arm(asset, out["point"], "R", down=26, forward=14, bend=82, inwards=-14, curl=60)
    out["listening"].rotations[joint_index("head")] = axis_degrees("y", 5.0)
    return out


def _arm(
    asset: AvatarAsset,
    pose: Pose,
    side: str,
    *,
    down: float,
    forward: float = 0.0,
    bend: float = 0.0,
    inwards: float = 0.0,
    supine: float = 0.0,
    curl: float = 0.0,
) -> None:
    """Set one arm; degrees, alike on both sides."""
    sign = 1.0 if side == "L" else -1.0

    def at(name: str) -> Floats:
        return np.asarray(asset.joints[joint_index(f"{name}.{side}")])

    upper, fore = at("lowerarm01") - at("upperarm01"), at("wrist") - at("lowerarm01")
    swing = multiply(axis_degrees("x", -forward), axis_degrees("y", sign * down))
    turn = from_axis_angle(upper, np.radians(sign * inwards))
    settings = {
        "upperarm01": multiply(swing, turn),
        "lowerarm01": from_axis_angle(np.cross(upper, fore), np.radians(bend)),
        "lowerarm02": from_axis_angle(fore, np.radians(-sign * supine / 2.0)),
        "wrist": from_axis_angle(fore, np.radians(-sign * supine / 2.0)),
    }
    knuckles = at("finger2-1") - at("finger5-1")
    for finger in range(2, 6):
        for phalanx in (1, 2, 3):
            settings[f"finger{finger}-{phalanx}"] = from_axis_angle(knuckles, np.radians(curl))
    for name, rotation in settings.items():
        pose.rotations[joint_index(f"{name}.{side}")] = rotation
