import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from encoder.activity import WINDOW
from encoder.errors import EncoderValueError
from encoder.hearing import (
    HearingEvent,
    SpeechConfirmed,
    SpeechPaused,
    SpeechResumed,
    SpeechStarted,
    SpeechStopped,
)
from encoder.options import TurnOptions
from encoder.turns import TurnDetector
from tests.encoder.scripted import ScriptedActivity, script, windows

TICK = WINDOW / 16_000
ROUNDING = TICK / 2 + 1e-6
KINDS = {
    SpeechStarted: "+",
    SpeechConfirmed: "!",
    SpeechPaused: "p",
    SpeechResumed: "r",
    SpeechStopped: "-",
}


def _detector(options: TurnOptions | None = None) -> TurnDetector:
    return TurnDetector(ScriptedActivity(), options)


def _kinds(events: list[HearingEvent]) -> str:
    return "".join(KINDS[type(event)] for event in events)


def _timed(
    detector: TurnDetector, samples: NDArray[np.float32], chunk: int = WINDOW
) -> list[tuple[float, HearingEvent]]:
    """Return each event with the seconds heard when it came."""
    events = []
    for start in range(0, len(samples), chunk):
        found = detector.push(samples[start : start + chunk])
        events += [(detector.at, event) for event in found]
    return events


def test_an_utterance_starts_is_confirmed_pauses_and_stops() -> None:
    events = _timed(_detector(), script((0.0, 1.0), (0.97, 1.0), (0.0, 1.0)))
    assert _kinds([event for _, event in events]) == "+!p-"
    (started, start), (confirmed, confirm), (paused, pause), (stopped, stop) = events
    begin, end = 31 * TICK, 62 * TICK
    assert start.at == pytest.approx(begin)
    assert started - begin == pytest.approx(0.1, abs=ROUNDING)
    assert confirm.at == confirmed
    assert confirmed - begin == pytest.approx(0.25, abs=ROUNDING)
    assert pause.at == stop.at == pytest.approx(end)
    assert paused - end == pytest.approx(0.15, abs=ROUNDING)
    assert stopped - end == pytest.approx(0.5, abs=ROUNDING)


def test_samples_hold_the_prefix_the_speech_and_the_pause() -> None:
    events = _detector().push(script((0.0, 1.0), (0.97, 1.0), (0.0, 1.0)))
    paused, stopped = events[2:]
    assert isinstance(paused, SpeechPaused)
    assert isinstance(stopped, SpeechStopped)
    expected = windows([0.0] * 9 + [0.97] * 31 + [0.0] * 5)
    np.testing.assert_array_equal(paused.samples, expected)
    np.testing.assert_array_equal(stopped.samples, expected)
    assert stopped.confirmed


def test_a_prefix_is_no_longer_than_what_was_heard() -> None:
    stopped = _detector().push(script((0.97, 0.5), (0.0, 1.0)))[-1]
    assert isinstance(stopped, SpeechStopped)
    np.testing.assert_array_equal(stopped.samples, windows([0.97] * 16 + [0.0] * 5))


def test_a_click_starts_nothing() -> None:
    assert not _detector().push(script((0.0, 0.5), (1.0, 0.064), (0.0, 1.0)))


def test_a_cough_is_a_false_start_and_ends_soon() -> None:
    events = _timed(_detector(), script((0.0, 0.5), (0.97, 0.16), (0.0, 1.0)))
    assert _kinds([event for _, event in events]) == "+-"
    at, stopped = events[-1]
    assert isinstance(stopped, SpeechStopped)
    assert not stopped.confirmed
    assert at - stopped.at == pytest.approx(0.3, abs=ROUNDING)


def test_a_noise_that_is_never_sure_is_not_confirmed_and_given_up() -> None:
    hum = script((0.0, 0.5), (0.55, 0.032), (0.4, 3.0))
    events = _timed(_detector(), hum)
    assert _kinds([event for _, event in events]) == "+-"
    at, stopped = events[-1]
    assert isinstance(stopped, SpeechStopped)
    assert not stopped.confirmed
    assert at - events[0][1].at == pytest.approx(1.0, abs=ROUNDING)


def test_a_hesitant_start_is_confirmed_once_it_is_sure() -> None:
    events = _detector().push(script((0.55, 0.032), (0.4, 0.3), (0.97, 0.3)))
    assert _kinds(events) == "+!"


def test_speech_that_is_likely_but_not_sure_takes_longer_to_confirm() -> None:
    events = _timed(_detector(), script((0.8, 1.0)))
    assert _kinds([event for _, event in events]) == "+!"
    assert events[1][0] == pytest.approx(0.5, abs=ROUNDING)


def test_speech_after_a_pause_resumes_the_same_turn() -> None:
    detector = _detector()
    events = detector.push(script((0.97, 1.0), (0.0, 0.3), (0.97, 0.5), (0.0, 1.0)))
    assert _kinds(events) == "+!prp-"
    resumed, stopped = events[3], events[-1]
    assert resumed.at == pytest.approx(40 * TICK)
    assert isinstance(stopped, SpeechStopped)
    assert stopped.samples.size == (31 + 9 + 16 + 5) * WINDOW


def test_a_click_in_a_pause_does_not_resume() -> None:
    events = _detector().push(script((0.97, 1.0), (0.0, 0.3), (1.0, 0.032), (0.0, 0.6)))
    assert _kinds(events) == "+!p-"


def test_short_gaps_within_words_are_no_pause() -> None:
    events = _detector().push(script(*[(0.97, 0.2), (0.1, 0.128)] * 8, (0.97, 0.2)))
    assert _kinds(events) == "+!"


@pytest.mark.parametrize(
    ("text", "silence"),
    [("Yes, I do.", 0.3), ("Yes, I do", 0.5), ("If it rains.", 1.2), ("I would like the", 2.0)],
)
def test_the_text_decides_on_the_silence(text: str, silence: float) -> None:
    detector = _detector()
    paused = detector.push(script((0.97, 1.0), (0.0, 0.2)))[-1]
    detector.set_text(text, "en", paused.at)
    at, stopped = _timed(detector, script((0.0, 3.0)))[-1]
    assert isinstance(stopped, SpeechStopped)
    assert at - stopped.at == pytest.approx(silence, abs=ROUNDING)


def test_a_text_that_comes_late_ends_the_turn_at_once() -> None:
    detector = _detector()
    detector.push(script((0.97, 1.0), (0.0, 0.448)))
    detector.set_text("Yes, I do.", "en")
    assert _kinds(detector.push(script((0.0, 0.032)))) == "-"


def test_a_text_from_before_the_pause_lengthens_but_does_not_shorten() -> None:
    for text, silence in (("Yes, I do.", 0.5), ("I would like the", 2.0)):
        detector = _detector()
        detector.push(script((0.97, 1.0)))
        detector.set_text(text, "en")
        at, stopped = _timed(detector, script((0.0, 3.0)))[-1]
        assert at - stopped.at == pytest.approx(silence, abs=ROUNDING)


def test_a_text_of_an_earlier_pause_is_dropped() -> None:
    detector = _detector()
    first = detector.push(script((0.97, 1.0), (0.0, 0.2)))[-1]
    detector.push(script((0.97, 0.5), (0.0, 0.2)))
    detector.set_text("I would like the", "en", first.at)
    at, stopped = _timed(detector, script((0.0, 3.0)))[-1]
    assert at - stopped.at == pytest.approx(0.5, abs=ROUNDING)


def test_speech_makes_the_text_unknown_again() -> None:
    detector = _detector()
    detector.push(script((0.97, 1.0), (0.0, 0.2)))
    detector.set_text("I would like the", "en")
    at, stopped = _timed(detector, script((0.97, 0.5), (0.0, 3.0)))[-1]
    assert at - stopped.at == pytest.approx(0.5, abs=ROUNDING)


def test_an_ending_cannot_leave_the_bounds() -> None:
    class Endless:
        def silence(self, text: str, language: str) -> float:
            return 60.0 if text + language == "onen" else 0.0

    for text, silence in (("on", 2.0), ("off", 0.3)):
        detector = TurnDetector(ScriptedActivity(), ending=Endless())
        detector.push(script((0.97, 1.0), (0.0, 0.2)))
        detector.set_text(text, "en")
        at, stopped = _timed(detector, script((0.0, 3.0)))[-1]
        assert at - stopped.at == pytest.approx(silence, abs=ROUNDING)


def test_text_outside_a_turn_changes_nothing() -> None:
    detector = _detector()
    detector.set_text("I would like the", "en")
    at, stopped = _timed(detector, script((0.97, 1.0), (0.0, 3.0)))[-1]
    assert at - stopped.at == pytest.approx(0.5, abs=ROUNDING)


def test_interrupting_takes_more_for_a_moment_after_the_avatar_began_to_speak() -> None:
    echo = script((0.55, 0.192), (0.0, 0.5))
    detector = _detector()
    detector.set_speaking(True)
    assert not detector.push(echo)
    assert _kinds(detector.push(echo)) == "+-"
    detector.set_speaking(True)
    detector.set_speaking(False)
    assert _kinds(detector.push(echo)) == "+-"


def test_loud_speech_interrupts_within_the_grace_too() -> None:
    detector = _detector()
    detector.set_speaking(True)
    assert _kinds(detector.push(script((0.97, 0.3)))) == "+!"


def test_a_turn_is_stopped_at_its_longest_and_nothing_is_heard_twice_or_lost() -> None:
    options = TurnOptions(maximum_turn=3.2)
    detector = _detector(options)
    speech = windows(0.96 + 0.0001 * number for number in range(320))
    events = detector.push(speech) + detector.stop()
    stops = [event for event in events if isinstance(event, SpeechStopped)]
    assert _kinds(events) == "+!-" * 4
    assert all(stop.samples.size <= 3.2 * 16_000 for stop in stops)
    np.testing.assert_array_equal(np.concatenate([stop.samples for stop in stops]), speech)


def test_the_next_turn_does_not_hear_the_end_of_the_last_one() -> None:
    detector = _detector(TurnOptions(prefix=1.5))
    events = detector.push(script((0.97, 1.0), (0.0, 0.6), (0.8, 1.0), (0.0, 0.6)))
    second = events[-1]
    assert isinstance(second, SpeechStopped)
    assert second.samples.max() < 0.85


def test_stop_ends_the_turn_now_and_clear_forgets_it() -> None:
    detector = _detector()
    detector.push(script((0.97, 1.0)))
    assert detector.heard().size == 31 * WINDOW
    (stopped,) = detector.stop()
    assert isinstance(stopped, SpeechStopped)
    assert stopped.samples.size == 31 * WINDOW
    assert not detector.stop()
    detector.push(script((0.97, 1.0)))
    detector.clear()
    assert not detector.in_turn
    assert detector.heard().size == 0
    assert not detector.push(script((0.0, 3.0)))


def test_memory_is_bounded_in_silence_and_in_speech() -> None:
    detector = _detector(TurnOptions(maximum_turn=3.0))
    for probability in (0.0, 0.45, 0.97):
        for _ in range(20):
            detector.push(script((probability, 1.0)))
            assert detector.kept <= 3.5


def test_bad_samples_are_named() -> None:
    with pytest.raises(EncoderValueError, match="shape"):
        _detector().push(np.zeros((2, 2), np.float32))


probabilities = st.lists(
    st.tuples(st.sampled_from([0.0, 0.3, 0.4, 0.55, 0.8, 0.97]), st.integers(1, 30)), max_size=25
).map(lambda runs: [probability for probability, count in runs for _ in range(count)])


actions = st.lists(
    st.tuples(
        st.integers(0, 300), st.sampled_from(["", "Yes, I do.", "and", "speaking", "silent"])
    ),
    max_size=12,
)


@settings(deadline=None)
@given(probabilities, actions)
def test_events_are_legal_and_times_never_fall(
    script: list[float], actions: list[tuple[int, str]]
) -> None:
    detector = _detector(TurnOptions(maximum_turn=4.0))
    events: list[HearingEvent] = []
    for number, probability in enumerate(script):
        events += detector.push(windows([probability]))
        for at, action in actions:
            if at == number and action in ("speaking", "silent"):
                detector.set_speaking(action == "speaking")
            elif at == number:
                detector.set_text(action, "en")
    events += detector.stop()
    _assert_legal(events)
    assert all(event.at <= detector.at for event in events)


def _assert_legal(events: list[HearingEvent]) -> None:
    following = {"": "+", "+": "!-", "!": "p-", "p": "r-", "r": "p-", "-": "+"}
    kinds = _kinds(events)
    for before, kind in zip(["", *kinds], kinds, strict=False):
        assert kind in following[before], kinds
    assert not kinds or kinds[-1] == "-"
    times = [event.at for event in events]
    assert times == sorted(times)
    for before, event in itertools.pairwise(events):
        if isinstance(before, SpeechPaused) and isinstance(event, SpeechStopped):
            np.testing.assert_array_equal(before.samples, event.samples)
    for index, event in enumerate(events):
        if isinstance(event, SpeechStopped):
            turn = kinds[: index + 1].rsplit("+", 1)[1]
            assert event.confirmed == ("!" in turn)


@settings(deadline=None)
@given(probabilities, st.lists(st.integers(0, 2000), min_size=1, max_size=10))
def test_chunking_does_not_change_the_events(script: list[float], sizes: list[int]) -> None:
    samples = windows(script)
    detector, events, start = _detector(), list[HearingEvent](), 0
    while start < samples.size:
        for size in [*sizes, 700]:
            events += detector.push(samples[start : start + size])
            start += size
    expected = _detector().push(samples)
    assert _kinds(events) == _kinds(expected)
    for event, other in zip(events, expected, strict=True):
        assert event.at == other.at
        if isinstance(event, SpeechStopped) and isinstance(other, SpeechStopped):
            np.testing.assert_array_equal(event.samples, other.samples)
