"""Cutting cloth."""

import numpy as np
import pytest

from avatar.body.mesh import boundary_edges, subdivide, vertex_normals
from avatar.wardrobe.tailor import Cloth, cut, offset, rim, select


@pytest.fixture
def sheet() -> Cloth:
    """Return a unit square in the plane z = 0, 32 triangles, facing +z."""
    points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)
    faces = np.array([[0, 1, 2], [0, 2, 3]], np.int32)
    for _ in range(2):
        points, faces = subdivide(points, faces)
    points = points.astype(np.float32)
    weights = np.zeros((len(points), 104), np.float32)
    weights[:, 0], weights[:, 1] = points[:, 0], 1.0 - points[:, 0]
    flat = np.zeros(len(points), np.float32)
    uv = points[:, :2]
    return Cloth(points, vertex_normals(points, faces), weights, uv, points, flat, faces)


def test_a_cut_keeps_exactly_the_positive_side(sheet: Cloth) -> None:
    kept = cut(sheet, sheet.positions[:, 0] - 0.3)
    assert kept.positions[:, 0].min() == pytest.approx(0.3, abs=1e-6)
    assert _area(kept) == pytest.approx(0.7, abs=1e-5)


def test_new_points_of_a_cut_blend_every_column(sheet: Cloth) -> None:
    kept = cut(sheet, sheet.positions[:, 0] - 0.3)
    assert np.allclose(kept.weights.sum(1), 1.0, atol=1e-6)
    assert np.allclose(kept.weights[:, 0], kept.positions[:, 0], atol=1e-6)
    assert np.allclose(kept.uv, kept.positions[:, :2], atol=1e-6)
    assert np.allclose(kept.base, kept.positions, atol=1e-6)


def test_a_rim_turns_the_edge_inwards_by_the_thickness(sheet: Cloth) -> None:
    rimmed = rim(sheet, 0.01)
    inner = rimmed.positions[rimmed.edge == 1.0]
    assert len(inner) == 16
    assert np.allclose(inner[:, 2], -0.01)
    assert len(rimmed.triangles) == len(sheet.triangles) + 2 * len(boundary_edges(sheet.triangles))


def test_a_rim_faces_away_from_the_cloth(sheet: Cloth) -> None:
    rimmed = rim(sheet, 0.01)
    inner = rimmed.edge == 1.0
    away = rimmed.positions[inner] - [0.5, 0.5, -0.01]
    assert ((away * rimmed.normals[inner]).sum(1) > 0.3).all()


def test_offset_and_select(sheet: Cloth) -> None:
    assert np.allclose(offset(sheet, 0.2).positions[:, 2], 0.2)
    half = select(sheet, sheet.positions[sheet.triangles][..., 0].mean(1) < 0.5)
    assert _area(half) == pytest.approx(0.5, abs=1e-5)
    assert len(half.positions) < len(sheet.positions)


def _area(cloth: Cloth) -> float:
    a, b, c = (cloth.positions[cloth.triangles[:, i]] for i in range(3))
    return float(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())
