"""Levels keep a surface, its seams and its edges; what is never seen goes, what is seen stays."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset, load_asset, save_asset
from avatar.body.levels import TOLERANCES, shared_vertices
from avatar.body.mesh import boundary_edges, vertex_normals
from avatar.body.seen import HIDEABLE
from avatar.body.simplify import simplified
from tests.avatar.shapes import tube

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]


def _area(points: Floats, triangles: Ints) -> float:
    a, b, c = (points[corner] for corner in triangles.T)
    return float(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())


def test_a_coarser_tube_is_the_same_tube_of_fewer_triangles() -> None:
    points, triangles = tube()
    normals = vertex_normals(points, triangles)
    unlocked = np.zeros(len(points), bool)
    fine, coarse = simplified(points, triangles, unlocked, (0.0004, 0.0015))
    assert len(coarse) < len(fine) < 0.25 * len(triangles)
    assert _area(points, fine) == pytest.approx(_area(points, triangles), rel=0.02)
    for fewer in (fine, coarse):
        a, b, c = (points[corner] for corner in fewer.T)
        assert ((np.cross(b - a, c - a) * normals[fewer].mean(1)).sum(1) > 0.0).all()
        # Open only at its two ends, as before, and nowhere torn.
        ends = boundary_edges(fewer)
        assert set(np.unique(ends // 64)) == {0, 59}
        assert (ends[:, 0] // 64 == ends[:, 1] // 64).all()


def test_locked_vertices_stay() -> None:
    points, triangles = tube()
    locked = np.zeros(len(points), bool)
    locked[::7] = True
    (coarse,) = simplified(points, triangles, locked, (0.01,))
    assert np.isin(np.flatnonzero(locked), coarse).all()
    assert len(coarse) < 0.6 * len(triangles)


def test_both_sides_of_a_seam_stay_together() -> None:
    points, triangles = tube()
    high = triangles.min(1, keepdims=True) >= 30 * 64
    copies = np.where(high, triangles + len(points), triangles).astype(np.int32)
    twice = np.concatenate([points, points])
    # What differs across the seam does not matter along it.
    shade = np.repeat([0.0, 0.02], len(points))[:, None]
    features = np.concatenate([twice, shade], 1)
    (coarse,) = simplified(features, copies, np.zeros(len(twice), bool), (0.0008,))
    assert len(coarse) < 0.3 * len(triangles)
    joined = coarse % len(points)
    assert set(np.unique(boundary_edges(joined.astype(np.int32)) // 64)) == {0, 59}
    assert ((coarse >= len(points)).all(1) | (coarse < len(points)).all(1)).all()


def test_what_a_change_of_light_needs_is_kept() -> None:
    points, triangles = tube()
    unlocked = np.zeros(len(points), bool)
    plain = simplified(points, triangles, unlocked, (0.001,))[0]
    wave = 0.01 * np.sin(60.0 * points[:, 2:])
    shaded = simplified(np.concatenate([points, wave], 1), triangles, unlocked, (0.001,))[0]
    assert len(shaded) > 1.3 * len(plain)


def test_vertices_of_two_parts_in_one_place_are_shared() -> None:
    first = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    second = np.array([[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
    one, two = shared_vertices([first, second])
    assert one.tolist() == [False, True]
    assert two.tolist() == [True, False, False]


def test_levels_get_coarser_and_faces_stay(mia: AvatarAsset) -> None:
    saved = 0
    for part in mia.parts:
        sizes = [len(level.triangles) for level in part.levels]
        assert sizes == sorted(sizes, reverse=True)
        assert part.levels[0].error == 0.0
        assert {level.error for level in part.levels[1:]} <= set(TOLERANCES)
        if part.material not in HIDEABLE:
            assert np.array_equal(part.levels[0].triangles, part.triangles)
        moving = part.triangles[part.morphs[part.triangles, 1].any(1)]
        if len(moving):
            kept = {tuple(corners) for corners in part.levels[0].triangles.tolist()}
            assert kept >= {tuple(corners) for corners in moving.tolist()}
            assert len(sizes) == 1
        saved += len(part.triangles) - sizes[-1]
    assert saved > 0.4 * sum(len(part.triangles) for part in mia.parts)


def test_levels_are_kept_in_the_file(mia: AvatarAsset, tmp_path: Path) -> None:
    path = tmp_path / "mia.safetensors"
    save_asset(mia, path)
    for before, after in zip(mia.parts, load_asset(path).parts, strict=True):
        assert len(before.levels) == len(after.levels)
        for one, other in zip(before.levels, after.levels, strict=True):
            assert (one.error, one.backs) == (other.error, other.backs)
            assert np.array_equal(one.triangles, other.triangles)
