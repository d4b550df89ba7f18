"""The Frechet distance against its closed forms, and its spread against repeated sampling."""

import numpy as np
import pytest
from numpy.typing import NDArray

from motion.errors import MotionValueError
from motion.metrics.frechet import bootstrap, frechet_distance, gaussian_distance, split_floor


def exactly(mean: NDArray[np.float64], factor: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return samples whose mean and covariance are exactly `mean` and `factor @ factor.T`."""
    size = len(mean)
    corners = np.concatenate([np.eye(size), -np.eye(size)])
    # 2D corners, each axis with sum of squares 2, divided by N - 1.
    unit = corners * np.sqrt((2 * size - 1) / 2)
    return np.asarray(unit @ factor.T + mean, np.float64)


def test_between_commuting_covariances_it_is_the_distance_of_means_and_deviations() -> None:
    """With diagonal covariances d^2 = sum (m1 - m2)^2 + (s1 - s2)^2."""
    m1, m2 = np.array([0.0, 1.0, -2.0]), np.array([3.0, 1.0, -1.0])
    s1, s2 = np.array([1.0, 2.0, 0.5]), np.array([2.0, 2.0, 3.0])
    wanted = np.sum((m1 - m2) ** 2) + np.sum((s1 - s2) ** 2)
    assert gaussian_distance(m1, np.diag(s1**2), m2, np.diag(s2**2)) == pytest.approx(wanted)
    real, made = exactly(m1, np.diag(s1)), exactly(m2, np.diag(s2))
    assert frechet_distance(real, made) == pytest.approx(wanted)


def test_covariances_that_do_not_commute() -> None:
    """In two dimensions tr (AB)^1/2 = sqrt(tr AB + 2 sqrt(det AB))."""
    a = np.array([[2.0, 0.7], [0.7, 1.0]])
    b = np.array([[1.0, -0.4], [-0.4, 3.0]])
    assert not np.allclose(a @ b, b @ a)
    cross = np.sqrt(np.trace(a @ b) + 2.0 * np.sqrt(np.linalg.det(a @ b)))
    wanted = np.trace(a) + np.trace(b) - 2.0 * cross
    assert gaussian_distance([0, 0], a, [0, 0], b) == pytest.approx(wanted)


def test_a_rotation_of_both_clouds_changes_nothing_and_a_scale_squares() -> None:
    random = np.random.default_rng(1)
    real, made = random.normal(size=(60, 5)), random.normal(0.4, 1.5, (50, 5))
    turn, _ = np.linalg.qr(random.normal(size=(5, 5)))
    plain = frechet_distance(real, made)
    assert frechet_distance(real @ turn, made @ turn) == pytest.approx(plain)
    assert frechet_distance(3.0 * real, 3.0 * made) == pytest.approx(9.0 * plain)
    assert frechet_distance(made, real) == pytest.approx(plain)


def test_rank_deficient_clouds_stay_real_and_finite() -> None:
    """Fewer samples than dimensions, and a cloud that does not vary at all."""
    random = np.random.default_rng(2)
    few = random.normal(size=(5, 40))
    assert frechet_distance(few, few) == pytest.approx(0.0, abs=1e-9)
    assert frechet_distance(few, few + 2.0) == pytest.approx(160.0)
    still = np.tile(few.mean(0), (7, 1))
    assert frechet_distance(few, still) == pytest.approx(np.trace(np.cov(few, rowvar=False)))


def test_the_bootstrap_spread_is_that_of_fresh_samples() -> None:
    """The deviation it tells from one sample is that seen over many samples."""
    random = np.random.default_rng(3)

    def pair() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return random.normal(size=(200, 3)), random.normal(0.8, 1.0, (200, 3))

    fresh = np.std([frechet_distance(*pair()) for _ in range(200)])
    spread = bootstrap(*pair(), rounds=200, seed=4)
    assert 0.6 * fresh < spread.deviation < 1.6 * fresh
    assert spread.low < spread.value < spread.high
    assert spread.low < 3 * 0.8**2 < spread.high


def test_the_same_seed_tells_the_same_spread() -> None:
    random = np.random.default_rng(5)
    real, made = random.normal(size=(50, 4)), random.normal(size=(40, 4))
    assert bootstrap(real, made, rounds=10, seed=1) == bootstrap(real, made, rounds=10, seed=1)
    assert bootstrap(real, made, rounds=10, seed=1) != bootstrap(real, made, rounds=10, seed=2)


def test_windows_that_repeat_one_another_do_not_narrow_the_spread() -> None:
    """Ten copies of every row are no new evidence: with groups the deviation stays."""
    random = np.random.default_rng(6)
    real, made = random.normal(size=(40, 2)), random.normal(0.7, 1.0, (40, 2))
    clips = np.repeat(np.arange(40), 10)
    copied = np.repeat(real, 10, 0), np.repeat(made, 10, 0)
    plain = bootstrap(real, made, rounds=200).deviation
    grouped = bootstrap(*copied, rounds=200, real_groups=clips, generated_groups=clips).deviation
    fooled = bootstrap(*copied, rounds=200).deviation
    assert grouped == pytest.approx(plain, rel=0.3)
    assert fooled < 0.6 * grouped


def test_the_floor_falls_with_the_number_of_samples_and_lies_under_a_difference() -> None:
    random = np.random.default_rng(7)
    many = random.normal(size=(2000, 4))
    assert 0.0 < split_floor(many) < split_floor(many[:100])
    assert split_floor(many) < 0.1 * frechet_distance(many, many + 0.5)


@pytest.mark.parametrize(
    ("real", "made"),
    [
        (np.zeros((1, 3)), np.zeros((4, 3))),
        (np.zeros((4, 3)), np.zeros((4, 2))),
        (np.zeros(4), np.zeros(4)),
        (np.full((4, 3), np.nan), np.zeros((4, 3))),
    ],
)
def test_what_is_no_pair_of_clouds_is_refused(
    real: NDArray[np.float64], made: NDArray[np.float64]
) -> None:
    with pytest.raises(MotionValueError, match="accepted"):
        frechet_distance(real, made)
