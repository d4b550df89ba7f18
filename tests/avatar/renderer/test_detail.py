"""Levels of detail keep the surface; the arms throw shadow on what is behind them."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset
from avatar.renderer import light
from avatar.renderer.blocks import CAPSULES, arms
from avatar.renderer.detail import ERROR_PIXELS, Drawn, level_for, levels, shortened
from motion.kinematics import joint_positions, rest_offsets
from tests.avatar.poses import hosts
from tests.avatar.shapes import tube

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]


def test_ribbons_lose_every_second_step_and_keep_their_ends_and_order() -> None:
    def ribbon(first: int, steps: int) -> list[list[int]]:
        starts = range(first, first + 2 * steps, 2)
        return [row for a in starts for row in ([a, a + 1, a + 2], [a + 1, a + 3, a + 2])]

    fewer = shortened(np.array(ribbon(0, 4) + ribbon(10, 3), np.int32))
    assert fewer.tolist() == [
        [0, 1, 4], [1, 5, 4], [4, 5, 8], [5, 9, 8],
        [10, 11, 14], [11, 15, 14], [14, 15, 16], [15, 17, 16],
    ]  # fmt: skip
    _, sheet = tube(3, 5)
    assert np.array_equal(shortened(sheet), sheet)


def test_far_figures_get_coarser_levels() -> None:
    empty = np.zeros(0, np.int32), np.zeros((0, 3), np.int32)
    found = [Drawn(*empty, error, 0) for error in (0.0, 0.0005, 0.0010, 0.0020)]
    limits = [0.9 * ERROR_PIXELS / error for error in (0.0005, 0.0010, 0.0020)]
    assert [level_for(found, density) for density in (9000.0, *limits)] == [0, 1, 2, 3]


def test_a_part_without_levels_is_drawn_whole_and_from_both_sides(mia: AvatarAsset) -> None:
    for part in mia.parts:
        bare = replace(part, levels=())
        whole = levels(bare)[0]
        assert np.array_equal(whole.kept[whole.triangles], part.triangles)
        assert len(whole.side(backs=True).triangles) == len(part.triangles)


def test_the_two_sides_of_a_level_are_all_of_it(mia: AvatarAsset) -> None:
    for part in mia.parts:
        for level in levels(part):
            sides = [level.side(backs=backs) for backs in (True, False)]
            both = np.concatenate([side.kept[side.triangles] for side in sides])
            assert np.array_equal(both, level.kept[level.triangles])


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
