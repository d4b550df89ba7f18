"""What the renderer draws."""

import numpy as np
import pytest

from avatar.body.asset import AvatarAsset
from avatar.errors import AvatarValueError
from avatar.renderer.base import Handle, Size
from avatar.renderer.opengl import OpenGLRenderer
from avatar.renderer.quality import QUALITIES
from avatar.spec import SceneSpec, ready
from avatar.spec.scene import Framing, Gradient
from motion.pose import Pose
from motion.skeleton import joint_index
from tests.avatar.pictures import SMALL, batch, draw, full, is_part, luma, project
from tests.avatar.poses import face, hosts


def test_a_rest_pose_shows_a_face_before_a_backdrop(
    renderer: OpenGLRenderer, mia: AvatarAsset
) -> None:
    planes = draw(renderer, Pose.rest())
    assert planes.shape == (SMALL.height * 3 // 2, SMALL.width)
    assert planes.dtype == np.uint8
    pixels = full(planes)
    corner = pixels[:20, :20].reshape(-1, 3).mean(0)
    assert corner[0] > 150
    assert np.abs(corner[1:] - 128).max() < 12
    nose = project(mia, mia.joints[[joint_index("head")]] + [[0.0, -0.1, 0.03]])[0].astype(int)
    cheek = pixels[nose[1] - 6 : nose[1] + 6, nose[0] - 6 : nose[0] + 6].reshape(-1, 3).mean(0)
    assert 110 < cheek[0] < 225
    assert cheek[1] < 122
    assert cheek[2] > 134


def test_luma_and_chroma_stay_in_limited_range(renderer: OpenGLRenderer) -> None:
    pixels = full(draw(renderer, face(jawOpen=0.6)))
    assert pixels[..., 0].min() >= 16
    assert pixels[..., 0].max() <= 235
    assert pixels[..., 1:].min() >= 16
    assert pixels[..., 1:].max() <= 240


def test_two_in_a_batch_equal_each_alone(renderer: OpenGLRenderer, mia: AvatarAsset) -> None:
    poses = [hosts(mia)["palms"], face(jawOpen=0.5, eyeBlink=1.0)]
    alone = [draw(renderer, pose) for pose in poses]
    handles = [renderer.open(ready("mia"), SceneSpec(), SMALL) for _ in poses]
    together = renderer.draw(handles, batch(*poses), 0.0)
    for one, picture in zip(alone, together, strict=True):
        assert np.abs(one.astype(int) - picture.planes).max() <= 1
    for handle in handles:
        renderer.close(handle)


def test_sessions_of_different_sizes_share_a_draw(renderer: OpenGLRenderer) -> None:
    sizes = [Size(64, 64), Size(270, 482), Size(322, 180)]
    handles = [renderer.open(ready("mia"), SceneSpec(), size) for size in sizes]
    pictures = renderer.draw(handles, Pose.rest(len(sizes)), 0.0)
    for size, picture in zip(sizes, pictures, strict=True):
        assert picture.size == size
        assert picture.planes.shape == (size.height * 3 // 2, size.width)
        assert full(picture.planes)[..., 0].std() > 20
    for handle in handles:
        renderer.close(handle)


def test_a_pose_changes_the_picture_and_the_same_pose_does_not(
    renderer: OpenGLRenderer, mia: AvatarAsset
) -> None:
    rest, again = draw(renderer, Pose.rest()), draw(renderer, Pose.rest())
    moved = draw(renderer, hosts(mia)["point"])
    assert np.array_equal(rest, again)
    assert (np.abs(luma(rest) - luma(moved)) > 16).mean() > 0.05


def test_the_jaw_moves_the_mouth_and_nothing_far_from_it(
    renderer: OpenGLRenderer, mia: AvatarAsset
) -> None:
    changed = np.abs(luma(draw(renderer, Pose.rest())) - luma(draw(renderer, face(jawOpen=0.6))))
    rows, columns = np.nonzero(changed > 8)
    eye = np.array([mia.values["eye"]], np.float32) * [[0.0, 1.0, 1.0]]
    low = eye - np.array([[0.0, 0.0, 0.17 * mia.values["scale"][0]]])
    (middle, top), (_, bottom) = project(mia, np.concatenate([eye, low]).astype(np.float32))
    assert len(rows) > 60
    assert rows.min() > top
    assert rows.max() < bottom
    assert np.abs(columns - middle).max() < 0.5 * (bottom - top)


def test_teeth_and_tongue_show_only_in_an_open_mouth(flat: OpenGLRenderer) -> None:
    scene = SceneSpec(framing="head")
    closed = is_part(draw(flat, Pose.rest(), scene), "mouth")
    opened = is_part(draw(flat, face(jawOpen=0.5), scene), "mouth")
    assert closed.sum() == 0
    assert opened.sum() > 20


def test_a_blink_covers_the_eyes(flat: OpenGLRenderer) -> None:
    scene = SceneSpec(framing="head")
    opened = is_part(draw(flat, Pose.rest(), scene), "eye").sum()
    closed = is_part(draw(flat, face(eyeBlink=1.0), scene), "eye").sum()
    assert opened > 30
    assert closed < 0.05 * opened


def test_the_eyes_turn_with_their_joints(renderer: OpenGLRenderer) -> None:
    scene, aside = SceneSpec(framing="head"), Pose.rest()
    aside.rotations[[joint_index("eye.L"), joint_index("eye.R")]] = [0.98, 0.0, 0.0, 0.199]
    before = luma(draw(renderer, Pose.rest(), scene))
    after = luma(draw(renderer, aside, scene))
    changed = np.abs(before - after) > 10
    assert 20 < changed.sum() < 0.01 * changed.size


def test_the_backdrop_leaves_the_figure_as_it_is(
    renderer: OpenGLRenderer, flat: OpenGLRenderer
) -> None:
    figure = is_part(draw(flat, Pose.rest()), "cloth")
    inside = figure.copy()
    inside[:, [0, -1]] = inside[[0, -1]] = False
    for _ in range(3):
        inside[1:-1, 1:-1] &= inside[:-2, 1:-1] & inside[2:, 1:-1]
        inside[1:-1, 1:-1] &= inside[1:-1, :-2] & inside[1:-1, 2:]
    light = draw(renderer, Pose.rest())
    night = Gradient(top="#14285a", bottom="#050a1e")
    dark = draw(renderer, Pose.rest(), SceneSpec(background=night))
    assert inside.sum() > 2000
    assert np.array_equal(luma(light)[inside], luma(dark)[inside])
    assert luma(dark)[:20, :20].mean() < luma(light)[:20, :20].mean() - 60


@pytest.mark.parametrize("framing", ["half", "head"])
@pytest.mark.parametrize("size", [Size(272, 480), Size(360, 360), Size(480, 272)])
def test_every_shape_of_picture_holds_the_whole_head(
    flat: OpenGLRenderer, framing: Framing, size: Size
) -> None:
    planes = draw(flat, Pose.rest(), SceneSpec(framing=framing), size)
    rows, columns = np.nonzero(is_part(planes, "hair", "skin"))
    assert 0 < rows.min() < 0.4 * size.height
    hair = np.nonzero(is_part(planes, "hair"))[1]
    assert hair.min() > 0
    assert hair.max() < size.width - 1
    assert columns.size > 0.01 * size.width * size.height


def test_every_quality_draws_and_the_cheapest_is_coarser(renderer: OpenGLRenderer) -> None:
    pictures = []
    for level in range(len(QUALITIES)):
        renderer.quality = level
        pictures.append(luma(draw(renderer, Pose.rest())))
    renderer.quality = 0
    for picture in pictures[1:]:
        assert np.abs(picture - pictures[0]).mean() < 6
    sharpness = [np.abs(np.diff(picture, axis=1)).mean() for picture in pictures]
    assert sharpness[-1] < sharpness[0]


def test_pictures_may_be_kept_for_one_further_draw(renderer: OpenGLRenderer) -> None:
    handle = renderer.open(ready("mia"), SceneSpec(), SMALL)
    first = renderer.draw([handle], Pose.rest(1), 0.0)[0]
    kept = first.planes.copy()
    renderer.draw([handle], batch(face(jawOpen=1.0)), 0.04)
    assert np.array_equal(first.planes, kept)
    renderer.close(handle)


@pytest.mark.parametrize("size", [Size(271, 480), Size(272, 481), Size(62, 480), Size(272, 4098)])
def test_a_size_out_of_range_is_refused(renderer: OpenGLRenderer, size: Size) -> None:
    with pytest.raises(AvatarValueError, match="accepted: even, 64 to 4096"):
        renderer.open(ready("mia"), SceneSpec(), size)


def test_an_unknown_avatar_is_refused() -> None:
    with pytest.raises(AvatarValueError, match="unknown avatar 'nobody'"):
        ready("nobody")


def test_a_closed_handle_a_wrong_batch_and_a_wrong_quality_are_refused(
    renderer: OpenGLRenderer,
) -> None:
    with pytest.raises(AvatarValueError, match="handle 9999 is not open"):
        renderer.draw([Handle(9999)], Pose.rest(1), 0.0)
    handle = renderer.open(ready("mia"), SceneSpec(), SMALL)
    with pytest.raises(AvatarValueError, match=r"leading axes \[2\]; accepted: \[1\]"):
        renderer.draw([handle], Pose.rest(2), 0.0)
    renderer.close(handle)
    with pytest.raises(AvatarValueError, match="is not open"):
        renderer.close(handle)
    with pytest.raises(AvatarValueError, match="is not open"):
        renderer.update(handle, SceneSpec())
    with pytest.raises(AvatarValueError, match="accepted: 0"):
        renderer.quality = 9
