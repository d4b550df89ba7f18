"""The ready hosts and scenes look as they did when somebody last approved them.

When one differs, both pictures are named: look at them. If the new look is what was meant, run
`pytest tests/avatar/test_golden.py --write-golden` and commit the pictures, so that the review
sees the change.
"""

from pathlib import Path
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from avatar.body.asset import AvatarAsset
from avatar.body.prepare import prepare
from avatar.renderer.base import Size
from avatar.renderer.opengl import OpenGLRenderer
from avatar.renderer.planes import to_rgb
from avatar.spec import HOSTS, SCENES, AvatarSpec, SceneSpec, ready, ready_scene
from avatar.wardrobe.trial_poses import trial_poses
from motion.pose import Pose
from tests.avatar.difference import difference
from tests.avatar.pictures import batch

FOLDER: Final = Path(__file__).parent / "golden"
SIZE: Final = Size(288, 512)
# By then cards and captions stand still, seconds.
SETTLED: Final = 8.0


@pytest.mark.parametrize("framing", ["head", "half", "full"])
@pytest.mark.parametrize("host", HOSTS)
def test_a_host_looks_as_approved(
    patient: OpenGLRenderer,
    avatars: Path,
    anny_cache: Path,
    approve: bool,
    tmp_path: Path,
    host: str,
    framing: str,
) -> None:
    asset = prepare(ready(host), avatars, anny_cache)
    scene = SceneSpec().changed(framing=framing)
    picture = _draw(patient, ready(host), scene, asset)
    _compare(picture, f"{host}-{framing}", approve, tmp_path)


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_looks_as_approved(
    patient: OpenGLRenderer, mia: AvatarAsset, approve: bool, tmp_path: Path, scene: str
) -> None:
    picture = _draw(patient, ready("mia"), ready_scene(scene), mia)
    _compare(picture, f"scene-{scene}", approve, tmp_path)


def test_every_golden_picture_is_of_something() -> None:
    hosts = {f"{host}-{framing}" for host in HOSTS for framing in ("head", "half", "full")}
    scenes = {f"scene-{scene}" for scene in SCENES}
    assert {path.stem for path in FOLDER.glob("*.png")} == hosts | scenes


def _draw(
    renderer: OpenGLRenderer, who: AvatarSpec, scene: SceneSpec, asset: AvatarAsset
) -> NDArray[np.uint8]:
    pose: Pose = trial_poses(asset.joints)["idle"]
    handle = renderer.open(who, scene, SIZE, asset=asset)
    picture = to_rgb(renderer.draw([handle], batch(pose), SETTLED)[0].planes)
    renderer.close(handle)
    return picture


def _compare(picture: NDArray[np.uint8], name: str, approve: bool, folder: Path) -> None:
    golden = FOLDER / f"{name}.png"
    if approve:
        FOLDER.mkdir(exist_ok=True)
        Image.fromarray(picture).save(golden, optimize=True)
    approved = np.asarray(Image.open(golden).convert("RGB"))
    found = difference(approved, picture)
    if not found.alike:
        drawn = folder / f"{name}.png"
        Image.fromarray(picture).save(drawn)
        pytest.fail(f"{name}: {found}; approved: {golden}; drawn now: {drawn}")
