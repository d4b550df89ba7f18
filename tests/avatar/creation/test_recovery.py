"""What is said of a recovered avatar is true: distances, shares, correlations."""

import numpy as np
import pytest

from avatar.creation.photo.fit import ANYONE
from avatar.creation.photo.recovery import Recovery, apart, gap, resting_landmarks, summary
from avatar.creation.photo.shape import HeadShape
from avatar.spec import ready


def _row(name: str, shape_mm: float, found: float) -> Recovery:
    return Recovery(
        name=name, shape_mm=shape_mm, average_mm=3.0, before=4.0, after=2.0,
        sliders=((-0.5, -found), (0.5, found)), skin=1.0, hair=2.0, eyes=3.0, lips=4.0,
        cloth=None, style="bob", found_style=name, seconds=1.0,
    )  # fmt: skip


def test_a_turned_and_larger_head_is_the_same_head(shape: HeadShape) -> None:
    head = resting_landmarks(shape, ready("mia").body)
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    assert gap(1.3 * head @ quarter + 0.4, head) == pytest.approx(0.0, abs=1e-3)
    mirrored = head * np.array([-1.0, 1.0, 1.0])
    lopsided = head + np.outer(head[:, 0] > 0.0, [0.0, 0.0, 0.01])
    assert gap(lopsided, head) > 1.0
    assert gap(mirrored, head) > 0.05


def test_hosts_are_no_average_heads(shape: HeadShape) -> None:
    average = resting_landmarks(shape, ANYONE)
    for name in ("mia", "leo"):
        assert 1.0 < gap(average, resting_landmarks(shape, ready(name).body)) < 8.0


def test_equal_colours_are_not_apart() -> None:
    assert apart("#aa5533", "#aa5533") == 0.0
    assert apart("#ffffff", "#000000") == pytest.approx(100.0, abs=0.5)


def test_the_summary_counts_and_correlates() -> None:
    found = summary([_row("bob", 2.0, 0.25), _row("crop", 3.5, 0.25)])
    assert (found["count"], found["beats_average"], found["styles"]) == (2, 0.5, 0.5)
    assert found["slider_correlation"] == pytest.approx(1.0)
    assert found["slider_error"] == pytest.approx(0.25)
    assert found["cloth"] is None
    assert found["shape_mm"] == pytest.approx(2.75)
