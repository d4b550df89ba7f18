"""How it moves: skeleton, rotations, poses, lips, gaze, gestures.

A leaf package: it knows nothing of voices, avatars, sessions or wires. It is given phones with
times and returns poses.
"""

from motion.errors import MotionError, MotionValueError
from motion.pose import POSES_PER_SECOND, Pose
from motion.skeleton import FACE_NAMES, JOINT_NAMES, JOINT_PARENTS

__all__ = [
    "FACE_NAMES",
    "JOINT_NAMES",
    "JOINT_PARENTS",
    "POSES_PER_SECOND",
    "MotionError",
    "MotionValueError",
    "Pose",
]
