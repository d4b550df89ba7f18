"""Where the camera stands for a framing and a picture size, and how it moves."""

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset
from avatar.renderer.base import Size

Floats = NDArray[np.float32]

_NEAR, _FAR = 0.3, 8.0
# Seconds of a push in, and of one period of the moves that come round.
_PUSH, _DRIFT, _ORBIT = 14.0, 18.0, 26.0
# After so many seconds at pace 1 a move has been everywhere it goes.
SPANS: Final = {"still": 0.0, "push_in": _PUSH, "pull_out": _PUSH, "drift": _DRIFT, "orbit": _ORBIT}
_ORBIT_ANGLE: Final = math.radians(3.5)
_NEAREST: Final = 0.12  # how much of the way to the face a push in goes


@dataclass(frozen=True, slots=True)
class Framing:
    """What must be in the picture, metres at the face's depth on the reference head.

    Attributes:
        above: from the eyes up to the picture's top edge.
        below: from the eyes down to the bottom edge at least.
        width: at least this wide; narrow pictures show more of the height instead.
        distance: of the camera from the face.
        floor: whether it reaches to the floor, which lies deeper or higher than `below` by the
            body's legs.
    """

    above: float
    below: float
    width: float
    distance: float
    floor: bool = False


FRAMINGS: Final = {
    "half": Framing(above=0.195, below=0.66, width=0.58, distance=2.7),
    "full": Framing(above=0.26, below=1.62, width=0.9, distance=4.2, floor=True),
    "head": Framing(above=0.165, below=0.235, width=0.295, distance=1.7),
}

# Share of the height to spare that lies above the head.
_HEADROOM: Final = 0.2
# Metres of floor below the soles in the picture of a whole figure.
_UNDER_FEET: Final = 0.07


@dataclass(frozen=True, slots=True)
class Shot:
    """A camera, level and square to the picture.

    Attributes:
        position: where it stands [3], metres.
        target: what is in the middle of the picture [3].
        height: of what is seen at the face's depth from where the camera first stood, metres.
        distance: from there to the face.
        aspect: width by height of the picture.
    """

    position: NDArray[np.float64]
    target: NDArray[np.float64]
    height: float
    distance: float
    aspect: float

    @property
    def view(self) -> Floats:
        """The view-projection [4, 4], row-major."""
        projection = _projection(self.height, self.aspect, self.distance)
        return projection @ _look(self.target, self.position)

    @property
    def viewer(self) -> Floats:
        """The camera's position [3], float32."""
        return self.position.astype(np.float32)


def shot(asset: AvatarAsset, framing: str, size: Size) -> Shot:
    """Return the camera of a framing at rest."""
    eye, scale = asset.values["eye"], asset.values["scale"][0]
    wanted = FRAMINGS[framing]
    aspect = size.width / size.height
    above, below = wanted.above * scale, wanted.below * scale
    if wanted.floor:
        below = eye[2] - _floor(asset) + _UNDER_FEET
    height = max(above + below, wanted.width * scale / aspect)
    # Narrow pictures have height to spare: little above the head, so that the figure fills them.
    extra = height - above - below
    middle = eye[2] + above + _HEADROOM * extra - height / 2.0
    depth = eye[1] - 0.02
    return Shot(
        np.array([0.0, depth - wanted.distance, middle]),
        np.array([0.0, depth, middle]),
        height,
        wanted.distance,
        aspect,
    )


def _floor(asset: AvatarAsset) -> float:
    """Return the height the soles stand at: bodies of one size of head differ in their legs."""
    return min(float(part.positions[:, 2].min()) for part in asset.parts)


def camera(asset: AvatarAsset, framing: str, size: Size) -> tuple[Floats, Floats]:
    """Return the view-projection [4, 4] (row-major) and the camera's position [3] at rest."""
    rest = shot(asset, framing, size)
    return rest.view, rest.viewer


def moved(rest: Shot, eye_height: float, move: str, pace: float, at: float) -> Shot:
    """Return where the camera is `at` seconds: every move is smooth, and stays near `rest`.

    push_in and pull_out end after 14 / `pace` seconds; drift and orbit come round again.

    Args:
        rest: where it is framed.
        eye_height: z of the figure's eyes, which stay at their height in the picture.
        move: one of `avatar.spec.scene.MOVES`.
        pace: how fast, 1 is slow.
        at: seconds from the start.
    """
    clock = max(at, 0.0) * pace
    if move == "push_in":
        return _nearer(rest, eye_height, _NEAREST * _eased(clock / _PUSH))
    if move == "pull_out":
        return _nearer(rest, eye_height, _NEAREST * (1.0 - _eased(clock / _PUSH)))
    if move == "drift":
        phase = 2.0 * math.pi * clock / _DRIFT
        step = rest.distance * np.array([0.020 * math.sin(phase), 0.0, 0.005 * math.sin(2 * phase)])
        return replace(rest, position=rest.position + step, target=rest.target + 0.3 * step)
    if move == "orbit":
        angle = _ORBIT_ANGLE * math.sin(2.0 * math.pi * clock / _ORBIT)
        swing = rest.distance * np.array([math.sin(angle), 1.0 - math.cos(angle), 0.0])
        return replace(rest, position=rest.position + swing)
    return rest


def _nearer(rest: Shot, eye_height: float, share: float) -> Shot:
    raised = np.array([0.0, 0.0, share * (eye_height - rest.target[2])])
    forward = share * (rest.target - rest.position)
    return replace(rest, position=rest.position + forward + raised, target=rest.target + raised)


def _eased(share: float) -> float:
    t = min(max(share, 0.0), 1.0)
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0)


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
    # In plain numbers: for three of them numpy's own functions take ten times as long.
    x, y, z = (target - position).tolist()
    flat, length = math.hypot(x, y), math.hypot(x, y, z)
    forward = x / length, y / length, z / length
    right = y / flat, -x / flat, 0.0
    up = right[1] * forward[2], -right[0] * forward[2], flat / length
    axes = np.array([right, up, [-step for step in forward]])
    out = np.eye(4)
    out[:3, :3] = axes
    out[:3, 3] = -axes @ position
    return out.astype(np.float32)
