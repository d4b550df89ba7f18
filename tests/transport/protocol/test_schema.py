"""The models are the one source: they read, refuse with reasons, and print a valid JSON Schema."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openai.types.realtime import RealtimeClientEvent
from pydantic import TypeAdapter

from transport.errors import EventError
from transport.protocol.base import PROTOCOL_VERSION
from transport.protocol.schema import (
    CLIENT_EVENTS,
    SERVER_EVENTS,
    json_schema,
    read_client_event,
    read_server_event,
)

HUGE = int("9" * 400)
EXAMPLES: list[dict[str, Any]] = [
    {"type": "session.update", "session": {"type": "realtime", "output_modalities": ["text"]}},
    {"type": "input_audio_buffer.append", "audio": "AAAA"},
    {"type": "input_audio_buffer.commit"},
    {"type": "input_audio_buffer.clear"},
    {
        "type": "conversation.item.create",
        "item": {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "Hello"}],
        },
    },
    {
        "type": "conversation.item.create",
        "previous_item_id": "root",
        "item": {"type": "function_call_output", "call_id": "call_1", "output": "{}"},
    },
    {"type": "conversation.item.retrieve", "item_id": "item_1"},
    {"type": "conversation.item.delete", "item_id": "item_1"},
    {
        "type": "conversation.item.truncate",
        "item_id": "item_1",
        "content_index": 0,
        "audio_end_ms": 10,
    },
    {"type": "response.create", "response": {"instructions": "Be brief.", "metadata": {"a": "b"}}},
    {"type": "response.cancel"},
    {"type": "output_audio_buffer.clear"},
]
OWN: list[dict[str, Any]] = [
    {"type": "avatar.say", "text": "Hello", "language": "en"},
    {"type": "avatar.action", "action": "wave", "parameters": {"side": "left"}},
    {"type": "avatar.scene.update", "scene": {"caption": "Hi"}},
    {"type": "avatar.notes"},
    {"type": "avatar.heard", "position_ms": 1200.5},
]


def test_every_client_event_has_an_example_here() -> None:
    assert {example["type"] for example in EXAMPLES + OWN} == set(CLIENT_EVENTS)


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: event["type"])
def test_events_are_those_of_the_api(event: dict[str, Any]) -> None:
    theirs: TypeAdapter[Any] = TypeAdapter(RealtimeClientEvent)
    assert theirs.validate_python(event).type == read_client_event(event).type


@pytest.mark.parametrize("event", OWN, ids=lambda event: event["type"])
def test_own_events_are_read(event: dict[str, Any]) -> None:
    assert read_client_event(event).type == event["type"]


@pytest.mark.parametrize(
    ("event", "code", "param"),
    [
        ({}, "unknown_event_type", "type"),
        ({"type": ["a"]}, "unknown_event_type", "type"),
        ({"type": "session.update"}, "missing_required_parameter", "session"),
        ({"type": "session.update", "session": []}, "invalid_type", "session"),
        ({"type": "session.update", "session": {"a": 1}}, "unknown_parameter", "session.a"),
        (
            {"type": "session.update", "session": {"max_output_tokens": 0}},
            "invalid_value",
            "session.max_output_tokens",
        ),
        (
            {"type": "session.update", "session": {"avatar": {"scene": ["shop"]}}},
            "invalid_type",
            "session.avatar.scene",
        ),
        (
            {"type": "session.update", "session": {"audio": {"output": {"speed": HUGE}}}},
            "invalid_type",
            "session.audio.output.speed",
        ),
        (
            {"type": "conversation.item.truncate", "item_id": "a", "audio_end_ms": True},
            "invalid_type",
            "audio_end_ms",
        ),
        (
            {"type": "conversation.item.create", "item": {"type": "image"}},
            "invalid_value",
            "item",
        ),
        (
            {"type": "conversation.item.create", "item": {"type": "message", "role": "user"}},
            "missing_required_parameter",
            "item.content",
        ),
        ({"type": "response.create", "response": {"input": []}}, "unknown_parameter",
         "response.input"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(event: dict[str, Any], code: str, param: str) -> None:
    with pytest.raises(EventError, match=r"accepted|needed") as refusal:
        read_client_event(event)
    assert (refusal.value.code, refusal.value.param) == (code, param)
    assert len(str(refusal.value)) < 1000


def test_the_schema_describes_every_event() -> None:
    schema = json_schema()
    assert schema["version"] == PROTOCOL_VERSION
    for name, events in (("ClientEvent", CLIENT_EVENTS), ("ServerEvent", SERVER_EVENTS)):
        references = [
            each["$ref"].removeprefix("#/$defs/") for each in schema["$defs"][name]["oneOf"]
        ]
        assert len(references) == len(set(references)) == len(events)
        told = {schema["$defs"][each]["properties"]["type"]["const"] for each in references}
        assert told == set(events)


def test_newer_servers_may_add_fields_but_leave_none_out() -> None:
    event = {"type": "output_audio_buffer.started", "event_id": "e", "response_id": "r", "new": 1}
    assert read_server_event(event).type == event["type"]
    del event["response_id"]
    with pytest.raises(EventError, match="response_id"):
        read_server_event(event)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=12,
)


@settings(max_examples=150)
@given(st.sampled_from(EXAMPLES + OWN), st.data())
def test_any_field_may_be_anything(event: dict[str, Any], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([*event, "event_id", "other"]).filter(lambda n: n != "type"))
    changed = {**event, name: data.draw(json_values)}
    assert _refused_at(changed) in (None, name)


def _refused_at(event: dict[str, Any]) -> str | None:
    """Return the field that is refused, None where all are taken."""
    try:
        read_client_event(event)
    except EventError as refusal:
        return str(refusal.param).partition(".")[0]
    return None
