"""Paints a modelled room, out of focus behind the figure, and the desk before it."""

from collections.abc import Generator
from itertools import pairwise
from typing import Any, Final

import moderngl
import numpy as np
from numpy.typing import NDArray

from avatar.renderer.camera import Shot
from avatar.scene.place import Place
from avatar.scene.programs import ScenePrograms
from avatar.scene.rooms.stored import DESK_BEFORE, DESK_BELOW, EYES, StoredRoom
from avatar.scene.window import WHOLE, Window

# The widest disc of blur, as a share of the picture's shorter side.
_WIDEST: Final = 0.026
# Metres behind the face where blur begins, and where it is full.
_SHARP: Final = 0.25
_BLURRED: Final = 1.9
# A focus with nothing behind it: all is sharp.
_NOWHERE: Final = (1e3, 1.0)
_BLACK: Final = (16.0 / 255.0, 128.0 / 255.0, 128.0 / 255.0, 0.0)
_SLICES: Final = 8
_LEVELS: Final = 3
_PARTS: Final = 8  # the room is drawn in so many steps
# The desk is shown by cameras so far from the face: neither a portrait nor one of the feet.
_DESK_WITHIN: Final = (2.0, 3.5)
_DESK_AT: Final = 0.80  # where its far edge is, from the middle (0) down to the foot (1)


class StagePainter:
    """One room.

    Args:
        programs: of the context.
        room: its geometry and light.
        shades: uint8 [n, 4], Y', Cb, Cr of its vertices.
        blur: 0 to 1.
        desk: whether the desk before the figure is shown.
    """

    live = False

    def __init__(
        self,
        programs: ScenePrograms,
        room: StoredRoom,
        shades: NDArray[np.uint8],
        *,
        blur: float,
        desk: bool,
    ) -> None:
        self._programs = programs
        self._blur = blur
        self._desk = desk
        self._front = room.front
        self._count = len(room.triangles) - room.front
        context = programs.context
        self._buffers = [
            context.buffer(room.positions.astype("f4").tobytes()),
            context.buffer(shades.tobytes()),
            context.buffer(room.triangles.astype("i4").tobytes()),
        ]
        self._array = programs.room_array(*self._buffers)

    def steps(self, target: Any, place: Place) -> Generator[None]:
        """See `Painter`."""
        width, height = target.size
        context = self._programs.context
        if not self._blur:
            yield from self._draw_room(target, place, _NOWHERE)
            return
        sharp = context.texture((width, height), 4)
        soft = context.texture((width // 2, height // 2), 4)
        depth = context.depth_renderbuffer((width, height))
        frames = [context.framebuffer([sharp], depth), context.framebuffer([soft])]
        for texture in (sharp, soft):
            texture.repeat_x = texture.repeat_y = False
        try:
            focus = (place.rest.distance + _SHARP, _BLURRED - _SHARP)
            yield from self._draw_room(frames[0], place, focus)
            sharp.build_mipmaps(0, _LEVELS)
            sharp.filter = moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR
            yield
            for number in range(_SLICES):
                self._blur_slice(frames[1], sharp, number)
                yield
            target.use()
            target.clear(depth=1.0)
            context.enable_only(moderngl.NOTHING)
            soft.use(0)
            self._programs.quad("plate", plate=0, part=(0.0, 0.0, 1.0, 1.0))
            yield
        finally:
            for thing in (*frames, sharp, soft, depth):
                thing.release()

    def show(self, window: Window, place: Place, at: float) -> None:
        """See `Painter`."""

    def paint_front(self, place: Place, now: Shot) -> None:
        """See `Painter`."""
        rest = place.rest
        if not self._desk or not _DESK_WITHIN[0] < rest.distance < _DESK_WITHIN[1]:
            return
        # The desk stands where its far edge shows at the same height in every format.
        slope = 0.5 * rest.height / rest.distance
        edge = float(rest.position[2]) - _DESK_AT * slope * (rest.distance - DESK_BEFORE)
        self._programs.context.enable_only(moderngl.DEPTH_TEST)
        self._set(now, (0.0, place.face, edge - (EYES - DESK_BELOW)), WHOLE, _NOWHERE)
        self._array.render(vertices=3 * self._count, first=3 * self._front)

    def release(self) -> None:
        """See `Painter`."""
        for thing in (self._array, *self._buffers):
            thing.release()

    def _draw_room(self, target: Any, place: Place, focus: tuple[float, float]) -> Generator[None]:
        target.use()
        target.clear(*_BLACK, depth=1.0)
        ends = np.linspace(0, self._front, _PARTS + 1).astype(int).tolist()
        for first, end in pairwise(ends):
            target.use()
            self._programs.context.enable_only(moderngl.DEPTH_TEST)
            self._set(place.rest, (0.0, place.face, place.floor), place.whole, focus)
            self._array.render(vertices=3 * (end - first), first=3 * first)
            yield

    def _blur_slice(self, target: Any, sharp: Any, number: int) -> None:
        width, height = target.size
        low, high = height * number // _SLICES, height * (number + 1) // _SLICES
        target.scissor = (0, low, width, high - low)
        target.use()
        self._programs.context.enable_only(moderngl.NOTHING)
        sharp.use(0)
        wide = self._blur * _WIDEST * min(width, height)
        # 22 samples in a disc of this width are so many texels of the whole picture apart.
        apart = 2.0 * wide * (np.pi / 22.0) ** 0.5
        level = float(np.clip(np.log2(max(apart, 1.0)), 0.0, _LEVELS))
        self._programs.quad("blur", plate=0, level=level, radius=(wide / width, wide / height))
        target.scissor = None

    def _set(
        self,
        shot: Shot,
        shift: tuple[float, float, float],
        window: Window,
        focus: tuple[float, float],
    ) -> None:
        moved = np.eye(4, dtype=np.float32)
        moved[:3, 3] = shift
        program = self._programs.room
        values: dict[str, Any] = {"window": window, "focus": focus}
        values["view"] = tuple((shot.view @ moved).T.reshape(-1).tolist())
        self._programs.set(program, values)
