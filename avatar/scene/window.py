"""Which part of a flat backdrop a camera sees."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.renderer.camera import SPANS, Shot, moved

# left, bottom, right, top; the picture of the camera at rest is -1 to 1 in both.
Window = tuple[float, float, float, float]

WHOLE: Final[Window] = (-1.0, -1.0, 1.0, 1.0)
BEHIND: Final = 2.6  # metres from the face back to where a flat backdrop stands
_SAMPLES: Final = 48
_MARGIN: Final = 0.004


def seen(rest: Shot, now: Shot) -> Window:
    """Return the part of the backdrop that `now` sees.

    The backdrop stands square to the camera at rest. A camera that has swung round sees a
    trapezium; its mean rectangle is returned, which differs by less than 2 % for these moves.
    """
    corners = np.array([[x, y] for y in (-1.0, 1.0) for x in (-1.0, 1.0)])
    points = _onto_plane(now, corners, rest.target[1] + BEHIND)
    scale = 0.5 * rest.height * (rest.distance + BEHIND) / rest.distance
    x = (points[:, 0] - rest.position[0]) / (scale * rest.aspect)
    y = (points[:, 2] - rest.position[2]) / scale
    return (
        float(x[[0, 2]].mean()),
        float(y[:2].mean()),
        float(x[[1, 3]].mean()),
        float(y[2:].mean()),
    )


def reach(rest: Shot, eye_height: float, move: str) -> Window:
    """Return what a move sees of the backdrop from its beginning to its end."""
    if move == "still":
        return WHOLE
    times = np.linspace(0.0, SPANS[move], _SAMPLES).tolist()
    windows = np.array([seen(rest, moved(rest, eye_height, move, 1.0, at)) for at in times])
    low, high = windows[:, :2].min(0) - _MARGIN, windows[:, 2:].max(0) + _MARGIN
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def inside(window: Window, whole: Window) -> Window:
    """Return `window` in the texture coordinates of a picture of `whole`."""
    width, height = whole[2] - whole[0], whole[3] - whole[1]
    return (
        (window[0] - whole[0]) / width,
        (window[1] - whole[1]) / height,
        (window[2] - whole[0]) / width,
        (window[3] - whole[1]) / height,
    )


def _onto_plane(camera: Shot, corners: NDArray[np.float64], depth: float) -> NDArray[np.float64]:
    forward = camera.target - camera.position
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    slope = 0.5 * camera.height / camera.distance
    rays = forward + slope * (camera.aspect * corners[:, :1] * right + corners[:, 1:] * up)
    points: NDArray[np.float64] = camera.position + rays * (
        (depth - camera.position[1]) / rays[:, 1:2]
    )
    return points
