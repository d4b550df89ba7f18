"""From a drawn frame to yuv420p planes: two small passes and a read-back."""

from typing import Any, Final

import moderngl
import numpy as np
from numpy.typing import ArrayLike, NDArray

from avatar.renderer.base import Picture, Size
from avatar.renderer.shaders import compile_program

_EDGES: Final[dict[str, str | int | float]] = {"EDGE_START": 0.16, "EDGE_GAIN": 1.6}
_TRIANGLE: Final = np.array([-1, -1, 3, -1, -1, 3], np.float32)


def ycbcr(rgb: ArrayLike) -> NDArray[np.float64]:
    """Convert display R'G'B' [..., 3] in 0 to 1 to 8-bit limited range Y'CbCr (ITU-R BT.709)."""
    colour = np.asarray(rgb, np.float64)
    y = colour @ np.array([0.2126, 0.7152, 0.0722])
    blue = (colour[..., 2] - y) / 1.8556
    red = (colour[..., 0] - y) / 1.5748
    return np.stack([16.0 + 219.0 * y, 128.0 + 224.0 * blue, 128.0 + 224.0 * red], -1)


class PlaneShaders:
    """The passes, compiled once per context: luma by (edges, scaled), and chroma."""

    def __init__(self, context: Any) -> None:
        self.corners = context.buffer(_TRIANGLE.tobytes())
        self._luma = {}
        for edges in (False, True):
            for scaled in (False, True):
                defines: dict[str, str | int | float] = dict(_EDGES)
                defines |= {"EDGES": 1} if edges else {}
                defines |= {"SCALED": 1} if scaled else {}
                self._luma[edges, scaled] = self._pass(context, "luma", defines)
        self._chroma = self._pass(context, "chroma", {})

    def luma(self, *, edges: bool, scaled: bool) -> tuple[Any, Any]:
        """Return program and vertex array."""
        return self._luma[edges, scaled]

    @property
    def chroma(self) -> tuple[Any, Any]:
        """Return program and vertex array."""
        return self._chroma

    def release(self) -> None:
        """Free the programs."""
        for program, array in (*self._luma.values(), self._chroma):
            array.release()
            program.release()
        self.corners.release()

    def _pass(
        self, context: Any, name: str, defines: dict[str, str | int | float]
    ) -> tuple[Any, Any]:
        program = compile_program(context, name, defines)
        return program, context.vertex_array(program, [(self.corners, "2f", "corner")])


class Planes:
    """The packed planes of one session and the two pictures that are read back in turn."""

    def __init__(self, context: Any, shaders: PlaneShaders, size: Size) -> None:
        self._context = context
        self._shaders = shaders
        self.size = size
        self._luma = context.texture((-(-size.width // 4), size.height), 4)
        columns = -(-(size.width // 2) // 4)
        self._chroma = [context.texture((columns, size.height // 2), 4) for _ in range(2)]
        self._luma_frame = context.framebuffer([self._luma])
        self._chroma_frame = context.framebuffer(self._chroma)
        self._pictures = [np.zeros((size.height * 3 // 2, size.width), np.uint8) for _ in range(2)]
        self._padded = np.zeros((size.height, self._luma.width * 4), np.uint8)
        self._padded_chroma = np.zeros((size.height // 2, columns * 4), np.uint8)
        self._turn = 0

    def convert(self, frame: Any, *, edges: bool) -> None:
        """Fill the packed planes from a drawn frame (texture of Y', Cb, Cr)."""
        self._context.enable_only(moderngl.NOTHING)
        scaled = (frame.width, frame.height) != (self.size.width, self.size.height)
        frame.use(0)
        frame.filter = moderngl.LINEAR, moderngl.LINEAR
        for target, (program, array) in (
            (self._chroma_frame, self._shaders.chroma),
            (self._luma_frame, self._shaders.luma(edges=edges, scaled=scaled)),
        ):
            values = {
                "frame": 0,
                "last": (self.size.width - 1, self.size.height - 1),
                "step_size": (1.0 / self.size.width, 1.0 / self.size.height),
            }
            for name, value in values.items():
                if name in program:
                    program[name].value = value
            target.use()
            array.render()

    def read(self) -> Picture:
        """Read the planes back into the older of the two pictures."""
        self._turn ^= 1
        stacked = self._pictures[self._turn]
        width, height = self.size.width, self.size.height
        luma = stacked[:height]
        if self._padded.shape[1] == width:
            self._luma_frame.read_into(luma, components=4)
        else:
            self._luma_frame.read_into(self._padded, components=4)
            luma[:] = self._padded[:, :width]
        chroma = stacked.reshape(-1)[height * width :].reshape(2, height // 2, width // 2)
        for plane in range(2):
            self._chroma_frame.read_into(self._padded_chroma, components=4, attachment=plane)
            chroma[plane] = self._padded_chroma[:, : width // 2]
        return Picture(stacked, self.size)

    def release(self) -> None:
        """Free the targets."""
        for thing in (self._luma_frame, self._chroma_frame, self._luma, *self._chroma):
            thing.release()
