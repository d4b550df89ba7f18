"""A dialogue obeys its client, answers what it does not accept, and bears a flood."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline import events
from pipeline.contract import EncodedPicture, PoseFrame, SoundFrame
from pipeline.options import SessionOptions
from tests.fakes.engine import FakeEngine, FakeSession
from tests.transport.server_events import validate
from transport.dialogue import BURST, MAX_EARLY_EVENTS, Dialogue

KINDS = (
    "session.update",
    "conversation.item.create",
    "conversation.item.truncate",
    "response.create",
    "response.cancel",
)
NAMES = (
    "event_id", "session", "audio", "output", "input", "speed", "voice", "turn_detection", "item",
    "threshold", "transcription", "language", "type", "role", "content", "text", "response",
)  # fmt: skip


class Client:
    """A dialogue over a fake session, and what it sent."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.session: FakeSession = FakeEngine().open(SessionOptions(), self)
        self.dialogue = Dialogue(self.session, "line_secret")

    def sound(self, frame: SoundFrame) -> None:
        raise AssertionError(f"the clock does not run, yet there is sound at {frame.position}")

    def picture(self, picture: EncodedPicture) -> None:
        raise AssertionError(f"the clock does not run, yet it is drawn at {picture.position}")

    def pose(self, frame: PoseFrame) -> None:
        raise AssertionError(f"the clock does not run, yet it moves at {frame.position}")

    def event(self, event: events.SessionEvent) -> None:
        self.dialogue.tell(event)

    def say(self, kind: str, **fields: Any) -> list[dict[str, Any]]:
        """Send an event and return what came of it."""
        before = len(self.sent)
        self.dialogue.receive(json.dumps({"type": kind, "event_id": "mine", **fields}))
        for event in self.sent[before:]:
            validate(event)
        return self.sent[before:]


@pytest.fixture
async def client() -> Client:
    client = Client()
    client.dialogue.open(client.sent.append)
    return client


async def test_the_first_event_is_the_session_and_early_events_follow() -> None:
    client = Client()
    client.dialogue.tell(events.OutputAudioStarted("r"))
    assert client.sent == []
    client.dialogue.open(client.sent.append)
    client.dialogue.open(client.sent.append)
    assert [event["type"] for event in client.sent] == [
        "session.created",
        "output_audio_buffer.started",
    ]


async def test_early_events_are_bounded() -> None:
    client = Client()
    for _ in range(2 * MAX_EARLY_EVENTS):
        client.dialogue.tell(events.OutputAudioStarted("r"))
    client.dialogue.open(client.sent.append)
    assert len(client.sent) == MAX_EARLY_EVENTS + 1


async def test_an_update_is_applied_and_confirmed(client: Client) -> None:
    session = {"audio": {"output": {"voice": "hum"}}}
    (updated,) = client.say("session.update", session=session)
    assert updated["session"]["audio"]["output"]["voice"] == "hum"
    assert client.session.options.voice == "hum"


async def test_an_update_the_session_refuses_changes_nothing(client: Client) -> None:
    session = {"audio": {"output": {"voice": "nobody", "speed": 1.5}}}
    (error,) = client.say("session.update", session=session)
    assert error["error"]["event_id"] == "mine"
    assert "tone, hum" in error["error"]["message"]
    assert client.session.options == SessionOptions()


async def test_what_has_no_effect_is_refused_and_the_rest_is_applied(client: Client) -> None:
    session = {"truncation": "auto", "audio": {"output": {"voice": "hum"}}}
    error, updated = client.say("session.update", session=session)
    assert error["error"]["param"] == "session.truncation"
    assert updated["session"]["audio"]["output"]["voice"] == "hum"


async def test_a_typed_question_and_its_answer(client: Client) -> None:
    item = {
        "id": "item_mine",
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": "Hello"}],
    }
    added, _ = client.say("conversation.item.create", item=item)
    assert added["item"]["id"] == "item_mine"
    assert client.session.texts == ["Hello"]
    created = client.say("response.create")[0]
    assert created["type"] == "response.created"
    cancelled = client.say("response.cancel", response_id=created["response"]["id"])
    assert cancelled[-1]["response"]["status_details"]["reason"] == "client_cancelled"


async def test_cancel_without_a_response_is_an_error(client: Client) -> None:
    (error,) = client.say("response.cancel")
    assert error["error"]["code"] == "response_cancel_not_active"
    client.say("response.create")
    (error,) = client.say("response.cancel", response_id="resp_other")
    assert error["error"]["code"] == "response_cancel_not_active"


async def test_clearing_the_output_stops_the_reply(client: Client) -> None:
    client.say("response.create")
    assert "output_audio_buffer.cleared" in [
        event["type"] for event in client.say("output_audio_buffer.clear")
    ]
    assert client.say("output_audio_buffer.clear") == []


async def test_the_input_is_cleared_and_committed(client: Client) -> None:
    assert [event["type"] for event in client.say("input_audio_buffer.clear")] == [
        "input_audio_buffer.cleared"
    ]
    assert client.say("input_audio_buffer.commit") == []


async def test_truncation(client: Client) -> None:
    item_id = client.session.submit_text("Hello")
    (truncated,) = client.say(
        "conversation.item.truncate", item_id=item_id, content_index=0, audio_end_ms=500
    )
    assert truncated["audio_end_ms"] == 500
    (error,) = client.say("conversation.item.truncate", item_id="nobody", audio_end_ms=500)
    assert "nobody" in error["error"]["message"]


RUBBISH = [
    "",
    "{",
    "[[[",
    "7",
    '{"type": "dance"}',
    b"\xff",
    "[" * 9999,
    '{"type": "session.update", "session": {"\\ud800": 1}}',
    '{"type": "dance", "event_id": "\\ud800"}',
    '{"type": "session.update", "session": {"audio": {"output": {"speed": 1%s}}}}' % ("0" * 400),
    '{"type": "session.update", "session": {"audio": {"input": {"turn_detection": '
    '{"threshold": 1%s}}}}}' % ("0" * 400),
    '{"type": "conversation.item.create", "item": {"type": "message", "role": "user", '
    '"content": [{"type": "input_text", "text": "hi \\ud83d"}]}}',
]


@pytest.mark.parametrize("message", RUBBISH)
async def test_rubbish_is_answered(client: Client, message: str | bytes) -> None:
    client.dialogue.receive(message)
    assert client.sent[-1]["type"] == "error"
    validate(client.sent[-1])
    assert client.session.texts == []


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=8)  # halves of pairs too
ANY_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**400, 1e308])
    | st.floats(allow_nan=False)
    | ANY_TEXT,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(ANY_TEXT | st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
async def test_whatever_is_received_the_answers_can_be_sent(data: st.DataObject) -> None:
    client = Client()
    client.dialogue.open(client.sent.append)
    kind = data.draw(st.sampled_from(KINDS) | ANY_TEXT)
    fields = data.draw(st.dictionaries(st.sampled_from(NAMES) | ANY_TEXT, ANY_JSON, max_size=4))
    event = {**fields, "type": kind}
    client.dialogue.receive(json.dumps(event, ensure_ascii=data.draw(st.booleans())))
    for answer in client.sent:
        json.dumps(answer, ensure_ascii=False, allow_nan=False).encode()
        validate(answer)


async def test_a_flood_is_told_once_and_dropped(client: Client) -> None:
    for _ in range(20 * BURST):
        client.dialogue.receive('{"type": "input_audio_buffer.clear"}')
    answers = [event["type"] for event in client.sent[1:]]
    assert answers.count("error") == 1
    assert client.sent[-1]["error"]["code"] == "too_many_events"
    assert BURST <= len(answers) <= BURST + 5


async def test_a_function_is_asked_for_and_answered(client: Client) -> None:
    tool = {"type": "function", "name": "stock", "parameters": {"type": "object"}}
    client.say("session.update", session={"tools": [tool]})
    asked = client.say("response.create")
    call = next(e for e in asked if e["type"] == "response.function_call_arguments.done")
    assert call["name"] == "stock"
    item = {"type": "function_call_output", "call_id": call["call_id"], "output": "{}"}
    added, _ = client.say("conversation.item.create", item=item)
    assert added["item"]["output"] == "{}"
    assert "response.output_audio_transcript.delta" in [
        event["type"] for event in client.say("response.create")
    ]
    (refused,) = client.say("conversation.item.create", item={**item, "call_id": "other"})
    assert "other" in refused["error"]["message"]


async def test_items_are_read_and_taken_out_again(client: Client) -> None:
    item = {
        "id": "item_mine",
        "type": "message",
        "role": "system",
        "content": [{"type": "input_text", "text": "Be kind."}],
    }
    client.say("conversation.item.create", item=item)
    (told,) = client.say("conversation.item.retrieve", item_id="item_mine")
    assert told["item"]["content"][0]["text"] == "Be kind."
    (deleted,) = client.say("conversation.item.delete", item_id="item_mine")
    assert deleted["item_id"] == "item_mine"
    (refused,) = client.say("conversation.item.retrieve", item_id="item_mine")
    assert "item_mine" in refused["error"]["message"]


async def test_the_extension_is_obeyed(client: Client) -> None:
    created = client.say("avatar.say", text="Welcome!", language="en")
    assert created[0]["type"] == "response.created"
    assert client.say("avatar.action", action="wave") == []
    assert client.session.acts == [("wave", {})]
    (refused,) = client.say("avatar.action", action="fly")
    assert "wave" in refused["error"]["message"]
    (updated,) = client.say("avatar.scene.update", scene={"caption": "Now"})
    assert updated["session"]["avatar"]["scene"]["caption"] == "Now"
    (notes,) = client.say("avatar.notes")
    assert (notes["seeing"], notes["notes"]) == (False, [])


async def test_a_client_that_comes_back_is_told_what_it_missed() -> None:
    client = Client()
    client.dialogue.open(client.sent.append)
    assert client.sent[0]["session"]["avatar"]["resume_token"] == "line_secret"
    client.dialogue.pause()
    client.dialogue.tell(events.OutputAudioStarted("r"))
    later: list[dict[str, Any]] = []
    client.dialogue.open(later.append, resumed=True)
    assert [event["type"] for event in later] == ["session.created", "output_audio_buffer.started"]
    assert later[0]["session"]["avatar"]["resumed"] is True
    assert len(client.sent) == 1


async def test_limits_are_told_with_every_reply(client: Client) -> None:
    limits = client.say("response.create")[-1]
    told = [e for e in client.sent if e["type"] == "rate_limits.updated"]
    assert told, limits
    assert 0 < told[-1]["rate_limits"][0]["remaining"] < BURST
