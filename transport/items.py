"""Server events made by hand where every millisecond counts: their parts, as the API has them."""

import secrets
from typing import Any, Final

from agents.history import Item

ServerEvent = dict[str, Any]

_ROLES: Final = {"user": "input_text", "system": "input_text", "assistant": "output_text"}


def server_event(kind: str, **fields: Any) -> ServerEvent:
    """Return a server event with a fresh id."""
    return {"type": kind, "event_id": f"event_{secrets.token_hex(10)}", **fields}


def message(
    item_id: str, role: str, status: str, content: list[ServerEvent] | None = None
) -> ServerEvent:
    """Return a message of the conversation."""
    return {
        "id": item_id,
        "object": "realtime.item",
        "type": "message",
        "role": role,
        "status": status,
        "content": content or [],
    }


def function_call(
    item_id: str, call_id: str, name: str, arguments: str, status: str = "completed"
) -> ServerEvent:
    """Return the item of a call the host makes."""
    return {
        "id": item_id,
        "object": "realtime.item",
        "type": "function_call",
        "status": status,
        "call_id": call_id,
        "name": name,
        "arguments": arguments,
    }


def item_of(item: Item) -> ServerEvent:
    """Return an item of the history as the API describes it."""
    if item.role == "call":
        return function_call(item.id, item.call_id, item.name, item.text)
    if item.role == "output":
        return {
            "id": item.id,
            "object": "realtime.item",
            "type": "function_call_output",
            "status": "completed",
            "call_id": item.call_id,
            "output": item.text,
        }
    status = {"interrupted": "incomplete"}.get(item.status, item.status)
    content = [{"type": _ROLES[item.role], "text": item.text}]
    return message(item.id, item.role, status, content)


def place(response_id: str, item_id: str, output_index: int = 0) -> ServerEvent:
    """Return where in a response something belongs."""
    return {
        "response_id": response_id,
        "item_id": item_id,
        "output_index": output_index,
        "content_index": 0,
    }
