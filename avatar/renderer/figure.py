"""One avatar's geometry and textures in the graphics context, shared by its sessions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import moderngl
import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset, Part
from avatar.renderer.bands import BLENDED, Outline, Seen, slab_count, slab_of
from avatar.renderer.detail import Level, level_for, levels
from avatar.renderer.light import LAMPS
from avatar.renderer.shaders import compile_program, part_define

Floats = NDArray[np.float32]

TABLE_COLUMNS: Final = 512
# Materials that are a variant of another one's shader: its name, and what is defined.
VARIANTS: Final = {"strand": ("hair", "STRAND"), "glass": ("metal", "GLASS")}
CULLED: Final = ("top", "trousers")


@dataclass(slots=True)
class _Surface:
    """One part in the context.

    Attributes:
        index: of the part in the avatar.
        arrays: a vertex array for each level of detail, the finest first.
        starts: for each level int [slabs + 1], where in its indices each slab begins.
    """

    index: int
    part: Part
    program: Any
    levels: list[Level]
    arrays: list[Any]
    starts: list[NDArray[np.intp]]
    texture: Any

    def render(self, density: float, slabs: NDArray[np.bool_]) -> None:
        """Draw the slabs that can be seen, neighbours together."""
        level = level_for(self.levels, density)
        starts = self.starts[level]
        edges = np.flatnonzero(np.diff(np.concatenate([[False], slabs, [False]])))
        for first, last in edges.reshape(-1, 2):
            count = int(starts[last] - starts[first])
            if count:
                self.arrays[level].render(vertices=count, first=int(starts[first]))


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


def front_to_back(parts: Sequence[Part]) -> list[int]:
    """Return the order in which parts are drawn, so that what is hidden is rejected early.

    Opaque parts come first, clothes before what they cover: an outfit's parts go from the inside
    out, so they are drawn from the last to the first. Blended parts keep their order.
    """
    cloth = [index for index, part in enumerate(parts) if part.material in ("cloth", "metal")]
    blended = [index for index, part in enumerate(parts) if part.material in BLENDED]
    others = [index for index in range(len(parts)) if index not in cloth and index not in blended]
    return cloth[::-1] + others + blended


class Figure:
    """Draws one avatar. All calls come from the context's thread."""

    def __init__(self, context: Any, materials: Materials, asset: AvatarAsset) -> None:
        self.asset = asset
        self._context = context
        self._materials = materials
        self._owned: list[Any] = []
        self._textures = {name: self._texture(image) for name, image in asset.textures.items()}
        self._table = self._morph_table(asset.morphs)
        self.outline = Outline(asset)
        surfaces = [self._surface(index, part) for index, part in enumerate(asset.parts)]
        self._surfaces = [surfaces[index] for index in front_to_back(asset.parts)]
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
        self, seen: Seen, viewer: Floats, face: Floats, *, density: float, locks: bool
    ) -> None:
        """Draw with the bound `Session` block into the bound frame.

        Args:
            seen: what of it can be in the picture, as `outline` tells.
            viewer: camera position [3].
            face: the 52 coefficients.
            density: pixels a metre at the figure.
            locks: whether to draw loose locks of hair.
        """
        self._table.use(1)
        context = self._context
        # Alpha counts how much of a pixel the figure covers; the backdrop leaves it at 0.
        colour = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        context.blend_func = *colour, moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
        for surface in self._surfaces:
            material, slabs = surface.part.material, seen.slabs[surface.index]
            if not slabs.any() or (surface.part.name == "locks" and not locks):
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
            surface.render(density, slabs)

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

    def _surface(self, index: int, part: Part) -> _Surface:
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
        found, arrays, starts = levels(part), [], []
        for level in found:
            slab = slab_of(part, part.positions[level.kept[level.triangles], 2].mean(1))
            order = np.argsort(slab, kind="stable")
            starts.append(3 * np.searchsorted(slab[order], np.arange(slab_count(part) + 1)))
            content = [
                (self._own(self._context.buffer(data[level.kept].tobytes())), layout, name)
                for name, layout, data in columns
                if name in program
            ]
            indices = self._own(self._context.buffer(level.triangles[order].tobytes()))
            arrays.append(self._own(self._context.vertex_array(program, content, indices)))
        texture = self._textures.get(part.texture)
        return _Surface(index, part, program, found, arrays, starts, texture)

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
