"""Diversity, faces, feet and meaning on cases small enough to count by hand."""

from itertools import combinations

import numpy as np
import pytest

from motion.errors import MotionValueError
from motion.metrics.contact import foot_skate
from motion.metrics.diversity import clip_diversity, l1_diversity
from motion.metrics.face import face_mse, landmark_velocity_difference
from motion.metrics.semantic import semantic_relevance_recall

FPS = 25.0


def test_l1_diversity_sums_over_coordinates_and_averages_over_frames() -> None:
    """Coordinates that swing by 1 and by 3 about their means deviate by 4 a frame."""
    swing = np.tile([1.0, -1.0], 20)
    clip = np.stack([5.0 + swing, 3.0 * swing, np.full(40, 2.0)], -1)
    assert l1_diversity(clip) == pytest.approx(4.0)
    assert l1_diversity(clip[:, None]) == pytest.approx(4.0)
    assert l1_diversity(np.ones((9, 4, 3))) == 0.0


def test_clip_diversity_is_the_mean_over_pairs() -> None:
    random = np.random.default_rng(0)
    clips = random.normal(size=(7, 11, 2, 3))
    pairs = [np.abs(a - b).sum() / 11 for a, b in combinations(clips, 2)]
    assert clip_diversity(clips) == pytest.approx(np.mean(pairs))
    assert clip_diversity(np.repeat(clips[:1], 4, 0)) == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(MotionValueError, match="at least 2"):
        clip_diversity(clips[:1])


def test_a_constant_offset_of_a_face_is_an_error_but_no_difference_of_velocity() -> None:
    true = np.random.default_rng(1).uniform(0, 1, (30, 52))
    assert face_mse(true + 0.1, true) == pytest.approx(0.01)
    assert landmark_velocity_difference(true + 0.1, true) == pytest.approx(0.0, abs=1e-12)


def test_lvd_of_a_face_that_moves_faster_is_the_difference_a_frame() -> None:
    steady = np.outer(np.arange(10), np.ones(4))
    assert landmark_velocity_difference(1.5 * steady, steady) == pytest.approx(0.5)
    assert landmark_velocity_difference(-steady, steady) == pytest.approx(2.0)
    with pytest.raises(MotionValueError, match="one shape"):
        face_mse(steady, steady[:5])


def test_a_standing_foot_does_not_skate_and_a_slid_one_does() -> None:
    """One foot stands, one slides at 1 m/s, one is in the air."""
    feet = np.zeros((26, 3, 3))
    feet[:, 1, 0] = np.arange(26) / FPS
    feet[:, 2, 2] = np.arange(26) / FPS
    feet[:, 2, 1] = 0.3
    found = foot_skate(feet, FPS)
    assert found.contact == pytest.approx(2 / 3)
    assert found.share == pytest.approx(0.5)
    assert found.speed == pytest.approx(0.5)


def test_movement_up_and_down_is_no_skating_and_the_upward_axis_may_be_another() -> None:
    feet = np.zeros((20, 1, 3))
    feet[:, 0, 2] = np.tile([0.0, 0.04], 10)
    assert foot_skate(feet, FPS, up=2).speed == 0.0
    assert foot_skate(feet, FPS, up=1).speed == pytest.approx(0.04 * FPS)


def test_feet_that_never_stand_neither_touch_nor_skate() -> None:
    feet = np.full((10, 2, 3), 1.0)
    found = foot_skate(feet, FPS, ground=0.0)
    assert (found.contact, found.share, found.speed) == (0.0, 0.0, 0.0)
    with pytest.raises(MotionValueError, match="up"):
        foot_skate(feet, FPS, up=3)


def test_srgr_weights_frames_by_their_meaning() -> None:
    """Right in the frame that matters three times as much: 3 / 4. Half the joints: half of it."""
    true = np.zeros((2, 4, 3))
    made = true.copy()
    made[1] = 1.0
    assert semantic_relevance_recall(made, true, [3.0, 1.0]) == pytest.approx(0.75)
    made[0, :2] = 1.0
    assert semantic_relevance_recall(made, true, [3.0, 1.0]) == pytest.approx(0.375)
    assert semantic_relevance_recall(true, true, [0.2, 0.0]) == 1.0


def test_srgr_measures_by_the_sum_of_coordinates() -> None:
    """0.04 on each axis is 0.12 m in L1, though only 0.069 m away."""
    true = np.zeros((1, 1, 3))
    assert semantic_relevance_recall(true + 0.04, true, [1.0]) == 0.0
    assert semantic_relevance_recall(true + 0.03, true, [1.0]) == 1.0
    with pytest.raises(MotionValueError, match="somewhere above 0"):
        semantic_relevance_recall(true, true, [0.0])
