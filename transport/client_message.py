"""One message of a client, read into a client event."""

from typing import Any, Final

from transport.errors import EventError
from transport.strict_json import read_json

MAX_MESSAGE_BYTES: Final = 65_536
# Commas, colons and opening brackets: a long message has its length from sound, or from text.
# Reading many small values holds everybody up.
MAX_MARKS: Final = 20_000


def parse_message(message: str | bytes, limit: int = MAX_MESSAGE_BYTES) -> dict[str, Any]:
    """Return the JSON object of one message.

    Raises:
        EventError: the message has more than `limit` bytes or `MAX_MARKS` marks, is no JSON, or no
            object.
    """
    data = message.encode("utf-8", "replace") if isinstance(message, str) else message
    if len(data) > limit:
        raise EventError(
            "message_too_long", f"the message has {len(data)} bytes; accepted: up to {limit}"
        )
    marks = sum(data.count(mark) for mark in b",:[{")
    if marks > MAX_MARKS:
        raise EventError(
            "message_too_long",
            f"the message has {marks} commas, colons and brackets; accepted: up to {MAX_MARKS}",
        )
    try:
        event = read_json(data)
    except ValueError as error:
        raise EventError("invalid_json", f"the message is not JSON: {error}") from error
    if not isinstance(event, dict):
        raise EventError(
            "invalid_json", f"the message is a JSON {type(event).__name__}; accepted: an object"
        )
    return event
