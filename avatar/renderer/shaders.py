"""Puts shader sources together."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.renderer import light

_FOLDER: Final = Path(__file__).parent / "shaders"
_EXPOSURE: Final = 0.80

# Flat colours of the debug shading, display RGB 0 to 1, by material.
PART_COLOURS: Final[Mapping[str, tuple[float, float, float]]] = {
    "skin": (1.0, 0.0, 0.0),
    "eye": (1.0, 1.0, 0.0),
    "mouth": (1.0, 0.0, 1.0),
    "lash": (0.0, 0.0, 0.0),
    "cloth": (0.0, 0.0, 1.0),
    "hair": (0.0, 1.0, 0.0),
    "strand": (0.0, 1.0, 0.0),
    "metal": (0.0, 1.0, 1.0),
    "glass": (0.0, 1.0, 1.0),
    "shadow": (0.0, 0.0, 0.0),
    "studio": (1.0, 1.0, 1.0),
}


def compile_program(
    context: Any, name: str, defines: Mapping[str, str | int | float], *, deforms: bool = False
) -> Any:
    """Compile `shaders/<name>.glsl` for both stages with `defines` set."""
    common = _read("common") if name not in ("luma", "chroma") else ""
    head = "#version 330\n" + "".join(f"#define {k} {v}\n" for k, v in defines.items())
    head += _lamps() + common
    vertex = "#define VERTEX\n" + (_read("deform") if deforms else "") + _read(name)
    return context.program(vertex_shader=head + vertex, fragment_shader=head + _read(name))


def part_define(material: str) -> dict[str, str | int | float]:
    """Return the defines that give `material` its flat debug colour."""
    r, g, b = PART_COLOURS[material]
    return {"PARTS": 1, "PART_COLOUR": f"vec3({r}, {g}, {b})"}


def _read(name: str) -> str:
    return (_FOLDER / f"{name}.glsl").read_text("utf-8")


def _lamps() -> str:
    names = ("KEY", "FILL", "RIM_A", "RIM_B")
    lines = [f"const float EXPOSURE = {_EXPOSURE};"]
    for name, direction in zip(names, light.DIRECTIONS, strict=True):
        lines.append(f"const vec3 {name} = {_vector(direction)};")
    for name, axis in zip(("KEY_ACROSS", "KEY_UP"), light.KEY_AXES, strict=False):
        lines.append(f"const vec3 {name} = {_vector(axis)};")
    lines.append("layout(std140) uniform Lamps { vec4 lamps[6]; };  // colours")
    colours = (*(f"{name}_COLOUR" for name in names), "SKY", "GROUND")
    lines += [f"#define {name} lamps[{number}].rgb" for number, name in enumerate(colours)]
    return "\n".join(lines) + "\n"


def _vector(values: NDArray[np.float32]) -> str:
    return "vec3(" + ", ".join(f"{value:.6f}" for value in values.tolist()) + ")"
