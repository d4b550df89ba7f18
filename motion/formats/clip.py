"""`Clip`: motion of our rig as a file of our own, safetensors, never pickle.

Tensors `rotations`, `translation` and `face`; everything else is JSON in the entry `clip` of the
header (one entry, because safetensors keeps several in no particular order). A file at half
precision takes half the space and is off by up to 0.06 degrees a joint.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from motion.errors import MotionError, MotionValueError
from motion.formats.files import whole
from motion.formats.timing import resample, resample_rotations
from motion.pose import POSES_PER_SECOND, Pose
from motion.rotations import continuous, normalise
from motion.skeleton import FACE_NAMES, JOINT_NAMES

Array = NDArray[np.float32]

FORMAT: Final = "vivant-motion"
VERSION: Final = 1
SUFFIX: Final = ".safetensors"
LONGEST: Final = 4 * 3600 * POSES_PER_SECOND  # poses: four hours

_SHAPES: Final = {
    "rotations": (len(JOINT_NAMES), 4),
    "translation": (3,),
    "face": (len(FACE_NAMES),),
}
_SHORTEST: Final = 1e-6  # a shorter quaternion says no rotation
_UNIT: Final = 1e-3  # how far from one a stored quaternion's length may be
_HALF_UNIT: Final = 4e-3


@dataclass(frozen=True, slots=True)
class Label:
    """What happens from `start` to `end`, seconds since the first pose: an action, a word."""

    text: str
    start: float
    end: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.start <= self.end < float("inf"):
            raise MotionValueError(
                f"label {self.text!r} lasts from {self.start!r} to {self.end!r}; accepted: "
                "seconds from 0, the start not after the end"
            )


@dataclass(frozen=True, slots=True)
class Clip:
    """T >= 1 poses of our rig, 25 a second.

    Attributes:
        rotations: float32 [T, 104, 4], unit quaternions (w, x, y, z) that change sign nowhere
            along time, local, as in `Pose`.
        translation: float32 [T, 3], metres the root is moved from where it rests.
        face: float32 [T, 52], ARKit coefficients in [0, 1].
        language: what is spoken, such as "en"; empty when nothing is.
        labels: what happens when.
        metadata: anything else worth keeping, such as its source and licence.
    """

    rotations: Array
    translation: Array
    face: Array
    language: str = ""
    labels: tuple[Label, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        frames = len(self.rotations)
        if not 1 <= frames <= LONGEST:
            raise MotionValueError(f"a clip of {frames} poses; accepted: 1 to {LONGEST}")
        for name, shape in _SHAPES.items():
            _check_array(name, getattr(self, name), (frames, *shape))
        _check_values(self)

    @classmethod
    def of(
        cls,
        rotations: ArrayLike,
        translation: ArrayLike,
        face: ArrayLike | None = None,
        *,
        fps: float = POSES_PER_SECOND,
        language: str = "",
        labels: tuple[Label, ...] = (),
        metadata: Mapping[str, str] | None = None,
    ) -> "Clip":
        """Return a clip of poses at any rate and with any signs; a face is at rest when omitted.

        Raises:
            MotionValueError: arrays that do not fit, values out of range, or a rate outside
                1 to 1000.
        """
        q = np.asarray(rotations, np.float32)
        if q.ndim != 3 or q.shape[1:] != _SHAPES["rotations"]:
            raise MotionValueError(
                f"rotations are {list(q.shape)}; accepted: [T, {len(JOINT_NAMES)}, 4]"
            )
        if not np.isfinite(q).all() or not (np.abs(q).max(-1, initial=0.0) > _SHORTEST).all():
            raise MotionValueError("a rotation is zero or not finite; accepted: quaternions")
        if face is None:
            face = np.zeros((len(q), len(FACE_NAMES)), np.float32)
        return cls(
            resample_rotations(normalise(q), fps, POSES_PER_SECOND),
            resample(translation, fps, POSES_PER_SECOND),
            resample(face, fps, POSES_PER_SECOND),
            language,
            labels,
            dict(metadata or {}),
        )

    @property
    def pose(self) -> Pose:
        """All poses, with one leading axis T."""
        return Pose(self.rotations, self.translation, self.face)

    @property
    def seconds(self) -> float:
        """How long it lasts: T / 25."""
        return len(self.rotations) / POSES_PER_SECOND


def write_clip(clip: Clip, path: Path, *, half: bool = False) -> None:
    """Write `clip` to `path`, by way of a neighbouring file, so that no half file is left.

    `half` stores rotations and face as float16.

    Raises:
        MotionError: the file cannot be written.
    """
    kind = np.float16 if half else np.float32
    tensors = {
        "rotations": np.ascontiguousarray(clip.rotations.astype(kind)),
        "translation": np.ascontiguousarray(clip.translation),
        "face": np.ascontiguousarray(clip.face.astype(kind)),
    }
    described = {
        "format": FORMAT,
        "version": VERSION,
        "fps": POSES_PER_SECOND,
        "language": clip.language,
        "labels": [[label.text, label.start, label.end] for label in clip.labels],
        "metadata": dict(clip.metadata),
    }
    with whole(path) as unfinished:
        unfinished.write_bytes(save(tensors, {"clip": json.dumps(described, ensure_ascii=False)}))


def read_clip(path: Path) -> Clip:
    """Read what `write_clip` wrote.

    Raises:
        MotionError: the file is missing or cannot be read.
        MotionValueError: it is no clip, or of another version, or holds what a clip may not.
    """
    try:
        with safe_open(path, framework="numpy") as file:
            described = _described(path, file.metadata())
            names = set(file.keys())
            if names != set(_SHAPES):
                raise MotionValueError(
                    f"{path} holds tensors {sorted(names)}; accepted: {sorted(_SHAPES)}"
                )
            tensors = {name: file.get_tensor(name) for name in _SHAPES}
    except (OSError, SafetensorError) as error:
        raise MotionError(f"{path} cannot be read as a clip: {error}") from error
    return _clip(path, described, tensors)


def _described(path: Path, header: Mapping[str, str] | None) -> dict[str, Any]:
    """Return what the header says, checked but for the values of labels."""
    try:
        described = json.loads((header or {}).get("clip", "{}"))
    except ValueError as error:
        raise MotionValueError(f"{path}: its header is no JSON: {error}") from error
    wanted = {"format": FORMAT, "version": VERSION, "fps": POSES_PER_SECOND}
    for key, value in wanted.items():
        found = described.get(key) if isinstance(described, dict) else None
        if found != value:
            raise MotionValueError(f"{path}: {key} is {found!r}; accepted: {value!r}")
    return dict(described)


def _clip(path: Path, described: dict[str, Any], tensors: dict[str, NDArray[Any]]) -> Clip:
    for name, tensor in tensors.items():
        if tensor.dtype not in (np.float16, np.float32):
            raise MotionValueError(
                f"{path}: {name} is {tensor.dtype}; accepted: float16 or float32"
            )
    rotations = tensors["rotations"]
    if rotations.dtype == np.float16 and rotations.shape[1:] == _SHAPES["rotations"]:
        _check_unit(rotations.astype(np.float32), _HALF_UNIT)
        rotations = continuous(normalise(rotations))
    try:
        return Clip(
            rotations.astype(np.float32, copy=False),
            tensors["translation"].astype(np.float32, copy=False),
            tensors["face"].astype(np.float32, copy=False),
            _text("language", described.get("language", "")),
            tuple(_label(item) for item in _list("labels", described.get("labels", []))),
            _texts(described.get("metadata", {})),
        )
    except MotionValueError as error:
        raise MotionValueError(f"{path}: {error}") from error


def _check_array(name: str, array: Array, shape: tuple[int, ...]) -> None:
    if array.shape != shape or array.dtype != np.float32:
        raise MotionValueError(
            f"Clip.{name} is {array.dtype}{list(array.shape)}; accepted: float32{list(shape)}"
        )
    if not np.isfinite(array).all():
        frame = int(np.argwhere(~np.isfinite(array))[0, 0])
        raise MotionValueError(f"Clip.{name} of pose {frame} is not finite; accepted: numbers")


def _check_values(clip: Clip) -> None:
    _check_unit(clip.rotations, _UNIT)
    turned = (clip.rotations[1:] * clip.rotations[:-1]).sum(-1) < 0.0
    if turned.any():
        frame, joint = (int(i) for i in np.argwhere(turned)[0])
        raise MotionValueError(
            f"Clip.rotations of {JOINT_NAMES[joint]} change sign at pose {frame + 1}; accepted: "
            "the sign nearer to the pose before (motion.rotations.continuous)"
        )
    if not ((clip.face >= 0.0) & (clip.face <= 1.0)).all():
        frame, part = (int(i) for i in np.argwhere((clip.face < 0) | (clip.face > 1))[0])
        raise MotionValueError(
            f"Clip.face: {FACE_NAMES[part]} is {clip.face[frame, part]} at pose {frame}; "
            "accepted: 0 to 1"
        )


def _check_unit(rotations: Array, tolerance: float) -> None:
    off = np.abs(np.sqrt((rotations * rotations).sum(-1)) - 1.0)
    if not (off <= tolerance).all():
        frame, joint = (int(i) for i in np.argwhere(~(off <= tolerance))[0][:2])
        raise MotionValueError(
            f"Clip.rotations of {JOINT_NAMES[joint % len(JOINT_NAMES)]} at pose {frame}: "
            f"{rotations[frame, joint].tolist()}; accepted: unit quaternions"
        )


def _label(item: object) -> Label:
    if not isinstance(item, list) or len(item) != 3:
        raise MotionValueError(f"label {item!r}; accepted: [text, start, end]")
    text, start, end = item
    if not all(isinstance(value, int | float) for value in (start, end)):
        raise MotionValueError(f"label {item!r}; accepted: seconds as its second and third")
    return Label(_text("label", text), float(start), float(end))


def _list(name: str, value: object) -> list[object]:
    if not isinstance(value, list):
        raise MotionValueError(f"{name} are {value!r}; accepted: a list")
    return value


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise MotionValueError(f"{name} is {value!r}; accepted: text")
    return value


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise MotionValueError(f"metadata is {value!r}; accepted: texts by name")
    return {key: _text(f"metadata {key!r}", item) for key, item in value.items()}
