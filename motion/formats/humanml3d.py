"""HumanML3D features (Guo et al., 2022): 263 numbers a frame of 22 joints, 20 frames a second.

In order: half the turn of the heading, the root's step left and forward (in the heading of the
frame after), its height; 21 positions about the root's place on the floor, in the heading; 21
rotations in six numbers; 22 velocities in the heading; 4 contacts (left ankle, left toe, right
ankle, right toe). Arrays hold them as they are, neither centred nor scaled by the set's mean and
deviation. Axes: y up, z to the front, x to the left; metres.

The sixty-six positions say nothing of the twist of head, hands and forearms, and there are no
fingers, eyes or faces: these rest in what comes back.
"""

import itertools
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.ndimage import gaussian_filter1d

from motion.errors import MotionValueError
from motion.formats.clip import Clip
from motion.formats.files import read_npy, whole
from motion.formats.positions import body_motion, body_skeleton
from motion.formats.retarget import Retarget
from motion.formats.skeletal import SkeletalMotion, from_our_axes, to_our_axes
from motion.formats.smplx import BODY_JOINTS, SMPLX_INDEX, SMPLX_NAMES
from motion.formats.timing import resample, resample_rotations
from motion.pose import POSES_PER_SECOND
from motion.rotations import axis_degrees, between, conjugate, multiply, rotate, to_6d

Array = NDArray[np.float32]
Values = NDArray[np.float64]

RATE: Final = 20.0
FEATURES: Final = 263
LONGEST: Final = 1_000_000  # frames

ROOT: Final = slice(0, 4)
POSITIONS: Final = slice(4, 67)
ROTATIONS: Final = slice(67, 193)
VELOCITIES: Final = slice(193, 259)
CONTACTS: Final = slice(259, 263)

_BODY: Final = {name: SMPLX_INDEX[name] for name in SMPLX_NAMES[:BODY_JOINTS]}
_STILL: Final = 0.002  # square metres a foot on the floor moves at most in a frame
_FEET: Final = tuple(
    _BODY[name] for name in ("left_ankle", "left_foot", "right_ankle", "right_foot")
)
_SMOOTH: Final = 20.0  # frames: deviation of the bell the heading is smoothed with

# Chains along which rotations are written, and where each bone points in the set's own rest.
_CHAINS: Final = (
    (0, 2, 5, 8, 11),
    (0, 1, 4, 7, 10),
    (0, 3, 6, 9, 12, 15),
    (9, 14, 17, 19, 21),
    (9, 13, 16, 18, 20),
)
_LEFT, _UP, _FRONT = (1, 0, 0), (0, 1, 0), (0, 0, 1)
_RIGHT, _DOWN = (-1, 0, 0), (0, -1, 0)
_BONES: Final = np.array(
    [
        (0, 0, 0), _LEFT, _RIGHT, _UP, _DOWN, _DOWN, _UP, _DOWN, _DOWN, _UP, _FRONT, _FRONT,
        _UP, _LEFT, _RIGHT, _FRONT, *(_DOWN,) * 6,
    ],
    np.float64,
)  # fmt: skip


def encode(positions: ArrayLike) -> Array:
    """Return the features [T - 1, 263] of joints at [T, 22, 3], T >= 2, in the axes of the set.

    The first frame is brought to the origin, facing the front, and the lowest joint of all to the
    floor. Bones keep their lengths: the set itself gave all people those of one. Where the heading
    passes straight back, the published code gives a turn the wrong sign for a frame; this does not.

    Raises:
        MotionValueError: another shape, a value that is not finite, or joints in one place.
    """
    p = _at_home(_checked(positions))
    heading = _heading(p)
    turn = axis_degrees("y", -np.degrees(heading))
    out = np.empty((len(p) - 1, FEATURES))
    steps = np.diff(p, axis=0)
    change = np.diff(heading)
    # The turn is that of what brings the body to the front, so against the heading's.
    out[:, 0] = -((change + np.pi) % (2.0 * np.pi) - np.pi) / 2.0
    out[:, 1:3] = rotate(turn[1:], steps[:, 0])[:, [0, 2]]
    out[:, 3] = p[:-1, 0, 1]
    local = p - p[:, :1] * np.array([1.0, 0.0, 1.0])
    out[:, POSITIONS] = rotate(turn[:-1, None], local[:-1, 1:]).reshape(len(out), -1)
    out[:, ROTATIONS] = to_6d(_chained(p, turn)[:-1, 1:]).reshape(len(out), -1)
    out[:, VELOCITIES] = rotate(turn[:-1, None], steps).reshape(len(out), -1)
    out[:, CONTACTS] = (steps[:, _FEET] ** 2).sum(-1) < _STILL
    return out.astype(np.float32)


def decode(features: ArrayLike) -> Array:
    """Return the joints [T, 22, 3] that features [T, 263] describe, as their authors do.

    Root and positions are used; rotations and velocities say the same once more.

    Raises:
        MotionValueError: another shape, or a value that is not finite.
    """
    f = _features(features).astype(np.float64)
    heading = np.zeros(len(f))
    heading[1:] = -2.0 * np.cumsum(f[:-1, 0])
    back = axis_degrees("y", np.degrees(heading))
    step = np.zeros((len(f), 3))
    step[1:, [0, 2]] = f[:-1, 1:3]
    root = np.cumsum(rotate(back, step).astype(np.float64), axis=0)
    root[:, 1] = f[:, 3]
    out = np.empty((len(f), BODY_JOINTS, 3), np.float32)
    out[:, 0] = root
    local = rotate(back[:, None], f[:, POSITIONS].reshape(len(f), -1, 3))
    out[:, 1:] = local + root[:, None] * np.array([1.0, 0.0, 1.0])
    return out


def features_of(clip: Clip) -> Array:
    """Return the features of `clip`, of a body with nominal bones that stands as ours does.

    Raises:
        MotionValueError: the clip is shorter than two frames of the set.
    """
    motion = Retarget(body_skeleton(), _BODY).from_rig(clip)
    slower = SkeletalMotion(
        motion.skeleton,
        resample_rotations(motion.rotations, POSES_PER_SECOND, RATE),
        resample(motion.root, POSES_PER_SECOND, RATE),
        RATE,
    )
    return encode(from_our_axes(slower.positions, "y"))


def clip_of(features: ArrayLike) -> Clip:
    """Return the motion of features [T, 263] on our rig, 25 poses a second.

    Raises:
        MotionValueError: another shape, a value that is not finite, or joints in one place.
    """
    motion = body_motion(to_our_axes(decode(features), "y"), RATE)
    rotations, translation = Retarget(motion.skeleton, _BODY).to_rig(motion)
    return Clip.of(rotations, translation, fps=RATE, metadata={"source": "HumanML3D"})


def read_features(path: Path) -> Array:
    """Read a npy file of features [T, 263]; joints [T, 22, 3] are encoded.

    Raises:
        MotionError: the file is missing or cannot be read.
        MotionValueError: it holds another array; pickled content is never loaded.
    """
    array = read_npy(path)
    if array.dtype.kind not in "fiu":
        raise MotionValueError(f"{path} holds no array of numbers; accepted: [T, {FEATURES}]")
    try:
        return encode(array) if array.ndim == 3 else _features(array)
    except MotionValueError as error:
        raise MotionValueError(f"{path}: {error}") from error


def write_features(features: ArrayLike, path: Path) -> None:
    """Write features [T, 263] as a npy file.

    Raises:
        MotionError: the file cannot be written.
        MotionValueError: another shape, or a value that is not finite.
    """
    checked = _features(features)
    with whole(path) as unfinished, unfinished.open("wb") as file:
        np.save(file, checked, allow_pickle=False)


def _features(features: ArrayLike) -> Array:
    f = np.asarray(features, np.float32)
    if f.ndim != 2 or f.shape[1] != FEATURES or not 1 <= len(f) <= LONGEST:
        raise MotionValueError(
            f"features are {list(f.shape)}; accepted: [1 to {LONGEST}, {FEATURES}]"
        )
    if not np.isfinite(f).all():
        frame, column = (int(i) for i in np.argwhere(~np.isfinite(f))[0])
        raise MotionValueError(
            f"feature {column} of frame {frame} is not finite; accepted: numbers"
        )
    return f


def _checked(positions: ArrayLike) -> Values:
    p = np.array(positions, np.float64)
    if p.ndim != 3 or p.shape[1:] != (BODY_JOINTS, 3) or not 2 <= len(p) <= LONGEST:
        raise MotionValueError(
            f"positions are {list(p.shape)}; accepted: [2 to {LONGEST}, {BODY_JOINTS}, 3]"
        )
    if not np.isfinite(p).all():
        frame = int(np.argwhere(~np.isfinite(p))[0, 0])
        raise MotionValueError(f"a position of frame {frame} is not finite; accepted: metres")
    return p


def _at_home(positions: Values) -> Values:
    """Return the joints on the floor, the first root above the origin, its body facing z."""
    p = positions - positions[0, 0] * np.array([1.0, 0.0, 1.0])
    p[..., 1] -= p[..., 1].min()
    hips, shoulders = _across(p[:1])
    turn = axis_degrees("y", -np.degrees(_forward(hips + shoulders)[0]))
    return np.asarray(rotate(turn, p), np.float64)


def _across(p: Values) -> tuple[Values, Values]:
    """Return the way from the left to the right hip, and shoulder, each [T, 3]."""
    return (
        p[:, _BODY["right_hip"]] - p[:, _BODY["left_hip"]],
        p[:, _BODY["right_shoulder"]] - p[:, _BODY["left_shoulder"]],
    )


def _forward(across: Values) -> Values:
    """Return the angle [T], radians about y from z, of what is to the front of `across`."""
    forward = np.cross([0.0, 1.0, 0.0], across)
    return np.asarray(np.arctan2(forward[:, 0], forward[:, 2]), np.float64)


def _heading(p: Values) -> Values:
    """Return the heading [T] of every frame, radians.

    The published features take the hips the other way round here, so that their width is taken
    from that of the shoulders. Kept as it is: features of the set and of ours must agree.
    """
    hips, shoulders = _across(p)
    across = shoulders - hips
    length = np.sqrt((across * across).sum(-1, keepdims=True))
    if not (length > 1e-6).all():
        raise MotionValueError("hips are as wide as shoulders; accepted: broader shoulders")
    forward = np.cross([0.0, 1.0, 0.0], across / length)
    forward = gaussian_filter1d(forward, _SMOOTH, axis=0, mode="nearest")
    return np.asarray(np.arctan2(forward[:, 0], forward[:, 2]), np.float64)


def _chained(p: Values, turn: Array) -> Array:
    """Return rotations [T, 22, 4] of each bone against the one before it in its chain.

    As published: a chain begins at the turn to the front, the arms' too, not at the chest.
    """
    out = np.empty((len(p), BODY_JOINTS, 4), np.float32)
    out[:, 0] = turn
    for chain in _CHAINS:
        before = turn
        for parent, joint in itertools.pairwise(chain):
            stands = between(_BONES[joint], p[:, joint] - p[:, parent])
            out[:, joint] = multiply(conjugate(before), stands)
            before = stands
    return out
