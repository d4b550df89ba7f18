"""Paints one sort of background each."""

from collections.abc import Generator
from typing import Any, Final, Protocol

import moderngl
import numpy as np
from numpy.typing import NDArray

from avatar.renderer.camera import Shot
from avatar.scene.place import Place
from avatar.scene.programs import ScenePrograms
from avatar.scene.window import Window
from avatar.spec.colour import display
from avatar.spec.scene import Gradient, Plain

_BAND: Final = 80  # rows of a gradient that are painted at a time


class Painter(Protocol):
    """Knows one background. All calls come from the context's thread."""

    @property
    def live(self) -> bool:
        """Whether it changes by itself, as a film does."""

    def steps(self, target: Any, place: Place) -> Generator[None]:
        """Fill `target`, a framebuffer, with all of `place.whole`; each step takes milliseconds.

        Other things may be drawn between steps. Alpha is left 0 and depth 1.
        """

    def show(self, window: Window, place: Place, at: float) -> None:
        """Fill the bound framebuffer with a part of what is `live`, `at` seconds."""

    def paint_front(self, place: Place, now: Shot) -> None:
        """Draw what stands before the figure into the bound framebuffer, with depth."""

    def release(self) -> None:
        """Free what it holds."""


class _Flat:
    """What painters of flat backgrounds have in common."""

    live = False

    def show(self, window: Window, place: Place, at: float) -> None:
        """See `Painter`."""

    def paint_front(self, place: Place, now: Shot) -> None:
        """See `Painter`."""

    def release(self) -> None:
        """See `Painter`."""


class GradientPainter(_Flat):
    """A colour, or a gradient with a pool of light."""

    def __init__(self, programs: ScenePrograms, background: Plain | Gradient) -> None:
        self._programs = programs
        if isinstance(background, Plain):
            background = Gradient(
                top=background.colour, bottom=background.colour, glow=0.0, discs=False
            )
        self._values: dict[str, Any] = {
            "top": display(background.top),
            "bottom": display(background.bottom),
            "pool": (0.0, 0.62),
            "glow": background.glow,
            "discs": float(background.discs),
            "noise": 0.0 if background.top == background.bottom else 1.0,
        }

    def steps(self, target: Any, place: Place) -> Generator[None]:
        """See `Painter`; the discs take long, so it goes in bands."""
        width, height = target.size
        for bottom in range(0, height, _BAND):
            target.scissor = (0, bottom, width, min(_BAND, height - bottom))
            target.use()
            target.clear(depth=1.0)
            self._programs.context.enable_only(moderngl.NOTHING)
            self._programs.quad(
                "studio", window=place.whole, aspect=place.rest.aspect, **self._values
            )
            target.scissor = None
            yield


class StillPainter(_Flat):
    """A picture.

    Args:
        programs: of the context.
        texels: uint8 [height, width, 4], bottom row first: Y', Cb, Cr, 0.
    """

    def __init__(self, programs: ScenePrograms, texels: NDArray[np.uint8]) -> None:
        self._programs = programs
        height, width, _ = texels.shape
        self._texture = programs.context.texture((width, height), 4, texels)
        self._texture.repeat_x = self._texture.repeat_y = False

    def steps(self, target: Any, place: Place) -> Generator[None]:
        """See `Painter`."""
        del place
        yield
        target.use()
        target.clear(depth=1.0)
        self._programs.context.enable_only(moderngl.NOTHING)
        self._texture.use(0)
        self._programs.quad("plate", plate=0, part=(0.0, 0.0, 1.0, 1.0))
        yield

    def release(self) -> None:
        """See `Painter`."""
        self._texture.release()
