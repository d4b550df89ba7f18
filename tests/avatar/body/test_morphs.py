"""The morph table."""

import numpy as np

from avatar.body.morphs import MorphTable
from avatar.body.surface import Surface, rigid, strongest
from motion.skeleton import joint_index

_POINTS = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)
_FACES = np.array([[0, 1, 2], [0, 2, 3]], np.int32)


def _surface(source: list[int] | None) -> Surface:
    return Surface(
        name="square",
        material="skin",
        texture="",
        positions=_POINTS,
        normals=np.tile(np.array([0, 0, 1], np.float32), (4, 1)),
        uv=_POINTS[:, :2],
        weights=rigid(4, 0),
        triangles=_FACES,
        source=None if source is None else np.array(source),
    )


def test_rows_give_back_every_delta_that_moves_a_vertex() -> None:
    rng = np.random.default_rng(0)
    shapes = rng.normal(0.0, 0.01, (52, 9, 3)).astype(np.float32)
    shapes[rng.random((52, 9)) < 0.7] = 0.0
    table = MorphTable(shapes)
    source = [8, 3, 5, 0]
    rows = table.rows(_surface(source))
    packed = table.packed()
    for vertex, (start, count) in enumerate(rows.tolist()):
        rebuilt = np.zeros((52, 3), np.float32)
        for row in packed[start : start + count]:
            rebuilt[int(row[3])] = row[:3]
        assert np.array_equal(rebuilt, shapes[:, source[vertex]])


def test_normals_follow_the_deformed_surface() -> None:
    shapes = np.zeros((52, 4, 3), np.float32)
    shapes[7, [1, 2], 2] = -1.0  # the right edge of the square sinks: it tilts by 45 degrees
    table = MorphTable(shapes)
    start, count = table.rows(_surface([0, 1, 2, 3]))[1].tolist()
    assert count == 1
    turned = np.array([0, 0, 1]) + table.packed()[start, 4:7]
    assert np.allclose(turned, np.array([1, 0, 1]) / np.sqrt(2), atol=1e-6)


def test_a_surface_without_a_source_has_no_rows() -> None:
    table = MorphTable(np.ones((52, 4, 3), np.float32))
    assert not table.rows(_surface(None)).any()
    assert len(table.packed()) == 1


def test_only_the_strongest_weights_are_kept() -> None:
    names = ("spine01", "neck01", "clavicle.L", "upperarm01.L", "upperarm02.L")
    index = [joint_index(name) for name in names]
    weights = np.zeros((1, 104), np.float32)
    weights[0, index] = [0.4, 0.3, 0.15, 0.1, 0.05]
    joints, kept = strongest(weights)
    assert joints[0].tolist() == index[:4]
    assert np.allclose(kept.sum(), 1.0)
    assert np.allclose(kept[0] / kept[0, 0], [1.0, 0.75, 0.375, 0.25], atol=0.04)


def test_neighbours_that_keep_different_joints_move_alike() -> None:
    names = ("spine01", "neck01", "clavicle.L", "upperarm01.L", "upperarm02.L")
    index = [joint_index(name) for name in names]
    weights = np.zeros((2, 104), np.float32)
    weights[0, index] = [0.3, 0.2, 0.2, 0.151, 0.149]
    weights[1, index] = [0.3, 0.2, 0.2, 0.149, 0.151]
    dense = np.zeros_like(weights)
    for row, (joints, kept) in enumerate(zip(*strongest(weights), strict=True)):
        np.add.at(dense[row], joints, kept)
    assert np.abs(dense[0] - dense[1]).max() < 0.02


def test_what_nothing_moves_is_carried_by_its_parent() -> None:
    weights = np.zeros((1, 104), np.float32)
    weights[0, [joint_index("shoulder01.L"), joint_index("upperarm01.L")]] = [0.6, 0.4]
    joints, kept = strongest(weights)
    assert joints[0, 0] == joint_index("clavicle.L")
    assert np.allclose(kept[0, :2], [0.6, 0.4])
