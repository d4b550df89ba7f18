"""What hands must know of a prepared figure: where its joints, its front and its chin are."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from avatar.errors import AvatarError
from motion.skeleton import JOINT_NAMES, joint_index

Floats = NDArray[np.float32]

_ARMS: Final = ("clavicle", "shoulder", "upperarm", "lowerarm", "wrist", "finger", "metacarpal")
_OF_ARMS: Final = np.array([name.startswith(_ARMS) for name in JOINT_NAMES])
_SOLID: Final = ("skin", "cloth")
_EYE, _SHOULDER = joint_index("eye.L"), joint_index("upperarm01.L")
# Metres: half the width of the strip along which the front is looked for, and half its height.
_STRIP: Final = (0.05, 0.015)
_MIDLINE: Final = 0.012  # metres beside the middle of the face
_CHIN: Final = 0.025  # metres the chin is high
_MOUTH: Final = 0.06  # metres under the eyes, above all chins


@dataclass(frozen=True, slots=True)
class Measures:
    """Measures of a figure at rest.

    Attributes:
        joints: float32 [104, 3], metres from the root.
        fronts: metres the dressed torso is ahead of the root, at the heights asked for.
        chin: metres from the eyes down to the chin.
        face: metres the front of the chin is ahead of the root.
    """

    joints: Floats
    fronts: tuple[float, ...]
    chin: float
    face: float


def measured(path: Path, heights: Sequence[float]) -> Measures:
    """Measure the prepared figure of a file.

    `heights`: where its front is wanted, as shares of the height of its shoulders.

    Raises:
        AvatarError: the file is missing or no prepared figure.
    """
    try:
        with safe_open(path, framework="numpy") as file:
            parts = json.loads((file.metadata() or {})["avatar"])["parts"]
            solid = [part["name"] for part in parts if part["material"] in _SOLID]
            root = file.get_tensor("joints")[0]
            joints = file.get_tensor("joints") - root
            head = file.get_tensor("part/head/positions") - root
            torso = np.concatenate(
                [
                    file.get_tensor(f"part/{name}/positions")[
                        ~_OF_ARMS[file.get_tensor(f"part/{name}/joints")[:, 0]]
                    ]
                    for name in solid
                ]
            )
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise AvatarError(f"the avatar file {path} cannot be measured: {error}") from error
    fronts = tuple(_front(torso - root, share * joints[_SHOULDER, 2]) for share in heights)
    return Measures(joints, fronts, *_chin(head, joints[_EYE]))


def _front(points: Floats, height: float) -> float:
    """Return how far ahead the foremost of points [n, 3] at a height is."""
    near = (np.abs(points[:, 2] - height) < _STRIP[1]) & (np.abs(points[:, 0]) < _STRIP[0])
    return float(-points[near, 1].min())


def _chin(head: Floats, eye: Floats) -> tuple[float, float]:
    """Return how far under the eyes the chin ends, and how far ahead of the root it is."""
    line = (np.abs(head[:, 0]) < _MIDLINE) & (head[:, 1] < eye[1]) & (head[:, 2] < eye[2] - _MOUTH)
    lowest = float(head[line, 2].min())
    chin = line & (head[:, 2] < lowest + _CHIN)
    return float(eye[2]) - lowest, float(-head[chin, 1].min())
