"""A gesture in time: it runs ahead of its word, comes late or not at all, and can be let go."""

import numpy as np
import pytest

from motion.actions import ACTION_IDS, ACTIONS, LEAD, Gesture, gesture
from motion.controls import CONTROLS, LEFT_ARM, RIGHT_ARM
from motion.speech import SpokenAction
from tests.motion.actions.bodies import READY

AT = 10.0


def _made(name: str, at: float = AT, **given: float | str) -> Gesture:
    made = gesture(SpokenAction(name, at, tuple(given.items())), 0.0)
    assert made is not None
    return made


@pytest.mark.parametrize("name", ACTION_IDS)
def test_the_stroke_starts_ahead_of_the_word_and_hands_come_back(name: str) -> None:
    made, phases = _made(name), ACTIONS[name].phases
    begins, held = AT - LEAD, AT - LEAD + phases.stroke + phases.hold
    assert made.start == pytest.approx(begins - phases.prepare)
    assert made.end == pytest.approx(held + phases.retract)
    assert made.weight(made.start) == 0.0
    assert made.weight(begins) == made.weight(0.5 * (begins + held)) == made.weight(held) == 1.0
    np.testing.assert_array_equal(made.apply(READY, made.end), READY)
    shown = np.abs(made.apply(READY, begins + phases.stroke) - READY)
    assert shown[[*range(LEFT_ARM.start, CONTROLS)]].max() > 10.0


@pytest.mark.parametrize("name", ACTION_IDS)
def test_only_the_hands_it_needs_are_taken(name: str) -> None:
    action = ACTIONS[name]
    for hand in ("left", "right"):
        used, other = (LEFT_ARM, RIGHT_ARM) if hand == "left" else (RIGHT_ARM, LEFT_ARM)
        moved = np.abs(_made(name, hand=hand).apply(READY, AT + 0.1) - READY)
        assert moved[used].max() > 10.0
        assert (moved[other].max() > 1e-9) == (action.hands != "one")


def test_a_late_action_is_played_later_and_a_very_late_one_not_at_all() -> None:
    action = SpokenAction("offer", AT)
    late = gesture(action, AT)
    assert late is not None
    assert late.start == pytest.approx(AT)
    assert gesture(action, AT + 1.0) is None
    assert gesture(SpokenAction("juggle", AT), 0.0) is None


def test_unreadable_parameters_do_not_stop_it() -> None:
    usual = _made("show_size").apply(READY, AT + 0.3)
    for given in ({"size": "some"}, {"size": float("nan")}, {"colour": "red"}):
        np.testing.assert_array_equal(_made("show_size", **given).apply(READY, AT + 0.3), usual)


@pytest.mark.parametrize("name", ACTION_IDS)
@pytest.mark.parametrize("after", [-0.6, -0.2, 0.1, 0.35, 0.6])
def test_a_released_hand_comes_back_in_time_and_smoothly(name: str, after: float) -> None:
    cut, within = AT + after, 0.4
    made = _made(name)
    made.release(cut, within)
    times = np.arange(AT - 1.2, AT + 2.0, 0.005)
    played = np.array([made.apply(READY, float(at)) for at in times])
    assert np.abs(played[times >= cut + within + 1e-9] - READY).max() == 0.0
    kept = _made(name)
    before = np.array([kept.apply(READY, float(at)) for at in times[times <= cut]])
    np.testing.assert_allclose(played[times <= cut], before, atol=1e-9)
    # At 200 poses a second neither place nor speed jumps.
    speeds = np.abs(np.diff(played, axis=0)).max(1)
    assert speeds.max() < 9.0
    around = np.abs(np.diff(played, n=2, axis=0)).max(1)
    assert around[np.abs(times[1:-1] - cut) < 0.02].max() < 0.9


def test_a_release_before_the_start_or_after_the_end_changes_nothing_but_what_is_to_come() -> None:
    early = _made("offer")
    early.release(early.start - 0.1, 0.3)
    assert max(early.weight(float(at)) for at in np.arange(9.0, 12.0, 0.05)) == 0.0
    over, usual = _made("offer"), _made("offer")
    over.release(usual.end + 0.1, 0.3)
    assert over.end == usual.end
    late = _made("offer")
    late.release(usual.end - 0.1, 0.3)
    assert late.end == usual.end
    twice = _made("offer")
    twice.release(AT, 0.3)
    twice.release(AT + 0.1, 2.0)
    assert twice.end == pytest.approx(AT + 0.3)


def test_a_release_gives_the_eyes_back() -> None:
    made = _made("point_product")
    assert made.gaze(AT)[0] == 1.0
    made.release(AT, 0.3)
    weights = [made.gaze(AT + share)[0] for share in (0.0, 0.04, 0.08, 0.3)]
    assert weights[0] == 1.0
    assert 0.0 < weights[1] < 1.0
    assert weights[2:] == [0.0, 0.0]


def test_a_held_gesture_gives_way_to_the_next_but_is_seen_first() -> None:
    made, phases = _made("welcome"), ACTIONS["welcome"].phases
    whole, shown = made.end, AT - LEAD + phases.stroke
    assert made.give_way(whole, 0.0) == pytest.approx(whole - 0.4)
    assert made.end == whole
    free = made.give_way(AT - 5.0, 0.0)
    assert made.end == pytest.approx(shown + 0.2 + phases.retract)
    assert free == pytest.approx(made.end - 0.4)
    assert made.weight(shown + 0.1) == 1.0
    assert made.weight(made.end) == 0.0
    times = np.arange(free - 0.2, made.end + 0.2, 0.02)
    rows = np.array([made.apply(READY, at) for at in times])
    assert np.abs(np.diff(rows, n=2, axis=0)).max() < 12.0
    later = _made("welcome")
    assert later.give_way(AT - 5.0, AT + 0.3) == pytest.approx(
        max(shown + 0.2, AT + 0.3) + phases.retract - 0.4
    )
