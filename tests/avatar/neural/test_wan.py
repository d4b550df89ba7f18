"""Clips by Wan-Animate: what drives them, and a tiny model from end to end."""

from pathlib import Path

import numpy as np
import pytest

from avatar.body.asset import AvatarAsset
from avatar.errors import AvatarError, AvatarValueError
from avatar.neural.keypoints import keypoints
from avatar.neural.loading import Weights
from avatar.neural.skeletons import COLOURS, draw_skeletons
from avatar.neural.wan import WanAnimateBackend, face_crop
from avatar.renderer.base import Size
from avatar.renderer.opengl import OpenGLRenderer
from avatar.spec import SceneSpec, ready
from motion.pose import Pose
from tests.avatar.pictures import batch, project
from tests.avatar.poses import face, hosts

SIZE = Size(64, 96)


@pytest.fixture(scope="module")
def backend(wan: Path, renderer: OpenGLRenderer, mia: AvatarAsset) -> WanAnimateBackend:
    """Return the backend over a tiny model."""
    weights = Weights(str(wan), dtype="float32", device="cpu")
    return WanAnimateBackend.load(weights, renderer, lambda _: mia, steps=1, segment=5)


def test_points_lie_where_the_renderer_draws_the_joints(mia: AvatarAsset) -> None:
    size = Size(272, 480)
    found = keypoints(mia, "half", batch(Pose.rest()), size)
    eye = project(mia, np.array([mia.values["eye"]]), "half", size)[0]
    np.testing.assert_allclose(found.body[0, 15], eye, atol=3.0)
    assert found.body.shape == (1, 18, 2)
    assert found.hands.shape == (1, 2, 21, 2)
    # The right hand is on the picture's left; ears are either side of the nose above the neck.
    assert found.body[0, 4, 0] < found.body[0, 7, 0]
    assert found.body[0, 16, 0] < found.body[0, 0, 0] < found.body[0, 17, 0]
    assert found.body[0, 0, 1] < found.body[0, 1, 1]


def test_points_follow_the_pose(mia: AvatarAsset) -> None:
    poses = hosts(mia)
    found = keypoints(mia, "half", batch(Pose.rest(), poses["point"]), Size(272, 480))
    moved = np.linalg.norm(found.body[1] - found.body[0], axis=1)
    assert moved[4] > 30
    assert moved[[0, 14, 15]].max() < 1.0
    tips = found.hands[:, 0, 8] - found.hands[:, 0, 5]
    assert np.linalg.norm(tips, axis=1).min() > 2


def test_skeletons_are_coloured_limbs_on_black(mia: AvatarAsset) -> None:
    size = Size(272, 480)
    points = keypoints(mia, "half", batch(Pose.rest()), size)
    (picture,) = draw_skeletons(points, size)
    pixels = np.asarray(picture)
    assert pixels.shape == (480, 272, 3)
    assert 0.01 < (pixels.max(-1) > 0).mean() < 0.2
    x, y = np.round(points.body[0, 0]).astype(int)
    np.testing.assert_allclose(pixels[y, x], COLOURS[0], atol=40)
    middle = np.round((points.body[0, 2] + points.body[0, 3]) / 2).astype(int)
    shade = [0.6 * value for value in COLOURS[2]]
    np.testing.assert_allclose(pixels[middle[1], middle[0]], shade, atol=40)


def test_the_face_video_shows_the_face(backend: WanAnimateBackend) -> None:
    handle = backend.open(ready("mia"), SceneSpec(), SIZE)
    driven = backend.conditions(handle, batch(face(), face(jawOpen=1.0)))
    backend.close(handle)
    assert [picture.size for picture in driven.faces] == [(16, 16)] * 2
    shut, agape = (np.asarray(picture, np.float32) for picture in driven.faces)
    assert np.abs(shut - agape)[8:].mean() > 2 * np.abs(shut - agape)[:8].mean()
    assert driven.reference.size == (SIZE.width, SIZE.height)


def test_a_crop_is_centred_on_the_face() -> None:
    rgb = np.zeros((100, 100, 3), np.uint8)
    rgb[40:60, 40:60] = 255
    points = np.array([[50, 50], [40, 48], [60, 48], [50, 60]], np.float32)
    crop = np.asarray(face_crop(rgb, points, 32))
    assert crop.shape == (32, 32, 3)
    assert crop[10:20, 10:20].min() > 200


def test_a_clip_from_end_to_end(backend: WanAnimateBackend, mia: AvatarAsset) -> None:
    scene = SceneSpec()
    handle = backend.open(ready("mia"), scene, SIZE)
    poses = hosts(mia)
    clip = backend.draw_clip(
        handle, batch(*(poses[name] for name in ("idle", "beat", "point", "palms", "idle", "beat")))
    )
    assert clip.shape == (6, SIZE.height, SIZE.width, 3)
    assert clip.dtype == np.uint8
    # The mark of the scene is on every picture, alike.
    bare = scene.changed(mark=False)
    other = backend.open(ready("mia"), bare, SIZE)
    plain = backend.draw_clip(other, batch(*(poses[name] for name in ("idle", "beat") * 3)))
    top = slice(0, SIZE.height // 6)
    steady = (clip[:, top] == clip[:1, top]).all(0).all(-1)
    assert steady.mean() > (plain[:, top] == plain[:1, top]).all(0).all(-1).mean() + 0.005
    backend.close(handle)
    backend.close(other)


def test_what_is_not_accepted(backend: WanAnimateBackend, mia: AvatarAsset) -> None:
    with pytest.raises(AvatarValueError, match="width 70"):
        backend.open(ready("mia"), SceneSpec(), Size(70, 96))
    handle = backend.open(ready("mia"), SceneSpec(), SIZE)
    with pytest.raises(AvatarValueError, match="t >= 2"):
        backend.draw_clip(handle, batch(Pose.rest()))
    backend.close(handle)
    with pytest.raises(AvatarValueError, match="not open"):
        backend.conditions(handle, batch(Pose.rest()))
    with pytest.raises(AvatarValueError, match="segment 6"):
        WanAnimateBackend(None, backend._renderer, lambda _: mia, segment=6)
    with pytest.raises(AvatarError, match="no weights"):
        WanAnimateBackend.load(Weights(""), backend._renderer, lambda _: mia)
