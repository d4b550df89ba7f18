"""Makes surfaces of cut cloth in the fabric a piece is made of."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.surface import Surface
from avatar.spec.colour import linear, mixed
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.fabrics import REPEATS, SHEENS, fabric_name
from avatar.wardrobe.fitting import Rule
from avatar.wardrobe.tailor import Cloth, cut, rim

Floats = NDArray[np.floating[Any]]


def trimmed(cloth: Cloth, rules: Sequence[Rule], thickness: float = 0.0) -> Cloth:
    """Cut `cloth` by `rules` at its base, and give open edges `thickness` metres."""
    for rule in rules:
        cloth = cut(cloth, np.asarray(rule(cloth.base), np.float32))
    return rim(cloth, thickness) if thickness else cloth


def second_colour(piece: PieceSpec) -> str:
    """Return the piece's second colour; where it names none, one that goes with the first."""
    if piece.second:
        return piece.second
    dark = sum(linear(piece.colour)) < 0.75
    if piece.pattern in ("plain", "herringbone"):
        return mixed(piece.colour, "#ffffff" if dark else "#000000", 0.10 if dark else 0.30)
    return mixed(piece.colour, "#f4f0e8" if dark else "#1d2740", 0.62)


def sewn(
    name: str,
    cloth: Cloth,
    piece: PieceSpec,
    *,
    plain: bool = False,
    trim: bool = False,
    tint: float = 1.0,
    edge: float = 0.35,
    floor: float = 0.22,
) -> Surface:
    """Return `cloth` as a surface in the fabric of `piece`.

    Args:
        name: unique within the outfit.
        plain: without the pattern. trim: in the second colour, without the pattern.
        tint: factor of the colours.
        edge: how much the turned-in rims are darkened, 0 to 1.
        floor: see `Surface`.
    """
    first, second = piece.colour, second_colour(piece)
    if trim:
        first = second
    pattern = "plain" if plain or trim else piece.pattern
    sheen = SHEENS[piece.fabric]
    return Surface(
        name=name,
        material="cloth",
        texture=fabric_name(piece.fabric, pattern),
        positions=cloth.positions,
        normals=cloth.normals,
        uv=cloth.uv,
        weights=cloth.weights,
        triangles=cloth.triangles,
        shade=np.stack([edge * cloth.edge, np.zeros_like(cloth.edge)], 1),
        floor=floor,
        values={
            "colour": [tint * value for value in linear(first)],
            "second": [tint * value for value in linear(second)],
            "sheen": [sheen] * 3,
            "repeat": [REPEATS],
        },
    )
