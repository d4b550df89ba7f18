"""Fabrics and patterns: one texture holds the weave and the pattern of a tile of cloth."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.textures import to_bytes, weave
from avatar.spec.identity import AvatarSpec

Floats = NDArray[np.floating[Any]]

# How much light grazes off each fabric, 0 to 1.
SHEENS: Final = {
    "cotton": 0.14, "twill": 0.10, "denim": 0.08, "silk": 0.55, "knit": 0.12, "linen": 0.10,
    "leather": 0.45,
}  # fmt: skip


def fabric_name(fabric: str, pattern: str) -> str:
    """Return the name of the texture that holds both."""
    return f"{fabric}-{pattern}"


def repeats(pattern: str) -> float:
    """Return how many tiles of that pattern's texture a metre takes."""
    del pattern
    return 22.0


def fabric_textures(who: AvatarSpec) -> dict[str, NDArray[np.uint8]]:
    """Draw the textures of an outfit by name: brightness and pattern [size, size, 2].

    Every fabric worn is there plain, too, for trims.
    """
    pairs = {("cotton", "plain")}
    for piece in who.outfit:
        pairs |= {(piece.fabric, "plain"), (piece.fabric, piece.pattern)}
    return {fabric_name(*pair): _tile(*pair, who.seed + 30) for pair in sorted(pairs)}


def _tile(fabric: str, pattern: str, seed: int) -> NDArray[np.uint8]:
    relief = weave("twill" if fabric in ("twill", "denim") else "plain", seed)
    return np.concatenate([relief, to_bytes(np.zeros(relief.shape, np.float32))], -1)
