"""`Backdrop`: fills the frame with what is behind the figure."""

from dataclasses import dataclass
from typing import Any

import moderngl

from avatar.renderer.camera import Shot
from avatar.scene.painters import Painter
from avatar.scene.programs import ScenePrograms
from avatar.scene.window import WHOLE, Window, inside, seen

Pixels = tuple[int, int]


@dataclass(slots=True)
class _Kept:
    """A picture that was painted and is used again."""

    frame: Any
    colour: Any
    depth: Any

    @staticmethod
    def make(context: Any, pixels: Pixels) -> "_Kept":
        colour = context.texture(pixels, 4)
        colour.repeat_x = colour.repeat_y = False
        depth = context.depth_renderbuffer(pixels)
        return _Kept(context.framebuffer([colour], depth), colour, depth)

    def release(self) -> None:
        for thing in (self.frame, self.colour, self.depth):
            thing.release()


class Backdrop:
    """What is behind one session's figure. All calls come from the context's thread.

    A camera that stands still copies a picture painted once. One that moves shows the part it
    sees of a wider picture, and draws anew only what stands before the figure.

    Args:
        programs: shared by all sessions of the context.
        painter: the first background; owned from now on.
    """

    def __init__(self, programs: ScenePrograms, painter: Painter) -> None:
        self._programs = programs
        self._context = programs.context
        self._painter = painter
        self._kept: _Kept | None = None
        self._key: object = None

    def show(self, painter: Painter) -> None:
        """Put another background in place of the present one, which is freed."""
        self._painter.release()
        self._painter = painter
        self._key = None

    def fill(self, target: Any, rest: Shot, now: Shot, reached: Window, at: float) -> bool:
        """Fill `target` with colour, alpha 0 and depth, and leave it bound.

        Args:
            target: framebuffer with one colour texture (Y', Cb, Cr, coverage) and a depth.
            rest: the camera before it moves.
            now: the camera.
            reached: the window this and all later cameras see, `WHOLE` where none moves.
            at: seconds.

        Returns:
            Whether anything was painted rather than copied.
        """
        if self._painter.live:
            window = WHOLE if reached is WHOLE else seen(rest, now)
            self._start(target)
            self._painter.paint(window, reached, rest, at)
            return True
        painted = self._keep(target.size, rest, reached, at)
        kept = self._kept
        assert kept is not None
        if reached is WHOLE:
            # The copy brings depth along: one step starts the frame.
            self._context.copy_framebuffer(target, kept.frame)
            target.use()
            return painted
        self._start(target)
        kept.colour.use(0)
        self._programs.quad("plate", plate=0, part=inside(seen(rest, now), reached))
        self._painter.paint_front(now)
        return True

    def release(self) -> None:
        """Free what it holds."""
        self._painter.release()
        if self._kept is not None:
            self._kept.release()

    def _keep(self, pixels: Pixels, rest: Shot, reached: Window, at: float) -> bool:
        """Paint the picture that is used again, unless it is there."""
        size = (
            round(pixels[0] * (reached[2] - reached[0]) / 2.0),
            round(pixels[1] * (reached[3] - reached[1]) / 2.0),
        )
        key = (size, reached, rest.height, rest.aspect, rest.target.tobytes())
        if key == self._key:
            return False
        if self._kept is None or self._kept.frame.size != size:
            if self._kept is not None:
                self._kept.release()
            self._kept = _Kept.make(self._context, size)
        self._start(self._kept.frame)
        self._painter.paint(reached, reached, rest, at)
        if reached is WHOLE:
            self._kept.frame.use()
            self._painter.paint_front(rest)
        self._key = key
        return True

    def _start(self, target: Any) -> None:
        target.use()
        target.clear(depth=1.0)
        self._context.enable_only(moderngl.NOTHING)
