"""Batches in flight, pictures renewed only around the figure, and a context that is lost."""

import ctypes
from pathlib import Path

import numpy as np
import pytest

from avatar.body.asset import AvatarAsset
from avatar.errors import AvatarError, AvatarValueError
from avatar.renderer.base import Size
from avatar.renderer.opengl import OpenGLRenderer
from avatar.spec import SceneSpec, ready
from motion.pose import Pose
from tests.avatar.pictures import SMALL, batch, draw
from tests.avatar.poses import face, hosts

_TINY = Size(64, 64)


def test_pictures_of_a_moving_figure_equal_pictures_of_fresh_sessions(
    renderer: OpenGLRenderer, mia: AvatarAsset
) -> None:
    poses = [*hosts(mia).values(), face(jawOpen=1.0), Pose.rest()]
    handle = renderer.open(ready("mia"), SceneSpec(), SMALL)
    moving = [renderer.draw([handle], batch(pose), 0.0)[0].planes.copy() for pose in poses]
    renderer.close(handle)
    for pose, planes in zip(poses, moving, strict=True):
        assert np.array_equal(planes, draw(renderer, pose))


def test_a_batch_may_be_submitted_before_the_last_is_collected(
    renderer: OpenGLRenderer, mia: AvatarAsset
) -> None:
    poses = [hosts(mia)["point"], face(jawOpen=0.7), hosts(mia)["palms"]]
    wanted = [draw(renderer, pose) for pose in poses]
    handle = renderer.open(ready("mia"), SceneSpec(), SMALL)
    renderer.submit([handle], batch(poses[0]), 0.0)
    for index, pose in enumerate(poses[1:]):
        renderer.submit([handle], batch(pose), 0.0)
        assert np.array_equal(renderer.collect()[0].planes, wanted[index])
    assert np.array_equal(renderer.collect()[0].planes, wanted[-1])
    renderer.close(handle)


def test_batches_in_flight_are_bounded_and_hold_their_sessions(renderer: OpenGLRenderer) -> None:
    handle = renderer.open(ready("mia"), SceneSpec(), _TINY)
    with pytest.raises(AvatarValueError, match="collect after submit"):
        renderer.collect()
    with pytest.raises(AvatarValueError, match="accepted: each once"):
        renderer.submit([handle, handle], Pose.rest(2), 0.0)
    for _ in range(2):
        renderer.submit([handle], Pose.rest(1), 0.0)
    with pytest.raises(AvatarValueError, match="2 submitted batches wait"):
        renderer.submit([handle], Pose.rest(1), 0.0)
    with pytest.raises(AvatarValueError, match="accepted: collect them first"):
        renderer.draw([handle], Pose.rest(1), 0.0)
    with pytest.raises(AvatarValueError, match="is in a submitted batch"):
        renderer.close(handle)
    for _ in range(2):
        renderer.collect()
    renderer.close(handle)


def test_a_batch_larger_than_any_before_is_drawn(renderer: OpenGLRenderer) -> None:
    handles = [renderer.open(ready("mia"), SceneSpec(), _TINY) for _ in range(6)]
    poses = [face(jawOpen=number / 6) for number in range(6)]
    pictures = renderer.draw(handles, batch(*poses), 0.0)
    for pose, picture in zip(poses, pictures, strict=True):
        assert np.array_equal(picture.planes, draw(renderer, pose, size=_TINY))
    for handle in handles:
        renderer.close(handle)


def test_a_lost_context_is_an_error_then_and_afterwards(avatars: Path, anny_cache: Path) -> None:
    made = OpenGLRenderer(avatars, anny_cache)
    handle = made.open(ready("mia"), SceneSpec(), _TINY)
    made.draw([handle], Pose.rest(1), 0.0)
    _destroy(made)
    with pytest.raises(AvatarError, match="the graphics context was lost"):
        made.draw([handle], Pose.rest(1), 0.0)
    with pytest.raises(AvatarError, match="accepted: a new renderer"):
        made.draw([handle], Pose.rest(1), 0.0)
    with pytest.raises(AvatarError, match="accepted: a new renderer"):
        made.open(ready("mia"), SceneSpec(), _TINY)
    made.close(handle)
    made.release()
    again = OpenGLRenderer(avatars, anny_cache)
    again.draw([again.open(ready("mia"), SceneSpec(), _TINY)], Pose.rest(1), 0.0)
    again.release()


def _destroy(made: OpenGLRenderer) -> None:
    """Destroy the context behind the renderer's back, as a driver that is reset does."""
    egl = ctypes.CDLL("libEGL.so.1")
    egl.eglGetCurrentDisplay.restype = egl.eglGetCurrentContext.restype = ctypes.c_void_p
    egl.eglDestroyContext.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    with made._context:
        display, context = egl.eglGetCurrentDisplay(), egl.eglGetCurrentContext()
    assert egl.eglDestroyContext(display, context)
