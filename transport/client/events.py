"""What a conversation tells: the server's events, and what happens to the connection itself."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from transport.errors import EventError
from transport.protocol.schema import read_server_event
from transport.protocol.server import AnyServerEvent


@dataclass(frozen=True, slots=True)
class UnknownEvent:
    """An event that this version of the SDK does not know, as it was sent."""

    type: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The connection broke; it is being made anew. `reason`: what is known of the cause."""

    reason: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """The same conversation goes on over a new connection.

    Attributes:
        gap_s: seconds without a connection.
        attempts: connections tried.
        unheard_s: seconds of the person's sound that were dropped meanwhile.
    """

    gap_s: float
    attempts: int
    unheard_s: float


Event = AnyServerEvent | UnknownEvent | Disconnected | Resumed


def read_message(message: str | bytes) -> dict[str, Any] | None:
    """Return the JSON object of one message of the server; None for what is no event."""
    try:
        value = json.loads(message)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and isinstance(value.get("type"), str) else None


def typed(message: Mapping[str, Any]) -> AnyServerEvent | UnknownEvent:
    """Return a server event as its type, or as `UnknownEvent` where it fits none known here."""
    try:
        return read_server_event(message)
    except EventError:
        return UnknownEvent(str(message["type"]), message)
