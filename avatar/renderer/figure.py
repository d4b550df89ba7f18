"""One avatar's geometry and textures in the graphics context, shared by its sessions."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import moderngl
import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset, Part
from avatar.renderer.bands import BLENDED, Outline, Seen, slab_count, slab_of
from avatar.renderer.context import flush_of
from avatar.renderer.detail import Drawn, level_for, levels
from avatar.renderer.light import LAMPS
from avatar.renderer.shaders import compile_program, part_define

Floats = NDArray[np.float32]

TABLE_COLUMNS: Final = 512
# Triangles after which the driver is told to begin: a software rasteriser fills on its threads
# what it has while this one prepares the next.
_BATCH: Final = 8000
# Materials that are a variant of another one's shader: its name, and what is defined.
VARIANTS: Final = {"strand": ("hair", "STRAND"), "glass": ("metal", "GLASS")}
# Uniforms of a material that a part's values set once, and those that every picture sets.
_FIXED: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "skin": (),
    "lash": (),
    "mouth": (("gloss", "gloss"),),
    "eye": (("centre", "centre"), ("radius", "radius")),
    "cloth": (("base", "colour"), ("second", "second"), ("sheen", "sheen"), ("repeat", "repeat")),
    "hair": (("base", "colour"), ("tip", "tip")),
    "strand": (("base", "colour"), ("tip", "tip")),
    "metal": (("base", "colour"), ("metal", "metal")),
    "glass": (("base", "colour"), ("metal", "metal")),
    "shadow": (),
}
MOVING: Final = ("viewer", "lid", "level")


@dataclass(slots=True)
class _Surface:
    """One part in the context.

    Attributes:
        index: of the part in the avatar.
        arrays: a vertex array for each level of detail, the finest first.
        starts: for each level [slabs + 1], where in its indices each slab begins.
        flags: of the context, to draw it with.
        fixed: uniforms of its program that are the same in every picture, as bytes.
        moving: uniforms of its program that are not, by name.
    """

    index: int
    part: Part
    levels: list[Drawn]
    arrays: list[Any]
    starts: list[list[int]]
    texture: Any
    flags: int
    fixed: list[tuple[Any, bytes]]
    moving: dict[str, Any]

    def render(self, density: float, slabs: list[bool]) -> int:
        """Draw the slabs that can be seen, neighbours together; return how many triangles."""
        level = level_for(self.levels, density)
        starts = self.starts[level]
        first = drawn = 0
        for slab, (seen, after) in enumerate(zip(slabs, [*slabs[1:], False], strict=True)):
            if not seen:
                first = slab + 1
            elif not after and (count := starts[slab + 1] - starts[first]):
                self.arrays[level].render(vertices=count, first=starts[first])
                drawn += count // 3
        return drawn


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
        self._flush = flush_of(context)
        self._owned: list[Any] = []
        self._textures = {name: self._texture(image) for name, image in asset.textures.items()}
        self._table = self._morph_table(asset.morphs)
        self.outline = Outline(asset)
        self._surfaces = [
            surface
            for index in front_to_back(asset.parts)
            for surface in self._surfaces_of(index, asset.parts[index])
        ]
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
        flags = given = 0
        for surface in self._surfaces:
            slabs = seen.slabs[surface.index]
            if True not in slabs or (surface.part.name == "locks" and not locks):
                continue
            if surface.flags != flags:
                flags = surface.flags
                context.enable_only(flags)
            for uniform, content in surface.fixed:
                uniform.write(content)
            for name, uniform in surface.moving.items():
                uniform.value = self._moving(name, surface.part, viewer, face, density)
            if surface.texture is not None:
                surface.texture.use(0)
            given += surface.render(density, slabs)
            if given > _BATCH:
                self._flush()
                given = 0

    def _moving(
        self, name: str, part: Part, viewer: Floats, face: Floats, density: float
    ) -> float | int | list[float]:
        """Return what one of `MOVING` is for a part now."""
        if name == "viewer":
            return list(viewer.tolist())
        if name == "lid":
            lid = self._lids[part.name]
            return float(lid[0] + lid[1:] @ face)
        texels = part.values["repeat"][0] * self.asset.textures[part.texture].shape[0]
        return min(max(round(math.log2(texels / density)), 0), 5)

    def _flags(self, part: Part, *, backs: bool) -> int:
        flags = moderngl.DEPTH_TEST
        if not backs or part.material == "skin":
            flags |= moderngl.CULL_FACE
        if part.material in BLENDED and not self._materials.parts_only:
            flags |= moderngl.BLEND
        return flags

    def _surfaces_of(self, index: int, part: Part) -> Iterator[_Surface]:
        """Yield what is drawn of a part: what shows its back, if anything, and the rest."""
        found = levels(part)
        for backs in (True, False):
            some = [level.side(backs=backs) for level in found]
            if any(len(level.triangles) for level in some):
                yield self._surface(index, part, some, backs=backs)

    def _surface(self, index: int, part: Part, found: list[Drawn], *, backs: bool) -> _Surface:
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
        arrays: list[Any] = []
        starts: list[list[int]] = []
        for level in found:
            if not len(level.triangles):
                starts.append([0] * (slab_count(part) + 1))
                arrays.append(None)
                continue
            slab = slab_of(part, part.positions[level.kept[level.triangles], 2].mean(1))
            order = np.argsort(slab, kind="stable")
            begins = np.searchsorted(slab[order], np.arange(slab_count(part) + 1))
            starts.append((3 * begins).tolist())
            content = [
                (self._own(self._context.buffer(data[level.kept].tobytes())), layout, name)
                for name, layout, data in columns
                if name in program
            ]
            indices = self._own(self._context.buffer(level.triangles[order].tobytes()))
            arrays.append(self._own(self._context.vertex_array(program, content, indices)))
        return _Surface(
            index,
            part,
            found,
            arrays,
            starts,
            self._textures.get(part.texture),
            self._flags(part, backs=backs),
            [
                (program[name], np.array(part.values[value], np.float32).tobytes())
                for name, value in _FIXED.get(part.material, ())
                if name in program
            ],
            {name: program[name] for name in MOVING if name in program},
        )

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
