"""Text and motion embeddings whose nearest neighbours are known."""

import numpy as np
import pytest

from motion.errors import MotionValueError
from motion.metrics.text_motion import diversity, matching_distance, multimodality, r_precision


def test_pairs_that_agree_are_always_found() -> None:
    texts = np.random.default_rng(0).normal(size=(96, 8))
    np.testing.assert_array_equal(r_precision(texts, texts + 1e-3), [1.0, 1.0, 1.0])


def test_pairs_that_have_nothing_in_common_are_found_by_chance() -> None:
    random = np.random.default_rng(1)
    texts, motions = random.normal(size=(2, 640, 16))
    found = r_precision(texts, motions)
    np.testing.assert_allclose(found, np.array([1, 2, 3]) / 32, atol=0.015)


def test_embeddings_that_are_all_alike_find_nothing() -> None:
    alike = np.ones((64, 4))
    np.testing.assert_array_equal(r_precision(alike, alike), [0.0, 0.0, 0.0])


def test_a_motion_that_is_always_second_is_found_in_the_second_place() -> None:
    """On a line of texts 0, 1, 2, ... each motion lies nearer to its right neighbour's text."""
    texts = np.arange(32.0)[:, None]
    motions = texts - 0.6  # text i: motion i at 0.6, motion i + 1 at 0.4
    found = r_precision(texts, motions, rounds=1)
    np.testing.assert_allclose(found, [1 / 32, 1.0, 1.0])


def test_the_pool_makes_it_harder() -> None:
    random = np.random.default_rng(2)
    texts = random.normal(size=(320, 6))
    motions = texts + random.normal(size=texts.shape)
    assert r_precision(texts, motions, pool=8)[0] > r_precision(texts, motions, pool=64)[0] + 0.1


def test_distances_in_closed_form() -> None:
    """(3, 4) apart is 5; two points 2 apart differ by 2 whichever pair is drawn."""
    texts = np.zeros((10, 2))
    assert matching_distance(texts, texts + np.array([3.0, 4.0])) == pytest.approx(5.0)
    assert diversity(np.array([[0.0], [2.0]])) == pytest.approx(2.0)
    ways = np.array([[[0.0], [2.0]], [[5.0], [5.0]]])
    assert multimodality(ways) == pytest.approx(1.0)


def test_diversity_of_a_normal_cloud() -> None:
    """The distance of two standard normals in one dimension is 2 / sqrt(pi) on average."""
    cloud = np.random.default_rng(3).normal(size=(5000, 1))
    assert diversity(cloud, pairs=20_000) == pytest.approx(2 / np.sqrt(np.pi), rel=0.03)


def test_what_is_not_accepted_is_told() -> None:
    with pytest.raises(MotionValueError, match="top <= pool <= pairs"):
        r_precision(np.zeros((31, 2)), np.zeros((31, 2)))
    with pytest.raises(MotionValueError, match="one shape"):
        matching_distance(np.zeros((4, 2)), np.zeros((4, 3)))
    with pytest.raises(MotionValueError, match="2 or more"):
        multimodality(np.zeros((4, 1, 3)))
