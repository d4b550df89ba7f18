"""Smoothed edges come nearer to a picture drawn with sixteen samples a pixel."""

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset
from avatar.renderer.base import Size
from avatar.renderer.opengl import OpenGLRenderer
from avatar.spec import SceneSpec, ready
from motion.pose import Pose
from tests.avatar.pictures import luma

SIZE, TIMES = Size(272, 480), 4
SCENE = SceneSpec(mark=False)


def test_edges_are_nearer_to_many_samples_than_without_smoothing(
    patient: OpenGLRenderer, mia: AvatarAsset
) -> None:
    many = _luma(patient, mia, Size(SIZE.width * TIMES, SIZE.height * TIMES))
    wanted = many.reshape(SIZE.height, TIMES, SIZE.width, TIMES).mean((1, 3))
    handle = patient.open(ready("mia"), SCENE, SIZE, asset=mia)
    smoothed = luma(patient.draw([handle], Pose.rest(1), 0.0)[0]).astype(float)
    stairs = patient.look(handle)[..., 0].astype(float)
    patient.close(handle)
    edge = _steps(stairs)
    assert edge.sum() > 500
    before = np.abs(stairs - wanted)[edge].mean()
    after = np.abs(smoothed - wanted)[edge].mean()
    assert after < 0.93 * before


def _luma(renderer: OpenGLRenderer, who: AvatarAsset, size: Size) -> NDArray[np.float64]:
    handle = renderer.open(ready("mia"), SCENE, size, asset=who)
    renderer.draw([handle], Pose.rest(1), 0.0)
    drawn = renderer.look(handle)[..., 0].astype(np.float64)
    renderer.close(handle)
    return drawn


def _steps(picture: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return the pixels beside a step of brightness of at least 40 of 219."""
    out = np.zeros(picture.shape, bool)
    across, down = np.abs(np.diff(picture, axis=1)) > 40, np.abs(np.diff(picture, axis=0)) > 40
    out[:, 1:] |= across
    out[:, :-1] |= across
    out[1:] |= down
    out[:-1] |= down
    return out
