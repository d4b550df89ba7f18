"""Eyelids: that they meet when the eyes close, follow the eyes, and where their edges lie."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import vertex_normals
from avatar.body.noise import smoothstep
from avatar.body.source import Body
from motion.skeleton import FACE_NAMES

Floats = NDArray[np.floating[Any]]

# What the lid looking down or up takes of a blink.
_FOLLOW: Final = (("eyeLookDown", 0.18), ("eyeLookUp", -0.14))
# How far a closed upper lid lies over the lower one, and in front of it, metres.
_OVERLAP: Final = 0.0004
_AHEAD: Final = 0.0007


@dataclass(frozen=True, slots=True)
class LidEdge:
    """The edge of one lid as curves over x, metres.

    Attributes:
        x: [n], rising. y, z: [n], where the edge is. rise: [n], z that a blink adds.
        advance: [n], y that a blink adds.
    """

    x: Floats
    y: Floats
    z: Floats
    rise: Floats
    advance: Floats

    def at(self, x: Floats, column: Floats) -> Floats:
        """Return `column` at `x`, constant beyond the ends."""
        return np.asarray(np.interp(x, self.x, column), np.float32)


def lid_edge(body: Body, side: str, row: int) -> LidEdge:
    """Return the edge of a lid from the roots of its lashes.

    Args:
        side: "l" or "r". row: 2 the upper lid, 1 the lower.
    """
    used = np.unique(body.groups[f"helper-{side}-eyelashes-{row}"].triangles)
    points = body.vertices[used]
    distance = np.linalg.norm(points - body.joint(f"eye.{side.upper()}"), axis=1)
    # The two inmost of five rings span the thickness of the lid; take what leads.
    beside = np.abs(points[:, None, 0] - points[None, :, 0]) < 0.0022
    near = np.where(beside, distance, np.inf).min(1)
    roots = used[distance < near + 0.0034]
    shape = body.shapes[FACE_NAMES.index(f"eyeBlink{_SIDES[side]}")][roots]
    place = body.vertices[roots]
    x = np.linspace(place[:, 0].min(), place[:, 0].max(), 33)
    columns = (place[:, 1], place[:, 2], shape[:, 2], shape[:, 1])
    return LidEdge(x, *(_curve(place[:, 0], values, x) for values in columns))


_SIDES: Final = {"l": "Left", "r": "Right"}


def _curve(x: Floats, values: Floats, at: Floats) -> Floats:
    middle, half = x.mean(), np.ptp(x) / 2.0 + 1e-9
    fitted = np.polyfit((x - middle) / half, values, 5)
    return np.asarray(np.polyval(fitted, (at - middle) / half), np.float64)


def close_lids(body: Body) -> NDArray[np.float32]:
    """Return the face shapes [52, v, 3] with blinks that bring the lids just together.

    The package's own blink passes the lower lid, or leaves a slit, where eyes differ from its
    average.
    """
    shapes = body.shapes.copy()
    for side, name in _SIDES.items():
        index = FACE_NAMES.index(f"eyeBlink{name}")
        blink = shapes[index]
        upper, lower = lid_edge(body, side, 2), lid_edge(body, side, 1)
        gap = upper.z - lower.at(upper.x, lower.z) + _OVERLAP
        factor = np.clip(gap / np.maximum(-upper.rise, 1e-4), 0.6, 1.35)
        x = body.vertices[:, 0]
        blink *= upper.at(x, factor)[:, None]
        landing = upper.y + factor * upper.advance
        missing = np.clip(lower.at(upper.x, lower.y) - _AHEAD - landing, -0.003, 0.003)
        share = np.clip(-blink[:, 2] / np.maximum(upper.at(x, gap), 1e-4), 0.0, 1.0)
        blink[:, 1] += upper.at(x, missing) * share
        for follower, amount in _FOLLOW:
            shapes[FACE_NAMES.index(follower + name)] += amount * blink
    return shapes


def lid_margins(body: Body) -> tuple[Floats, Floats]:
    """Return which vertices [v] are the thin rims of the upper and of the lower lids, 0 to 1."""
    skin = body.groups["body"].triangles
    normals = vertex_normals(body.vertices, skin)
    rims = []
    for row, down in ((2, -1.0), (1, 1.0)):
        facing = smoothstep(0.72, 0.93, down * normals[:, 2])
        facing = np.maximum(facing, smoothstep(0.1, 0.4, normals[:, 1]))
        rim = np.zeros(len(body.vertices), np.float32)
        for side in _SIDES:
            edge = lid_edge(body, side, row)
            x, y, z = body.vertices.T
            within = (x > edge.x[0] - 0.002) & (x < edge.x[-1] + 0.002)
            behind = y - edge.at(x, edge.y)
            near = (np.abs(z - edge.at(x, edge.z)) < 0.0035) & (np.abs(behind) < 0.006)
            rim = np.maximum(rim, facing * (within & near))
        rims.append(rim)
    return rims[0], rims[1]


def lid_area(body: Body) -> Floats:
    """Return where a blink moves the skin [v], 0 to 1: what lies in folds at rest."""
    moved = np.zeros(len(body.vertices), np.float32)
    for name in _SIDES.values():
        length = np.linalg.norm(body.shapes[FACE_NAMES.index(f"eyeBlink{name}")], axis=1)
        moved = np.maximum(moved, smoothstep(0.04, 0.25, length / (length.max() + 1e-9)))
    return moved
