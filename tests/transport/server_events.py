"""Checks server events against the types of the OpenAI client."""

from typing import Any

from openai.types.realtime import RealtimeServerEvent
from pydantic import TypeAdapter

from transport.protocol.schema import read_server_event

OWN_EVENTS = ("avatar.turn.measured",)
# The client has no type for these, though the API documents them.
UNTYPED = ("conversation.item.retrieved",)
_ADAPTER: TypeAdapter[Any] = TypeAdapter(RealtimeServerEvent)


def validate(event: dict[str, Any]) -> None:
    """Fail unless the event is in our schema, and one the OpenAI client knows, with its fields, or
    of our extension.
    """
    assert read_server_event(event).type == event["type"]
    if event["type"].startswith("avatar.") or event["type"] in UNTYPED:
        return
    parsed = _ADAPTER.validate_python(event)
    assert parsed.type == event["type"]
