"""Checks server events against the types of the OpenAI client."""

from typing import Any

from openai.types.realtime import RealtimeServerEvent
from pydantic import TypeAdapter

OWN_EVENTS = ("avatar.turn.measured",)
_ADAPTER: TypeAdapter[Any] = TypeAdapter(RealtimeServerEvent)


def validate(event: dict[str, Any]) -> None:
    """Fail unless the event is one of ours or one the OpenAI client knows, with its fields."""
    if event["type"] in OWN_EVENTS:
        assert set(event) == {"type", "event_id", "turn", "response_id", "timings"}
        return
    parsed = _ADAPTER.validate_python(event)
    assert parsed.type == event["type"]
