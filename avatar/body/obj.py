"""Reads the face groups of the body package's Wavefront OBJ."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from avatar.errors import AvatarError


@dataclass(frozen=True, slots=True)
class FaceGroup:
    """A named group of triangles.

    Attributes:
        triangles: int32 [t, 3], indices into the body's vertices.
        uv: float32 [t, 3, 2], texture coordinates per corner (v points up).
    """

    triangles: NDArray[np.int32]
    uv: NDArray[np.float32]


def read_groups(path: Path) -> dict[str, FaceGroup]:
    """Read every group of `path`; polygons become fans of triangles.

    Raises:
        AvatarError: when the file cannot be read.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise AvatarError(f"the body geometry {path} cannot be read: {error}") from error
    coordinates: list[tuple[float, float]] = []
    corners: dict[str, list[list[tuple[int, int]]]] = {}
    group = ""
    for line in lines:
        kind, _, rest = line.partition(" ")
        if kind == "vt":
            u, v = rest.split()[:2]
            coordinates.append((float(u), float(v)))
        elif kind == "g":
            group = rest.strip()
        elif kind == "f":
            corners.setdefault(group, []).extend(_fan(rest))
    uv = np.array(coordinates, np.float32)
    return {name: _group(np.array(faces, np.int32), uv) for name, faces in corners.items()}


def _fan(text: str) -> list[list[tuple[int, int]]]:
    """Split one polygon line into triangles of (vertex, texture coordinate) indices."""
    points = []
    for corner in text.split():
        fields = corner.split("/")
        texture = int(fields[1]) - 1 if len(fields) > 1 and fields[1] else 0
        points.append((int(fields[0]) - 1, texture))
    return [[points[0], points[i], points[i + 1]] for i in range(1, len(points) - 1)]


def _group(faces: NDArray[np.int32], uv: NDArray[np.float32]) -> FaceGroup:
    return FaceGroup(np.ascontiguousarray(faces[..., 0]), uv[faces[..., 1]])
