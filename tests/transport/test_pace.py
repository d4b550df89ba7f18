"""A viewer too slow for a stream is told from one that is not, and tried again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transport.pace import (
    HOLD_S,
    MAX_SPACING_S,
    MIN_RATE,
    MUTE_S,
    NARROW_S,
    REPAIRS,
    SPACING_S,
    STEADY_S,
    Pace,
)

RATE = 1_000_000.0


def slow_at(now: float) -> Pace:
    """Return the pace of a viewer that kept up for long and has piled up now."""
    pace = Pace(0.0)
    pace.lost(0.0, now)
    pace.fell_behind(now)
    assert pace.slow
    return pace


def test_one_bad_report_is_no_trouble_and_two_running_are() -> None:
    pace = Pace(0.0)
    for now, part in enumerate((0.3, 0.0, 0.3, 0.09, 0.3)):
        pace.lost(part, float(now))
        assert not pace.slow
    pace.lost(0.2, 5.0)
    assert pace.slow


def test_a_low_estimate_is_trouble_only_where_it_does_not_rise() -> None:
    rising, still = Pace(0.0), Pace(0.0)
    for step in range(8):
        now = step * 0.5
        rising.estimated(100_000 + 8_000 * step, RATE, now)
        still.estimated(100_000, RATE, now)
        assert still.slow == (now >= NARROW_S)
    assert not rising.slow


def test_an_estimate_of_half_the_stream_is_believed_to_be_enough() -> None:
    pace = Pace(0.0)
    for step in range(20):
        pace.estimated(500_000, RATE, step * 0.5)
    assert not pace.slow


def test_an_estimate_of_a_quiet_stream_says_nothing() -> None:
    pace = Pace(0.0)
    for step in range(20):
        pace.estimated(10_000, MIN_RATE - 1, step * 0.5)
    assert not pace.slow


def test_a_low_estimate_between_good_ones_is_forgotten() -> None:
    pace = Pace(0.0)
    for step in range(20):
        pace.estimated(100_000 if step % 3 else 900_000, RATE, step * 0.9)
    assert not pace.slow


def test_who_always_asks_for_keyframes_gets_those_that_come() -> None:
    pace = Pace(0.0)
    assert [pace.repair(float(now)) for now in range(REPAIRS + 1)] == [True] * REPAIRS + [False]
    assert pace.slow
    hasty = Pace(0.0)
    assert all(hasty.repair(now * 0.04) for now in range(20)), "one loss, told many times"
    patient = Pace(0.0)
    assert all(patient.repair(now * 3.0) for now in range(20))


def test_who_says_nothing_does_not_watch_and_is_tried_again_when_it_speaks() -> None:
    pace = Pace(0.0)
    pace.lost(0.0, 20.0)
    pace.look(20.0 + MUTE_S)
    assert not pace.slow
    pace.look(21.0 + MUTE_S)
    assert pace.slow
    pace.look(60.0)
    assert not pace.recovers(60.0)
    pace.lost(0.0, 60.0)
    pace.look(61.0)
    assert not pace.recovers(61.0)
    assert pace.recovers(60.0 + HOLD_S)
    assert not pace.slow


def test_it_is_tried_again_after_quiet_and_later_each_time_it_fails_at_once() -> None:
    pace = slow_at(STEADY_S)
    now, waits = STEADY_S, []
    for _ in range(7):
        began = now
        while not pace.recovers(now):
            now += 0.1
            pace.lost(0.0, now)
        waits.append(round(now - began))
        now += 1.0
        pace.fell_behind(now)
    assert waits == [2, 4, 8, 16, 32, 32, 32]


def test_what_went_well_for_long_is_tried_again_soon() -> None:
    pace = slow_at(1.0)
    assert pace.recovers(1.0 + 2 * HOLD_S)
    now = 1.0 + 2 * HOLD_S + STEADY_S
    pace.fell_behind(now)
    assert pace.recovers(now + HOLD_S)


def test_trouble_meanwhile_puts_recovery_off_and_keyframes_apart() -> None:
    pace = slow_at(STEADY_S)
    assert pace.spacing == SPACING_S
    now, spacings = STEADY_S, []
    for _ in range(60):
        now += 1.0
        pace.lost(0.5, now)
        pace.lost(0.5, now)
        assert not pace.recovers(now)
        spacings.append(pace.spacing)
    assert spacings == sorted(spacings)
    assert spacings[-1] == MAX_SPACING_S
    assert pace.recovers(now + HOLD_S)
    assert pace.spacing == SPACING_S


@given(
    st.lists(
        st.tuples(
            st.floats(0.04, 3.0),
            st.sampled_from(("good", "lossy", "narrow", "repair", "behind", "nothing")),
        ),
        max_size=60,
    )
)
def test_whatever_came_before_a_quiet_viewer_recovers(
    happened: list[tuple[float, str]],
) -> None:
    pace, now = Pace(0.0), 0.0
    for passed, what in happened:
        now += passed
        pace.look(now)
        match what:
            case "good":
                pace.lost(0.0, now)
            case "lossy":
                pace.lost(0.4, now)
            case "narrow":
                pace.estimated(10_000, RATE, now)
            case "repair":
                pace.repair(now)
            case "behind":
                pace.fell_behind(now)
        assert SPACING_S <= pace.spacing <= MAX_SPACING_S
    until = now + 40
    while now < until:
        now += 1.0
        pace.lost(0.0, now)
        pace.look(now)
        pace.recovers(now)
    assert not pace.slow
    assert pace.spacing == pytest.approx(SPACING_S)
