"""Levels of detail keep the surface; the arms throw shadow on what is behind them."""

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset
from avatar.body.mesh import vertex_normals
from avatar.renderer import light
from avatar.renderer.blocks import CAPSULES, arms
from avatar.renderer.detail import Level, coarser, level_for, levels, shortened
from motion.kinematics import joint_positions, rest_offsets
from tests.avatar.poses import hosts

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]


def _tube(rings: int = 60, around: int = 64) -> tuple[Floats, Ints]:
    """Return an open tube of radius 5 cm along z."""
    ring, step = np.mgrid[0:rings, 0:around]
    angle = 2.0 * np.pi * step / around
    points = np.stack([0.05 * np.cos(angle), 0.05 * np.sin(angle), 0.005 * ring], -1)
    at = (ring * around + step)[:-1]
    beside = (ring * around + (step + 1) % around)[:-1]
    quads = np.stack([at, beside, beside + around, at, beside + around, at + around], -1)
    return points.reshape(-1, 3).astype(np.float32), quads.reshape(-1, 3).astype(np.int32)


def _area(points: Floats, triangles: Ints) -> float:
    a, b, c = (points[corner] for corner in triangles.T)
    return float(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())


def test_a_coarser_tube_is_the_same_tube_of_fewer_triangles() -> None:
    points, triangles = _tube()
    normals = np.asarray(vertex_normals(points, triangles), np.float32)
    fewer = coarser(points, normals, triangles)
    assert len(fewer) < 0.55 * len(triangles)
    assert abs(_area(points, fewer) / _area(points, triangles) - 1.0) < 0.02
    a, b, c = (points[corner] for corner in fewer.T)
    assert ((np.cross(b - a, c - a) * normals[fewer].mean(1)).sum(1) > 0.0).all()
    pairs, uses = np.unique(
        np.sort(fewer[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), 1), axis=0, return_counts=True
    )
    # Open only at its two ends, as before: 64 edges each, and nowhere torn.
    assert (uses == 1).sum() == 128
    assert set(np.unique(pairs[uses == 1] // 64)) == {0, 59}


def test_ribbons_lose_every_second_step_and_keep_their_ends_and_order() -> None:
    def ribbon(first: int, steps: int) -> list[list[int]]:
        starts = range(first, first + 2 * steps, 2)
        return [row for a in starts for row in ([a, a + 1, a + 2], [a + 1, a + 3, a + 2])]

    fewer = shortened(np.array(ribbon(0, 4) + ribbon(10, 3), np.int32))
    assert fewer.tolist() == [
        [0, 1, 4], [1, 5, 4], [4, 5, 8], [5, 9, 8],
        [10, 11, 14], [11, 15, 14], [14, 15, 16], [15, 17, 16],
    ]  # fmt: skip
    _, sheet = _tube(3, 5)
    assert np.array_equal(shortened(sheet), sheet)


def test_far_figures_get_coarser_levels() -> None:
    empty = np.zeros(0, np.int32), np.zeros((0, 3), np.int32)
    found = [Level(*empty, spacing) for spacing in (0.005, 0.010, 0.020)]
    assert [level_for(found, density) for density in (4000.0, 1500.0, 700.0, 50.0)] == [0, 1, 2, 2]


def test_faces_and_hands_are_never_coarsened(mia: AvatarAsset) -> None:
    for part in mia.parts:
        found = levels(part)
        assert np.array_equal(found[0].kept[found[0].triangles], part.triangles)
        if part.material not in ("cloth", "strand"):
            assert len(found) == 1


def test_hands_before_the_body_are_before_it_in_the_light(mia: AvatarAsset) -> None:
    pose = hosts(mia)["palms"]
    joints = joint_positions(pose.rotations, rest_offsets(mia.joints), pose.translation)
    rows = arms(joints[None])[0].reshape(len(CAPSULES), 2, 4)
    for (start, end, share), (first, way) in zip(CAPSULES, rows, strict=True):
        assert np.allclose(first[:3], light.KEY_AXES @ joints[start], atol=1e-5)
        assert np.allclose(first[:3] + way[:3], light.KEY_AXES @ joints[end], atol=1e-5)
        length = np.linalg.norm(joints[end] - joints[start])
        assert np.isclose(first[3], share * length, rtol=1e-4)
    assert np.allclose(light.KEY_AXES @ light.KEY_AXES.T, np.eye(3), atol=1e-6)
