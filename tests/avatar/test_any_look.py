"""No valid specification crashes the renderer, or shows an empty or an unclothed picture."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset, save_asset
from avatar.body.prepare import asset_path
from avatar.body.workshop import DRAFT, Workshop
from avatar.renderer.base import Size
from avatar.renderer.context import create_context
from avatar.renderer.opengl import OpenGLRenderer
from avatar.spec import AvatarSpec, SceneSpec
from avatar.wardrobe.trial_poses import trial_poses
from motion.kinematics import joint_positions, rest_offsets
from motion.pose import Pose
from motion.skeleton import joint_index
from tests.avatar.pictures import batch, full, is_part, project
from tests.avatar.strategies import identities, places

SIZE = Size(288, 512)
# Each takes a new body, head, hair and clothes: seconds; making one smaller would take minutes.
looks = settings(
    max_examples=6,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@dataclass(slots=True)
class Room:
    """A workshop, and the renderers that draw what it makes: in flat colours, and lit."""

    context: Any
    workshop: Workshop
    folder: Path
    flat: OpenGLRenderer
    lit: OpenGLRenderer

    def make(self, who: AvatarSpec) -> AvatarAsset:
        """Build an identity and lay it where both renderers look."""
        with self.context:
            asset = self.workshop.build(who)
        save_asset(asset, asset_path(who, self.folder))
        return asset


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory, anny_cache: Path) -> Iterator[Room]:
    """Return where identities are made and drawn."""
    folder, context = tmp_path_factory.mktemp("looks"), create_context()
    made = Room(
        context,
        Workshop(context, anny_cache, directions=DRAFT),
        folder,
        OpenGLRenderer(folder, anny_cache, shading="parts", patient=True),
        OpenGLRenderer(folder, anny_cache, patient=True),
    )
    yield made
    made.flat.release()
    made.lit.release()
    context.release()


@looks
@given(identities(), places(), st.sampled_from(["hanging", "idle", "point left"]))
def test_any_look_in_any_scene_shows_somebody_who_is_dressed(
    room: Room, who: AvatarSpec, scene: SceneSpec, name: str
) -> None:
    asset = room.make(who)
    pose = trial_poses(asset.joints)[name]
    planes = _draw(room.flat, who, SceneSpec(framing="half"), pose)
    assert is_part(planes, "skin", "eye").sum() > 500
    assert is_part(planes, "cloth").sum() > 10_000
    rows, columns = _torso(asset, pose)
    assert is_part(planes, "cloth")[rows, columns].mean() > 0.97 or name != "hanging"
    assert is_part(planes, "skin")[rows, columns].mean() < 0.01 or name != "hanging"
    picture = full(_draw(room.lit, who, scene, pose))
    # Limited range; blending rounds.
    assert picture[..., 0].min() >= 15
    assert picture[..., 0].max() <= 236
    assert np.ptp(picture[..., 0]) + np.ptp(picture[..., 1]) + np.ptp(picture[..., 2]) > 40


def _draw(
    renderer: OpenGLRenderer, who: AvatarSpec, scene: SceneSpec, pose: Pose
) -> NDArray[np.uint8]:
    handle = renderer.open(who, scene, SIZE)
    planes = renderer.draw([handle], batch(pose), 1.0)[0].planes.copy()
    renderer.close(handle)
    return planes


def _torso(asset: AvatarAsset, pose: Pose) -> tuple[slice, slice]:
    """Return the rows and columns of the front of the body, from the breast to the hips."""
    joints = joint_positions(pose.rotations, rest_offsets(asset.joints), pose.translation)
    breast, hips = joints[joint_index("spine02")], joints[joint_index("root")]
    arms = joints[[joint_index("upperarm01.L"), joint_index("upperarm01.R")]]
    half = 0.25 * np.linalg.norm(arms[1] - arms[0])
    side = np.array([half, 0.0, 0.0])
    corners = np.stack([breast - side, hips + side])
    (left, top), (right, bottom) = project(asset, corners, size=SIZE).astype(int)
    return slice(top, bottom), slice(left, right)
