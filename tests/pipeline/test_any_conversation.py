"""Whatever a person and a client do, in any order: a legal end, empty channels, nothing stale."""

import asyncio

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pipeline.events import (
    OutputAudioCleared,
    OutputAudioStarted,
    OutputAudioStopped,
    ResponseCreated,
    ResponseDone,
    SessionFailed,
)
from pipeline.options import SessionOptions
from pipeline.turns import TurnState
from tests.fakes.room import Room

PERSON = ["say", "cough", "mumble", "pause", "wait", "listen"]
CLIENT = ["type", "ask", "cancel", "clear", "commit", "truncate", "manual", "detect"]
ACTIONS = st.sampled_from(PERSON + CLIENT)


# Shrinking replays whole conversations for minutes; the example that failed is short as it is.
@settings(max_examples=25, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(
    st.lists(ACTIONS, min_size=1, max_size=10),
    st.floats(0.0, 1.2),
    st.sampled_from([0.0, 0.3, 1.6]),
    st.booleans(),
)
def test_any_order_ends_well(
    actions: list[str], thinking: float, recognising: float, leave: bool
) -> None:
    asyncio.run(_converse(actions, thinking, recognising, leave))


async def _converse(actions: list[str], thinking: float, recognising: float, leave: bool) -> None:
    lines = ("what is on it", "mm", "", "and then", "broken", "!", "where is that")
    room = Room(*lines, recognising_s=recognising)
    room.host.delay = thinking
    await room.open()
    for action in actions:
        await _act(room, action)
    if not leave:
        room.session.update(SessionOptions())
        await room.silence(16.0)
        assert room.session.conversation.state is TurnState.LISTENING
        assert room.session.quiet
        _check_events(room)
    await room.close()
    assert room.session.conversation.state is TurnState.CLOSED
    assert room.session.quiet
    assert room.ended == 1
    names = [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    assert not names


async def _act(room: Room, action: str) -> None:
    session = room.session
    if action == "say":
        await room.speak(0.8)
    elif action == "cough":
        await room.speak(0.14)
    elif action == "mumble":
        await room.speak(0.36)
    elif action == "pause":
        await room.silence(0.24)
    elif action == "wait":
        await room.silence(0.9)
    elif action == "listen":
        await room.silence(2.2)
    elif action == "type":
        session.submit_text("where are you")
    elif action == "ask":
        session.create_response()
    elif action == "cancel":
        session.cancel()
    elif action == "clear":
        session.clear_audio()
    elif action == "commit":
        session.commit_audio()
    elif action == "manual":
        session.update(SessionOptions(turn=None))
    elif action == "detect":
        session.update(SessionOptions())
    elif action == "truncate":
        _truncate(room)


def _truncate(room: Room) -> None:
    """As clients do when they notice speech: at some moment of what they were sent."""
    replies = room.session.conversation.replies
    if replies.reply is not None and replies.reply.item_id in room.session.conversation.history:
        room.session.truncate(replies.reply.item_id, replies.sent_ms(replies.reply) // 2)


def _check_events(room: Room) -> None:
    sink = room.sink
    created = [event.response_id for event in sink.of(ResponseCreated)]
    done = [event.response_id for event in sink.of(ResponseDone)]
    assert sorted(done) == sorted(created), "every response that began is done, once"
    started = [event.response_id for event in sink.of(OutputAudioStarted)]
    ended = {event.response_id for event in sink.of(OutputAudioStopped)}
    ended |= {event.response_id for event in sink.of(OutputAudioCleared)}
    assert set(started) <= ended | {
        event.response_id for event in sink.of(ResponseDone) if event.status == "failed"
    }
    assert started == [name for name in created if name in started], "in the order they began"
    assert not [event for event in sink.of(SessionFailed) if event.code == "internal_error"]
