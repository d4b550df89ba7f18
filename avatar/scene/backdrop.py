"""`Backdrop`: fills the frame with what is behind the figure."""

from collections.abc import Generator
from typing import Any

import moderngl

from avatar.renderer.camera import Shot
from avatar.scene.painters import Painter
from avatar.scene.place import Place
from avatar.scene.programs import ScenePrograms
from avatar.scene.window import WHOLE, inside, seen


class Backdrop:
    """One background seen from one place. All calls come from the context's thread.

    A camera that stands still copies a picture painted once. One that moves shows the part it
    sees of a wider picture, and draws anew only what stands before the figure.

    Args:
        programs: shared by all sessions of the context.
        painter: the background; whoever made it frees it.
        place: from where.
    """

    def __init__(self, programs: ScenePrograms, painter: Painter, place: Place) -> None:
        self.place = place
        self._programs = programs
        self._context = programs.context
        self._painter = painter
        width = round(place.pixels[0] * (place.whole[2] - place.whole[0]) / 2.0)
        height = round(place.pixels[1] * (place.whole[3] - place.whole[1]) / 2.0)
        self._colour = self._context.texture((width, height), 4)
        self._colour.repeat_x = self._colour.repeat_y = False
        self._depth = self._context.depth_renderbuffer((width, height))
        self._frame = self._context.framebuffer([self._colour], self._depth)

    def paint(self) -> Generator[None]:
        """Paint the picture that is used again, in steps of a few milliseconds each."""
        if not self._painter.live:
            yield from self._painter.steps(self._frame, self.place)
            if self.place.whole is WHOLE:
                self._frame.use()
                self._painter.paint_front(self.place, self.place.rest)

    def fill(self, target: Any, now: Shot, at: float) -> bool:
        """Fill `target` with colour, alpha 0 and depth, and leave it bound.

        Args:
            target: framebuffer with one colour texture (Y', Cb, Cr, coverage) and a depth.
            now: the camera.
            at: seconds.

        Returns:
            Whether it may look otherwise than at the call before.
        """
        place, stands = self.place, self.place.whole is WHOLE
        window = WHOLE if stands else seen(place.rest, now)
        if self._painter.live:
            self._start(target)
            self._painter.show(window, place, at)
            return True
        if stands and target.size == self._frame.size:
            # The copy brings depth along: one step starts the frame.
            self._context.copy_framebuffer(target, self._frame)
            target.use()
            return False
        self._start(target)
        self._colour.use(0)
        self._programs.quad("plate", plate=0, part=inside(window, place.whole))
        self._painter.paint_front(place, now)
        return not stands

    def release(self) -> None:
        """Free its picture."""
        for thing in (self._frame, self._colour, self._depth):
            thing.release()

    def _start(self, target: Any) -> None:
        target.use()
        target.clear(depth=1.0)
        self._context.enable_only(moderngl.NOTHING)
