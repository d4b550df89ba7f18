"""Client events: read when they are in order, refused by name when not, never a crash."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from transport import commands
from transport.commands import MAX_MESSAGE_BYTES, MAX_TEXT, parse_command, parse_message
from transport.errors import EventError


def message(text: str, **fields: Any) -> dict[str, Any]:
    item = {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": text}],
        **fields,
    }
    return {"type": "conversation.item.create", "item": item}


@pytest.mark.parametrize(
    ("event", "command"),
    [
        ({"type": "session.update", "session": {"a": 1}}, commands.UpdateSession({"a": 1})),
        (message("Hello"), commands.AddMessage("Hello", None)),
        (message(" 你好 ", id="item_1"), commands.AddMessage("你好", "item_1")),
        ({"type": "response.create"}, commands.CreateResponse()),
        (
            {"type": "response.create", "response": {"output_modalities": ["audio"]}},
            commands.CreateResponse(),
        ),
        ({"type": "response.cancel"}, commands.CancelResponse(None)),
        ({"type": "response.cancel", "response_id": "r1"}, commands.CancelResponse("r1")),
        ({"type": "output_audio_buffer.clear"}, commands.ClearOutput()),
        ({"type": "input_audio_buffer.commit"}, commands.CommitInput()),
        ({"type": "input_audio_buffer.clear", "event_id": "e"}, commands.ClearInput()),
        (
            {
                "type": "conversation.item.truncate",
                "item_id": "i",
                "content_index": 0,
                "audio_end_ms": 1500,
            },
            commands.Truncate("i", 1500),
        ),
    ],
)
def test_events_become_commands(event: dict[str, Any], command: commands.Command) -> None:
    assert parse_command(parse_message(json.dumps(event))) == command


@pytest.mark.parametrize(
    ("event", "code", "param"),
    [
        ({}, "unknown_event_type", "type"),
        ({"type": 7}, "unknown_event_type", "type"),
        ({"type": "session.delete"}, "unknown_event_type", "type"),
        ({"type": "session.update"}, "invalid_type", "session"),
        ({"type": "conversation.item.create"}, "invalid_type", "item"),
        (message("x", role="system"), "invalid_value", "item.role"),
        (message("x", type="function_call"), "invalid_value", "item.type"),
        (message("x", id="no spaces"), "invalid_value", "id"),
        (message("  "), "invalid_value", "item.content"),
        (message("x" * (MAX_TEXT + 1)), "invalid_value", "item.content"),
        (message("x", content=[{"type": "input_image"}]), "invalid_value", "item.content"),
        (message("x", content=None), "invalid_value", "item.content"),
        ({"type": "response.create", "response": []}, None, None),
        ({"type": "response.create", "response": 5}, "invalid_type", "response"),
        (
            {"type": "response.create", "response": {"instructions": "rhyme"}},
            "unsupported_parameter",
            "response.instructions",
        ),
        ({"type": "response.cancel", "response_id": 5}, "invalid_value", "response_id"),
        ({"type": "conversation.item.truncate", "item_id": "i"}, "invalid_value", "audio_end_ms"),
        (
            {"type": "conversation.item.truncate", "item_id": "i", "audio_end_ms": -1},
            "invalid_value",
            "audio_end_ms",
        ),
        (
            {
                "type": "conversation.item.truncate",
                "item_id": "i",
                "audio_end_ms": 1,
                "content_index": 1,
            },
            "invalid_value",
            "content_index",
        ),
        ({"type": "conversation.item.truncate", "audio_end_ms": 1}, "invalid_value", "item_id"),
    ],
)
def test_bad_events_are_named(event: dict[str, Any], code: str | None, param: str | None) -> None:
    if code is None:
        assert parse_command(event) == commands.CreateResponse()
        return
    with pytest.raises(EventError, match="accepted") as refusal:
        parse_command(event)
    assert (refusal.value.code, refusal.value.param) == (code, param)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "invalid_json"),
        ("{", "invalid_json"),
        ("[1]", "invalid_json"),
        ("null", "invalid_json"),
        ('{"a": NaN}', "invalid_json"),
        (b"\xff\xfe\x00", "invalid_json"),
        ('{"a": "\\ud800"}', "invalid_json"),
        ('{"a": ["\\ude00\\ud83d"]}', "invalid_json"),
        ('{"\\udfff": 1}', "invalid_json"),
        (b'{"a": "\xed\xa0\x80"}', "invalid_json"),
        ("[" * 60_000, "invalid_json"),
        ('{"a": ' + "9" * 5_000 + "}", "invalid_json"),
        ('"' + "x" * MAX_MESSAGE_BYTES + '"', "message_too_long"),
        ("你" * (MAX_MESSAGE_BYTES // 3 + 1), "message_too_long"),
    ],
)
def test_bad_messages_are_refused(text: str | bytes, code: str) -> None:
    with pytest.raises(EventError) as refusal:
        parse_message(text)
    assert refusal.value.code == code


def test_whole_pairs_of_surrogates_are_characters() -> None:
    assert parse_message('{"a": "\\ud83d\\ude00"}') == {"a": "😀"}


def test_deep_and_long_values_are_quoted_in_short() -> None:
    value = json.loads("[" * 900 + "1" + "]" * 900)
    for quoted in (value, "x" * 60_000, list(range(9000)), int("9" * 400)):
        with pytest.raises(EventError, match="accepted: an object") as refusal:
            parse_command({"type": "session.update", "session": quoted})
        assert len(str(refusal.value)) < 400


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner),
    max_leaves=8,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no error
@given(
    st.sampled_from(sorted(commands._PARSERS)),
    st.dictionaries(
        st.sampled_from(
            ["session", "item", "response", "response_id", "item_id", "audio_end_ms", "x"]
        ),
        JSON,
    ),
)
def test_any_fields_give_a_command_or_a_refusal(kind: str, fields: dict[str, Any]) -> None:
    try:
        command = parse_command({"type": kind, **fields})
    except EventError:
        return
    assert isinstance(command, commands.Command)
