"""What clients may ask of a live session beside talking to it."""

import numpy as np
import pytest

from agents.brief import Brief
from agents.tools import Tool, ToolCall
from pipeline.contract import WIRE_RATE, SoundFrame
from pipeline.errors import ConfigurationError
from pipeline.events import (
    FunctionCalled,
    IdleTimeout,
    ItemAdded,
    ItemDeleted,
    ItemTruncated,
    OutputAudioStarted,
    OutputAudioStopped,
    ResponseCreated,
    ResponseDone,
    TranscriptDelta,
    UserCommitted,
)
from pipeline.options import ResponseWish, SessionOptions, TurnSettings
from tests.fakes.room import Room

STOCK = Tool("stock", "How many are left.", {"type": "object", "properties": {}})
LONG = "one two three four five six seven eight nine ten eleven twelve"


async def test_a_text_reply_is_not_spoken() -> None:
    room = Room(options=SessionOptions(modality="text"))
    await room.open()
    room.session.submit_text("what is this")
    room.session.create_response()
    await room.clock.run(1.0)
    (done,) = room.sink.of(ResponseDone)
    assert (done.status, done.transcript) == ("completed", "You asked me this, what is this")
    assert room.sink.of(ResponseCreated)[0].modality == "text"
    assert not room.sink.of(OutputAudioStarted)
    assert not room.sink.sounding().any()
    assert done.usage.output_text > 5
    assert done.usage.output_audio == 0
    room.session.create_response(ResponseWish(modality="audio", metadata={"mine": "yes"}))
    await room.clock.run(3.0)
    created = room.sink.of(ResponseCreated)[1]
    assert (created.modality, dict(created.metadata)) == ("audio", {"mine": "yes"})
    assert room.sink.sounding().any()
    assert room.sink.of(ResponseDone)[1].usage.output_audio > 0
    await room.close()


async def test_a_function_is_asked_for_and_its_answer_spoken() -> None:
    room = Room(options=SessionOptions(brief=Brief("", (STOCK,))))
    await room.open()
    await room.speak(0.6)
    await room.silence(1.5)
    (called,) = room.sink.of(FunctionCalled)
    (done,) = room.sink.of(ResponseDone)
    assert (called.name, called.arguments) == ("stock", '{"q": "what is this"}')
    assert (done.status, done.transcript) == ("completed", "")
    assert not room.sink.of(OutputAudioStarted)
    with pytest.raises(ConfigurationError, match="call_other"):
        room.session.submit_output("call_other", "3")
    room.session.submit_output(called.call_id, "three")
    added = room.sink.of(ItemAdded)[-1]
    assert (added.item.role, added.previous_item_id) == ("output", called.item_id)
    room.session.create_response()
    await room.clock.run(3.0)
    assert room.sink.of(ResponseDone)[-1].transcript == "It says three."
    await room.close()


async def test_a_function_answers_before_anybody_has_spoken() -> None:
    room = Room(options=SessionOptions(brief=Brief("", (STOCK,))))
    await room.open()
    room.session.submit_call("call_1", ToolCall("stock", "{}"))
    room.session.submit_output("call_1", "three")
    room.session.create_response()
    await room.clock.run(3.0)
    assert room.sink.of(ResponseDone)[0].transcript == "It says three."
    await room.close()


async def test_what_was_said_before_a_function_is_heard_to_its_end() -> None:
    room = Room("please look", options=SessionOptions(brief=Brief("", (STOCK,))))
    await room.open()
    await room.speak(0.6)
    await room.silence(0.9)
    (called,) = room.sink.of(FunctionCalled)
    assert not room.sink.of(OutputAudioStopped), "its first words still sound"
    room.session.submit_output(called.call_id, "three")
    room.session.create_response()
    await room.silence(4.0)
    first, second = room.sink.of(ResponseDone)
    assert (first.status, first.transcript) == ("completed", "One moment.")
    assert (second.status, second.transcript) == ("completed", "It says three.")
    assert len(room.sink.of(OutputAudioStopped)) == 2
    assert not room.sink.of(ItemTruncated)
    await room.close()


async def test_texts_are_said_word_for_word_and_wait_for_each_other() -> None:
    room = Room()
    await room.open()
    room.session.say("Welcome to the shop.", "en")
    room.session.say("Today is a good day.", interrupt=False)
    room.session.say("It is warm.", interrupt=False)
    await room.clock.run(8.0)
    said = [done.transcript for done in room.sink.of(ResponseDone)]
    assert said == ["Welcome to the shop.", "Today is a good day.", "It is warm."]
    assert room.host.asked == [], "nothing was answered"
    room.session.say("Never heard.", interrupt=False)
    room.session.say("At once.")
    await room.clock.run(3.0)
    statuses = [done.status for done in room.sink.of(ResponseDone)]
    assert statuses == ["completed"] * 3 + ["cancelled", "completed"]
    await room.close()


async def test_only_so_much_waits_to_be_said() -> None:
    room = Room()
    await room.open()
    for _ in range(17):
        room.session.say("And more.", interrupt=False)
    with pytest.raises(ConfigurationError, match="16 replies wait"):
        room.session.say("Too much.", interrupt=False)
    await room.close()


async def test_items_come_and_go() -> None:
    room = Room()
    await room.open()
    first = room.session.submit_text("Hello", "mine")
    second = room.session.submit_text("Be kind.", role="system", after="root")
    third = room.session.submit_text("Hello yourself", role="assistant")
    room.session.submit_call("call_1", ToolCall("stock", "{}"))
    assert first == "mine"
    assert [item.id for item in room.session.conversation.history][:3] == [second, first, third]
    assert room.sink.of(UserCommitted)[0].item_id == "mine"
    assert [event.item.role for event in room.sink.of(ItemAdded)] == ["system", "assistant", "call"]
    assert room.session.item(second).text == "Be kind."
    room.session.delete_item(second)
    assert room.sink.of(ItemDeleted)[0].item_id == second
    for wrong in (room.session.item, room.session.delete_item):
        with pytest.raises(ConfigurationError, match=second):
            wrong(second)
    with pytest.raises(ConfigurationError, match="mine"):
        room.session.submit_text("Again", "mine")
    await room.close()


async def test_a_gesture_is_made_at_once() -> None:
    still, waved = Room(), Room()
    poses = []
    for room in (still, waved):
        room.session.update(SessionOptions(motion=True))
        await room.open()
        if room is waved:
            room.session.act("wave", {})
        await room.clock.run(1.5)
        poses.append(np.array([frame.pose.rotations for frame in room.sink.poses]))
        await room.close()
    turned = np.abs(poses[0] - poses[1]).max(axis=(1, 2))
    assert len(turned) == pytest.approx(38, abs=4)
    assert turned[0] < 0.01
    assert turned.max() > 0.3
    with pytest.raises(ConfigurationError, match="accepted: welcome"):
        still.session.act("fly", {})
    with pytest.raises(ConfigurationError, match="accepted"):
        still.session.act("wave", {"height": 3})


async def test_poses_come_ahead_of_their_sound_only_where_wanted() -> None:
    room = Room(options=SessionOptions(motion=True))
    ahead: list[int] = []
    room.sink.pose = lambda frame: ahead.append(frame.position - room.session.position)  # type: ignore[method-assign]
    await room.open()
    await room.clock.run(1.0)
    assert min(ahead) > 0
    assert max(ahead) < 0.4 * WIRE_RATE
    room.session.rest(True)
    counted = len(ahead)
    await room.clock.run(0.5)
    assert len(ahead) == counted
    room.session.rest(False)
    await room.clock.run(0.5)
    assert len(ahead) > counted
    await room.close()


@pytest.mark.parametrize("lost_s", [0.3, 0.6, 5.0])
async def test_what_nobody_heard_is_not_in_the_history(lost_s: float) -> None:
    """The connection breaks in a reply, and that is noticed `lost_s` later."""
    room = Room(LONG)
    await room.open()
    room.session.submit_text(LONG)
    room.session.create_response()
    await room.clock.run(2.5)
    assert room.sink.of(OutputAudioStarted)
    position = room.session.position
    heard = [frame for frame in room.sink.frames if frame.position < position]
    await room.clock.run(lost_s)
    room.session.unheard(position)
    await room.clock.run(0.5)
    truncated = room.sink.of(ItemTruncated)[-1]
    sounding = sum(_sounds(frame) for frame in heard) * 20
    assert truncated.audio_end_ms <= sounding + 40
    assert truncated.audio_end_ms > sounding - 400
    item = room.session.item(truncated.item_id)
    assert item.status == "interrupted"
    assert 0 < len(item.text) < len(LONG)
    await room.close()


def _sounds(frame: SoundFrame) -> bool:
    return bool(np.abs(frame.samples).max() > 100)


async def test_what_was_heard_to_its_end_stays_whole() -> None:
    room = Room()
    await room.open()
    room.session.submit_text("short")
    room.session.create_response()
    await room.clock.run(4.0)
    room.session.unheard(room.session.position - WIRE_RATE // 2)
    assert not room.sink.of(ItemTruncated)
    await room.close()


async def test_silence_after_a_reply_is_noticed_once() -> None:
    turn = TurnSettings(idle_timeout_ms=5000)
    room = Room(options=SessionOptions(turn=turn))
    await room.open()
    await room.clock.run(7.0)
    assert not room.sink.of(IdleTimeout), "nothing has been said yet"
    room.session.submit_text("hello")
    room.session.create_response()
    await room.clock.run(20.0)
    (idle,) = room.sink.of(IdleTimeout)
    assert idle.audio_end_ms - idle.audio_start_ms == 5000
    assert room.host.asked == ["hello", "…"]
    assert len(room.sink.of(ResponseDone)) == 2
    await room.speak(0.6)
    await room.silence(12.0)
    assert len(room.sink.of(IdleTimeout)) == 2, "somebody was there, and is silent again"
    assert all("…" not in asked for asked in room.host.asked[2:3])
    await room.close()


async def test_sound_waits_rather_than_being_lost_where_the_sender_waits() -> None:
    room = Room()
    assert room.session.hearing_ahead == 0
    for _ in range(20):
        room.session.hear(np.zeros(960, np.float32))
    assert room.session.hearing_ahead == pytest.approx(0.4)
    await room.open()
    await room.session.heard()
    assert room.session.hearing_ahead < 0.4
    assert len(room.sink.of(TranscriptDelta)) == 0
    await room.close()
