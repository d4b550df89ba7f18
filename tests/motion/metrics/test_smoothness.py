"""Speed, jerk, boundaries and limits on movements given by formulas."""

import numpy as np
import pytest

from motion.errors import MotionValueError
from motion.metrics.smoothness import (
    boundary_jerk,
    jerks,
    limit_violations,
    mean_jerk,
    speed_statistics,
    speeds,
)

FPS = 25.0
TIMES = np.arange(100) / FPS


def test_steady_movement_has_its_speed_and_no_jerk() -> None:
    """(3, 4, 0) metres a second is 5 m/s."""
    line = np.outer(TIMES, [3.0, 4.0, 0.0])[:, None]
    np.testing.assert_allclose(speeds(line, FPS), 5.0)
    assert mean_jerk(line, FPS) == pytest.approx(0.0, abs=1e-8)
    statistics = speed_statistics(line, FPS)
    assert statistics.mean == pytest.approx(5.0)
    assert statistics.deviation == pytest.approx(0.0, abs=1e-9)
    assert statistics.highest == pytest.approx(5.0)


def test_speed_statistics_of_two_joints() -> None:
    """One joint rests, one moves at 2 m/s."""
    moving = np.outer(TIMES, [0.0, 2.0, 0.0])
    both = np.stack([np.zeros_like(moving), moving], 1)
    statistics = speed_statistics(both, FPS)
    assert statistics.mean == pytest.approx(1.0)
    assert statistics.deviation == pytest.approx(1.0)
    assert statistics.fast == pytest.approx(2.0)


def test_the_jerk_of_a_cubic_is_six_whatever_the_rate() -> None:
    """d3 (t^3) = 6, which third differences give exactly."""
    for fps in (25.0, 50.0):
        at = np.arange(60) / fps
        cubic = np.stack([at**3, 2 * at**2, np.ones_like(at)], -1)[:, None]
        np.testing.assert_allclose(jerks(cubic, fps), 6.0, rtol=1e-5)
        assert mean_jerk(cubic, fps) == pytest.approx(6.0)


def test_a_step_of_position_is_told_by_the_three_differences_that_span_it() -> None:
    """Third differences of a step h are h, -2h, h."""
    step = np.zeros((40, 1, 3))
    step[20:, 0, 2] = 0.01
    values = jerks(step, FPS)[:, 0]
    np.testing.assert_allclose(values[17:20], 0.01 * FPS**3 * np.array([1, 2, 1]))
    assert np.count_nonzero(values) == 3


def test_steps_at_boundaries_are_boundary_jerk_alone() -> None:
    chunked = np.repeat(np.arange(6) * 0.01, 10)[:, None, None] * np.ones(3)
    found = boundary_jerk(chunked, FPS, 10)
    assert found.boundary == pytest.approx(np.sqrt(3) * 0.01 * FPS**3 * 4 / 3)
    assert found.interior == 0.0
    assert found.ratio == float("inf")
    moved = boundary_jerk(chunked[3:], FPS, 10, first=7)
    assert moved.interior == 0.0
    assert boundary_jerk(chunked, FPS, 10, first=5).boundary == 0.0


def test_where_boundaries_cannot_be_told_the_ratio_is_one() -> None:
    cubic = (TIMES**3)[:, None, None] * np.ones(3)
    assert boundary_jerk(cubic, FPS, 10).ratio == pytest.approx(1.0, rel=1e-6)
    assert boundary_jerk(np.zeros((40, 2, 3)), FPS, 10).ratio == 1.0
    random = np.random.default_rng(0).normal(size=(20_000, 1, 3))
    assert boundary_jerk(random, FPS, 10).ratio == pytest.approx(1.0, abs=0.03)


def test_jerk_twice_as_high_at_boundaries_is_a_ratio_of_two() -> None:
    """A position whose third difference is 1 within chunks of 10 and 2 across boundaries."""
    third = np.where(np.arange(97) // 10 != (np.arange(97) + 3) // 10, 2.0, 1.0)
    x = np.concatenate([np.zeros(3), third])
    for _ in range(3):
        x = np.cumsum(x)
    place = np.stack([x, np.zeros_like(x), np.zeros_like(x)], -1)[:, None]
    found = boundary_jerk(place, 1.0, 10)
    assert found.ratio == pytest.approx(2.0)
    assert found.interior == pytest.approx(1.0)


def test_limit_violations_count_joints_not_axes() -> None:
    low, high = np.full((4, 3), -1.0), np.full((4, 3), 1.0)
    high[3] = np.inf
    angles = np.zeros((3, 4, 3))
    angles[1, 0] = [2.0, -2.0, 0.0]  # one joint on two axes
    angles[2, 0, 0] = angles[2, 1, 1] = 1.05
    angles[2, 3, 0] = 99.0  # free upwards
    np.testing.assert_allclose(limit_violations(angles, low, high), [0.0, 0.25, 0.5])
    np.testing.assert_allclose(limit_violations(angles, low, high, slack=0.1), [0.0, 0.25, 0.0])


def test_what_is_not_accepted_is_told() -> None:
    with pytest.raises(MotionValueError, match="T at least 4"):
        jerks(np.zeros((3, 1, 3)), FPS)
    with pytest.raises(MotionValueError, match="T, J, 3"):
        speeds(np.zeros((9, 1, 4)), FPS)
    with pytest.raises(MotionValueError, match="fps"):
        speeds(np.zeros((9, 1, 3)), 0.0)
    with pytest.raises(MotionValueError, match="chunk"):
        boundary_jerk(np.zeros((40, 1, 3)), FPS, 3)
    with pytest.raises(MotionValueError, match="across a boundary"):
        boundary_jerk(np.zeros((8, 1, 3)), FPS, 10)
    with pytest.raises(MotionValueError, match="limits are"):
        limit_violations(np.zeros((3, 4, 3)), np.zeros((4, 2)), np.ones((4, 2)))
    with pytest.raises(MotionValueError, match="low <= high"):
        limit_violations(np.zeros((3, 4, 1)), np.ones((4, 1)), np.zeros((4, 1)))
