"""What a client orders in a conversation: text, responses, turns of its own, truncation."""

import numpy as np
import pytest

from pipeline.errors import ConfigurationError
from pipeline.events import (
    ItemTruncated,
    OutputAudioCleared,
    OutputAudioStopped,
    ResponseCreated,
    ResponseDone,
    SessionFailed,
    TurnMeasured,
    UserCommitted,
    UserSpeechDiscarded,
    UserSpeechStarted,
)
from pipeline.options import SessionOptions, TurnSettings
from pipeline.turns import TurnState
from tests.fakes.room import Room


async def test_typed_text_is_answered(room: Room) -> None:
    item = room.session.submit_text("where are you")
    room.session.create_response()
    await room.clock.run(5.0)
    assert room.sink.of(UserCommitted)[0].item_id == item
    assert room.sink.of(ResponseDone)[0].transcript == "You asked me this, where are you"
    with pytest.raises(ConfigurationError, match=item):
        room.session.submit_text("again", item)


async def test_a_response_without_a_question_greets(room: Room) -> None:
    room.session.create_response()
    await room.clock.run(2.0)
    assert room.sink.of(ResponseDone)[0].transcript == "Hello."


async def test_a_client_cancels(room: Room) -> None:
    room.session.submit_text("where are you")
    room.session.create_response()
    await room.clock.run(0.8)
    room.session.cancel()
    before = len(room.sink.frames)
    await room.clock.run(3.0)
    assert not room.sink.sounding()[before + 1 :].any()
    assert room.sink.of(OutputAudioCleared)
    room.session.cancel()
    assert len(room.sink.of(OutputAudioCleared)) == 1


async def test_truncation_by_the_client_is_checked(room: Room) -> None:
    room.session.submit_text("where are you")
    room.session.create_response()
    await room.clock.run(5.0)
    item = room.sink.of(ResponseDone)[0].item_id
    with pytest.raises(ConfigurationError, match="99999"):
        room.session.truncate(item, 99_999)
    with pytest.raises(ConfigurationError, match="nobody"):
        room.session.truncate("nobody", 0)
    room.session.truncate(item, 600)
    assert room.sink.of(ItemTruncated)[0].audio_end_ms == 600
    assert room.session.conversation.history.get(item).status == "interrupted"


async def test_manual_turns_are_answered_when_the_client_asks() -> None:
    room = Room("what is on it", options=SessionOptions(turn=None), recognising_s=1.0)
    await room.open()
    await room.speak(1.0)
    await room.silence(2.0)
    assert not room.sink.of(UserCommitted)
    room.session.commit_audio()
    room.session.create_response()  # before it can be known what was said
    await room.silence(6.0)
    assert room.host.asked == ["what is on it"]
    assert [event.status for event in room.sink.of(ResponseDone)] == ["completed"]
    room.session.commit_audio()
    await room.silence(3.0)
    assert len(room.sink.of(UserCommitted)) == 2
    assert len(room.sink.of(ResponseDone)) == 1, "a commit alone asks for no answer"
    await room.close()


async def test_what_the_client_commits_is_never_taken_for_a_back_channel() -> None:
    room = Room("what is on it", "yes", options=SessionOptions(turn=None))
    await room.open()
    await room.speak(1.0)
    room.session.commit_audio()
    room.session.create_response()
    await room.silence(1.0)
    assert room.session.conversation.state is TurnState.SPEAKING
    await room.speak(0.5)
    room.session.commit_audio()
    await room.silence(1.0)
    assert len(room.sink.of(UserCommitted)) == 2
    await room.close()


async def test_a_question_the_client_cancelled_does_not_come_back(room: Room) -> None:
    room.session.submit_text("where are you")
    room.session.create_response()
    await room.clock.run(0.02)
    room.session.cancel()
    await room.speak(1.0)
    await room.silence(5.0)
    assert room.host.asked[-1] == "what is on this pizza"


async def test_a_client_that_truncates_a_reply_that_sounds_ends_it(room: Room) -> None:
    await room.speak(1.0)
    await room.silence(2.2)
    assert room.session.conversation.state is TurnState.SPEAKING
    item = room.sink.of(ResponseCreated)[0].item_id
    room.session.truncate(item, 700)  # two words of 0.3 s, and a bit
    await room.silence(3.0)
    assert room.session.conversation.history.get(item).text == "You asked —"
    assert not room.sink.of(SessionFailed)
    assert not room.sink.sounding()[-100:].any()
    assert room.session.quiet


async def test_a_commit_is_obeyed_however_much_sound_comes_after_it() -> None:
    room = Room("what is on it", options=SessionOptions(turn=None))
    await room.open()
    await room.speak(1.0)
    room.session.commit_audio()
    room.session.create_response()
    for _ in range(80):  # more than the inbox holds, before the stage can take any of it
        room.session.hear(np.zeros(960, np.float32))
    await room.silence(4.0)
    assert room.sink.of(ResponseDone)[0].status == "completed"
    await room.close()


async def test_cleared_sound_never_becomes_a_turn(room: Room) -> None:
    for _ in range(25):
        room.session.hear(room._sound(0.2))
    room.session.clear_audio()
    await room.silence(3.0)
    started, dropped = room.sink.of(UserSpeechStarted), room.sink.of(UserSpeechDiscarded)
    assert [event.item_id for event in started] == [event.item_id for event in dropped]
    assert not room.sink.of(UserCommitted)
    assert room.session.conversation.state is TurnState.LISTENING


async def test_times_count_from_the_beginning_after_turns_are_taken_in_another_way(
    room: Room,
) -> None:
    await room.silence(3.0)
    room.session.update(SessionOptions(turn=TurnSettings(silence_duration_ms=400)))
    await room.silence(0.5)
    await room.speak(1.0)
    await room.silence(5.0)
    begun = room.sink.of(UserSpeechStarted)[0].audio_start_ms
    assert 3400 <= begun <= 3650
    assert room.sink.of(TurnMeasured)[0].timings["first_sound"] < 1.5


async def test_without_create_response_nothing_is_answered() -> None:
    room = Room("hi", options=SessionOptions(turn=TurnSettings(create_response=False)))
    await room.open()
    await room.speak(1.0)
    await room.silence(2.0)
    assert room.sink.of(UserCommitted)
    assert not room.sink.of(ResponseCreated)
    room.session.create_response()
    await room.clock.run(4.0)
    assert room.sink.of(ResponseDone)[0].status == "completed"
    await room.close()


async def test_a_long_message_does_not_push_the_reply_out_of_the_history(room: Room) -> None:
    await room.speak(1.0)
    await room.silence(1.0)
    room.session.submit_text("x" * 9000)
    await room.silence(4.0)
    assert room.sink.of(OutputAudioStopped)
    assert not room.sink.of(SessionFailed)


async def test_a_response_asked_for_before_the_transcript_is_known_ends(room: Room) -> None:
    room.session.submit_text("where are you")
    await room.speak(1.0)
    await room.silence(0.2)
    room.session.create_response()
    await room.silence(8.0)
    created = [event.response_id for event in room.sink.of(ResponseCreated)]
    assert sorted(event.response_id for event in room.sink.of(ResponseDone)) == sorted(created)
    assert room.session.conversation.state is TurnState.LISTENING
    assert room.session.quiet
