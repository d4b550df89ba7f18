"""Rooms as they are stored: geometry, colours, and light already reckoned."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.errors import AvatarError
from avatar.scene.pictures import encoded
from avatar.scene.rooms.bake import irradiance
from avatar.scene.rooms.model import PAINTS, Model
from avatar.spec.colour import linear
from avatar.spec.scene import Stage

Floats = NDArray[np.float32]

# The eyes the desk was put before, metres above the floor.
EYES: Final = 1.5
# The far edge of a desk's top: metres below the eyes, and before the face.
DESK_BELOW: Final = 0.455
DESK_BEFORE: Final = 0.40
_EXPOSURE: Final = 0.80


@dataclass(frozen=True, slots=True, eq=False)
class StoredRoom:
    """One room.

    Attributes:
        positions: float32 [n, 3], metres; see `Model`.
        albedo: float32 [n, 3], linear.
        light: float32 [n, 3], what falls on each vertex.
        glow: float32 [n, 3], what it shines itself.
        paints: uint8 [n], index into `PAINTS`.
        triangles: uint16 or int32 [m, 3].
        front: the first triangle of what stands before the figure.
    """

    positions: Floats
    albedo: Floats
    light: Floats
    glow: Floats
    paints: NDArray[np.uint8]
    triangles: NDArray[np.int32]
    front: int

    def shades(self, stage: Stage, tint: tuple[float, float, float]) -> NDArray[np.uint8]:
        """Return Y', Cb, Cr, 0 of every vertex, uint8 [n, 4], in a stage's colours.

        Args:
            stage: whose walls and accents.
            tint: factor on all light, linear RGB.
        """
        albedo = self.albedo.copy()
        for paint, colour in (("wall", stage.wall), ("accent", stage.accent)):
            if colour is not None:
                albedo[self.paints == PAINTS.index(paint)] = linear(colour)
        light = albedo * self.light * np.array(tint, np.float32) + self.glow
        out = np.zeros((len(albedo), 4), np.uint8)
        out[:, :3] = np.rint(encoded(_shown(light) * np.float32(255.0)))
        return out


def stored(model: Model, front_from: int) -> Mapping[str, NDArray[np.generic]]:
    """Reckon a model's light and return what is kept of it; `front_from` is the first triangle
    of what stands before the figure.
    """
    return {
        "positions": np.concatenate(model.positions),
        "albedo": np.concatenate(model.albedo).astype(np.float16),
        "light": irradiance(model).astype(np.float16),
        "glow": np.concatenate(model.glow).astype(np.float16),
        "paints": np.concatenate(model.paints),
        "triangles": np.concatenate(model.triangles).astype(np.int32),
        "front": np.array(front_from, np.int32),
    }


@cache
def room(name: str) -> StoredRoom:
    """Return a room by its name, one of `avatar.spec.scene.ROOMS`.

    Raises:
        AvatarError: its file is not there or broken.
    """
    path = Path(str(resources.files("avatar.scene.rooms"))) / f"{name}.npz"
    try:
        with np.load(path, allow_pickle=False) as kept:
            return StoredRoom(
                kept["positions"],
                kept["albedo"].astype(np.float32),
                kept["light"].astype(np.float32),
                kept["glow"].astype(np.float32),
                kept["paints"],
                kept["triangles"],
                int(kept["front"]),
            )
    except (OSError, ValueError, KeyError) as error:
        raise AvatarError(f"room {name!r} cannot be read: {error}") from error


def _shown(light: Floats) -> Floats:
    """Linear light to display values, as `shaders/common.glsl` does it."""
    mean = light.sum(1, keepdims=True) + np.float32(1e-3)
    x = light * (1.0 + 0.10 * (3.0 * light / mean - 1.0)) * np.float32(_EXPOSURE)
    shown = np.clip(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0)
    return np.asarray(np.sqrt(shown), np.float32)
