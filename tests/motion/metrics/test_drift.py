"""Drift of walks that stay, and of walks that leave; trends of known slope."""

import numpy as np
import pytest
from numpy.typing import NDArray

from motion.errors import MotionValueError
from motion.metrics.drift import Drift, drift, mean_difference, spread_ratio
from motion.metrics.frechet import frechet_distance
from motion.metrics.trend import trend

MINUTE = 1500


def wander(
    seed: int, frames: int = MINUTE, size: int = 4, keep: float = 0.97
) -> NDArray[np.float64]:
    """Return a stationary walk [frames, size] of unit deviation, correlated over a second or so."""
    random = np.random.default_rng(seed)
    noise = random.normal(size=(frames, size)) * np.sqrt(1 - keep**2)
    walk = np.empty((frames, size))
    walk[0] = random.normal(size=size)
    for t in range(1, frames):
        walk[t] = keep * walk[t - 1] + noise[t]
    return walk


def stretch(seed: int, scale: float = 1.0) -> tuple[NDArray[np.float64], ...]:
    walk = wander(seed)
    return scale * walk, scale * np.abs(walk[:, 0]), (scale * np.abs(walk) > 2.0).mean(1)


def told(first: int, later: int, scale: float = 1.0) -> Drift:
    a, b = stretch(first), stretch(later, scale)
    return drift((a[0], a[1], a[2]), (b[0], b[1], b[2]))


def test_minutes_of_one_walk_do_not_drift() -> None:
    """Of twelve pairs of minutes of a stationary walk at most one seems to drift."""
    ratios = [told(seed, seed + 100).drift_ratio for seed in range(12)]
    assert np.sum(np.array(ratios) > 1.0) <= 1
    assert np.median(ratios) < 0.75


@pytest.mark.parametrize("scale", [0.4, 2.0])
def test_motion_that_dies_or_grows_drifts(scale: float) -> None:
    for seed in range(5):
        found = told(seed, seed + 100, scale)
        assert found.drift_ratio > 1.0
        assert found.drift_ratio == max(found.features, found.speed, found.limits)


def test_a_posture_that_slips_away_is_told_by_its_features() -> None:
    first, later = wander(1), wander(2)
    assert spread_ratio(first, later, frechet_distance) < 1.0
    assert spread_ratio(first, later + 1.5, frechet_distance) > 1.5


def test_the_ratio_is_the_distance_over_the_spread() -> None:
    """Blocks with means 0 and 1 in turn differ by up to 1; a later stretch at 6.5 by 6."""
    first = np.repeat(np.tile([0.0, 1.0], 2), 10)[:, None]
    assert spread_ratio(first, np.full((40, 1), 6.5), mean_difference, 4) == pytest.approx(6.0)


def test_what_never_varies_has_no_spread_but_the_floor() -> None:
    still = np.zeros((100, 1))
    assert spread_ratio(still, still, mean_difference) == 0.0
    assert spread_ratio(still, still + 0.1, mean_difference) == float("inf")
    assert spread_ratio(still, still + 0.1, mean_difference, floor=0.2) == pytest.approx(0.5)


def test_short_or_unlike_stretches_are_refused() -> None:
    with pytest.raises(MotionValueError, match="two rows a block"):
        spread_ratio(np.zeros((20, 2)), np.zeros((99, 2)), mean_difference)
    with pytest.raises(MotionValueError, match="first and later"):
        spread_ratio(np.zeros((99, 2)), np.zeros((99, 3)), mean_difference)
    with pytest.raises(MotionValueError, match="blocks"):
        spread_ratio(np.zeros((99, 2)), np.zeros((99, 2)), mean_difference, 2)


def test_a_straight_line_has_its_slope_and_no_doubt() -> None:
    found = trend(3.0 + 0.5 * np.arange(50))
    assert (found.slope, found.low, found.high) == pytest.approx((0.5, 0.5, 0.5))
    assert found.change == pytest.approx(24.5)
    assert found.level == pytest.approx(3.0 + 0.5 * 24.5)
    assert not found.slope_is_zero
    assert trend(np.full(1000, 7.3)).slope_is_zero
    assert trend([1.0, 3.0, 5.0], at=[0.0, 10.0, 20.0]).slope == pytest.approx(0.2)


def test_the_interval_is_that_of_the_textbook() -> None:
    """With 1, 2, 2, 4: slope 0.9, squares left 0.7, so 0.9 -+ 4.3027 * sqrt(0.7 / 2 / 5)."""
    found = trend([1.0, 2.0, 2.0, 4.0])
    assert found.slope == pytest.approx(0.9)
    assert found.high - found.slope == pytest.approx(4.30265 * np.sqrt(0.35 / 5), rel=1e-4)
    assert found.slope_is_zero


def test_noise_has_no_trend_at_the_promised_rate_and_a_leak_shows() -> None:
    random = np.random.default_rng(4)
    zero = [trend(random.normal(size=400)).slope_is_zero for _ in range(400)]
    assert 0.92 < np.mean(zero) < 0.98
    leak = trend(random.normal(size=100_000) + 1e-5 * np.arange(100_000))
    assert not leak.slope_is_zero
    assert leak.low < 1e-5 < leak.high


def test_batches_keep_busy_moments_from_seeming_a_trend() -> None:
    """Values that are alike for a hundred steps: taken one by one, noise seems to rise or fall."""
    busy = [np.repeat(np.random.default_rng(k).normal(size=200), 100) for k in range(60)]
    assert np.mean([trend(each, batches=None).slope_is_zero for each in busy]) < 0.5
    assert np.mean([trend(each).slope_is_zero for each in busy]) > 0.85


def test_what_has_no_trend_to_tell_is_refused() -> None:
    with pytest.raises(MotionValueError, match="N at least 3"):
        trend([1.0, 2.0])
    with pytest.raises(MotionValueError, match="two places"):
        trend([1.0, 2.0, 3.0], at=[5.0, 5.0, 5.0])
    with pytest.raises(MotionValueError, match="confidence"):
        trend([1.0, 2.0, 3.0], confidence=1.0)
