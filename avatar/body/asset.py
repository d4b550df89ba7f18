"""`AvatarAsset`: everything a renderer needs of one avatar, in one safetensors file."""

import json
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from avatar.errors import AvatarError

Floats = NDArray[np.float32]

INFLUENCES: Final = 4
FORMAT: Final = "1"


@dataclass(frozen=True, slots=True)
class Level:
    """What is drawn of a part where an error of so much does not show.

    Attributes:
        error: metres the surface is off, root of the mean square; 0 for the finest.
        triangles: int32 [t, 3], of the part's vertices.
        backs: how many of them, the first ones, may be seen from behind.
    """

    error: float
    triangles: NDArray[np.int32]
    backs: int


@dataclass(frozen=True, slots=True)
class Part:
    """One surface drawn with one material.

    Attributes:
        name: unique within the avatar.
        material: "skin", "eye", "mouth", "lash", "cloth", "hair", "strand",
            "metal", "glass" or "shadow".
        texture: name of the texture it samples, "" for none.
        positions, normals: float32 [n, 3] at rest, metres and unit.
        tangents: float32 [n, 3]; along the strand for hair, the local direction for eyes.
        uv: float32 [n, 2].
        baked: float32 [n, 4]: ambient light and key light that arrive, each 0 to 1, and two
            values that a material defines, each -1 to 1.
        joints: uint8 [n, 4], weights: float32 [n, 4], strongest first, rows sum to one.
        triangles: int32 [t, 3].
        morphs: int32 [n, 2], first row and number of rows in the avatar's morph table.
        values: named constants of the material (colours are linear RGB).
        levels: what is drawn, the finest first, without what is never seen; empty when that has
            not been worked out: then all triangles are drawn.
    """

    name: str
    material: str
    texture: str
    positions: Floats
    normals: Floats
    tangents: Floats
    uv: Floats
    baked: Floats
    joints: NDArray[np.uint8]
    weights: Floats
    triangles: NDArray[np.int32]
    morphs: NDArray[np.int32]
    values: dict[str, list[float]] = field(default_factory=dict)
    levels: tuple[Level, ...] = ()

    @property
    def influences(self) -> int:
        """How many joints move its vertices: 1 or 4."""
        used = int((self.weights > 0.0).sum(1).max())
        return 1 if used == 1 else INFLUENCES


@dataclass(frozen=True, slots=True)
class AvatarAsset:
    """A prepared avatar.

    Attributes:
        parts: in drawing order, opaque before blended.
        textures: uint8 [height, width, channels] by name, first row at v = 0.
        joints: float32 [104, 3], rest positions in metres.
        morphs: float32 [m, 8], rows of the morph table: what a coefficient adds to a position
            (3), its number (1), what it adds to the normal (3), zero (1).
        values: "eye", the left eye's rest position in metres, and "scale", the head's size as a
            factor of the one framings are written for.
    """

    parts: tuple[Part, ...]
    textures: dict[str, NDArray[np.uint8]]
    joints: Floats
    morphs: Floats
    values: dict[str, list[float]]


_ARRAYS: Final = (
    "positions", "normals", "tangents", "uv", "baked", "joints", "weights", "triangles", "morphs",
)  # fmt: skip


def save_asset(asset: AvatarAsset, path: Path) -> None:
    """Write `asset` to `path`, by way of a neighbouring file, so that no half file is left."""
    tensors: dict[str, NDArray[Any]] = {"joints": asset.joints, "morphs": asset.morphs}
    tensors |= {f"texture/{name}": image for name, image in asset.textures.items()}
    described = []
    for part in asset.parts:
        named = (f.name for f in fields(part) if f.name not in (*_ARRAYS, "levels"))
        described.append(
            {name: getattr(part, name) for name in named}
            | {"kept": [(level.error, level.backs) for level in part.levels]}
        )
        tensors |= {f"part/{part.name}/{name}": getattr(part, name) for name in _ARRAYS}
        tensors |= {
            f"part/{part.name}/level/{number}": level.triangles
            for number, level in enumerate(part.levels)
        }
    # One entry, because safetensors keeps several in no particular order.
    content = {"format": FORMAT, "parts": described, "values": asset.values}
    contiguous = {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    save_file(contiguous, unfinished, {"avatar": json.dumps(content)})
    unfinished.replace(path)


def load_asset(path: Path) -> AvatarAsset:
    """Read what `save_asset` wrote.

    Raises:
        AvatarError: when the file is missing, broken or of another format.
    """
    try:
        with safe_open(path, framework="numpy") as file:
            content = json.loads((file.metadata() or {}).get("avatar", "{}"))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise AvatarError(f"the avatar file {path} cannot be read: {error}") from error
    if content.get("format") != FORMAT:
        raise AvatarError(
            f"the avatar file {path} has format {content.get('format')!r}; accepted: {FORMAT!r}"
        )
    parts = tuple(_part(described, tensors) for described in content["parts"])
    textures = {
        name.removeprefix("texture/"): tensor
        for name, tensor in tensors.items()
        if name.startswith("texture/")
    }
    return AvatarAsset(parts, textures, tensors["joints"], tensors["morphs"], content["values"])


def _part(described: dict[str, Any], tensors: dict[str, NDArray[Any]]) -> Part:
    start, kept = f"part/{described['name']}", described.pop("kept", [])
    levels = tuple(
        Level(error, tensors[f"{start}/level/{number}"], backs)
        for number, (error, backs) in enumerate(kept)
    )
    content = described | {name: tensors[f"{start}/{name}"] for name in _ARRAYS}
    return Part(**content, levels=levels)
