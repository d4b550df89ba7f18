"""The graphics context: OpenGL through EGL, without a window or a display server."""

import ctypes
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import moderngl
import numpy as np

from avatar.errors import AvatarError, AvatarValueError

_LOG = logging.getLogger(__name__)

# Which device draws: "auto", "software", or the number EGL lists it under.
DEVICE_VARIABLE: Final = "VIVANT_EGL_DEVICE"
_MOST_DEVICES: Final = 16
_SOFTWARE_NAMES: Final = ("llvmpipe", "softpipe", "swrast", "swiftshader")
_SOFTWARE: Final = {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "llvmpipe"}

_TRIAL: Final = np.array([0.25, 0.5, 0.75, 1.0], np.float32)
_TRIAL_VERTEX: Final = """#version 330
void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
}
"""
_TRIAL_FRAGMENT: Final = """#version 330
layout(std140) uniform Block { vec4 expected; };
out vec4 colour;
void main() { colour = expected; }
"""

Maker = Callable[[int], Any]


def create_context(threads: int | None = None, device: str | None = None) -> Any:
    """Make an OpenGL 3.3 context that draws, and make it current on this thread.

    Every device EGL lists is tried in turn, each with a small picture whose pixels are compared;
    after them the software rasteriser, with a warning in the log that says why.

    Args:
        threads: how many threads a software rasteriser (llvmpipe) may use; it reads this once,
            with the process's first context. None leaves the choice to it or to the
            environment's LP_NUM_THREADS.
        device: "auto"; "software"; or the number of one EGL device, which is tried before the
            software rasteriser. None takes the environment's VIVANT_EGL_DEVICE, else "auto".

    Raises:
        AvatarValueError: when `device` is none of these.
        AvatarError: when nothing draws; the message names what was tried and why it failed.
    """
    if threads is not None:
        os.environ.setdefault("LP_NUM_THREADS", str(threads))
    wanted = device if device is not None else os.environ.get(DEVICE_VARIABLE, "auto")
    if wanted not in ("auto", "software") and not (wanted.isascii() and wanted.isdigit()):
        raise AvatarValueError(
            f"graphics device {wanted!r}; accepted: 'auto', 'software' or a device's number"
        )
    failures: list[str] = []
    if wanted != "software":
        chosen = range(_MOST_DEVICES) if wanted == "auto" else range(int(wanted), int(wanted) + 1)
        context = first_that_draws(_make, chosen, failures)
        if context is not None:
            return context
    with _environment(_SOFTWARE):
        software: list[str] = []
        context = first_that_draws(_make_software, range(_MOST_DEVICES), software)
    if context is None:
        tried = failures + [f"software, {failure}" for failure in software]
        raise AvatarError(f"no OpenGL 3.3 context through EGL: {'; '.join(tried)}")
    if failures:
        _LOG.warning("drawing in software, since no graphics device works: %s", "; ".join(failures))
    return context


def is_software(context: Any) -> bool:
    """Return whether a context's pictures are drawn by the processor."""
    name = str(context.info["GL_RENDERER"]).lower()
    return any(known in name for known in _SOFTWARE_NAMES)


def flush_of(context: Any) -> Callable[[], None]:
    """Return `glFlush` of a context: the driver begins with what it was given so far.

    moderngl offers only to wait for the end (`finish`); the loader of its functions is not public,
    so where a release lacks it, the function returned does nothing and pictures only take longer.
    """
    loader = getattr(getattr(context.mglo, "_context", None), "load", None)
    address = loader("glFlush") if loader is not None else 0
    return ctypes.CFUNCTYPE(None)(address) if address else lambda: None


def first_that_draws(make: Maker, devices: range, failures: list[str]) -> Any | None:
    """Return the first of `devices` whose context draws what it is told; note why others fail.

    Args:
        make: returns the context of a device, or raises.
        devices: numbers to try; the first that EGL does not list ends the search.
        failures: gets one sentence for each device that failed.
    """
    for index in devices:
        try:
            context = make(index)
        except Exception as error:
            # The EGL loader raises bare Exception, so nothing narrower catches it.
            if type(error) not in (Exception, ValueError, AvatarError, moderngl.Error):
                raise
            failures.append(f"device {index}: {error}")
            if "requested device index" in str(error):
                break
            continue
        problem = trial(context)
        if problem is None:
            return context
        failures.append(f"device {index}: {problem}")
        context.release()
    return None


def trial(context: Any) -> str | None:
    """Draw a few pixels through a uniform block; return what is wrong with them, if anything."""
    try:
        program = context.program(vertex_shader=_TRIAL_VERTEX, fragment_shader=_TRIAL_FRAGMENT)
    except moderngl.Error as error:
        return f"its compiler refuses a plain shader: {str(error).strip()}"
    block = context.buffer(_TRIAL.tobytes())
    target = context.simple_framebuffer((4, 4), components=4)
    array = context.vertex_array(program, [])
    block.bind_to_uniform_block(0)
    target.use()
    array.render(vertices=3)
    pixels = np.frombuffer(target.read(components=4), np.uint8).reshape(16, 4)
    for thing in (array, target, block, program):
        thing.release()
    if np.abs(pixels - _TRIAL * 255.0).max() > 1.0:
        return f"it draws {pixels[0].tolist()} where {np.round(_TRIAL * 255).tolist()} is asked for"
    return None


def _make(index: int) -> Any:
    settings: dict[str, Any] = {"backend": "egl", "device_index": index}
    return moderngl.create_context(require=330, standalone=True, **settings)


def _make_software(index: int) -> Any:
    context = _make(index)
    if is_software(context):
        return context
    name = context.info["GL_RENDERER"]
    context.release()
    raise AvatarError(f"{name} is not a software rasteriser")


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables for as long as the block runs."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
