"""Where the network's 468 landmarks lie on the body: a table found once, and read from a file.

The table was made by `found`: avatars of different shape are drawn with a neutral face, the
network marks them, and each mark is carried back to the triangle of the body it lies on. So a
landmark here means what the network sees, with its habits.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.creation.photo.face import LANDMARKS

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Places:
    """Places on the body's surface.

    Attributes:
        vertices: int64 [468, 3], corners of a triangle. shares: float32 [468, 3], barycentric.
    """

    vertices: NDArray[np.int64]
    shares: NDArray[np.float32]

    def on(self, vertices: Floats) -> Floats:
        """Return the places [468, 3] on body vertices [v, 3]."""
        return np.asarray(np.einsum("lk,lka->la", self.shares, vertices[self.vertices]))


@cache
def places() -> Places:
    """Return the table."""
    text = resources.files("avatar.creation.photo").joinpath("places.json").read_text("utf-8")
    rows = np.array(json.loads(text)["places"])
    shares = np.stack([rows[:, 3], rows[:, 4], 1.0 - rows[:, 3] - rows[:, 4]], 1)
    return Places(rows[:, :3].astype(np.int64), shares.astype(np.float32))


def hit(pixels: Floats, seen: Floats, depth: Floats, triangles: NDArray[np.int32]) -> Places:
    """Return the nearest surface under each of some pixels [468, 2].

    Args:
        seen: vertices in the picture [v, 2]. depth: their distance from the camera [v].
        triangles: [t, 3] that can be seen; pixels beside them take the nearest corner.
    """
    a, b, c = (seen[triangles[:, i]] for i in range(3))
    area = _cross(b - a, c - a)
    vertices, shares = [], []
    for pixel in pixels:
        parts = np.stack([_cross(b - pixel, c - pixel), _cross(c - pixel, a - pixel)], 1)
        parts = parts / np.where(np.abs(area) < 1e-9, np.inf, area)[:, None]
        weights = np.concatenate([parts, 1.0 - parts.sum(1, keepdims=True)], 1)
        within = np.flatnonzero((weights.min(1) >= 0.0) & (np.abs(area) > 1e-9))
        if len(within):
            far = (weights[within] * depth[triangles[within]]).sum(1)
            best = within[int(np.argmin(far))]
            vertices.append(triangles[best])
            shares.append(weights[best])
        else:
            used = np.unique(triangles)
            near = used[int(np.argmin(((seen[used] - pixel) ** 2).sum(1)))]
            vertices.append(np.array([near, near, near]))
            shares.append(np.array([1.0, 0.0, 0.0]))
    return Places(np.stack(vertices).astype(np.int64), np.stack(shares).astype(np.float32))


def agreed(found: Sequence[Places], template: Floats, triangles: NDArray[np.int32]) -> Places:
    """Return the median of several tables, made symmetric, on a template body [v, 3]."""
    points = np.median([table.on(template) for table in found], axis=0)
    twins = _twins(points)
    flip = np.array([-1.0, 1.0, 1.0])
    points = (points + points[twins] * flip) / 2.0
    vertices, shares = [], []
    corners = template[triangles]
    centres = corners.mean(1)
    for point in points:
        near = np.argsort(((centres - point) ** 2).sum(1))[:24]
        best = min(((*_nearest(point, corners[t]), t) for t in near), key=lambda r: r[0])
        vertices.append(triangles[best[2]])
        shares.append(best[1])
    return Places(np.stack(vertices).astype(np.int64), np.stack(shares).astype(np.float32))


def written(table: Places) -> str:
    """Return the table as JSON text."""
    rows = [
        [*map(int, corners), round(float(shares[0]), 4), round(float(shares[1]), 4)]
        for corners, shares in zip(table.vertices, table.shares, strict=True)
    ]
    lines = ",\n".join(json.dumps(row) for row in rows)
    return f'{{"landmarks": {LANDMARKS}, "places": [\n{lines}\n]}}\n'


def _cross(a: Floats, b: Floats) -> Floats:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def _twins(points: Floats) -> NDArray[np.intp]:
    """Return for each landmark the one that mirrors it: the nearest to its mirror image."""
    mirrored = points * np.array([-1.0, 1.0, 1.0])
    distance = ((points[:, None] - mirrored[None]) ** 2).sum(-1)
    return np.asarray(distance.argmin(1))


def _nearest(point: Floats, corners: Floats) -> tuple[float, Floats]:
    """Return the squared distance of a triangle [3, 3], and barycentric shares inside it."""
    edges = np.stack([corners[0] - corners[2], corners[1] - corners[2]], 1)
    weights, *_ = np.linalg.lstsq(edges, point - corners[2], rcond=None)
    shares = np.clip(np.array([*weights, 1.0 - weights.sum()]), 0.0, 1.0)
    shares = shares / shares.sum()
    gap = shares @ corners - point
    return float(gap @ gap), shares
