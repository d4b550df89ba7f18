"""Levels of detail: a surface of fine triangles, drawn with fewer where they would be specks.

Each level keeps some of the vertices as they are, with all that belongs to them, so that nothing
has to be worked out anew. Vertices are kept as a maximal independent set of the mesh (Luby 1986,
"A simple parallel algorithm for the maximal independent set problem"), and every other one
is merged into a kept neighbour; open edges and seams stay as they are. Ribbons of hair lose every
second pair of vertices along them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import Part

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]

# What may be drawn coarser: hands and faces are not, nor what has few triangles.
_COARSENED: Final = ("cloth",)
_FEW: Final = 5000
_LEVELS: Final = 3
# Pixels between neighbouring vertices that are worth their cost.
SPACING_PIXELS: Final = 11.0


@dataclass(frozen=True, slots=True)
class Level:
    """One level of detail.

    Attributes:
        kept: int32 [n], the part's vertices that are used.
        triangles: int32 [t, 3], indices into `kept`.
        spacing: mean length of an edge, metres.
    """

    kept: Ints
    triangles: Ints
    spacing: float


def levels(part: Part) -> list[Level]:
    """Return the levels of a part, the finest first; one where there is little to gain."""
    found = [_level(part, part.triangles)]
    if part.material == "strand":
        after = shortened(part.triangles)
        return found if len(after) == len(part.triangles) else [*found, _level(part, after)]
    if part.material not in _COARSENED or part.morphs[:, 1].any():
        return found
    while len(found) < _LEVELS and len(found[-1].triangles) > _FEW:
        before = found[-1].kept[found[-1].triangles]
        after = coarser(part.positions, part.normals, before)
        if len(after) > 0.7 * len(before):
            break
        found.append(_level(part, after))
    return found


def level_for(levels: Sequence[Level], density: float) -> int:
    """Return which level to draw where a metre takes `density` pixels."""
    for index, level in enumerate(levels):
        if level.spacing * density >= SPACING_PIXELS:
            return index
    return len(levels) - 1


def coarser(positions: Floats, normals: Floats, triangles: Ints) -> Ints:
    """Return fewer triangles over fewer of the same vertices, int32 [t, 3].

    Args:
        positions, normals: [n, 3].
        triangles: [t, 3].
    """
    edges = _edges(triangles)
    kept = _independent(len(positions), edges, _locked(triangles, len(positions)))
    towards = _nearest_kept(positions, normals, edges, kept)
    merged = towards[triangles]
    a, b, c = merged.T
    merged = merged[(a != b) & (b != c) & (c != a)]
    # Two fans may close over one another: one copy is enough.
    _, first = np.unique(np.sort(merged, 1), axis=0, return_index=True)
    merged = merged[np.sort(first)]
    return np.asarray(merged[_faces_as(positions, normals, merged)], np.int32)


def shortened(triangles: Ints) -> Ints:
    """Return ribbons with every second pair of vertices left out, int32 [t, 3], in their order.

    Args:
        triangles: [t, 3], ribbons of a pair of vertices a step, as `avatar.hair.ribbons` lays
            them; anything else comes back as it is.
    """
    start = triangles[::2, 0]
    pairs = start[:, None] + np.array([0, 1, 2, 1, 3, 2])
    if not np.array_equal(pairs.reshape(-1, 3), triangles):
        return triangles
    begins = np.concatenate([[True], np.diff(start) != 2])
    first = np.maximum.accumulate(np.where(begins, np.arange(len(start)), 0))
    even = (np.arange(len(start)) - first) % 2 == 0
    # The last step of a ribbon of an odd number of steps stays as short as it was.
    alone = np.concatenate([begins[1:], [True]])[even]
    start = start[even]
    far = start + np.where(alone, 2, 4)
    corners = np.stack([start, start + 1, far, start + 1, far + 1, far], 1)
    return np.asarray(corners.reshape(-1, 3), np.int32)


def _level(part: Part, triangles: Ints) -> Level:
    kept, places = np.unique(triangles, return_inverse=True)
    ends = part.positions[triangles[:, [0, 1, 2, 1, 2, 0]]].reshape(-1, 2, 3, 3)
    spacing = float(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=-1).mean())
    return Level(kept.astype(np.int32), places.reshape(-1, 3).astype(np.int32), spacing)


def _edges(triangles: Ints) -> Ints:
    """Return every edge once in each direction, [e, 2]."""
    pairs = triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    return np.unique(np.concatenate([pairs, pairs[:, ::-1]]), axis=0)


def _locked(triangles: Ints, count: int) -> NDArray[np.bool_]:
    """Return the vertices on edges that have not two triangles: rims, seams, folds of three."""
    pairs = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), 1)
    edges, uses = np.unique(pairs, axis=0, return_counts=True)
    locked = np.zeros(count, bool)
    locked[edges[uses != 2]] = True
    return locked


def _independent(count: int, edges: Ints, locked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Choose vertices of which no two are neighbours, until no more can be; and the locked ones."""
    rank = np.random.default_rng(1).permutation(count)
    kept = locked.copy()
    used = np.zeros(count, bool)
    used[edges[:, 0]] = True
    undecided = used & ~locked
    start, end = edges.T
    # Beside a locked vertex another may be kept, else rims would be all that is left near them.
    free = undecided[start] & undecided[end]
    start, end = start[free], end[free]
    while undecided.any():
        lowest = np.full(count, count)
        live = undecided[start] & undecided[end]
        np.minimum.at(lowest, start[live], rank[end[live]])
        chosen = undecided & (rank < lowest)
        kept |= chosen
        undecided &= ~chosen
        beside = end[chosen[start]]
        undecided[beside] = False
    return kept


def _nearest_kept(
    positions: Floats, normals: Floats, edges: Ints, kept: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return for each vertex the kept one it becomes: itself, or the neighbour most like it."""
    start, end = edges[~kept[edges[:, 0]] & kept[edges[:, 1]]].T
    gap = np.linalg.norm(positions[start] - positions[end], axis=1)
    turn = 1.0 - (normals[start] * normals[end]).sum(1)
    order = np.lexsort((gap * (1.0 + 4.0 * turn), start))
    first = np.unique(start[order], return_index=True)[1]
    towards = np.arange(len(positions))
    towards[start[order][first]] = end[order][first]
    return towards


def _faces_as(positions: Floats, normals: Floats, triangles: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which triangles still face the way their vertices do."""
    a, b, c = (positions[corner] for corner in triangles.T)
    facing = np.cross(b - a, c - a)
    return np.asarray((facing * normals[triangles].mean(1)).sum(1) > 0.0)
