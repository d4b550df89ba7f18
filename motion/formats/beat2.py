"""BEAT2 files (Liu et al., EMAGE, 2024): SMPL-X parameters in an npz, 30 frames a second.

Keys: `poses` [T, 165] axis-angle of 55 joints (root, 21 of the body, jaw, eyes, hands), `trans`
[T, 3] metres, `expressions` [T, 100], `betas` [300], `gender`, `model`, `mocap_frame_rate`. Axes:
y up, z to the front.

Carried over: body, arms, fingers, eyes and how far the jaw opens. Not carried over: `expressions`,
which are another space than the 52 ARKit coefficients and no table leads between them, and `betas`,
the shape. Fingers are stored as differences from the mean hand of the body model, which its licence
keeps from being passed on; whoever holds the model gives it as `hand_mean`, otherwise fingers are
taken to be straight there.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motion.errors import MotionValueError
from motion.formats.clip import Clip
from motion.formats.files import read_npz, whole
from motion.formats.retarget import Retarget
from motion.formats.skeletal import SkeletalMotion, from_our_axes, to_our_axes
from motion.formats.smplx import SMPLX_INDEX, SMPLX_NAMES, smplx_skeleton
from motion.formats.timing import check_rate, resample, resample_rotations
from motion.pose import POSES_PER_SECOND
from motion.rotations import (
    from_axis_angle,
    from_rotation_vector,
    to_rotation_vector,
    twist,
)
from motion.skeleton import FACE_NAMES, face_index

Array = NDArray[np.float32]

BEAT2_RATE: Final = 30.0
POSE_WIDTH: Final = 3 * len(SMPLX_NAMES)
HAND_WIDTH: Final = 90
EXPRESSIONS: Final = 100
BETAS: Final = 300
_HANDS: Final = slice(POSE_WIDTH - HAND_WIDTH, POSE_WIDTH)

# How far the jaw turns when `jawOpen` is 1, in radians: some four centimetres between the teeth.
_JAW_OPEN: Final = 0.4
_JAW: Final = SMPLX_INDEX["jaw"]


@dataclass(frozen=True, slots=True)
class Beat2:
    """What a BEAT2 file holds.

    Attributes:
        poses: float32 [T, 165], axis-angle of the 55 joints.
        trans: float32 [T, 3], metres.
        expressions: float32 [T, 100].
        betas: float32 [n], the shape.
        gender: "neutral", "female" or "male".
        model: of which body model the parameters are.
        fps: frames a second.
    """

    poses: Array
    trans: Array
    expressions: Array
    betas: Array
    gender: str = "neutral"
    model: str = "smplx2020"
    fps: float = BEAT2_RATE

    def __post_init__(self) -> None:
        check_rate(self.fps)
        frames = len(self.poses) if self.poses.ndim else 0
        if frames < 1:
            raise MotionValueError("poses hold 0 frames; accepted: 1 or more")
        for name, shape in (
            ("poses", (frames, POSE_WIDTH)),
            ("trans", (frames, 3)),
            ("expressions", (frames, EXPRESSIONS)),
        ):
            array: Array = getattr(self, name)
            if array.shape != shape or not np.isfinite(array).all():
                raise MotionValueError(
                    f"{name} is {list(array.shape)}; accepted: finite {list(shape)}"
                )

    def to_clip(
        self, *, joints: ArrayLike | None = None, hand_mean: ArrayLike | None = None
    ) -> Clip:
        """Return the motion on our rig, 25 poses a second.

        Args:
            joints: rest joints [55, 3] of the body model; nominal ones when omitted.
            hand_mean: the model's mean hands [90], axis-angle; straight fingers when omitted.

        Raises:
            MotionValueError: an argument of another shape.
        """
        vectors = self.poses.copy()
        vectors[:, _HANDS] += _mean(hand_mean)
        turns = from_rotation_vector(vectors.reshape(len(vectors), -1, 3))
        skeleton = smplx_skeleton(joints)
        motion = SkeletalMotion(
            skeleton,
            to_our_axes(turns, "y"),
            (to_our_axes(self.trans, "y") + skeleton.offsets[0]).astype(np.float32),
            self.fps,
        )
        rotations, translation = Retarget(skeleton, SMPLX_INDEX).to_rig(motion)
        face = np.zeros((len(turns), len(FACE_NAMES)), np.float32)
        face[:, face_index("jawOpen")] = np.clip(_opening(turns[:, _JAW]) / _JAW_OPEN, 0.0, 1.0)
        notes = {"source": "BEAT2", "model": self.model, "gender": self.gender}
        return Clip.of(rotations, translation, face, fps=self.fps, metadata=notes)

    @classmethod
    def of(
        cls, clip: Clip, *, joints: ArrayLike | None = None, hand_mean: ArrayLike | None = None
    ) -> "Beat2":
        """Return `clip` as BEAT2, 30 frames a second; arguments as for `to_clip`.

        Expressions and shape are zero.
        """
        skeleton = smplx_skeleton(joints)
        motion = Retarget(skeleton, SMPLX_INDEX).from_rig(clip)
        turns = from_our_axes(motion.rotations, "y")
        jaw = clip.face[:, face_index("jawOpen")] * _JAW_OPEN
        turns[:, _JAW] = from_axis_angle([1.0, 0.0, 0.0], jaw)
        turns = resample_rotations(turns, POSES_PER_SECOND, BEAT2_RATE)
        vectors = to_rotation_vector(turns).reshape(len(turns), POSE_WIDTH)
        vectors[:, _HANDS] -= _mean(hand_mean)
        trans = from_our_axes(motion.root - skeleton.offsets[0], "y")
        return cls(
            vectors,
            resample(trans, POSES_PER_SECOND, BEAT2_RATE),
            np.zeros((len(turns), EXPRESSIONS), np.float32),
            np.zeros(BETAS, np.float32),
        )


def write_beat2(motion: Beat2, path: Path) -> None:
    """Write `motion` as an npz with the keys of the set.

    Raises:
        MotionError: the file cannot be written.
    """
    with whole(path) as unfinished, unfinished.open("wb") as file:
        np.savez(
            file,
            betas=motion.betas,
            poses=motion.poses,
            expressions=motion.expressions,
            trans=motion.trans,
            model=np.array(motion.model),
            gender=np.array(motion.gender),
            mocap_frame_rate=np.array(motion.fps),
        )


def read_beat2(path: Path) -> Beat2:
    """Read a file of the set, or one written alike. Pickled content is never loaded.

    `expressions` and `betas` may be missing, or shorter than in the set: they are zero then.

    Raises:
        MotionError: the file is missing or cannot be read.
        MotionValueError: it is no such file; the message names the key and what is accepted.
    """
    arrays = read_npz(path, _KEYS)
    try:
        poses = _floats(arrays, "poses")
        frames = len(poses) if poses.ndim else 0
        return Beat2(
            poses,
            _floats(arrays, "trans"),
            _padded(arrays, "expressions", frames),
            _floats(arrays, "betas").ravel() if "betas" in arrays else np.zeros(BETAS, np.float32),
            _word(arrays, "gender", "neutral"),
            _word(arrays, "model", "smplx"),
            _rate(arrays),
        )
    except MotionValueError as error:
        raise MotionValueError(f"{path}: {error}") from error


_KEYS: Final = ("poses", "trans", "expressions", "betas", "gender", "model", "mocap_frame_rate")


def _floats(arrays: dict[str, NDArray[Any]], key: str) -> Array:
    if key not in arrays:
        raise MotionValueError(f"no {key!r}; accepted: an npz with {', '.join(_KEYS)}")
    array = arrays[key]
    if array.dtype.kind not in "fiu":
        raise MotionValueError(f"{key} is {array.dtype}; accepted: numbers")
    return np.asarray(array, np.float32)


def _padded(arrays: dict[str, NDArray[Any]], key: str, frames: int) -> Array:
    """Return [frames, 100], zero where the file has fewer coefficients or none at all."""
    out = np.zeros((frames, EXPRESSIONS), np.float32)
    if key not in arrays:
        return out
    given = _floats(arrays, key)
    if given.ndim != 2 or len(given) != frames or given.shape[1] > EXPRESSIONS:
        raise MotionValueError(
            f"{key} is {list(given.shape)}; accepted: [{frames}, up to {EXPRESSIONS}]"
        )
    out[:, : given.shape[1]] = given
    return out


def _word(arrays: dict[str, NDArray[Any]], key: str, otherwise: str) -> str:
    if key not in arrays:
        return otherwise
    value = arrays[key]
    if value.size != 1 or value.dtype.kind not in "US":
        raise MotionValueError(f"{key} is {value.dtype}{list(value.shape)}; accepted: one word")
    item = value.item()
    return item.decode("utf-8", "replace") if isinstance(item, bytes) else str(item)


def _rate(arrays: dict[str, NDArray[Any]]) -> float:
    if "mocap_frame_rate" not in arrays:
        return BEAT2_RATE
    value = _floats(arrays, "mocap_frame_rate")
    if value.size != 1:
        raise MotionValueError(f"mocap_frame_rate is {list(value.shape)}; accepted: one number")
    return float(value.item())


def _mean(hands: ArrayLike | None) -> Array:
    if hands is None:
        return np.zeros(HAND_WIDTH, np.float32)
    mean = np.asarray(hands, np.float32)
    if mean.shape != (HAND_WIDTH,) or not np.isfinite(mean).all():
        raise MotionValueError(f"hand_mean is {list(mean.shape)}; accepted: finite [{HAND_WIDTH}]")
    return mean


def _opening(jaw: Array) -> Array:
    """Return by how many radians the jaw turns down [T]; the axis points to the body's left."""
    about = twist(jaw, [1.0, 0.0, 0.0])
    about = np.where(about[:, :1] < 0.0, -about, about)
    return np.asarray(2.0 * np.arctan2(about[:, 1], about[:, 0]), np.float32)
