"""Triangle mesh operations."""

import numpy as np
import pytest

from avatar.body.mesh import (
    averaging,
    boundary_edges,
    compact,
    smooth,
    spatial_order,
    split_seams,
    subdivide,
    vertex_normals,
)

_SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)
_FACES = np.array([[0, 1, 2], [0, 2, 3]], np.int32)


def test_normals_point_to_the_side_the_corners_turn_about() -> None:
    assert np.allclose(vertex_normals(_SQUARE, _FACES), [0, 0, 1])
    assert np.allclose(vertex_normals(_SQUARE, _FACES[:, ::-1]), [0, 0, -1])


def test_the_boundary_of_a_square_is_its_outline() -> None:
    edges = {tuple(sorted(edge)) for edge in boundary_edges(_FACES).tolist()}
    assert edges == {(0, 1), (1, 2), (2, 3), (0, 3)}


def test_subdividing_keeps_the_area_and_the_boundary_length() -> None:
    points, faces = subdivide(_SQUARE, _FACES)
    assert len(faces) == 8
    assert len(points) == 4 + 5
    assert _area(points, faces) == pytest.approx(1.0)


def test_smoothing_flattens_a_spike_and_keeps_a_plane() -> None:
    points, faces = subdivide(*subdivide(_SQUARE, _FACES))
    operator = averaging(len(points), faces)
    heights = np.zeros(len(points))
    heights[6] = 1.0
    smoothed = smooth(heights, operator, 0.5, 5)
    assert smoothed.max() < 0.5
    assert np.allclose(smooth(np.ones(len(points)), operator, 0.5, 5), 1.0)


def test_seams_split_only_where_coordinates_differ() -> None:
    uv = np.zeros((2, 3, 2), np.float32)
    source, coordinates, faces = split_seams(_FACES, uv)
    assert len(source) == 4
    uv[1] += 0.5
    source, coordinates, faces = split_seams(_FACES, uv)
    assert len(source) == 6
    assert np.array_equal(source[faces], _FACES)
    assert np.allclose(coordinates[faces], uv)


def test_compacting_renumbers_without_moving_anything() -> None:
    used, faces = compact(_FACES[1:])
    assert used.tolist() == [0, 2, 3]
    assert np.array_equal(_SQUARE[used][faces], _SQUARE[_FACES[1:]])


def test_spatial_order_only_reorders() -> None:
    points, faces = subdivide(_SQUARE, _FACES)
    ordered = spatial_order(faces[::-1], points.astype(np.float32))
    assert sorted(map(tuple, ordered.tolist())) == sorted(map(tuple, faces.tolist()))


def _area(points: np.ndarray, faces: np.ndarray) -> float:
    a, b, c = (points[faces[:, i]] for i in range(3))
    return float(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())
