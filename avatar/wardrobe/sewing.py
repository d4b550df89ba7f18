"""Makes surfaces of cut cloth in the fabric a piece is made of."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.surface import Surface
from avatar.spec.colour import linear, mixed
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.fabrics import REPEATS, SHEENS, fabric_name
from avatar.wardrobe.fitting import Rule
from avatar.wardrobe.seams import Ground, edge_seam, strip
from avatar.wardrobe.tailor import Cloth, cut, offset, rim

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


def strip_of(
    shell: Cloth, rules: Sequence[Rule], rule: Rule, width: float, rise: float = 0.0009
) -> Cloth:
    """Return the strip `width` metres wide inside `rule`'s edge, a little raised: a hem's fold."""
    return trimmed(offset(shell, rise), (*rules, within(rule, width)), rise + 0.0005)


def seam_line(shell: Cloth, rules: Sequence[Rule], rule: Rule, rise: float) -> Cloth:
    """Return the dark line of the seam along `rule`'s edge, where a piece is sewn on."""
    line = trimmed(offset(shell, rise), (*rules, rule, within(rule, 0.0022)))
    return replace(line, edge=np.ones_like(line.edge))


def hidden(cloth: Cloth, *rules: Rule, margin: float = 0.004) -> Cloth:
    """Leave out what lies more than `margin` metres inside any rule: another piece covers it."""
    for rule in rules:
        cloth = cut(cloth, np.asarray(margin - rule(cloth.base), np.float32))
    return cloth


def within(rule: Rule, width: float) -> Rule:
    """Return the strip `width` metres wide inside a rule's edge."""
    return lambda points: width - rule(points)


def ribbed(
    name: str,
    cloth: Cloth,
    near: Floats,
    width: float,
    piece: PieceSpec,
    *,
    keep: Ground,
    thickness: float = 0.0025,
    draw: float = 0.0,
    snug: bool = False,
    trim: bool = False,
) -> Surface:
    """Return a band of ribbing sewn to the unrimmed edge of `cloth` nearest to `near`.

    Args:
        width: of the band. draw: how far its end is drawn in. thickness: metres all.
        snug: whether it closes around what it is to keep clear of.
        keep: what the band stays clear of.
    """
    seam = edge_seam(cloth, near, 120)
    rows = [seam.points - 0.002 * seam.away]
    for share in np.linspace(0.0, 1.0, 6):
        bulge = thickness * (0.45 + 0.55 * np.sin(np.pi * (0.1 + 0.8 * share))) - draw * share
        point = seam.points + share * width * seam.away + bulge * seam.normals
        if snug:
            height, out = keep.height(point)
            loose = np.maximum(height - 0.0035 - bulge, 0.0) * min(1.0, 3.0 * share)
            point = point - loose[:, None] * out
        rows.append(keep.clear(point, 0.0025))
    end = rows[-1] - 0.5 * thickness * seam.normals - 0.001 * seam.away
    rows.append(keep.clear(end, 0.0010))
    band = strip(seam, rows, cloth)
    dark = np.zeros((len(rows), 121), np.float32)
    dark[0], dark[1], dark[-1] = 0.9, 0.25, 0.7
    band = replace(band, edge=dark.ravel())
    return sewn(name, band, piece, fabric="rib", trim=trim, edge=0.5)


def sewn(
    name: str,
    cloth: Cloth,
    piece: PieceSpec,
    *,
    plain: bool = False,
    trim: bool = False,
    fabric: str = "",
    tint: float = 1.0,
    edge: float = 0.35,
    floor: float = 0.22,
) -> Surface:
    """Return `cloth` as a surface in the fabric of `piece`.

    Args:
        name: unique within the outfit.
        plain: without the pattern. trim: in the second colour, without the pattern.
        fabric: another weave than the piece's, without the pattern.
        tint: factor of the colours.
        edge: how much the turned-in rims are darkened, 0 to 1.
        floor: see `Surface`.
    """
    first, second = piece.colour, second_colour(piece)
    if trim:
        first = second
    pattern = "plain" if plain or trim or fabric else piece.pattern
    sheen = SHEENS[piece.fabric]
    return Surface(
        name=name,
        material="cloth",
        texture=fabric_name(fabric or piece.fabric, pattern),
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
