"""Where the camera stands for a framing and a picture size."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset
from avatar.renderer.base import Size

Floats = NDArray[np.float32]

_NEAR, _FAR = 0.3, 8.0


@dataclass(frozen=True, slots=True)
class Framing:
    """What must be in the picture, metres at the face's depth on the reference head.

    Attributes:
        above: from the eyes up to the picture's top edge.
        below: from the eyes down to the bottom edge at least.
        width: at least this wide; narrow pictures show more of the height instead.
        distance: of the camera from the face.
    """

    above: float
    below: float
    width: float
    distance: float


FRAMINGS: Final = {
    "half": Framing(above=0.215, below=0.66, width=0.62, distance=2.7),
    "full": Framing(above=0.26, below=1.62, width=0.9, distance=4.2),
    "head": Framing(above=0.185, below=0.235, width=0.31, distance=1.7),
}


def camera(asset: AvatarAsset, framing: str, size: Size) -> tuple[Floats, Floats]:
    """Return the view-projection [4, 4] (row-major) and the camera's position [3]."""
    eye, scale = asset.values["eye"], asset.values["scale"][0]
    wanted = FRAMINGS[framing]
    aspect = size.width / size.height
    height = (wanted.above + wanted.below) * scale
    height = max(height, wanted.width * scale / aspect)
    # Extra height goes a third above the head and the rest below.
    extra = height - (wanted.above + wanted.below) * scale
    top = eye[2] + wanted.above * scale + extra / 3.0
    depth = eye[1] - 0.02
    middle = np.array([0.0, depth, top - height / 2.0])
    position = np.array([0.0, depth - wanted.distance, top - height / 2.0])
    return _projection(height, aspect, wanted.distance) @ _look(middle, position), position.astype(
        np.float32
    )


def density(asset: AvatarAsset, view: Floats, size: Size) -> float:
    """Return how many pixels a metre takes at the face, for a camera's `view`."""
    distance = float(view[3] @ np.array([*asset.values["eye"], 1.0]))
    return float(0.5 * size.width * np.linalg.norm(view[0, :3]) / distance)


def _projection(height: float, aspect: float, distance: float) -> Floats:
    focal = 2.0 * distance / height
    out = np.zeros((4, 4), np.float32)
    out[0, 0], out[1, 1] = focal / aspect, focal
    out[2, 2] = (_FAR + _NEAR) / (_NEAR - _FAR)
    out[2, 3] = 2.0 * _FAR * _NEAR / (_NEAR - _FAR)
    out[3, 2] = -1.0
    return out


def _look(target: NDArray[np.float64], position: NDArray[np.float64]) -> Floats:
    forward = (target - position) / np.linalg.norm(target - position)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    axes = np.stack([right, np.cross(right, forward), -forward])
    out = np.eye(4)
    out[:3, :3] = axes
    out[:3, 3] = -axes @ position
    return out.astype(np.float32)
