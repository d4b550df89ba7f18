"""A dialogue takes whatever comes: it answers in the protocol, breaks nothing and grows no more."""

import asyncio
import json
import tracemalloc
from typing import Any, Final

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.events import SessionFailed
from pipeline.options import SessionOptions
from tests.fakes.engine import FakeEngine
from tests.fakes.hostile import messages
from tests.fakes.room import Room
from tests.fakes.sink import RecordingSink
from transport.dialogue import BURST, Dialogue
from transport.protocol.schema import json_schema

ALWAYS: Final = settings(
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
SERVER_EVENT: Final = jsonschema_rs.validator_for({**json_schema(), "$ref": "#/$defs/ServerEvent"})
# An answer quotes what was not accepted, but not all of it.
MAX_ANSWER: Final = 4_096


class Client:
    """A dialogue over a fake session, which checks whatever the client is sent."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.sink = RecordingSink()
        self.session = FakeEngine().open(SessionOptions(), self.sink)
        self.dialogue = Dialogue(self.session)
        self.dialogue.open(self.sent.append)

    def say(self, message: str | bytes) -> list[dict[str, Any]]:
        """Send a message and return the answers, each of which is as the schema says."""
        before = len(self.sent)
        self.dialogue.receive(message)
        answers = self.sent[before:]
        for answer in answers:
            SERVER_EVENT.validate(json.loads(json.dumps(answer)))
        return answers


@settings(ALWAYS, max_examples=400)
@given(message=messages)
def test_every_answer_is_an_event_of_the_protocol(message: str | bytes) -> None:
    async def talk() -> None:
        for answer in Client().say(message):
            if answer["type"] == "error":
                assert answer["error"]["message"]
                assert len(json.dumps(answer)) < MAX_ANSWER

    asyncio.run(talk())


@settings(ALWAYS, max_examples=60)
@given(said=st.lists(messages, max_size=12), speaks=st.lists(st.booleans(), min_size=12))
def test_no_order_of_events_breaks_a_session(said: list[str | bytes], speaks: list[bool]) -> None:
    async def talk() -> None:
        room = Room("what is on this pizza")
        dialogue = Dialogue(room.session)
        told: list[dict[str, Any]] = []
        room.sink.event = dialogue.tell  # type: ignore[method-assign]
        dialogue.open(told.append)
        await room.open()
        for message, aloud in zip(said, speaks, strict=False):
            dialogue.receive(message)
            await (room.speak(0.4) if aloud else room.silence(0.2))
        await room.silence(2.0)
        await room.close()
        assert len(asyncio.all_tasks()) == 1
        for event in told:
            SERVER_EVENT.validate(json.loads(json.dumps(event)))
        assert not any(_broke(event) for event in told)

    asyncio.run(talk())


def _broke(event: dict[str, Any]) -> bool:
    return bool(event["type"] == "error" and event["error"]["code"] == "internal_error")


@pytest.mark.parametrize(
    "message",
    [
        '{"type": ' + "[" * 30_000 + "]" * 30_000 + "}",
        '{"session": ' * 8_000 + "1" + "}" * 8_000,
        '{"type": "session.update", "session": {"avatar": {"scene": '
        + '{"a": ' * 900
        + "1"
        + "}" * 903,
        '{"type": "response.create", "response": ' + "9" * 60_000 + "}",
        '{"type": "conversation.item.truncate", "item_id": "a", "audio_end_ms": 1'
        + "0" * 5_000
        + "}",
        '{"type": "' + "x" * 60_000 + '"}',
        json.dumps({"type": "session.update", "session": {"x" * 60_000: 1}}),
        json.dumps({"type": "session.update", "session": {f"f{n}": n for n in range(4_000)}}),
        json.dumps({"type": "session.update", "event_id": "y" * 60_000, "session": 1}),
        b"\xff" * 60_000,
        b"\x00" * 65_537,
        "\ud800",
    ],
    ids=range(12),
)
async def test_what_is_deep_huge_or_long_is_refused_in_a_few_words(message: str | bytes) -> None:
    room = Room()
    told: list[dict[str, Any]] = []
    dialogue = Dialogue(room.session)
    dialogue.open(told.append)
    dialogue.receive(message)
    created, answer = told
    assert created["type"] == "session.created"
    assert answer["type"] == "error"
    assert len(json.dumps(answer)) < MAX_ANSWER
    await room.close()


async def test_a_flood_is_answered_once_and_costs_no_memory() -> None:
    client = Client()
    noise = [json.dumps({"type": "nothing", "n": number}) for number in range(200)]

    def flood() -> None:
        for _ in range(50):
            for message in noise:
                client.say(message)
        client.sent.clear()

    flood()
    tracemalloc.start()
    try:
        flood()
        before = tracemalloc.get_traced_memory()[0]
        flood()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 50_000


async def test_a_flood_leaves_room_for_what_is_said_later() -> None:
    client = Client()
    for _ in range(20 * BURST):
        client.say('{"type": "response.cancel"}')
    errors = [event["error"]["code"] for event in client.sent if event["type"] == "error"]
    assert errors.count("too_many_events") == 1
    assert len(errors) <= BURST + 5
    await asyncio.sleep(0.2)
    assert client.say('{"type": "input_audio_buffer.clear"}')[0]["type"].endswith("cleared")


async def test_a_conversation_of_many_rounds_holds_no_more_than_one_of_few() -> None:
    client = Client()
    for number in range(2_000):
        client.dialogue._tokens = float(BURST)
        item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a"}]}
        client.say(
            json.dumps(
                {"type": "conversation.item.create", "item": {**item, "id": f"item_{number}"}}
            )
        )
    translator = client.dialogue.translator
    held = {
        name: len(value) for name, value in vars(translator).items() if hasattr(value, "__len__")
    }
    assert held
    assert max(held.values()) <= 256, held
    assert not client.sink.of(SessionFailed)
