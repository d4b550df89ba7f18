"""Drawing and reading pictures in tests."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset
from avatar.renderer.base import Picture, Size
from avatar.renderer.camera import camera
from avatar.renderer.opengl import OpenGLRenderer
from avatar.renderer.planes import ycbcr
from avatar.renderer.shaders import PART_COLOURS
from avatar.spec import SceneSpec, ready
from motion.pose import Pose

SMALL = Size(272, 480)


def batch(*poses: Pose) -> Pose:
    """Stack poses without leading axes into one with a leading axis."""
    return Pose.stacked(poses)


def draw(
    renderer: OpenGLRenderer, pose: Pose, scene: SceneSpec | None = None, size: Size = SMALL
) -> NDArray[np.uint8]:
    """Draw one pose with a fresh session; return a copy of its planes."""
    handle = renderer.open(ready("mia"), scene or SceneSpec(), size)
    planes = renderer.draw([handle], batch(pose), 0.0)[0].planes.copy()
    renderer.close(handle)
    return planes


def full(planes: NDArray[np.uint8]) -> NDArray[np.int16]:
    """Spread I420 planes to [height, width, 3]: Y, U and V per pixel."""
    rows, width = planes.shape
    height = rows * 2 // 3
    chroma = planes.reshape(-1)[height * width :].reshape(2, height // 2, width // 2)
    wide = chroma.repeat(2, axis=1).repeat(2, axis=2)
    return np.stack([planes[:height], *wide], -1).astype(np.int16)


def luma(picture: Picture | NDArray[np.uint8]) -> NDArray[np.int16]:
    """Return the Y plane [height, width]."""
    planes = picture.planes if isinstance(picture, Picture) else picture
    return planes[: planes.shape[0] * 2 // 3].astype(np.int16)


def is_part(planes: NDArray[np.uint8], *materials: str) -> NDArray[np.bool_]:
    """Return which pixels [height, width] show a material in its flat debug colour.

    Chroma is shared by four pixels, so a pixel beside another material may be missed.
    """
    found = np.zeros((planes.shape[0] * 2 // 3, planes.shape[1]), bool)
    for material in materials:
        wanted = ycbcr(PART_COLOURS[material])
        found |= (np.abs(full(planes) - wanted) < 24).all(-1)
    return found


def project(
    asset: AvatarAsset, points: NDArray[np.floating[Any]], framing: str = "half", size: Size = SMALL
) -> NDArray[np.float32]:
    """Return where points [n, 3] in the world appear, pixels [n, 2] from the top left."""
    view, _ = camera(asset, framing, size)
    seen = np.concatenate([points, np.ones((len(points), 1), np.float32)], 1) @ view.T
    place = seen[:, :2] / seen[:, 3:]
    pixels = (place * np.array([0.5, -0.5]) + 0.5) * np.array([size.width, size.height])
    return np.asarray(pixels, np.float32)
