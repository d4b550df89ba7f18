"""A device that does not work gives way to software, or to an error that says what was tried."""

import logging
import os
import subprocess
import sys
from typing import Any

import pytest

from avatar.errors import AvatarError, AvatarValueError
from avatar.renderer import context
from avatar.renderer.context import create_context, first_that_draws, is_software, trial

_MAKE = """
import logging, sys
logging.basicConfig(stream=sys.stdout, format="%(message)s")
from avatar.errors import AvatarError
from avatar.renderer.context import create_context, is_software
try:
    made = create_context()
except AvatarError as error:
    print("AvatarError", error)
else:
    print("drawn by", made.info["GL_RENDERER"], is_software(made))
"""


def _run(**environment: str) -> str:
    """Make a context in a process of its own; drivers read the environment once."""
    done = subprocess.run(
        [sys.executable, "-c", _MAKE],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout


def test_without_any_driver_the_error_names_what_was_tried() -> None:
    told = _run(__EGL_VENDOR_LIBRARY_FILENAMES="/nonexistent/vendor.json")
    assert told.startswith("AvatarError no OpenGL 3.3 context through EGL: device 0: ")
    assert "software, device 0: requested device index 0, but found 0 devices" in told


def test_a_driver_too_old_is_an_error_too() -> None:
    told = _run(MESA_GL_VERSION_OVERRIDE="2.1")
    assert told.startswith("AvatarError no OpenGL 3.3 context through EGL: device 0: ")


def test_a_driver_that_does_not_start_gives_way_to_software() -> None:
    told = _run(GALLIUM_DRIVER="no-such-driver")
    assert "drawing in software, since no graphics device works: device 0: " in told
    assert "drawn by llvmpipe" in told
    assert told.rstrip().endswith("True")


def test_a_device_that_is_not_there_gives_way_to_software() -> None:
    told = _run(VIVANT_EGL_DEVICE="7")
    assert "device 7: requested device index 7" in told
    assert told.rstrip().endswith("True")


def test_software_can_be_asked_for(caplog: pytest.LogCaptureFixture) -> None:
    before = dict(os.environ)
    with caplog.at_level(logging.WARNING):
        made = create_context(device="software")
    assert is_software(made)
    assert not caplog.records
    made.release()
    assert dict(os.environ) == before


@pytest.mark.parametrize("device", ["gpu", "", "-1", "1.0", "²"])
def test_an_unknown_device_is_refused(device: str) -> None:
    with pytest.raises(AvatarValueError, match="accepted: 'auto', 'software' or a device's number"):
        create_context(device=device)


class _WrongPixels:
    """A driver that makes everything and draws nothing."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def vertex_array(self, program: Any, content: Any) -> Any:
        return _Silent(self._real.vertex_array(program, content))


class _Silent:
    def __init__(self, array: Any) -> None:
        self._array = array

    def render(self, vertices: int) -> None:
        del vertices

    def release(self) -> None:
        self._array.release()


def test_a_driver_that_draws_wrong_pixels_is_passed_over() -> None:
    assert trial(create_context()) is None
    failures: list[str] = []

    def make(index: int) -> Any:
        made = create_context(device="0")
        return _WrongPixels(made) if index == 0 else made

    chosen = first_that_draws(make, range(3), failures)
    assert chosen is not None
    assert not isinstance(chosen, _WrongPixels)
    assert len(failures) == 1
    assert failures[0].startswith("device 0: it draws [0, 0, 0, 0] where ")
    chosen.release()


class _Refusing(_WrongPixels):
    """A driver whose compiler refuses what is right."""

    def program(self, **sources: str) -> Any:
        broken = {stage: text.replace("void main", "void") for stage, text in sources.items()}
        return self._real.program(**broken)


def test_a_compiler_that_refuses_is_passed_over() -> None:
    made = create_context()
    problem = trial(_Refusing(made))
    assert problem is not None
    assert problem.startswith("its compiler refuses a plain shader")
    made.release()


def test_a_device_that_is_no_rasteriser_is_not_taken_for_software(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(context, "_SOFTWARE_NAMES", ())
    with pytest.raises(AvatarError, match="is not a software rasteriser"):
        create_context(device="software")
