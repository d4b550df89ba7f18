"""Silence at the ends of a sound is found, and left out at the end of a line."""

import numpy as np

from avatar.speech import SPEECH_RATE
from pipeline.silence import quiet_ends
from pipeline.timeline import FRAME, TAIL, Segment, Timeline


def sound(before: float, loud: float, after: float) -> np.ndarray:
    parts = [np.zeros(round(before * SPEECH_RATE)), np.full(round(loud * SPEECH_RATE), 0.2)]
    parts.append(np.full(round(after * SPEECH_RATE), 0.0005))
    return np.concatenate(parts).astype(np.float32)


def test_silence_is_found_at_both_ends() -> None:
    assert quiet_ends(sound(0.1, 0.5, 0.3)) == (2400, 7200)
    assert quiet_ends(sound(0.0, 0.5, 0.0)) == (0, 0)


def test_of_a_silent_sound_all_is() -> None:
    assert quiet_ends(np.zeros(3000, np.float32)) == (3000, 3000)
    assert quiet_ends(np.zeros(0, np.float32)) == (0, 0)
    assert quiet_ends(np.ones(40, np.float32)) == (40, 40)


def test_a_turn_loses_the_silence_at_its_end() -> None:
    timeline = Timeline(lead=0)
    timeline.add(Segment(1, sound(0.0, 0.5, 0.3)))
    timeline.trim(1)
    assert timeline.ahead_end == round(0.5 * SPEECH_RATE) + TAIL
    following = timeline.add(Segment(2, sound(0.0, 0.1, 0.0)), gap=240)
    assert following is not None
    assert following.start == round(0.5 * SPEECH_RATE) + TAIL + 240


def test_what_was_handed_out_stays() -> None:
    timeline = Timeline(lead=0)
    timeline.add(Segment(1, sound(0.0, 0.1, 0.5)))
    for _ in range(20):
        timeline.frame()
    timeline.trim(1)
    assert timeline.ahead_end == 20 * FRAME
    timeline.frame()
    assert not timeline.pending(1)


def test_another_turn_is_left_alone() -> None:
    timeline = Timeline(lead=0)
    timeline.add(Segment(1, sound(0.0, 0.1, 0.5)))
    timeline.trim(2)
    assert timeline.ahead_end == round(0.6 * SPEECH_RATE)
