"""A session that speaks of itself: line after line, broken into only at the end of one."""

import asyncio

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from motion.procedural import ProceduralMover
from pipeline.contract import FRAME_SAMPLES
from pipeline.events import (
    OutputAudioStarted,
    OutputAudioStopped,
    SessionFailed,
    TranscriptionCompleted,
)
from pipeline.options import SessionOptions, TurnSettings
from tests.fakes.programme import FakeProgramme
from tests.fakes.room import Room

ALONE = SessionOptions(turn=TurnSettings(create_response=False, interrupt_response=False))
FIVE = ["one two three four.", "five six seven eight.", "nine ten.", "eleven twelve.", "last one."]


async def performing(
    programme: FakeProgramme, options: SessionOptions = ALONE, voicing: float = 0.0
) -> Room:
    room = Room("how much is it", options=options, voicing=voicing)
    await room.open()
    room.session.perform(programme)
    return room


def gaps(room: Room) -> list[float]:
    """Return the seconds of silence between two sounds."""
    sounding = room.sink.sounding()
    edges = np.flatnonzero(np.diff(sounding.astype(int)))
    return [(low - high) * 0.02 for high, low in zip(edges[1::2], edges[2::2], strict=False)]


async def test_lines_follow_each_other_with_a_natural_pause() -> None:
    programme = FakeProgramme(list(FIVE))
    room = await performing(programme)
    await room.clock.run(10.0)
    assert programme.said("ended") == FIVE
    assert programme.heard == FIVE
    assert len(gaps(room)) == 4
    assert all(0.15 <= gap <= 0.35 for gap in gaps(room))
    await room.close()


async def test_the_next_line_is_ready_before_the_running_one_ends() -> None:
    programme = FakeProgramme(list(FIVE))
    room = await performing(programme)
    await room.clock.run(0.5)
    assert programme.told == [("given", FIVE[0]), ("began", FIVE[0]), ("given", FIVE[1])]
    assert room.voice.spoken == FIVE[:2]
    await room.close()


@pytest.mark.parametrize("voicing", [0.1, 0.5, 0.7])
async def test_a_voice_of_any_cost_leaves_no_gaps(voicing: float) -> None:
    programme = FakeProgramme([f"line {n} of the many." for n in range(12)])
    room = await performing(programme, voicing=voicing)
    await room.clock.run(30.0)
    assert len(programme.said("ended")) == 12
    assert len(gaps(room)) == 11
    assert all(0.15 <= gap <= 0.35 for gap in gaps(room))
    await room.close()


async def test_what_is_urgent_takes_no_longer_than_its_voice() -> None:
    programme = FakeProgramme([f"line {n} of the many." for n in range(12)])
    room = await performing(programme, voicing=0.5)
    await room.clock.run(1.6)
    asked, running = room.clock.now(), len(programme.said("ended"))
    programme.urgent.append("it costs nine dollars.")
    room.session.wake()
    while programme.said("began")[-1] != "it costs nine dollars.":
        await room.clock.run(0.02)
    assert len(programme.said("ended")) == running + 1
    # The rest of the running line, 1.5 s in all, or 0.6 s of voice, and the pause.
    assert room.clock.now() - asked < 1.5 + 0.35
    await room.close()


async def test_began_tells_the_moment_on_the_wire() -> None:
    programme = FakeProgramme(list(FIVE))
    room = await performing(programme)
    await room.clock.run(10.0)
    sound = np.abs(room.sink.samples())
    start = room.sink.frames[0].position
    for position in programme.positions:
        at = position - start
        assert sound[at - 200 : at - 20].max() < 0.01
        assert sound[at : at + 400].max() > 0.05
    await room.close()


async def test_wake_breaks_in_at_the_end_of_the_running_line() -> None:
    programme = FakeProgramme(list(FIVE))
    room = await performing(programme)
    await room.clock.run(0.6)
    programme.urgent.append("it costs nine dollars.")
    room.session.wake()
    await room.clock.run(10.0)
    assert programme.said("ended") == [FIVE[0], "it costs nine dollars.", *FIVE[1:]]
    assert programme.why == [("withdrawn", "")]
    assert all(gap <= 0.35 for gap in gaps(room))
    await room.close()


async def test_hush_cuts_at_once_and_tells_what_was_heard() -> None:
    programme = FakeProgramme(list(FIVE))
    room = await performing(programme)
    await room.clock.run(0.85)
    programme.urgent.append("stop it.")
    before = len(room.sink.frames)
    room.session.hush()
    assert programme.heard == ["one two"]
    assert programme.told[-2:] == [("cut", FIVE[0]), ("dropped", FIVE[1])]
    await room.clock.run(3.0)
    assert not room.sink.sounding()[before + 1 : before + 5].any()
    assert programme.said("ended")[0] == "stop it."
    await room.close()


async def test_a_programme_without_words_is_asked_again_when_it_wakes_the_session() -> None:
    programme = FakeProgramme(["one."])
    room = await performing(programme)
    await room.clock.run(3.0)
    programme.texts.append("two.")
    await room.clock.run(1.0)
    assert programme.said("ended") == ["one."]
    room.session.wake()
    await room.clock.run(1.5)
    assert programme.said("ended") == ["one.", "two."]
    await room.close()


async def test_an_end_lets_the_running_line_be_heard() -> None:
    programme = FakeProgramme(list(FIVE))
    room = await performing(programme)
    await room.clock.run(0.6)
    room.session.perform(None)
    assert programme.why == [("cancelled", "")]
    await room.clock.run(5.0)
    assert programme.said("ended") == [FIVE[0]]
    assert not room.session.conversation.performance.performing
    await room.close()


async def test_another_programme_follows_the_running_line() -> None:
    first, second = FakeProgramme(list(FIVE)), FakeProgramme(["now this."])
    room = await performing(first)
    await room.clock.run(0.6)
    room.session.perform(second)
    await room.clock.run(5.0)
    assert first.said("ended") == [FIVE[0]]
    assert second.said("ended") == ["now this."]
    await room.close()


async def test_a_line_that_fails_costs_itself_alone() -> None:
    programme = FakeProgramme(["one.", "broken thing.", "three."])
    room = await performing(programme)
    await room.clock.run(6.0)
    assert programme.said("ended") == ["one.", "three."]
    assert programme.why[0][0] == "failed"
    assert "broke" in programme.why[0][1]
    await room.close()


async def test_a_line_without_words_is_dropped() -> None:
    programme = FakeProgramme(["one.", "   ", "three."])
    room = await performing(programme)
    await room.clock.run(6.0)
    assert programme.said("ended") == ["one.", "three."]
    assert [why for why, _ in programme.why] == ["failed"]
    await room.close()


async def test_a_viewers_voice_does_not_interrupt() -> None:
    programme = FakeProgramme([], endless=True)
    room = await performing(programme)
    await room.silence(0.6)
    await room.speak(1.0)
    await room.silence(3.0)
    assert room.sink.of(TranscriptionCompleted)[0].transcript == "how much is it"
    assert not programme.said("cut")
    assert not programme.said("dropped")
    assert not room.host.asked
    assert all(gap <= 0.35 for gap in gaps(room))
    await room.close()


async def test_somebody_who_may_interrupt_is_answered_and_the_programme_goes_on() -> None:
    programme = FakeProgramme([], endless=True)
    room = await performing(programme, SessionOptions())
    await room.silence(0.6)
    await room.speak(1.0)
    await room.silence(8.0)
    assert room.host.asked == ["how much is it"]
    assert len(programme.said("cut")) == 1
    assert len(programme.said("ended")) >= 2
    await room.close()


async def test_a_word_for_word_reply_cuts_the_line() -> None:
    programme = FakeProgramme([], endless=True)
    room = await performing(programme)
    await room.clock.run(0.8)
    room.session.say("here is the operator")
    await room.clock.run(4.0)
    assert programme.told[2][0] == "given"
    assert len(programme.said("cut")) == 1
    assert "here is the operator" in room.voice.spoken
    assert len(programme.said("ended")) >= 1
    await room.close()


async def test_the_end_of_the_session_ends_the_line() -> None:
    programme = FakeProgramme([], endless=True)
    room = await performing(programme)
    await room.clock.run(0.8)
    await room.close()
    assert [kind for kind, _ in programme.told] == ["given", "began", "given", "cut", "dropped"]


async def test_muted_sound_is_silence_and_time_goes_on() -> None:
    programme = FakeProgramme([], endless=True)
    room = await performing(programme)
    await room.clock.run(1.0)
    room.session.mute(True)
    before = len(room.sink.frames)
    await room.clock.run(5.0)
    assert not room.sink.sounding()[before + 1 :].any()
    assert len(programme.said("ended")) >= 2
    room.session.mute(False)
    await room.clock.run(2.0)
    assert room.sink.sounding()[-90:].any()
    await room.close()


WAYS = ["wake", "hush", "urgent", "broken", "say", "off", "on", "speak", "mute", "through"]
ACTS = st.lists(
    st.tuples(
        st.sampled_from(
            ["wake", "hush", "urgent", "broken", "say", "off", "on", "speak", "mute", "through"]
        ),
        st.floats(0.02, 1.6),
    ),
    max_size=14,
)


@settings(max_examples=40, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(ACTS, st.sampled_from([0.0, 0.5, 1.3]))
def test_every_line_ends_or_is_dropped_once(acts: list[tuple[str, float]], voicing: float) -> None:
    asyncio.run(_any_show(acts, voicing))


async def _any_show(acts: list[tuple[str, float]], voicing: float) -> None:
    programme = FakeProgramme([], endless=True)
    room = await performing(programme, voicing=voicing)
    for number, (act, seconds) in enumerate(acts):
        _act(room, programme, act, number)
        if act == "speak":
            await room.speak(min(seconds, 0.6))
        await room.clock.run(seconds)
    session = room.session
    session.speak_through(False)
    await room.clock.run(3.0)
    await room.close()
    _check(programme)
    assert room.session.quiet
    started = [event.response_id for event in room.sink.of(OutputAudioStarted)]
    assert len(set(started)) == len(started), "nothing sounds twice"
    stopped = [event.response_id for event in room.sink.of(OutputAudioStopped)]
    assert stopped == [name for name in started if name in stopped], "order is kept"
    assert not [one for one in room.sink.of(SessionFailed) if one.code == "internal_error"]
    assert room.session.position == FRAME_SAMPLES * len(room.sink.frames)


def _act(room: Room, programme: FakeProgramme, act: str, number: int) -> None:
    session = room.session
    if act == "wake":
        session.wake()
    elif act == "hush":
        session.hush()
    elif act in ("urgent", "broken"):
        programme.urgent.append(f"{act} words {number}.")
        session.wake()
    elif act == "say":
        session.say("the operator says this")
    elif act == "off":
        session.perform(None)
    elif act == "on":
        session.perform(programme)
    elif act == "through":
        session.speak_through(number % 2 == 0, now=number % 3 == 0)
    elif act == "mute":
        session.mute(number % 2 == 0)


def _check(programme: FakeProgramme) -> None:
    """Each line given began at most once, and ended or was dropped exactly once."""
    waiting: list[str] = []
    begun: str | None = None
    for kind, text in programme.told:
        if kind == "given":
            waiting.append(text)
            assert len(waiting) <= 2
        elif kind == "began":
            assert begun is None, "one line at a time"
            assert waiting[0] == text, "in the order they were given"
            begun = text
        elif kind in ("ended", "cut"):
            assert begun == text
            waiting.remove(text)
            begun = None
        else:
            assert begun != text
            waiting.remove(text)
    assert not waiting, "told of every line"


async def test_time_on_air_leaves_nothing_behind() -> None:
    """Positions are the clock's, and what is held does not grow."""
    programme = FakeProgramme([], endless=True)
    room = await performing(programme)
    held: list[int] = []
    for _ in range(6):
        before = room.clock.now(), room.session.position
        for _ in range(12):
            await room.clock.run(10.0)
            room.sink.frames.clear()
            room.sink.events.clear()
            programme.told.clear()
            del room.voice.spoken[:-2], programme.heard[:-2], programme.positions[:-2]
        passed = room.clock.now() - before[0]
        assert room.session.position - before[1] == round(passed * 48_000)
        held.append(_held(room))
    assert max(held) <= held[0] + 8
    await room.close()


def _held(room: Room) -> int:
    """Return how many things a session keeps of what was said."""
    conversation, timeline = room.session.conversation, room.session._move.timeline
    mover = room.session._parts.mover
    assert isinstance(mover, ProceduralMover)
    return (
        len(conversation.history)
        + len(timeline._words)
        + len(timeline._spans)
        + len(timeline._segments)
        + len(conversation.floor._wishes)
        + len(mover._passages)
        + len(mover._changes)
        + len(asyncio.all_tasks())
    )
