"""Triangle mesh operations used when an avatar is built."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats = NDArray[np.floating[Any]]
Triangles = NDArray[np.int32]


def vertex_normals(vertices: Floats, triangles: Triangles) -> Floats:
    """Return unit normals [n, 3], each the area-weighted mean of its triangles' normals."""
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    faces = np.cross(b - a, c - a)
    total = np.zeros(vertices.shape, np.float64)
    for corner in range(3):
        for axis in range(3):
            total[:, axis] += np.bincount(triangles[:, corner], faces[:, axis], len(vertices))
    return unit(total).astype(np.float32)


def unit(vectors: NDArray[Any]) -> NDArray[Any]:
    """Scale vectors [..., n] to length one; a zero vector stays zero."""
    length = np.sqrt((vectors * vectors).sum(-1, keepdims=True))
    return np.asarray(vectors / np.maximum(length, 1e-12))


def averaging(count: int, triangles: Triangles) -> Any:
    """Return the sparse [count, count] operator that takes the mean over neighbours."""
    start = triangles[:, [0, 1, 2, 1, 2, 0]].ravel()
    end = triangles[:, [1, 2, 0, 0, 1, 2]].ravel()
    matrix = sparse.csr_matrix((np.ones(len(start)), (start, end)), (count, count))
    matrix.data[:] = 1.0
    degree = np.maximum(np.asarray(matrix.sum(1)).ravel(), 1.0)
    return sparse.diags(1.0 / degree) @ matrix


def smooth(
    values: NDArray[Any], operator: Any, amount: NDArray[Any] | float, rounds: int
) -> Floats:
    """Move values [n] or [n, k] `amount` of the way to their neighbours' mean, `rounds` times."""
    out = np.asarray(values, np.float64)
    share = np.asarray(amount, np.float64)
    if out.ndim == 2 and share.ndim == 1:
        share = share[:, None]
    for _ in range(rounds):
        out = out + share * (operator @ out - out)
    return out.astype(np.float32)


def boundary_edges(triangles: Triangles) -> Triangles:
    """Return the directed edges [e, 2] that belong to one triangle only."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    _, inverse, counts = np.unique(
        np.sort(edges, 1), axis=0, return_inverse=True, return_counts=True
    )
    return np.asarray(edges[counts[inverse.ravel()] == 1], np.int32)


def subdivide(attributes: Floats, triangles: Triangles) -> tuple[Floats, Triangles]:
    """Split every triangle in four; attributes [n, k] are averaged along edges."""
    count = len(triangles)
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    unique, inverse = np.unique(np.sort(edges, 1), axis=0, return_inverse=True)
    middle = 0.5 * (attributes[unique[:, 0]] + attributes[unique[:, 1]])
    numbers = len(attributes) + inverse.ravel()
    ab, bc, ca = numbers[:count], numbers[count : 2 * count], numbers[2 * count :]
    a, b, c = triangles.T
    corners = ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))
    split = np.concatenate([np.stack(corner, 1) for corner in corners])
    return np.concatenate([attributes, middle]), split.astype(np.int32)


def compact(triangles: Triangles) -> tuple[NDArray[Any], Triangles]:
    """Return the used vertices (sorted) and the triangles renumbered to them."""
    used, inverse = np.unique(triangles, return_inverse=True)
    return used, inverse.reshape(-1, 3).astype(np.int32)


def split_seams(
    triangles: Triangles, uv: NDArray[Any]
) -> tuple[NDArray[np.intp], Floats, Triangles]:
    """Duplicate vertices whose corners carry different texture coordinates.

    Args:
        triangles: [t, 3]. uv: [t, 3, 2] per corner.

    Returns:
        Source vertex of each new vertex [n], its coordinates [n, 2], the new triangles [t, 3].
    """
    flat = triangles.ravel()
    grid = np.round(uv.reshape(-1, 2) * 16384).astype(np.int64)
    keys = np.concatenate([flat[:, None], grid], 1)
    unique, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    coordinates = uv.reshape(-1, 2)[first].astype(np.float32)
    return unique[:, 0], coordinates, inverse.reshape(-1, 3).astype(np.int32)


def spatial_order(triangles: Triangles, vertices: Floats) -> Triangles:
    """Sort triangles along a Morton curve of their centres, which keeps caches warm."""
    centres = vertices[triangles].mean(1)
    span = np.ptp(centres, axis=0).max() + 1e-9
    cells = ((centres - centres.min(0)) / span * 127).astype(np.int64)
    code = np.zeros(len(cells), np.int64)
    for bit in range(7):
        for axis in range(3):
            code |= ((cells[:, axis] >> bit) & 1) << (3 * bit + axis)
    return np.ascontiguousarray(triangles[np.argsort(code, kind="stable")])
