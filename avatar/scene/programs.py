"""The shader programs of backdrops and overlays, compiled and translated before they are needed."""

from typing import Any, Final

import moderngl
import numpy as np

from avatar.renderer.shaders import compile_program, part_define

_CORNERS: Final = np.array([-1, -1, 1, -1, -1, 1, 1, 1], np.float32)
_ODD: Final = (24, 20)


class ScenePrograms:
    """One program per sort of backdrop and overlay, with quads that fill [-1, 1].

    A software rasteriser translates a program when it first draws, which takes tens of
    milliseconds: each draws once here, so that a scene can change between two pictures.

    Args:
        context: where to draw.
        parts_only: flat debug colours for what is behind the figure.
    """

    def __init__(self, context: Any, *, parts_only: bool) -> None:
        self.context = context
        self.parts_only = parts_only
        defines = part_define("studio") if parts_only else {}
        self._corners = context.buffer(_CORNERS.tobytes())
        self._programs = {
            name: compile_program(context, name, {} if name == "overlay" else defines)
            for name in ("studio", "plate", "overlay", "blur", "room")
        }
        self.room = self._programs["room"]
        self._quads = {
            name: context.vertex_array(program, [(self._corners, "2f", "corner")])
            for name, program in self._programs.items()
            if name != "room"
        }
        self._warm()

    def quad(self, name: str, **values: Any) -> None:
        """Draw the quad of a program into the bound framebuffer with these uniforms."""
        self.set(self._programs[name], values)
        self._quads[name].render(moderngl.TRIANGLE_STRIP)

    def room_array(self, positions: Any, shades: Any, triangles: Any) -> Any:
        """Return a vertex array of a room: buffers of 3 floats, 4 bytes, and indices or None."""
        content = [(positions, "3f", "position"), (shades, "4f1", "shade")]
        # Flat colours need no shades.
        used = [column for column in content if column[2] in self.room]
        return self.context.vertex_array(self.room, used, triangles)

    @staticmethod
    def set(program: Any, values: dict[str, Any]) -> None:
        """Set those uniforms that the program uses."""
        for name, value in values.items():
            if name in program:
                program[name].value = value

    def release(self) -> None:
        """Free the programs."""
        for array in self._quads.values():
            array.release()
        for program in self._programs.values():
            program.release()
        self._corners.release()

    def _warm(self) -> None:
        target = self.context.simple_framebuffer(_ODD, 4)
        texture = self.context.texture(_ODD, 4)
        texture.repeat_x = texture.repeat_y = False
        # Translated for how a texture is filtered and ends, and widths that are no power of two.
        for smallest in (moderngl.LINEAR, moderngl.LINEAR_MIPMAP_LINEAR):
            if smallest == moderngl.LINEAR_MIPMAP_LINEAR:
                texture.build_mipmaps()
            texture.filter = smallest, moderngl.LINEAR
            target.use()
            texture.use(0)
            for name in self._quads:
                self.quad(name)
        self._warm_room()
        target.read()
        target.release()
        texture.release()

    def _warm_room(self) -> None:
        corner = self.context.buffer(np.zeros(4, np.float32).tobytes())
        array = self.room_array(corner, corner, None)
        self.context.enable_only(moderngl.DEPTH_TEST)
        array.render(vertices=1)
        array.release()
        corner.release()
