"""Closing gives everything back."""

import ctypes
from pathlib import Path

import numpy as np

from avatar.renderer.base import Size
from avatar.renderer.opengl import OpenGLRenderer
from avatar.spec import SceneSpec, ready
from motion.pose import Pose
from tests.avatar.pictures import SMALL, draw

_TINY = Size(64, 64)


def test_close_frees_what_open_made(avatars: Path, anny_cache: Path) -> None:
    made = OpenGLRenderer(avatars, anny_cache)
    made.close(made.open(ready("mia"), SceneSpec(), _TINY))
    before = _live(made)
    for _ in range(2):
        handles = [made.open(ready("mia"), SceneSpec(), _TINY) for _ in range(2)]
        made.draw(handles, Pose.rest(2), 0.0)
        opened = _live(made)
        for kind in ("Texture", "Buffer", "Framebuffer", "Renderbuffer", "VertexArray"):
            assert opened[kind] > before[kind]
        for handle in handles:
            made.close(handle)
        assert _live(made) == before
    made.release()


def test_fifty_cycles_do_not_grow_memory(renderer: OpenGLRenderer) -> None:
    held = renderer.open(ready("mia"), SceneSpec(), _TINY)
    for _ in range(10):
        draw(renderer, Pose.rest(), size=SMALL)
    before = _resident()
    for _ in range(50):
        draw(renderer, Pose.rest(), size=SMALL)
    grown = _resident() - before
    renderer.close(held)
    # One leaked session would hold more than 0.8 MB: fifty would be far above this.
    assert grown < 8_000_000


def test_reopening_the_whole_avatar_does_not_grow_memory(avatars: Path, anny_cache: Path) -> None:
    made = OpenGLRenderer(avatars, anny_cache)
    for _ in range(4):
        draw(made, Pose.rest(), size=_TINY)
    before = _resident()
    for _ in range(12):
        draw(made, Pose.rest(), size=_TINY)
    grown = _resident() - before
    made.release()
    # The textures of one avatar alone are more than 15 MB: twelve would be 180 MB. What is read
    # from the file and freed again lets the figure swing by some 30 MB.
    assert grown < 60_000_000


def test_pictures_outlive_their_session(renderer: OpenGLRenderer) -> None:
    handle = renderer.open(ready("mia"), SceneSpec(), _TINY)
    picture = renderer.draw([handle], Pose.rest(1), 0.0)[0]
    kept = picture.planes.copy()
    renderer.close(handle)
    draw(renderer, Pose.rest(), size=_TINY)
    assert np.array_equal(picture.planes, kept)


def _live(made: OpenGLRenderer) -> dict[str, int]:
    """Count the objects alive in the renderer's context, by asking OpenGL for every name."""
    egl = ctypes.CDLL("libEGL.so.1")
    egl.eglGetProcAddress.restype = ctypes.c_void_p
    asks = ctypes.CFUNCTYPE(ctypes.c_ubyte, ctypes.c_uint)
    count = {}
    with made._context:
        for kind in ("Texture", "Buffer", "Framebuffer", "Renderbuffer", "VertexArray", "Program"):
            alive = asks(egl.eglGetProcAddress(f"glIs{kind}".encode()))
            count[kind] = sum(alive(name) for name in range(1, 3000))
    return count


def _resident() -> int:
    """Return this process's resident memory in bytes."""
    fields = Path("/proc/self/statm").read_text("ascii").split()
    return int(fields[1]) * 4096
