"""One avatar's geometry and textures in the graphics context, shared by its sessions."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import moderngl
import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset, Part
from avatar.renderer.blocks import SESSION_BYTES
from avatar.renderer.light import LAMPS
from avatar.renderer.shaders import compile_program, part_define

Floats = NDArray[np.float32]

__all__ = ["SESSION_BYTES", "Figure", "Materials"]

TABLE_COLUMNS: Final = 512
BLENDED: Final = ("strand", "lash", "glass")
# Materials that are a variant of another one's shader: its name, and what is defined.
VARIANTS: Final = {"strand": ("hair", "STRAND"), "glass": ("metal", "GLASS")}
CULLED: Final = ("top", "trousers")


@dataclass(slots=True)
class _Surface:
    part: Part
    program: Any
    array: Any
    texture: Any


class Materials:
    """The programs of all materials, compiled when first used and shared by all figures.

    A software rasteriser translates a program at its first draw, which takes tens of
    milliseconds; so they are kept when a figure goes.

    Args:
        context: where to draw.
        parts_only: flat debug colours instead of light.
    """

    def __init__(self, context: Any, *, parts_only: bool) -> None:
        self.parts_only = parts_only
        self._context = context
        self._programs: dict[tuple[str, int, bool], Any] = {}

    def program(self, material: str, influences: int, moves: bool) -> Any:
        """Return the program of a material for 1 or 4 joints a vertex, with a face or without."""
        key = (material, influences, moves)
        if key not in self._programs:
            defines: dict[str, str | int | float] = {"INFLUENCES": influences}
            if moves:
                defines |= {"MORPH": 1, "TABLE_COLUMNS": TABLE_COLUMNS}
            source, variant = VARIANTS.get(material, (material, "PLAIN"))
            defines[variant] = 1
            if self.parts_only:
                defines |= part_define(material)
            program = compile_program(self._context, source, defines, deforms=True)
            program["Session"].binding = 0
            if "Lamps" in program:
                program["Lamps"].binding = LAMPS
            for name, unit in (("picture", 0), ("table", 1)):
                if name in program:
                    program[name].value = unit
            self._programs[key] = program
        return self._programs[key]

    def release(self) -> None:
        """Free the programs."""
        for program in self._programs.values():
            program.release()
        self._programs.clear()


class Figure:
    """Draws one avatar. All calls come from the context's thread."""

    def __init__(self, context: Any, materials: Materials, asset: AvatarAsset) -> None:
        self.asset = asset
        self._context = context
        self._materials = materials
        self._owned: list[Any] = []
        self._textures = {name: self._texture(image) for name, image in asset.textures.items()}
        self._table = self._morph_table(asset.morphs)
        self._surfaces = [self._surface(part) for part in asset.parts]
        self._lids = {
            part.name: np.array(part.values["lid"], np.float32)
            for part in asset.parts
            if part.material == "eye"
        }

    def release(self) -> None:
        """Free everything made in the context."""
        for thing in reversed(self._owned):
            thing.release()
        self._owned.clear()
        self._surfaces.clear()

    def draw(
        self, session: Any, viewer: Floats, face: Floats, *, density: float, locks: bool
    ) -> None:
        """Draw into the bound frame.

        Args:
            session: uniform buffer with this frame's `Session` block.
            viewer: camera position [3].
            face: the 52 coefficients.
            density: pixels a metre at the figure.
            locks: whether to draw loose locks of hair.
        """
        session.bind_to_uniform_block(0)
        self._table.use(1)
        context = self._context
        # Alpha counts how much of a pixel the figure covers; the backdrop leaves it at 0.
        colour = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        context.blend_func = *colour, moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
        for surface in self._surfaces:
            material = surface.part.material
            if surface.part.name == "locks" and not locks:
                continue
            flags = moderngl.DEPTH_TEST
            if material == "skin" or surface.part.name in CULLED:
                flags |= moderngl.CULL_FACE
            if material in BLENDED and not self._materials.parts_only:
                flags |= moderngl.BLEND
            context.enable_only(flags)
            for name, value in self._uniforms(surface.part, viewer, face, density):
                if name in surface.program:
                    surface.program[name].value = value
            if surface.texture is not None:
                surface.texture.use(0)
            surface.array.render()

    def _uniforms(
        self, part: Part, viewer: Floats, face: Floats, density: float
    ) -> Iterator[tuple[str, float | tuple[float, ...]]]:
        values = part.values
        if part.material == "eye":
            lid = self._lids[part.name]
            yield "centre", tuple(values["centre"])
            yield "radius", values["radius"][0]
            yield "lid", float(lid[0] + lid[1:] @ face)
            yield "viewer", tuple(viewer.tolist())
        elif part.material == "cloth":
            yield "base", tuple(values["colour"])
            yield "second", tuple(values["second"])
            yield "sheen", tuple(values["sheen"])
            yield "repeat", values["repeat"][0]
            texels = values["repeat"][0] * self.asset.textures[part.texture].shape[0]
            yield "level", int(np.clip(np.round(np.log2(texels / density)), 0, 5))
        elif part.material in ("hair", "strand"):
            yield "base", tuple(values["colour"])
            yield "tip", tuple(values["tip"])
        elif part.material in ("metal", "glass"):
            yield "base", tuple(values["colour"])
            yield "metal", values["metal"][0]
            yield "viewer", tuple(viewer.tolist())
        elif part.material == "mouth":
            yield "gloss", values["gloss"][0]

    def _surface(self, part: Part) -> _Surface:
        moves = bool(part.morphs[:, 1].any())
        program = self._materials.program(part.material, part.influences, moves)
        columns: list[tuple[str, str, NDArray[Any]]] = [
            ("position", "3f", part.positions),
            ("normal", "3f", part.normals),
            ("tangent", "3f", part.tangents),
            ("uv", "2f", part.uv),
            ("light_baked", "4f", part.baked),
            ("bones", "4u1", part.joints),
            ("weights", "4f", part.weights),
            ("morphs", "2i", part.morphs),
        ]
        content = [
            (self._own(self._context.buffer(data.tobytes())), layout, name)
            for name, layout, data in columns
            if name in program
        ]
        indices = self._own(self._context.buffer(part.triangles.astype("i4").tobytes()))
        array = self._own(self._context.vertex_array(program, content, indices))
        return _Surface(part, program, array, self._textures.get(part.texture))

    def _texture(self, image: NDArray[np.uint8]) -> Any:
        height, width, channels = image.shape
        # Software rasterisers sample four bytes a texel faster than one, two or three.
        texels = np.zeros((height, width, 4), np.uint8)
        texels[..., :channels] = image
        texture = self._context.texture((width, height), 4, texels.tobytes())
        texture.build_mipmaps()
        texture.filter = moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR
        return self._own(texture)

    def _morph_table(self, rows: Floats) -> Any:
        """Lay the table out as a picture: two texels a row, 512 rows a line."""
        lines = -(-len(rows) // TABLE_COLUMNS)
        padded = np.zeros((lines * TABLE_COLUMNS, 8), np.float32)
        padded[: len(rows)] = rows
        texture = self._context.texture((2 * TABLE_COLUMNS, lines), 4, padded.tobytes(), dtype="f4")
        texture.filter = moderngl.NEAREST, moderngl.NEAREST
        return self._own(texture)

    def _own(self, thing: Any) -> Any:
        self._owned.append(thing)
        return thing
