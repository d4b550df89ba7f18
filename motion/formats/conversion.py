"""Motion from and to files of any format that is known, chosen by the ending of their names."""

from pathlib import Path
from typing import Final

import numpy as np

from motion.errors import MotionValueError
from motion.formats.beat2 import Beat2, read_beat2, write_beat2
from motion.formats.bodies import find_body
from motion.formats.bvh import CENTIMETRE, read_bvh, write_bvh
from motion.formats.clip import SUFFIX, Clip, read_clip, write_clip
from motion.formats.humanml3d import clip_of, features_of, read_features, write_features
from motion.formats.retarget import Retarget
from motion.formats.skeletal import SkeletalMotion, Skeleton, Up
from motion.pose import POSES_PER_SECOND
from motion.rest import REST_OFFSETS
from motion.skeleton import JOINT_NAMES, JOINT_PARENTS

ENDINGS: Final = {
    SUFFIX: "a clip of ours",
    ".bvh": "BVH",
    ".npz": "BEAT2",
    ".npy": "HumanML3D",
}

RIG: Final = Skeleton(JOINT_NAMES, JOINT_PARENTS, REST_OFFSETS)
"""Our own rig as a skeleton among others."""


def read_motion(path: Path, *, scale: float = CENTIMETRE, up: Up = "y") -> Clip:
    """Return the motion in `path` on our rig.

    Args:
        scale, up: of a BVH, metres a unit is and which axis is up.

    Raises:
        MotionError: the file is missing or cannot be read.
        MotionValueError: its ending is unknown, or it holds no motion of a body.
    """
    ending = known_ending(path)
    if ending == SUFFIX:
        return read_clip(path)
    if ending == ".npz":
        return read_beat2(path).to_clip()
    if ending == ".npy":
        return clip_of(read_features(path))
    motion = read_bvh(path, scale=scale, up=up)
    try:
        return clip_from(motion)
    except MotionValueError as error:
        raise MotionValueError(f"{path}: {error}") from error


def write_motion(clip: Clip, path: Path, *, half: bool = False) -> None:
    """Write `clip` in the format the ending of `path` names.

    Args:
        half: store a clip of ours at half precision.

    Raises:
        MotionError: the file cannot be written.
        MotionValueError: its ending is unknown.
    """
    ending = known_ending(path)
    if ending == SUFFIX:
        write_clip(clip, path, half=half)
    elif ending == ".npz":
        write_beat2(Beat2.of(clip), path)
    elif ending == ".npy":
        write_features(features_of(clip), path)
    else:
        write_bvh(rig_motion(clip), path)


def known_ending(path: Path) -> str:
    """Return the ending of `path` in small letters.

    Raises:
        MotionValueError: no format is known by it.
    """
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        accepted = ", ".join(f"{name} ({what})" for name, what in ENDINGS.items())
        raise MotionValueError(f"{path} ends in {ending!r}; accepted: {accepted}")
    return ending


def rig_motion(clip: Clip) -> SkeletalMotion:
    """Return `clip` as motion of a skeleton, its face left behind."""
    return SkeletalMotion(RIG, clip.rotations, clip.translation, float(POSES_PER_SECOND))


def clip_from(motion: SkeletalMotion) -> Clip:
    """Return motion of any body on our rig; of our own rig, just as it is.

    Raises:
        MotionValueError: the skeleton has too few joints with names that are known.
    """
    names = motion.skeleton.names
    if set(names) >= set(JOINT_NAMES):
        order = [names.index(name) for name in JOINT_NAMES]
        moved = motion.root - motion.skeleton.offsets[0]
        return Clip.of(motion.rotations[:, order], moved.astype(np.float32), fps=motion.fps)
    retarget = Retarget(motion.skeleton, find_body(motion.skeleton))
    rotations, translation = retarget.to_rig(motion)
    return Clip.of(rotations, translation, fps=motion.fps)
