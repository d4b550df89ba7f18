"""Tremble goes, movement stays, and what was shown is gone on from."""

import numpy as np
import pytest

from motion.errors import MotionValueError
from motion.streaming.smoothing import BEFORE, smoothing

TRUST = np.repeat([1.0, 0.75, 0.5, 0.25], 10)


def test_a_movement_of_constant_acceleration_is_left_as_it_is() -> None:
    times = np.arange(BEFORE + len(TRUST)) / 25.0
    path = 2.0 - 3.0 * times + 5.0 * times**2
    smooth = smoothing(TRUST, 10) @ path
    np.testing.assert_allclose(smooth, path[BEFORE : BEFORE + 10], atol=1e-9)


@pytest.mark.parametrize("swings", [0.5, 1.0, 2.0])
def test_gestures_keep_their_size(swings: float) -> None:
    times = np.arange(BEFORE + len(TRUST)) / 25.0
    path = np.sin(2.0 * np.pi * swings * times)
    smooth = smoothing(TRUST, 10) @ path
    np.testing.assert_allclose(smooth, path[BEFORE : BEFORE + 10], atol=0.03)


def test_a_tremble_goes() -> None:
    random = np.random.default_rng(1)
    matrix = smoothing(TRUST, 10)
    before = after = 0.0
    for _ in range(50):
        made = random.standard_normal(len(TRUST))
        shown = np.zeros(BEFORE)
        before += np.square(np.diff(np.concatenate([shown, made[:10]]), n=3)).mean()
        smooth = matrix @ np.concatenate([shown, made])
        after += np.square(np.diff(np.concatenate([shown, smooth]), n=3)).mean()
    assert after < 0.05 * before


def test_a_step_between_what_was_shown_and_what_is_made_becomes_a_bend() -> None:
    shown, made = np.zeros(BEFORE), np.ones(len(TRUST))
    path = np.concatenate([shown, smoothing(TRUST, 10) @ np.concatenate([shown, made])])
    assert np.abs(np.diff(path)).max() < 0.6
    assert path[-1] == pytest.approx(1.0, abs=0.01)


def test_without_stiffness_nothing_changes() -> None:
    random = np.random.default_rng(2)
    path = random.standard_normal(BEFORE + len(TRUST))
    smooth = smoothing(TRUST, 10, stiffness=0.0) @ path
    np.testing.assert_allclose(smooth, path[BEFORE : BEFORE + 10])


def test_what_is_less_made_weighs_less() -> None:
    matrix = smoothing(np.repeat([1.0, 0.05], 10), 10)
    even = smoothing(np.ones(20), 10)
    assert np.abs(matrix[9, BEFORE + 10 :]).sum() < 0.8 * np.abs(even[9, BEFORE + 10 :]).sum()


def test_values_out_of_range_are_named() -> None:
    with pytest.raises(MotionValueError, match="trust is"):
        smoothing([1.0, 2.0, 0.5, 0.5], 2)
    with pytest.raises(MotionValueError, match="finished: 5; accepted: 1 to 4"):
        smoothing(np.ones(4), 5)
    with pytest.raises(MotionValueError, match="before: -1"):
        smoothing(np.ones(4), 4, before=-1)
