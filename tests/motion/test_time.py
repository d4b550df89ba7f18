"""Curves and chance: easing, noise, sway, breath and inertia as functions of time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motion.breath import Sway, breath
from motion.easing import bell, minimum_jerk, plateau, rise
from motion.inertia import STEP, Inertia
from motion.noise import Drift, draw, spread


def test_minimum_jerk_starts_and_ends_at_rest_and_peaks_at_1_875() -> None:
    shares = np.linspace(-0.5, 1.5, 4001)
    values = np.array([minimum_jerk(float(share)) for share in shares])
    speed = np.diff(values) / np.diff(shares)
    assert values[0] == 0.0
    assert values[-1] == 1.0
    assert speed.max() == pytest.approx(1.875, abs=1e-3)
    assert np.abs(np.diff(speed)).max() < 0.004  # no corner anywhere


def test_rise_and_plateau_keep_their_times() -> None:
    assert [rise(at, 1.0, 2.0) for at in (0.9, 1.5, 2.1)] == [0.0, 0.5, 1.0]
    assert [rise(at, 1.0, 1.0) for at in (0.9, 1.0)] == [0.0, 1.0]
    held = [plateau(at, 1.0, 2.0, 3.0, 4.0) for at in (0.5, 1.5, 2.5, 3.5, 4.5)]
    assert held == [0.0, 0.5, 1.0, 0.5, 0.0]


def test_bell_is_one_at_its_centre_and_falls_with_its_width() -> None:
    assert bell(0.0, 0.1) == 1.0
    assert bell(0.1, 0.1) == pytest.approx(np.exp(-0.5))
    assert bell(5.0, 0.1) == 0.0


def test_draws_are_even_and_depend_on_every_key() -> None:
    values = np.array([draw(7, 1, key) for key in range(4000)])
    assert values.min() >= 0.0
    assert values.max() < 1.0
    assert values.mean() == pytest.approx(0.5, abs=0.02)
    assert np.histogram(values, 10, (0.0, 1.0))[0].min() > 320
    assert len({draw(7, 1, 2), draw(7, 2, 1), draw(8, 1, 2), draw(7, 1), draw(7, 1, -2)}) == 5
    assert -1.0 <= spread(7, 1) < 1.0


def test_drift_wanders_smoothly_within_its_bounds_and_never_repeats() -> None:
    drift = Drift(3, (1.0, 2.5))
    values = np.array([drift(at) for at in np.arange(-20.0, 60.0, 0.01)])
    assert np.abs(values).max() <= 1.0
    assert values.std(0).min() > 0.15
    assert np.abs(np.diff(values, axis=0)).max() < 0.02
    assert abs(np.corrcoef(values.T)[0, 1]) < 0.5
    np.testing.assert_array_equal(drift(1e6 + 0.3), Drift(3, (1.0, 2.5))(1e6 + 0.3))
    assert (drift(0.5) != Drift(4, (1.0, 2.5))(0.5)).all()


def test_the_chest_fills_faster_than_it_empties() -> None:
    times = np.arange(0.0, 43.0, 0.01)
    values = np.array([breath(float(at)) for at in times])
    assert values.min() < 0.001
    assert values.max() > 0.999
    rising = np.count_nonzero(np.diff(values) > 0.0) / len(times)
    assert 0.35 < rising < 0.48
    assert np.count_nonzero(np.diff(np.sign(np.diff(values))) < 0) == pytest.approx(10, abs=1)


def test_sway_is_small_and_depends_on_the_seed() -> None:
    sways = np.array([Sway(1)(at) for at in np.arange(0.0, 60.0, 0.1)])
    assert 0.5 < np.abs(sways).max() < 8.0
    assert (Sway(1)(3.0) != Sway(2)(3.0)).any()


@settings(deadline=None)
@given(st.floats(-5.0, 5.0), st.floats(-50.0, 50.0), st.floats(0.1, 1.0))
def test_inertia_carries_value_and_rate_over_a_change_and_fades(
    jump: float, rate: float, seconds: float
) -> None:
    inertia = Inertia(1)
    old = (np.array([jump - rate * STEP]), np.array([jump]))
    inertia.change(1.0, old, (np.zeros(1), np.zeros(1)), np.array([seconds]))
    assert inertia(1.0)[0] == pytest.approx(jump, abs=1e-9)
    slope = (inertia(1.0 + 1e-6)[0] - inertia(1.0)[0]) / 1e-6
    assert slope == pytest.approx(rate, abs=0.05)
    assert inertia(1.0 + seconds)[0] == pytest.approx(0.0, abs=1e-9)
    assert inertia(1e6)[0] == 0.0


def test_inertia_takes_up_a_second_change_where_the_first_has_come_to() -> None:
    inertia = Inertia(1)
    zero, one, two = (np.full(1, value) for value in (0.0, 1.0, 2.0))
    inertia.change(0.0, (one, one), (zero, zero), np.array([0.4]))
    halfway = inertia(0.2)[0]
    inertia.change(0.2, (zero, zero), (two, two), np.array([0.8]))
    assert 2.0 + inertia(0.2)[0] == pytest.approx(halfway)
    assert inertia(0.6)[0] != 0.0
    assert inertia(1.0)[0] == 0.0


def test_values_whose_plan_stays_the_same_keep_their_remainder() -> None:
    inertia, untouched = Inertia(2), Inertia(2)
    plan = np.array([0.3, 0.3])
    for each in (inertia, untouched):
        each.change(0.0, (plan + 1.0, plan + 1.0), (plan, plan), np.array([0.4, 0.4]))
    moved = np.array([0.3, 5.3])
    inertia.change(0.1, (plan, plan), (moved, moved), np.array([9.0, 9.0]))
    assert inertia(0.2)[0] == untouched(0.2)[0]
    assert inertia(0.2)[1] != untouched(0.2)[1]
