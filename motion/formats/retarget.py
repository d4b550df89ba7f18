"""Brings motion of other skeletons to our rig, and back, by how their bones stand in the world.

Joints are known by the names SMPL-X gives them. A limb of ours is turned so that it points where
the limb of the other skeleton points: the world rotation of a joint of ours is that of its
counterpart, after the turn that leads from our rest (arms 45 degrees down) to theirs (mostly a
T-pose). Trunk, head and feet are alike in all rests, upright and flat on the floor. Joints of ours
that lie between two counterparts share the turn, and half of a forearm's and of an upper arm's
twist is taken up along it, so that sleeves do not wring.

The first frame stands at home, and the lowest step of all on the floor.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from motion.errors import MotionValueError
from motion.formats.clip import Clip
from motion.formats.skeletal import SkeletalMotion, Skeleton
from motion.formats.smplx import SMPLX_INDEX, SMPLX_NAMES, SMPLX_PARENTS, SMPLX_REST
from motion.kinematics import joint_positions
from motion.pose import POSES_PER_SECOND, Pose
from motion.rest import REST_OFFSETS, REST_POSITIONS
from motion.rotations import (
    IDENTITY,
    axis_degrees,
    between,
    conjugate,
    from_matrix,
    multiply,
    rotate,
    slerp,
    twist,
)
from motion.skeleton import JOINT_NAMES, JOINT_PARENTS, joint_index

Array = NDArray[np.float32]

NEEDED: Final = (
    "pelvis",
    *(f"left_{joint}" for joint in ("hip", "knee", "shoulder", "elbow")),
    *(f"right_{joint}" for joint in ("hip", "knee", "shoulder", "elbow")),
)
"""Without these joints no body is recognised."""

_SIDES: Final = (("left", "L"), ("right", "R"))
_FINGERS: Final = {"thumb": 1, "index": 2, "middle": 3, "ring": 4, "pinky": 5}
_TWIST_LATER: Final = 0.55  # of an upper arm's twist, the share its second joint takes
_FOREARM_TWIST: Final = 0.5
_BLOCK: Final = 1024  # poses


def _same() -> dict[str, str]:
    """Joints of ours that stand as their counterpart does."""
    same = {"root": "pelvis", "spine03": "spine1", "spine02": "spine2", "spine01": "spine3"}
    same |= {"neck02": "neck", "head": "head"}
    for side, letter in _SIDES:
        limbs = {
            "upperleg01": "hip", "lowerleg01": "knee", "foot": "ankle", "clavicle": "collar",
            "upperarm02": "shoulder", "lowerarm01": "elbow", "wrist": "wrist", "eye": "eye",
        }  # fmt: skip
        same |= {f"{ours}.{letter}": f"{side}_{theirs}" for ours, theirs in limbs.items()}
        same |= {f"toe{number}-1.{letter}": f"{side}_foot" for number in range(1, 6)}
        for finger, number in _FINGERS.items():
            for part in (1, 2, 3):
                same[f"finger{number}-{part}.{letter}"] = f"{side}_{finger}{part}"
    return same


_SAME: Final = _same()
# Joints of ours that stand between two counterparts, and how far from the first.
_BETWEEN: Final = {
    "spine05": ("pelvis", "spine1", 0.25),
    "spine04": ("pelvis", "spine1", 0.5),
    "neck01": ("spine3", "neck", 0.5),
    "neck03": ("neck", "head", 0.5),
}
# Where a joint lies that another joint of ours stands for.
_PLACES: Final = {theirs: ours for ours, theirs in reversed(_SAME.items())} | {
    f"{side}_shoulder": f"upperarm01.{letter}" for side, letter in _SIDES
}


class Retarget:
    """Between one skeleton and our rig.

    Args:
        skeleton: whose motion it is, in our axes; it may face any way.
        joints: index of each of its joints by the name SMPL-X has for it. Missing ones move with
            the joint above; of the spine, between those there are.

    Raises:
        MotionValueError: one of `NEEDED` is missing, or two joints of a limb lie in one place.
    """

    def __init__(self, skeleton: Skeleton, joints: Mapping[str, int]) -> None:
        missing = [name for name in NEEDED if name not in joints]
        if missing:
            raise MotionValueError(
                f"the skeleton has no joint for {', '.join(missing)}; accepted: joints called as "
                "in SMPL-X, Mixamo, CMU or Biped files"
            )
        self.skeleton = skeleton
        self.joints = {name: joints[name] for name in SMPLX_NAMES if name in joints}
        self._facing = _facing(skeleton.rest, self.joints)
        rest = rotate(self._facing, skeleton.rest)
        self._align = _alignment({name: rest[index] for name, index in self.joints.items()})
        self.scale = _thigh(REST_POSITIONS, _our_places()) / _thigh(rest, self.joints)
        """Our thigh's length as a multiple of theirs, by which steps are scaled."""

    def to_rig(self, motion: SkeletalMotion) -> tuple[Array, Array]:
        """Return local rotations [T, 104, 4] and translation [T, 3] of our rig.

        Raises:
            MotionValueError: `motion` is of another skeleton.
        """
        if motion.skeleton.names != self.skeleton.names:
            raise MotionValueError("the motion is of another skeleton; accepted: the one given")
        theirs = self.skeleton.world(motion.rotations)
        turned = multiply(multiply(self._facing, theirs), conjugate(self._facing))
        world = {
            name: multiply(turned[:, index], self._align[name])
            for name, index in self.joints.items()
        }
        _complete(world)
        rotations = _rig_rotations(world)
        pelvis = motion.positions[:, self.joints["pelvis"]]
        way = rotate(self._facing, pelvis - pelvis[0]) * np.float32(self.scale)
        return rotations, _on_floor(rotations, way)

    def from_rig(self, clip: Clip) -> SkeletalMotion:
        """Return the motion of `clip` on the other skeleton, 25 frames a second.

        Its joints that are not known move with the joint above.
        """
        ours = _rig_world(clip.rotations)
        back = conjugate(self._facing)
        found = {index: name for name, index in self.joints.items()}
        world = np.empty((len(ours), len(self.skeleton.names), 4), np.float32)
        for joint, parent in enumerate(self.skeleton.parents):
            name = found.get(joint, "")
            if name in _STAND_FOR:
                turned = multiply(ours[:, _STAND_FOR[name]], conjugate(self._align[name]))
                world[:, joint] = multiply(multiply(back, turned), self._facing)
            else:
                world[:, joint] = world[:, parent] if parent >= 0 else IDENTITY
        way = rotate(back, clip.translation) / np.float32(self.scale)
        root = (way + self.skeleton.offsets[0]).astype(np.float32)
        return SkeletalMotion(
            self.skeleton, self.skeleton.local(world), root, float(POSES_PER_SECOND)
        )


_STAND_FOR: Final[dict[str, int]] = {
    theirs: joint_index(ours) for ours, theirs in reversed(_SAME.items())
}


def _our_places() -> dict[str, int]:
    return {theirs: joint_index(ours) for theirs, ours in _PLACES.items()}


def _facing(rest: Array, joints: Mapping[str, int]) -> Array:
    """Return the turn about the vertical that brings the left hip to the left of the right one."""
    across = rest[joints["left_hip"]] - rest[joints["right_hip"]]
    if float(np.hypot(across[0], across[1])) < 1e-6:
        raise MotionValueError("both hips are in one place; accepted: hips that lie apart")
    return axis_degrees("z", -np.degrees(np.arctan2(across[1], across[0])))


def _thigh(positions: Array, joints: Mapping[str, int]) -> float:
    hip, knee = (positions[joints[f"left_{name}"]] for name in ("hip", "knee"))
    length = float(np.linalg.norm(knee - hip))
    if length < 1e-6:
        raise MotionValueError("left hip and knee are in one place; accepted: ones that lie apart")
    return length


def _alignment(rest: Mapping[str, Array]) -> dict[str, Array]:
    """Return for each joint the turn from our rest to the rest positions `rest` by name."""
    ours = {name: REST_POSITIONS[joint_index(joint)] for name, joint in _PLACES.items()}
    align = dict.fromkeys(rest, IDENTITY)

    def point(name: str, child: str, before: Array) -> Array:
        """Return `before` and then the shortest turn that makes the bone point as theirs does."""
        if name not in rest or child not in rest:
            return before
        bone = rotate(before, ours[child] - ours[name])
        return multiply(_towards(bone, rest[child] - rest[name]), before)

    for side, _ in _SIDES:
        thigh = align[f"{side}_hip"] = point(f"{side}_hip", f"{side}_knee", IDENTITY)
        align[f"{side}_knee"] = point(f"{side}_knee", f"{side}_ankle", thigh)
        upper = align[f"{side}_shoulder"] = point(f"{side}_shoulder", f"{side}_elbow", IDENTITY)
        fore = align[f"{side}_elbow"] = point(f"{side}_elbow", f"{side}_wrist", upper)
        hand = _hand(side, rest, ours, fore)
        align[f"{side}_wrist"] = hand
        for finger in _FINGERS:
            before = hand
            for part in (1, 2, 3):
                name = f"{side}_{finger}{part}"
                before = align[name] = point(name, f"{side}_{finger}{part + 1}", before)
    return align


def _hand(side: str, rest: Mapping[str, Array], ours: Mapping[str, Array], fore: Array) -> Array:
    """Return the turn of the hand: knuckles to knuckles, or palm down where there are none."""
    wrist, *knuckles = (f"{side}_{name}" for name in ("wrist", "middle1", "index1", "pinky1"))
    if wrist in rest and all(name in rest for name in knuckles):
        return _by_knuckles(
            [ours[n] for n in (wrist, *knuckles)], [rest[n] for n in (wrist, *knuckles)]
        )
    nominal = [SMPLX_REST[SMPLX_INDEX[name]] for name in (wrist, *knuckles)]
    flat = _by_knuckles([ours[name] for name in (wrist, *knuckles)], nominal)
    elbow = f"{side}_elbow"
    if wrist not in rest:
        return fore
    arm = SMPLX_REST[SMPLX_INDEX[wrist]] - SMPLX_REST[SMPLX_INDEX[elbow]]
    return multiply(_towards(arm, rest[wrist] - rest[elbow]), flat)


def _by_knuckles(ours: list[Array], theirs: list[Array]) -> Array:
    frames = [_frame(p[1] - p[0], p[2] - p[3]) for p in (ours, theirs)]
    return from_matrix(frames[1] @ frames[0].T)


def _frame(along: Array, across: Array) -> NDArray[np.float64]:
    """Return a matrix whose columns are `along`, what is left of `across`, and their normal."""
    x = np.asarray(along, np.float64) / np.linalg.norm(along)
    y = across - (across @ x) * x
    y = y / np.linalg.norm(y)
    return np.stack([x, y, np.cross(x, y)], -1)


def _towards(bone: Array, wanted: Array) -> Array:
    if float(np.linalg.norm(wanted)) < 1e-6:
        raise MotionValueError("two joints of a limb are in one place; accepted: bones with length")
    return between(bone, wanted)


def _complete(world: dict[str, Array]) -> None:
    """Let joints that are missing move with the joint above; of the spine, between neighbours."""
    spine = ["pelvis", "spine1", "spine2", "spine3"]
    there = [i for i, name in enumerate(spine) if name in world]
    for i, name in enumerate(spine):
        if name not in world:
            before = max(j for j in there if j < i)
            after = min((j for j in there if j > i), default=before)
            share = (i - before) / (after - before) if after > before else 0.0
            world[name] = slerp(world[spine[before]], world[spine[after]], share)
    for name, parent in zip(SMPLX_NAMES, SMPLX_PARENTS, strict=True):
        if name not in world:
            world[name] = world[SMPLX_NAMES[parent]]


def _rig_rotations(world: Mapping[str, Array]) -> Array:
    """Return local rotations [T, 104, 4] from how the counterparts stand, each [T, 4]."""
    stands = np.empty((len(world["pelvis"]), len(JOINT_NAMES), 4), np.float32)
    for joint, (name, parent) in enumerate(zip(JOINT_NAMES, JOINT_PARENTS, strict=True)):
        if name in _SAME:
            stands[:, joint] = world[_SAME[name]]
        elif name in _BETWEEN:
            first, second, share = _BETWEEN[name]
            stands[:, joint] = slerp(world[first], world[second], share)
        else:
            stands[:, joint] = stands[:, parent]
    for side, letter in _SIDES:
        _share_twist(stands, world, side, letter)
    parents = np.array(JOINT_PARENTS[1:])
    local = stands.copy()
    local[:, 1:] = multiply(conjugate(stands[:, parents]), stands[:, 1:])
    return local


def _share_twist(stands: Array, world: Mapping[str, Array], side: str, letter: str) -> None:
    """Spread the twist of an upper arm and of a forearm over their two joints each."""
    first, elbow, wrist = (
        joint_index(f"{name}.{letter}") for name in ("upperarm01", "lowerarm01", "wrist")
    )
    upper = REST_POSITIONS[elbow] - REST_POSITIONS[first]
    whole = multiply(conjugate(world[f"{side}_collar"]), world[f"{side}_shoulder"])
    less = slerp(IDENTITY, conjugate(twist(whole, upper)), _TWIST_LATER)
    stands[:, first] = multiply(world[f"{side}_shoulder"], less)
    fore = REST_POSITIONS[wrist] - REST_POSITIONS[elbow]
    whole = multiply(conjugate(world[f"{side}_elbow"]), world[f"{side}_wrist"])
    part = slerp(IDENTITY, twist(whole, fore), _FOREARM_TWIST)
    stands[:, joint_index(f"lowerarm02.{letter}")] = multiply(world[f"{side}_elbow"], part)


def _rig_world(rotations: Array) -> Array:
    world = np.array(rotations, np.float32)
    for joint, parent in enumerate(JOINT_PARENTS[1:], start=1):
        world[:, joint] = multiply(world[:, parent], rotations[:, joint])
    return world


def _on_floor(rotations: Array, way: Array) -> Array:
    """Return `way` [T, 3] raised or lowered as a whole until the lowest joint stands as at rest."""
    lowest = min(
        float(joint_positions(rotations[part], REST_OFFSETS, way[part])[..., 2].min())
        for part in (slice(i, i + _BLOCK) for i in range(0, len(way), _BLOCK))
    )
    floor = float(joint_positions(Pose.rest().rotations, REST_OFFSETS)[:, 2].min())
    return np.asarray(way + np.array([0.0, 0.0, floor - lowest], np.float32), np.float32)
