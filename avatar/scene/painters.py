"""Paints one sort of background each."""

from typing import Any, Protocol

from avatar.renderer.camera import Shot
from avatar.scene.programs import ScenePrograms
from avatar.scene.window import Window, inside
from avatar.spec.colour import display
from avatar.spec.scene import Gradient, Plain


class Painter(Protocol):
    """Knows one background. All calls come from the context's thread."""

    @property
    def live(self) -> bool:
        """Whether it changes by itself, as a film does."""

    def paint(self, window: Window, whole: Window, rest: Shot, at: float) -> None:
        """Fill the bound framebuffer with what `window` shows; depth is not wanted.

        Args:
            window: the part, where the picture of the camera at rest is -1 to 1.
            whole: the window of all that will ever be seen.
            rest: the camera at rest.
            at: seconds.
        """

    def paint_front(self, now: Shot) -> None:
        """Draw what stands before the figure into the bound framebuffer, with depth."""

    def release(self) -> None:
        """Free what it holds."""


class GradientPainter:
    """A colour, or a gradient with a pool of light."""

    live = False

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

    def paint(self, window: Window, whole: Window, rest: Shot, at: float) -> None:
        """See `Painter`."""
        del whole, at
        self._programs.quad("studio", window=window, aspect=rest.aspect, **self._values)

    def paint_front(self, now: Shot) -> None:
        """See `Painter`."""

    def release(self) -> None:
        """See `Painter`."""


class StillPainter:
    """A picture.

    Args:
        programs: of the context.
        texels: uint8 [height, width, 4], bottom row first: Y', Cb, Cr, 0.
    """

    live = False

    def __init__(self, programs: ScenePrograms, texels: Any) -> None:
        self._programs = programs
        height, width, _ = texels.shape
        self._texture = programs.context.texture((width, height), 4, texels)
        self._texture.repeat_x = self._texture.repeat_y = False

    def paint(self, window: Window, whole: Window, rest: Shot, at: float) -> None:
        """See `Painter`."""
        del rest, at
        self._texture.use(0)
        self._programs.quad("plate", plate=0, part=inside(window, whole))

    def paint_front(self, now: Shot) -> None:
        """See `Painter`."""

    def release(self) -> None:
        """See `Painter`."""
        self._texture.release()
