"""Messages of a client: JSON objects of bounded size, refused by name when not, never a crash."""

import json

import pytest

from transport.client_message import MAX_MARKS, MAX_MESSAGE_BYTES, parse_message
from transport.errors import EventError
from transport.protocol.schema import read_client_event
from transport.strict_json import write_json


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
        ("[" * 15_000, "invalid_json"),
        ("[" * 60_000, "message_too_long"),
        (json.dumps({f"k{n}": 1 for n in range(MAX_MARKS // 2 + 1)}), "message_too_long"),
        ('{"a": 1e400}', "invalid_json"),
        ('{"a": [-1e999]}', "invalid_json"),
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


def test_a_message_of_many_small_values_is_not_read_however_long_it_may_be() -> None:
    text = json.dumps({f"k{number}": 1 for number in range(90_000)})
    with pytest.raises(EventError, match="180000 commas, colons and brackets"):
        parse_message(text, limit=1 << 21)
    speech = {"audio": "AAAA" * 320_000}
    assert parse_message(json.dumps(speech), limit=1 << 21) == speech


def test_what_is_read_can_be_written_deeper_within_an_answer() -> None:
    deepest = 0
    for depth in range(300, 1000):
        try:
            deepest, value = depth, parse_message('{"a":' * depth + "1" + "}" * depth)
        except EventError:
            break
    assert 300 < deepest < 999
    answer: object = value
    for _ in range(30):
        answer = {"within": answer}
    assert write_json(answer).startswith(b'{"within"')
