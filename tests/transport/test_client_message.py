"""Messages of a client: JSON objects of bounded size, refused by name when not, never a crash."""

import json

import pytest

from transport.client_message import MAX_MESSAGE_BYTES, parse_message
from transport.errors import EventError
from transport.protocol.schema import read_client_event


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
            read_client_event({"type": "session.update", "session": quoted})
        assert len(str(refusal.value)) < 400
