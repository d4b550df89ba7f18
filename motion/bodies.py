"""`Body`: a host's own proportions, as far as hands must know them.

The library of actions is written for the body of `motion.rest`. A hand that belongs on the chin,
the heart or the other hand belongs on the host's own, so its places are carried over: heights
along the landmarks of torso and head, depths with the front of the body. Across, metres stay
metres: two hands that show a size at one height show it on every host.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motion.errors import MotionValueError
from motion.kinematics import rest_offsets
from motion.rest import REST_POSITIONS
from motion.skeleton import JOINT_NAMES, joint_index

Array = NDArray[np.float32]
Vector = NDArray[np.float64]

FRONTS: Final = (0.04, 0.22, 0.39, 0.57, 0.72, 0.87)
"""Heights at which the front of the torso is measured, as shares of the shoulders'."""

CHIN: Final = 0.118
"""Metres from the eyes down to the chin of the body of `motion.rest`."""

FACE: Final = 0.155
"""Metres the front of that chin is ahead of the root."""

_BASE_FRONTS: Final = (0.13, 0.14, 0.155, 0.175, 0.185, 0.165)  # metres ahead of the root, dressed
_BEHIND: Final = 0.01  # metres a place at the face may go back where the chest does not
_NECK: Final = 0.5  # share of the way from shoulders to chin below which depth is the torso's
_LARGEST: Final = 1.0  # metres a landmark may be from the root
_SHOULDER, _EYE = joint_index("upperarm01.L"), joint_index("eye.L")


@dataclass(frozen=True, eq=False)
class Body:
    """The rest pose of a body.

    Attributes:
        positions: float32 [104, 3], where joints stand, metres from the root.
        fronts: metres the front of the dressed torso is ahead of the root, at `FRONTS`.
        chin: metres from the eyes down to the chin.
        face: metres the front of the chin is ahead of the root.

    Raises:
        MotionValueError: positions of another shape, or a length that no body has.
    """

    positions: Array
    fronts: Sequence[float] = _BASE_FRONTS
    chin: float = CHIN
    face: float = FACE
    offsets: Array = field(init=False)

    def __post_init__(self) -> None:
        shape = np.shape(self.positions)
        if shape != (len(JOINT_NAMES), 3):
            raise MotionValueError(
                f"positions are {list(shape)}; accepted: [{len(JOINT_NAMES)}, 3]"
            )
        low = self.positions[_SHOULDER, 2]
        if not 0.2 < low < self.positions[_EYE, 2] - self.chin < _LARGEST:
            raise MotionValueError(
                f"shoulders at {low:.2f} m, chin at {self.positions[_EYE, 2] - self.chin:.2f} m; "
                "accepted: shoulders over 0.2 m above the root, the chin higher, up to 1 m"
            )
        fronts = (*self.fronts, self.face)
        if len(self.fronts) != len(FRONTS) or not all(0.0 < front < 0.5 for front in fronts):
            raise MotionValueError(
                f"fronts of torso and face {fronts}; accepted: {len(FRONTS)} and one, up to 0.5 m"
            )
        object.__setattr__(self, "offsets", rest_offsets(self.positions))

    def carried(self, places: ArrayLike) -> Vector:
        """Return how far places (out, ahead, up) [..., 3] of the base body move on this one.

        float64 [..., 3], metres. It depends on their height alone.
        """
        up = np.asarray(places, np.float64)[..., 2]
        out = np.zeros((*up.shape, 3))
        out[..., 1] = np.interp(up, *self._depths)
        out[..., 2] = np.interp(up, *self._heights)
        return out

    @property
    def _heights(self) -> tuple[Vector, Vector]:
        """Heights of landmarks of the base body, and how much higher this one's are."""
        own, base = _landmarks(self.positions, self.chin), _landmarks(REST_POSITIONS, CHIN)
        return base, own - base

    @property
    def _depths(self) -> tuple[Vector, Vector]:
        """Heights on the base body, and how much further ahead the front of this one is there."""
        _, shoulder, chin, _ = _landmarks(REST_POSITIONS, CHIN)
        torso = np.subtract(self.fronts, _BASE_FRONTS)
        heights = [*(share * shoulder for share in FRONTS), chin - _NECK * (chin - shoulder)]
        # A hand at a chin that stands back must still pass the chest with its wrist.
        face = max(self.face - FACE, float(torso[-1]) - _BEHIND)
        return np.array(heights), np.array([*torso, face])


def _landmarks(positions: Array, chin: float) -> Vector:
    """Return the heights of root, shoulders, chin and eyes."""
    eye = float(positions[_EYE, 2])
    return np.array([0.0, float(positions[_SHOULDER, 2]), eye - chin, eye])


BASE: Final = Body(REST_POSITIONS)
"""The body that the library of actions, and all that is learnt, is of."""
