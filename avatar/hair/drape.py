"""Hair that lies on shoulders and clothes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from avatar.body.landmarks import Landmarks
from avatar.body.mesh import unit, vertex_normals
from avatar.body.source import SKIN_VERTICES, Body
from avatar.body.surface import Surface
from avatar.hair.strands import OVER

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Shoulders:
    """What hair lies on: points [n, 3] of skin and clothes and their outward normals."""

    points: Floats
    normals: Floats

    @classmethod
    def of(cls, body: Body, marks: Landmarks, clothes: Sequence[Surface]) -> "Shoulders":
        """Collect neck, shoulders and chest of `body` and its `clothes`."""
        normals = vertex_normals(body.vertices, body.groups["body"].triangles)
        bare = np.flatnonzero(body.weight_of("neck", "spine01")[:SKIN_VERTICES] > 0.3)
        # Rims of edges face inwards, towards the neck: hair does not lie on those.
        flat = [_flat(piece) for piece in clothes]
        points = np.concatenate([body.vertices[bare], *(place for place, _ in flat)])
        outward = np.concatenate([normals[bare], *(normal for _, normal in flat)])
        near = (points[:, 2] > marks.eye[2] - 0.40) & (np.abs(points[:, 0]) < 0.22)
        return cls(points[near].astype(np.float32), outward[near].astype(np.float32))

    def drape(self, paths: Floats, clearance: float, start: int = OVER) -> Floats:
        """Lift strands [n, s, 3] from step `start` on off what they would sink into."""
        tree = cKDTree(self.points)
        out = paths.copy()
        for _ in range(6):
            loose = out[:, start:].reshape(-1, 3)
            distance, nearest = tree.query(loose, k=4)
            above = ((loose[:, None] - self.points[nearest]) * self.normals[nearest]).sum(2)
            height = above.mean(1)
            push = np.where(distance[:, 0] < 0.09, np.clip(clearance - height, 0.0, 0.02), 0.0)
            outward = unit(self.normals[nearest].mean(1))
            out[:, start:] = (loose + outward * push[:, None]).reshape(len(out), -1, 3)
            middle = 0.25 * out[:, start - 1 : -2] + 0.25 * out[:, start + 1 :]
            out[:, start:-1] = 0.5 * out[:, start:-1] + middle
        return out.astype(np.float32)


def _flat(piece: Surface) -> tuple[Floats, Floats]:
    """Return positions and normals of `piece` without the rims of its edges."""
    chosen = (
        np.ones(len(piece.positions), bool) if piece.shade is None else piece.shade[:, 0] == 0.0
    )
    return piece.positions[chosen], piece.normals[chosen]
