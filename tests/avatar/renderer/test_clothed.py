"""Never unclothed, and no skin through the clothes."""

import numpy as np
import pytest
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset
from avatar.renderer.base import Size
from avatar.renderer.opengl import OpenGLRenderer
from avatar.spec import SceneSpec, ready
from motion.kinematics import joint_positions, rest_offsets
from motion.pose import Pose
from motion.skeleton import JOINT_NAMES, joint_index
from tests.avatar.pictures import batch, draw, full, is_part, project
from tests.avatar.poses import hosts

SIZE = Size(360, 640)
_HAND_METRES = 0.048


def test_the_first_picture_of_a_new_session_is_clothed(
    flat: OpenGLRenderer, renderer: OpenGLRenderer, mia: AvatarAsset
) -> None:
    chest = project(mia, mia.joints[[joint_index("spine03")]], size=SIZE)[0].astype(int)
    box = slice(chest[1] - 40, chest[1] + 60), slice(chest[0] - 40, chest[0] + 40)
    parts = draw(flat, Pose.rest(), size=SIZE)
    assert is_part(parts, "cloth")[box].mean() > 0.99
    handle = renderer.open(ready("mia"), SceneSpec(), SIZE)
    pixels = full(renderer.draw([handle], Pose.rest(1), 0.0)[0].planes)[box].reshape(-1, 3)
    renderer.close(handle)
    skin = (pixels[:, 2] > 138) & (pixels[:, 1] < 118)
    assert skin.mean() < 0.01


@pytest.mark.parametrize("name", ["rest", "idle", "listening", "beat", "point", "palms"])
def test_skin_shows_only_at_head_and_hands(
    flat: OpenGLRenderer, mia: AvatarAsset, name: str
) -> None:
    pose = Pose.rest() if name == "rest" else hosts(mia)[name]
    handle = flat.open(ready("mia"), SceneSpec(), SIZE)
    planes = flat.draw([handle], batch(pose), 0.0)[0].planes.copy()
    flat.close(handle)
    stray = is_part(planes, "skin") & ~_bare(mia, pose)
    assert is_part(planes, "skin").sum() > 1500
    assert is_part(planes, "cloth").sum() > 20_000
    assert stray.sum() == 0


def _bare(mia: AvatarAsset, pose: Pose) -> NDArray[np.bool_]:
    """Return the pixels where skin may show: above the neckline, and around hands."""
    joints = joint_positions(pose.rotations, rest_offsets(mia.joints), pose.translation)
    neckline = joints[joint_index("neck01")] + np.array([0.0, -0.05, -0.10], np.float32)
    beside = neckline + np.array([0.10, 0.0, 0.0], np.float32)
    (middle, low), (edge, _) = project(mia, np.stack([neckline, beside]), size=SIZE)
    rows, columns = np.mgrid[0 : SIZE.height, 0 : SIZE.width]
    allowed = (rows < low) & (np.abs(columns - middle) < edge - middle)
    named = [n.startswith(("wrist", "finger", "metacarpal")) for n in JOINT_NAMES]
    radius = _HAND_METRES / 0.10 * (edge - middle)
    for x, y in project(mia, joints[named], size=SIZE):
        allowed |= np.hypot(columns - x, rows - y) < radius
    return np.asarray(allowed)
