"""The morph table: per vertex, only the face coefficients that move it."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import vertex_normals
from avatar.body.surface import Surface

Floats = NDArray[np.floating[Any]]

# Deltas shorter than this, in metres, are not worth a fetch.
_LEAST: Final = 5e-5


class MorphTable:
    """Collects the rows of all surfaces.

    Args:
        shapes: float32 [52, v, 3], deltas of the body's vertices.
    """

    def __init__(self, shapes: Floats) -> None:
        self._shapes = shapes
        self._rows: list[Floats] = []
        self._count = 0

    def rows(self, surface: Surface) -> NDArray[np.int32]:
        """Add a surface; return the first row and the number of rows of its vertices [n, 2]."""
        count = len(surface.positions)
        if surface.source is None:
            return np.zeros((count, 2), np.int32)
        deltas = self._shapes[:, surface.source]
        turns = self._normal_deltas(surface, deltas)
        moved = np.linalg.norm(deltas, axis=2) > _LEAST
        vertex, shape = np.nonzero(moved.T)
        table = np.zeros((len(vertex), 8), np.float32)
        table[:, :3] = deltas[shape, vertex]
        table[:, 3] = shape
        table[:, 4:7] = turns[shape, vertex]
        self._rows.append(table)
        counts = moved.sum(0)
        starts = self._count + np.concatenate([[0], np.cumsum(counts)[:-1]])
        self._count += len(table)
        return np.stack([starts, counts], 1).astype(np.int32)

    def packed(self) -> Floats:
        """Return the whole table, float32 [m, 8], at least one row."""
        return np.concatenate([*self._rows, np.zeros((1, 8), np.float32)])

    @staticmethod
    def _normal_deltas(surface: Surface, deltas: Floats) -> Floats:
        """Return how each coefficient turns the normals [52, n, 3].

        Vertices split at texture seams share their source, so the surface is joined first.
        """
        assert surface.source is not None
        sources, joined = np.unique(surface.source, return_inverse=True)
        first = np.zeros(len(sources), np.int64)
        first[joined[::-1]] = np.arange(len(joined))[::-1]
        triangles = joined[surface.triangles].astype(np.int32)
        rest = surface.positions[first]
        before = vertex_normals(rest, triangles)
        turns = np.empty(deltas.shape, np.float32)
        for shape in range(len(deltas)):
            after = vertex_normals(rest + deltas[shape, first], triangles)
            turns[shape] = (after - before)[joined]
        return turns
