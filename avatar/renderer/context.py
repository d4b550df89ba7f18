"""The graphics context: OpenGL through EGL, without a window or a display server."""

import os
from typing import Any

import moderngl

from avatar.errors import AvatarError


def create_context(threads: int | None = None) -> Any:
    """Make an OpenGL 3.3 context and make it current on this thread.

    Args:
        threads: how many threads a software rasteriser (llvmpipe) may use; it reads this once,
            with the process's first context. None leaves the choice to it or to the
            environment's LP_NUM_THREADS.

    Raises:
        AvatarError: when there is no driver that can.
    """
    if threads is not None:
        os.environ.setdefault("LP_NUM_THREADS", str(threads))
    settings: dict[str, Any] = {"backend": "egl"}
    try:
        return moderngl.create_context(require=330, standalone=True, **settings)
    except Exception as error:  # the EGL loader raises bare Exception
        raise AvatarError(f"no OpenGL 3.3 context through EGL: {error}") from error
