"""From a drawn frame to yuv420p planes: two small passes and a read-back."""

from collections import deque
from typing import Any, Final

import moderngl
import numpy as np
from numpy.typing import ArrayLike, NDArray

from avatar.errors import AvatarError
from avatar.renderer.bands import MOST_BANDS, Bands
from avatar.renderer.base import Picture, Size
from avatar.renderer.shaders import compile_program

_EDGES: Final[dict[str, str | int | float]] = {"EDGE_START": 0.16, "EDGE_GAIN": 1.6}
_BAND_BYTES: Final = 6 * 2 * 4
_TRIANGLE: Final = np.array([-1, -1, 3, -1, -1, 3], np.float32)


def ycbcr(rgb: ArrayLike) -> NDArray[np.float64]:
    """Convert display R'G'B' [..., 3] in 0 to 1 to 8-bit limited range Y'CbCr (ITU-R BT.709)."""
    colour = np.asarray(rgb, np.float64)
    y = colour @ np.array([0.2126, 0.7152, 0.0722])
    blue = (colour[..., 2] - y) / 1.8556
    red = (colour[..., 0] - y) / 1.5748
    return np.stack([16.0 + 219.0 * y, 128.0 + 224.0 * blue, 128.0 + 224.0 * red], -1)


def to_rgb(planes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return I420 planes [h * 3 / 2, w] (BT.709, limited range) as sRGB uint8 [h, w, 3]."""
    rows, width = planes.shape
    height = rows * 2 // 3
    y = (planes[:height].astype(np.float32) - 16.0) / 219.0
    chroma = planes.reshape(-1)[height * width :].reshape(2, height // 2, width // 2)
    blue, red = (
        (plane.repeat(2, 0).repeat(2, 1).astype(np.float32) - 128.0) / 224.0 for plane in chroma
    )
    rgb = np.stack([y + 1.5748 * red, y - 0.187324 * blue - 0.468124 * red, y + 1.8556 * blue], -1)
    return np.asarray(np.round(255.0 * np.clip(rgb, 0.0, 1.0)), np.uint8)


class PlaneShaders:
    """The passes, compiled once per context: luma by (edges, scaled), and chroma.

    Attributes:
        corners: a triangle over the whole picture, for other passes.
    """

    def __init__(self, context: Any) -> None:
        self.corners = context.buffer(_TRIANGLE.tobytes())
        self._context = context
        self._bands = context.buffer(reserve=MOST_BANDS * _BAND_BYTES, dynamic=True)
        self._luma = {}
        for edges in (False, True):
            for scaled in (False, True):
                defines: dict[str, str | int | float] = dict(_EDGES)
                defines |= {"EDGES": 1} if edges else {}
                defines |= {"SCALED": 1} if scaled else {}
                self._luma[edges, scaled] = self._pass("luma", defines)
        self._chroma = self._pass("chroma", {})

    def fill(
        self, target: Any, size: Size, bands: Bands, *, edges: bool | None, scaled: bool
    ) -> None:
        """Fill bands of a packed plane from the frame bound to unit 0; `edges` None: chroma."""
        program, array = self._chroma if edges is None else self._luma[edges, scaled]
        corners = bands.corners()
        self._bands.orphan()
        self._bands.write(corners)
        step = 8 if edges is None else 4
        values = {
            "frame": 0,
            "last": (size.width - 1, size.height - 1),
            "step_size": (1.0 / size.width, 1.0 / size.height),
            # Planes are packed four to a texel: their last texel may reach past the picture.
            "scale": (2.0 / (-(-size.width // step) * step), 2.0 / size.height),
        }
        for name, value in values.items():
            if name in program:
                program[name].value = value
        target.use()
        array.render(vertices=len(corners))

    def release(self) -> None:
        """Free the programs."""
        for program, array in (*self._luma.values(), self._chroma):
            array.release()
            program.release()
        self.corners.release()
        self._bands.release()

    def _pass(self, name: str, defines: dict[str, str | int | float]) -> tuple[Any, Any]:
        program = compile_program(self._context, name, defines)
        return program, self._context.vertex_array(program, [(self._bands, "2f", "corner")])


class _Packed:
    """One picture's planes on the device, four bytes a texel, and what they show."""

    def __init__(self, context: Any, size: Size, *, asynchronous: bool) -> None:
        self.luma = context.texture((-(-size.width // 4), size.height), 4)
        columns = -(-(size.width // 2) // 4)
        self.chroma = [context.texture((columns, size.height // 2), 4) for _ in range(2)]
        self.luma_frame = context.framebuffer([self.luma])
        self.chroma_frame = context.framebuffer(self.chroma)
        plane = columns * 4 * (size.height // 2)
        self.offsets = (
            0,
            self.luma.width * 4 * size.height,
            self.luma.width * 4 * size.height + plane,
        )
        self.buffer = context.buffer(reserve=self.offsets[2] + plane) if asynchronous else None
        self.shows: tuple[object, Bands] | None = None

    def start_reading(self) -> None:
        """Let the device copy the planes out by itself, where that is how they are read."""
        if self.buffer is None:
            return
        self.luma_frame.read_into(self.buffer, components=4)
        for plane in range(2):
            self.chroma_frame.read_into(
                self.buffer, components=4, attachment=plane, write_offset=self.offsets[1 + plane]
            )

    def read(self, into: NDArray[np.uint8], plane: int) -> None:
        """Read plane 0 (Y), 1 (U) or 2 (V); waits until it is there."""
        if self.buffer is not None:
            self.buffer.read_into(into, size=into.nbytes, offset=self.offsets[plane])
        elif plane == 0:
            self.luma_frame.read_into(into, components=4)
        else:
            self.chroma_frame.read_into(into, components=4, attachment=plane - 1)

    def release(self) -> None:
        for thing in (self.luma_frame, self.chroma_frame, self.luma, *self.chroma, self.buffer):
            if thing is not None:
                thing.release()


class Planes:
    """The packed planes of one session: two on the device and two in memory, each in turn.

    Args:
        context: where to draw.
        shaders: the passes.
        size: of the picture.
        asynchronous: read back by way of a pixel buffer, which the device fills while it goes on
            drawing. A software rasteriser has nothing to copy across and is better without.
    """

    def __init__(
        self, context: Any, shaders: PlaneShaders, size: Size, *, asynchronous: bool = False
    ) -> None:
        self._context = context
        self._shaders = shaders
        self.size = size
        self._packed = [_Packed(context, size, asynchronous=asynchronous) for _ in range(2)]
        self._pictures = [np.zeros((size.height * 3 // 2, size.width), np.uint8) for _ in range(2)]
        width, columns = self._packed[0].luma.width * 4, self._packed[0].chroma[0].width * 4
        self._padded = np.zeros((size.height, width), np.uint8)
        self._padded_chroma = np.zeros((size.height // 2, columns), np.uint8)
        self._turn = 0
        self._waiting: deque[_Packed] = deque()

    def convert(
        self, frame: Any, *, edges: bool, around: Bands | None = None, key: object = None
    ) -> None:
        """Fill the older planes from a drawn frame (texture of Y', Cb, Cr), and start reading.

        Args:
            frame: what was drawn.
            edges: smooth the stairs of edges.
            around: where the figure is, if that is all that differs between frames of one `key`;
                None when anything may differ.
            key: of everything but the figure.
        """
        self._turn ^= 1
        packed = self._packed[self._turn]
        whole = Bands.whole(self.size)
        bands = whole
        if around is not None and packed.shows is not None and packed.shows[0] == key:
            bands = around.joined(packed.shows[1])
        packed.shows = None if around is None else (key, around)
        self._context.enable_only(moderngl.NOTHING)
        scaled = (frame.width, frame.height) != (self.size.width, self.size.height)
        frame.use(0)
        frame.filter = moderngl.LINEAR, moderngl.LINEAR
        self._shaders.fill(packed.chroma_frame, self.size, bands, edges=None, scaled=scaled)
        self._shaders.fill(packed.luma_frame, self.size, bands, edges=edges, scaled=scaled)
        packed.start_reading()
        self._waiting.append(packed)

    def read(self) -> Picture:
        """Read the oldest converted planes back into the older of the two pictures.

        Raises:
            AvatarError: when nothing arrived, as after the context was lost.
        """
        packed = self._waiting.popleft()
        stacked = self._pictures[0]
        self._pictures.reverse()
        width, height = self.size.width, self.size.height
        luma = stacked[:height]
        into = luma if self._padded.shape[1] == width else self._padded
        # In limited range no pixel is 0: where one stays, no plane came.
        into[0, 0] = 0
        packed.read(into, 0)
        if into[0, 0] == 0:
            raise AvatarError("the graphics context was lost: its pictures are empty")
        if into is not luma:
            luma[:] = into[:, :width]
        chroma = stacked.reshape(-1)[height * width :].reshape(2, height // 2, width // 2)
        for plane in range(2):
            packed.read(self._padded_chroma, 1 + plane)
            chroma[plane] = self._padded_chroma[:, : width // 2]
        return Picture(stacked, self.size)

    def release(self) -> None:
        """Free the targets."""
        for packed in self._packed:
            packed.release()
