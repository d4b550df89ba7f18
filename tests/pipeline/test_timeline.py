"""What is said when, what was heard, silence within 10 ms and going on from the word."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from avatar.speech import SPEECH_RATE, Phone, Word
from pipeline.timeline import FRAME, Segment, Timeline


def segment(turn: int, words: int, value: float = 0.5) -> Segment:
    """Return a segment of words of 0.2 s each."""
    marks = [index * 0.2 for index in range(words)]
    return Segment(
        turn,
        np.full(round(words * 0.2 * SPEECH_RATE), value, np.float32),
        tuple(Word(f"w{index}", at, at + 0.2) for index, at in enumerate(marks)),
        tuple(Phone("a", at, at + 0.2) for at in marks),
    )


def play(timeline: Timeline, frames: int) -> NDArray[np.float32]:
    return np.concatenate([timeline.frame() for _ in range(frames)])


def test_speech_starts_after_the_lead_and_follows_itself() -> None:
    timeline = Timeline(lead=FRAME)
    first, second = timeline.add(segment(1, 1)), timeline.add(segment(1, 1, 0.25))
    assert first is not None
    assert second is not None
    assert (first.start, second.start) == (FRAME, FRAME + 4800)
    sound = play(timeline, 22)
    assert (sound[:FRAME] == 0).all()
    assert (sound[FRAME : FRAME + 4800] == 0.5).all()
    assert (sound[FRAME + 4800 : FRAME + 9600] == 0.25).all()
    assert (sound[FRAME + 9600 :] == 0).all()


def test_heard_counts_sound_and_whole_words() -> None:
    timeline = Timeline(lead=0)
    timeline.add(segment(1, 4))
    play(timeline, 25)
    assert timeline.heard(1, 0) == (500, ["w0", "w1"])
    assert timeline.heard(1, SPEECH_RATE // 10) == (400, ["w0", "w1"])
    assert timeline.heard(1, SPEECH_RATE) == (0, [])
    assert timeline.heard(2, 0) == (0, [])


def test_what_lies_between_hand_out_and_wire_is_not_heard() -> None:
    timeline = Timeline(lead=0, lag=2 * FRAME)
    timeline.add(segment(1, 4))
    play(timeline, 25)
    assert timeline.heard(1, 0) == (460, ["w0", "w1"])
    assert timeline.sent(1) == 23 * FRAME


def test_a_hold_keeps_the_rest_from_the_word_that_was_cut() -> None:
    timeline = Timeline(lead=0, lag=2 * FRAME)
    timeline.add(segment(1, 4))
    timeline.add(segment(1, 1, 0.25))
    play(timeline, 27)  # 0.5 s are on the wire: in the middle of w2
    timeline.hold()
    assert (play(timeline, 10) == 0).all()
    assert timeline.held
    assert timeline.pending(1)
    first, second = timeline.release()
    assert [word.text for word in first.words] == ["w2", "w3"]
    assert first.words[0].start == 0
    assert len(first.samples) == round(0.4 * SPEECH_RATE)
    assert second.start == first.end
    assert first.resumed
    assert first.samples[0] == 0
    play(timeline, 50)
    assert timeline.heard(1, 0)[1] == ["w0", "w1", "w2", "w3", "w0"]
    assert not timeline.pending(1)


def test_speech_added_while_held_waits() -> None:
    timeline = Timeline(lead=0)
    timeline.hold()
    assert timeline.add(segment(1, 1)) is None
    assert timeline.ahead == 0.2
    assert len(timeline.release()) == 1


def test_drop_forgets_all_that_was_not_sent() -> None:
    timeline = Timeline(lead=0)
    timeline.add(segment(1, 4))
    play(timeline, 10)
    timeline.drop()
    assert (play(timeline, 100) == 0).all()
    assert timeline.ahead == 0
    assert timeline.heard(1, 0) == (200, ["w0"])
    timeline.forget(1)
    assert timeline.heard(1, 0) == (0, [])


@given(
    st.lists(st.sampled_from(["add", "play", "hold", "release", "drop"]), min_size=1, max_size=60)
)
def test_any_order_keeps_the_books(steps: list[str]) -> None:
    timeline = Timeline(lead=FRAME, lag=FRAME)
    for step in steps:
        if step == "add" and timeline.ahead < 5:
            timeline.add(segment(1, 2))
        elif step == "play":
            assert len(play(timeline, 3)) == 3 * FRAME
        elif step == "hold":
            timeline.hold()
        elif step == "release" and timeline.held:
            timeline.release()
        elif step == "drop":
            timeline.drop()
        milliseconds, _ = timeline.heard(1, 0)
        assert timeline.ahead >= 0
        assert milliseconds == timeline.sent(1) * 1000 // SPEECH_RATE
        assert timeline.sent(1) <= timeline.position
