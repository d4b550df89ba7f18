"""Poses a host takes, for tests."""

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset
from avatar.wardrobe.trial_poses import set_arm
from motion.pose import Pose
from motion.rotations import axis_degrees
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
        set_arm(
            out["idle"],
            asset.joints,
            side,
            {"down": 31, "forward": 8, "bend": 44, "turn": 26, "curl": 20},
        )
        set_arm(
            out["listening"], asset.joints, side, {"down": 31, "forward": 2, "bend": 8, "curl": 16}
        )
        set_arm(
            out["beat"],
            asset.joints,
            side,
            {"down": 30, "forward": 38, "bend": 42, "turn": 8, "curl": 14},
        )
        set_arm(
            out["palms"],
            asset.joints,
            side,
            {"down": 30, "forward": 6, "bend": 48, "supine": 55, "curl": 8},
        )
    set_arm(out["point"], asset.joints, "L", {"down": 31, "forward": 2, "bend": 8, "curl": 16})
    set_arm(
        out["point"],
        asset.joints,
        "R",
        {"down": 26, "forward": 14, "bend": 82, "turn": -14, "curl": 60},
    )
    out["listening"].rotations[joint_index("head")] = axis_degrees("y", 5.0)
    return out
