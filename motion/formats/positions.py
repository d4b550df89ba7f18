"""How the 22 joints of SMPL's body stand, found from where they are.

A bone's direction leaves its twist open. Trunk and hips are given by two directions each; arms and
legs by their bend, where there is one, since elbows and knees are hinges; all else keeps the twist
of the joint above.
"""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motion.errors import MotionValueError
from motion.formats.skeletal import SkeletalMotion, Skeleton
from motion.formats.smplx import BODY_JOINTS, SMPLX_INDEX, SMPLX_NAMES, smplx_skeleton
from motion.rotations import between, from_axis_angle, from_matrix, multiply, rotate, slerp

Array = NDArray[np.float32]
Values = NDArray[np.float64]

# Sines of a bend from which it begins to say, and fully says, how a limb is twisted.
_BEND: Final = (0.17, 0.5)

# About which way a limb at rest bends, in our axes.
_HINGES: Final = {
    ("left_shoulder", "left_elbow", "left_wrist"): (0.0, 0.0, -1.0),
    ("right_shoulder", "right_elbow", "right_wrist"): (0.0, 0.0, 1.0),
    ("left_hip", "left_knee", "left_ankle"): (1.0, 0.0, 0.0),
    ("right_hip", "right_knee", "right_ankle"): (1.0, 0.0, 0.0),
}


def body_skeleton() -> Skeleton:
    """Return the first 22 joints of SMPL-X with nominal bones."""
    whole = smplx_skeleton()
    return Skeleton(
        whole.names[:BODY_JOINTS], whole.parents[:BODY_JOINTS], whole.offsets[:BODY_JOINTS]
    )


def body_motion(positions: ArrayLike, fps: float) -> SkeletalMotion:
    """Return the motion of a body with nominal bones whose joints lie as at [T, 22, 3].

    Args:
        positions: metres in our axes; of somebody of any size.

    Raises:
        MotionValueError: another shape, or joints of one bone in one place.
    """
    p = np.asarray(positions, np.float64)
    if p.ndim != 3 or p.shape[1:] != (BODY_JOINTS, 3) or len(p) < 1 or not np.isfinite(p).all():
        raise MotionValueError(
            f"positions are {list(p.shape)}; accepted: finite [T, {BODY_JOINTS}, 3]"
        )
    skeleton = body_skeleton()
    rest = skeleton.rest
    world = _Standing(p, rest).world()
    thigh = slice(SMPLX_INDEX["left_hip"], SMPLX_INDEX["left_knee"] + 1, 3)
    size = np.linalg.norm(np.diff(rest[thigh], axis=0))
    length = np.linalg.norm(np.diff(p[:, thigh], axis=1), axis=-1).mean()
    root = (p[:, 0] * (size / length)).astype(np.float32)
    return SkeletalMotion(skeleton, skeleton.local(world), root, fps)


class _Standing:
    """Finds world rotations joint by joint, from the pelvis outwards."""

    def __init__(self, positions: Values, rest: Array) -> None:
        self._p, self._rest = positions, rest
        self._found: dict[str, Array] = {}

    def world(self) -> Array:
        """Return how the joints stand, float32 [T, 22, 4]."""
        self._trunk()
        for side in ("left", "right"):
            self._limb(side, "hip", "knee", "ankle", self._found["pelvis"])
            ankle = self._found[f"{side}_ankle"]
            self._found[f"{side}_ankle"] = self._pointed(f"{side}_ankle", f"{side}_foot", ankle)
            self._found[f"{side}_foot"] = self._found[f"{side}_ankle"]
            collar = self._pointed(f"{side}_collar", f"{side}_shoulder", self._found["spine3"])
            self._found[f"{side}_collar"] = collar
            self._limb(side, "shoulder", "elbow", "wrist", collar)
        return np.stack([self._found[name] for name in SMPLX_NAMES[:BODY_JOINTS]], 1)

    def _trunk(self) -> None:
        pelvis = self._framed(("right_hip", "left_hip"), ("pelvis", "spine1"))
        chest = self._framed(("right_collar", "left_collar"), ("spine3", "neck"))
        self._found |= {"pelvis": pelvis, "spine3": chest}
        for number, share in ((1, 1 / 3), (2, 2 / 3)):
            between_them = slerp(pelvis, chest, share)
            name = f"spine{number}"
            self._found[name] = self._pointed(name, f"spine{number + 1}", between_them)
        self._found["neck"] = self._found["head"] = self._pointed("neck", "head", chest)

    def _limb(self, side: str, first: str, middle: str, last: str, before: Array) -> None:
        first, middle, last = (f"{side}_{name}" for name in (first, middle, last))
        upper = self._pointed(first, middle, before)
        upper = self._twisted(upper, (first, middle, last))
        lower = self._pointed(middle, last, upper)
        self._found |= {first: upper, middle: lower, last: lower}

    def _bone(self, start: str, end: str) -> tuple[Values, Array]:
        """Return the bone as it is [T, 3] and at rest [3]."""
        first, second = SMPLX_INDEX[start], SMPLX_INDEX[end]
        now = self._p[:, second] - self._p[:, first]
        if not (np.linalg.norm(now, axis=-1) > 1e-6).all():
            raise MotionValueError(
                f"{start} and {end} are in one place; accepted: bones with length"
            )
        return now, self._rest[second] - self._rest[first]

    def _pointed(self, start: str, end: str, before: Array) -> Array:
        """Return `before` turned on, the shortest way, until the bone points as it does."""
        now, rest = self._bone(start, end)
        return multiply(between(rotate(before, rest), now), before)

    def _framed(self, across: tuple[str, str], up: tuple[str, str]) -> Array:
        """Return how something stands that has one bone across and another one up."""
        (left, left_rest), (top, top_rest) = self._bone(*across), self._bone(*up)
        now, rest = _frame(left, top), _frame(left_rest[None], top_rest[None])
        return from_matrix(now @ rest.swapaxes(-1, -2))

    def _twisted(self, upper: Array, joints: tuple[str, str, str]) -> Array:
        """Return `upper` twisted so that its hinge lies across the bend, as far as there is one."""
        along, _ = self._bone(*joints[:2])
        beyond, _ = self._bone(*joints[1:])
        along, beyond = (v / np.linalg.norm(v, axis=-1, keepdims=True) for v in (along, beyond))
        normal = np.cross(along, beyond)
        hinge = rotate(upper, _HINGES[joints]).astype(np.float64)
        hinge -= (hinge * along).sum(-1, keepdims=True) * along
        angle = np.arctan2((np.cross(hinge, normal) * along).sum(-1), (hinge * normal).sum(-1))
        low, high = _BEND
        share = np.clip((np.linalg.norm(normal, axis=-1) - low) / (high - low), 0.0, 1.0)
        return multiply(from_axis_angle(along, angle * share), upper)


def _frame(across: ArrayLike, up: ArrayLike) -> Values:
    """Return matrices [T, 3, 3] with columns across, up without its part along it, and both's."""
    x, y = np.asarray(across, np.float64), np.asarray(up, np.float64)
    x = x / np.linalg.norm(x, axis=-1, keepdims=True)
    y = y - (y * x).sum(-1, keepdims=True) * x
    length = np.linalg.norm(y, axis=-1, keepdims=True)
    if not (length > 1e-6).all():
        raise MotionValueError("hips or collars lie along the spine; accepted: across it")
    y = y / length
    return np.stack([x, y, np.cross(x, y)], -1)
