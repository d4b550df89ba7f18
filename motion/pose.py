"""`Pose`: what a body does at one instant, or at several (leading axes are free)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from motion.errors import MotionValueError
from motion.skeleton import FACE_NAMES, JOINT_NAMES

POSES_PER_SECOND: Final = 25


@dataclass(frozen=True, slots=True)
class Pose:
    """Local joint rotations, root translation and face of a body. It carries no time.

    Attributes:
        rotations: float32 [..., J, 4], unit quaternions (w, x, y, z), J = 104, in the order of
            `JOINT_NAMES`. A rotation turns the joint about the axes of the world as they stand
            in the rest pose (the body package's `local-ref` convention: x to the body's left, y
            to its back, z up; identity everywhere is the rest pose, arms 45 degrees down).
        translation: float32 [..., 3], metres, of the root from where it rests.
        face: float32 [..., 52], each in [0, 1], ARKit coefficients in the order of `FACE_NAMES`.
    """

    rotations: NDArray[np.float32]
    translation: NDArray[np.float32]
    face: NDArray[np.float32]

    def __post_init__(self) -> None:
        lead = self.rotations.shape[:-2]
        wanted = {
            "rotations": (*lead, len(JOINT_NAMES), 4),
            "translation": (*lead, 3),
            "face": (*lead, len(FACE_NAMES)),
        }
        for name, shape in wanted.items():
            array: NDArray[np.float32] = getattr(self, name)
            if array.shape != shape or array.dtype != np.float32:
                raise MotionValueError(
                    f"Pose.{name} is {array.dtype}{list(array.shape)}; "
                    f"accepted: float32{list(shape)}"
                )

    @classmethod
    def stacked(cls, poses: Sequence["Pose"]) -> "Pose":
        """Return poses of one shape, at least one, with a leading axis more: one each."""
        return cls(
            np.stack([pose.rotations for pose in poses]),
            np.stack([pose.translation for pose in poses]),
            np.stack([pose.face for pose in poses]),
        )

    @classmethod
    def rest(cls, *lead: int) -> "Pose":
        """Return the rest pose, repeated over the leading axes `lead`."""
        rotations = np.zeros((*lead, len(JOINT_NAMES), 4), np.float32)
        rotations[..., 0] = 1.0
        return cls(
            rotations,
            np.zeros((*lead, 3), np.float32),
            np.zeros((*lead, len(FACE_NAMES)), np.float32),
        )
