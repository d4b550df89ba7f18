"""A whole conversation over fakes: turns, interruptions, what is heard and remembered."""

import asyncio

import numpy as np
import pytest

from encoder.hearing import SpeechConfirmed, SpeechPaused, SpeechResumed, SpeechStarted
from pipeline.events import (
    ItemTruncated,
    OutputAudioCleared,
    OutputAudioStarted,
    OutputAudioStopped,
    ResponseCreated,
    ResponseDone,
    SessionFailed,
    TranscriptDelta,
    TranscriptionCompleted,
    TranscriptionFailed,
    TurnMeasured,
    UserCommitted,
    UserSpeechDiscarded,
    UserSpeechStarted,
    UserSpeechStopped,
)
from pipeline.stages.hear import Heard
from pipeline.turns import TurnState
from tests.fakes.room import Room


async def test_a_question_is_answered(room: Room) -> None:
    await room.speak(1.0)
    await room.silence(4.0)
    kinds = [type(event) for event in room.sink.events]
    wanted = [
        UserSpeechStarted,
        UserSpeechStopped,
        UserCommitted,
        TranscriptionCompleted,
        ResponseCreated,
        TranscriptDelta,
        ResponseDone,
        OutputAudioStarted,
        OutputAudioStopped,
        TurnMeasured,
    ]
    assert [kind for kind in wanted if kind in kinds] == wanted
    assert kinds.index(ResponseCreated) < kinds.index(OutputAudioStarted)
    assert room.sink.of(ResponseDone)[0].status == "completed"
    assert room.sink.of(ResponseDone)[0].transcript == "You asked me this, what is on this pizza"
    assert room.session.conversation.state is TurnState.LISTENING


async def test_the_answer_is_prepared_while_the_silence_lasts(room: Room) -> None:
    await room.speak(1.0)
    await room.silence(5.0)
    timings = room.sink.of(TurnMeasured)[0].timings
    assert timings["recognised"] < timings["silence"]
    assert timings["first_sound"] - timings["silence"] < 0.12


async def test_a_pause_does_not_split_a_question(room: Room) -> None:
    await room.speak(0.6)
    await room.silence(0.22)
    await room._send(0.6, 0.2)
    await room.silence(3.0)
    assert len(room.sink.of(ResponseCreated)) == 1
    assert len(room.sink.of(UserCommitted)) == 1


async def test_speech_is_what_the_person_hears(room: Room) -> None:
    await room.speak(1.0)
    await room.silence(5.0)
    sounding = room.sink.sounding()
    assert 2.6 <= sounding.sum() * 0.02 <= 2.76  # nine words of 0.3 s


async def test_speaking_over_it_silences_it_at_once(room: Room) -> None:
    await room.speak(1.0)
    await room.silence(1.0)
    assert room.session.conversation.state is TurnState.SPEAKING
    before = len(room.sink.frames)
    await room.speak(1.0)
    sounding = room.sink.sounding()[before:]
    # 96 ms until the detector is sure there is speech, a window of 32 ms, a fade of 10 ms.
    assert not sounding[9:].any()
    assert sounding[:3].all()


async def test_after_an_interruption_the_history_holds_what_was_heard(room: Room) -> None:
    await room.speak(1.0)
    await room.silence(1.2)
    await room.speak(1.0)
    cut = room.sink.of(ItemTruncated)[0]
    assert cut.transcript.startswith("You asked")
    assert "pizza" not in cut.transcript
    item = room.session.conversation.history.get(cut.item_id)
    assert item.text == cut.transcript
    assert item.status == "interrupted"
    done = room.sink.of(ResponseDone)
    sent_ms = int(room.sink.sounding().sum()) * 20
    assert 0 < cut.audio_end_ms <= sent_ms
    assert room.sink.of(OutputAudioCleared)
    assert done[0].status in ("cancelled", "completed")


async def test_nothing_of_the_old_turn_is_played_later(room: Room) -> None:
    await room.speak(1.0)
    await room.silence(1.2)
    await room.speak(1.0)
    await room.silence(6.0)
    assert room.host.asked == ["what is on this pizza", "and how much is it"]
    assert room.voice.spoken[-1] == " and how much is it"
    started = room.sink.of(OutputAudioStarted)
    assert [event.response_id for event in started] == [
        event.response_id for event in room.sink.of(ResponseCreated)
    ]


async def test_interruption_before_the_first_sound() -> None:
    room = Room("what is", "what is on it")
    room.host.delay = 1.5
    await room.open()
    await room.speak(0.6)
    await room.silence(0.8)
    assert room.session.conversation.state is TurnState.THINKING
    await room.speak(0.6)
    await room.silence(6.0)
    assert room.sink.of(ResponseDone)[0].status == "cancelled"
    assert room.sink.of(ResponseDone)[0].reason == "turn_detected"
    # What was asked and never answered belongs to the question that followed.
    assert room.host.asked[-1] == "what is what is on it"
    assert len(room.sink.of(OutputAudioStarted)) == 1
    await room.close()


async def test_a_cough_lets_the_reply_go_on() -> None:
    room = Room("what is on this pizza", "")
    await room.open()
    await room.speak(1.0)
    await room.silence(1.0)
    await room.speak(0.16)
    await room.silence(5.0)
    assert not room.sink.of(OutputAudioCleared)
    assert room.sink.of(ResponseDone)[0].status == "completed"
    assert room.sink.of(UserSpeechDiscarded)
    assert room.sink.of(OutputAudioStopped)
    # All nine words were heard, the one cut into twice.
    assert room.sink.sounding().sum() * 0.02 >= 2.6
    await room.close()


async def test_a_backchannel_lets_the_reply_go_on() -> None:
    room = Room("what is on this pizza", "Mm-hmm.")
    await room.open()
    await room.speak(1.0)
    await room.silence(1.0)
    await room.speak(0.35)
    await room.silence(5.0)
    assert not room.sink.of(OutputAudioCleared)
    assert len(room.sink.of(ResponseCreated)) == 1
    assert room.sink.of(OutputAudioStopped)
    await room.close()


async def test_noise_without_words_starts_no_turn() -> None:
    room = Room("")
    await room.open()
    await room.speak(1.0)
    await room.silence(3.0)
    assert not room.sink.of(ResponseCreated)
    assert room.sink.of(UserSpeechDiscarded)
    assert room.session.conversation.state is TurnState.LISTENING
    await room.close()


async def test_a_recogniser_that_fails_costs_one_turn() -> None:
    room = Room("!", "what is on it")
    await room.open()
    await room.speak(1.0)
    await room.silence(2.0)
    assert "broke" in room.sink.of(TranscriptionFailed)[0].message
    await room.speak(1.0)
    await room.silence(4.0)
    assert room.sink.of(ResponseDone)[0].status == "completed"
    await room.close()


async def test_a_voice_that_fails_costs_one_turn() -> None:
    room = Room("broken", "what is on it")
    await room.open()
    await room.speak(1.0)
    await room.silence(2.0)
    assert room.sink.of(ResponseDone)[0].status == "failed"
    assert room.sink.of(SessionFailed)[0].code == "response_failed"
    await room.speak(1.0)
    await room.silence(5.0)
    assert room.sink.of(ResponseDone)[-1].status == "completed"
    await room.close()


async def test_a_cough_after_a_question_does_not_lose_it() -> None:
    room = Room("what is on this pizza", recognising_s=1.5)
    await room.open()
    await room.speak(1.0)
    await room.silence(0.9)  # the turn has stopped, what was said is not known yet
    assert room.sink.of(UserSpeechStopped)
    assert not room.sink.of(UserCommitted)
    await room._send(0.14, 0.2)
    await room.silence(8.0)
    assert room.host.asked == ["what is on this pizza"]
    assert [event.status for event in room.sink.of(ResponseDone)] == ["completed"]
    assert room.session.conversation.state is TurnState.LISTENING
    assert room.session.quiet
    await room.close()


async def test_a_second_question_said_before_the_first_is_recognised_is_answered_with_it() -> None:
    room = Room("what is on this pizza", "and how much is it", recognising_s=2.5)
    await room.open()
    await room.speak(1.0)
    await room.silence(0.9)
    await room.speak(0.5)
    await room.silence(12.0)
    assert len(room.sink.of(UserCommitted)) == 2
    assert room.host.asked[-1] == "what is on this pizza and how much is it"
    assert room.sink.of(ResponseDone)[-1].status == "completed"
    assert room.session.conversation.state is TurnState.LISTENING
    assert room.session.quiet
    await room.close()


@pytest.mark.parametrize("rounds", range(14))
async def test_a_reply_prepared_for_a_pause_that_was_none_is_forgotten(
    room: Room, rounds: int
) -> None:
    listener, samples = room.session.conversation.listener, np.zeros(9600, np.float32)
    for event in (SpeechStarted(0.0), SpeechConfirmed(0.2), SpeechPaused(0.6, samples)):
        listener.happened(Heard(event, 1000.0))
    for _ in range(rounds):  # of the event loop: the transcript comes in one of them
        await asyncio.sleep(0)
    listener.happened(Heard(SpeechResumed(0.8), 1000.2))
    await room.clock.run(1.0)
    assert room.session.quiet
    assert not room.sink.of(ResponseCreated)


async def test_times_are_right_after_a_microphone_was_off(room: Room) -> None:
    await room.silence(1.0)
    await room.clock.run(30.0)
    await room.speak(0.5)
    await room.silence(5.0)
    assert room.sink.of(TurnMeasured)[0].timings["first_sound"] < 1.5


async def test_sound_has_no_clicks(room: Room) -> None:
    await room.speak(1.0)
    await room.silence(1.3)
    await room.speak(0.6)
    await room.silence(4.0)
    samples = room.sink.samples()
    # A sine of 0.2 at 440 Hz rises by at most 2 pi 440 / 48000 * 0.2 a sample.
    assert np.abs(np.diff(samples)).max() < 1.6 * 0.2 * 2 * np.pi * 440 / 48000


async def test_a_microphone_that_stops_in_mid_speech_ends_the_turn(room: Room) -> None:
    await room.speak(1.0)
    await room.clock.run(5.0)
    assert room.sink.of(ResponseDone)[0].status == "completed"


async def test_closing_in_mid_speech_frees_everything(room: Room) -> None:
    await room.speak(1.0)
    await room.silence(1.0)
    await room.close()
    await room.close()
    assert room.ended == 1
    frames = len(room.sink.frames)
    room.session.hear(np.zeros(960, np.float32))
    await room.clock.run(1.0)
    assert len(room.sink.frames) == frames


async def test_ten_minutes_pass_in_step() -> None:
    room = Room()
    await room.open()
    await room.clock.run(600)
    assert room.session.position == len(room.sink.frames) * 960
    assert abs(len(room.sink.frames) * 0.02 - 600.1) < 0.05
    await room.close()


async def test_a_voice_that_fails_in_mid_reply_leaves_silence_and_what_was_heard() -> None:
    room = Room("this is broken later")
    await room.open()
    await room.speak(1.0)
    await room.silence(5.0)
    assert room.sink.of(ResponseDone)[0].status == "failed"
    assert room.sink.of(OutputAudioCleared)
    assert room.sink.of(TurnMeasured)
    assert not room.sink.sounding()[-50:].any()
    await room.close()
