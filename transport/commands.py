"""Client events of the Realtime API, read into commands."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from transport.errors import EventError
from transport.strict_json import read_json, shown

MAX_MESSAGE_BYTES: Final = 65_536
MAX_TEXT: Final = 4_000
MAX_AUDIO_MS: Final = 3_600_000

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class UpdateSession:
    """Change the session; `session` is the object as it was sent, unchecked."""

    session: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AddMessage:
    """Add a typed message of the user."""

    text: str
    item_id: str | None


@dataclass(frozen=True, slots=True)
class CreateResponse:
    """Answer the newest message."""


@dataclass(frozen=True, slots=True)
class CancelResponse:
    """Stop the response in progress; `response_id` None means whichever it is."""

    response_id: str | None


@dataclass(frozen=True, slots=True)
class ClearOutput:
    """Fall silent."""


@dataclass(frozen=True, slots=True)
class CommitInput:
    """End the user's turn."""


@dataclass(frozen=True, slots=True)
class ClearInput:
    """Forget what was heard since the last turn."""


@dataclass(frozen=True, slots=True)
class Truncate:
    """Cut a reply to what was heard of it."""

    item_id: str
    audio_end_ms: int


Command = (
    UpdateSession
    | AddMessage
    | CreateResponse
    | CancelResponse
    | ClearOutput
    | CommitInput
    | ClearInput
    | Truncate
)


def parse_message(message: str | bytes) -> dict[str, Any]:
    """Return the JSON object of one message.

    Raises:
        EventError: the message is too long, no JSON, or no object.
    """
    data = message.encode("utf-8", "replace") if isinstance(message, str) else message
    if len(data) > MAX_MESSAGE_BYTES:
        raise EventError(
            "message_too_long",
            f"the message has {len(data)} bytes; accepted: up to {MAX_MESSAGE_BYTES}",
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


def parse_command(event: Mapping[str, Any]) -> Command:
    """Return the command that a client event stands for.

    Raises:
        EventError: the type is unknown or a field is missing or not accepted.
    """
    kind = event.get("type")
    parser = _PARSERS.get(kind) if isinstance(kind, str) else None
    if parser is None:
        raise EventError(
            "unknown_event_type",
            f"type is {shown(kind)}; accepted: {', '.join(sorted(_PARSERS))}",
            "type",
        )
    return parser(event)


def _update(event: Mapping[str, Any]) -> UpdateSession:
    session = event.get("session")
    if not isinstance(session, Mapping):
        raise EventError(
            "invalid_type", f"session is {shown(session)}; accepted: an object", "session"
        )
    return UpdateSession(session)


def _add_message(event: Mapping[str, Any]) -> AddMessage:
    item = event.get("item")
    if not isinstance(item, Mapping):
        raise EventError("invalid_type", f"item is {shown(item)}; accepted: an object", "item")
    for name, accepted in (("type", "message"), ("role", "user")):
        if item.get(name) != accepted:
            raise EventError(
                "invalid_value",
                f"item.{name} is {shown(item.get(name))}; accepted: {accepted!r}",
                f"item.{name}",
            )
    item_id = item.get("id")
    return AddMessage(_text(item.get("content")), None if item_id is None else _id(item_id, "id"))


def _text(content: object) -> str:
    parts = content if isinstance(content, list) else []
    texts = [
        part["text"]
        for part in parts
        if isinstance(part, Mapping)
        and part.get("type") == "input_text"
        and isinstance(part.get("text"), str)
    ]
    text = "\n".join(texts).strip()
    if len(texts) != len(parts) or not 0 < len(text) <= MAX_TEXT:
        raise EventError(
            "invalid_value",
            f"item.content is not accepted; accepted: input_text parts, together 1 to {MAX_TEXT} "
            "characters",
            "item.content",
        )
    return text


def _create_response(event: Mapping[str, Any]) -> CreateResponse:
    wish = event.get("response") or {}
    accepted: dict[str, object] = {"output_modalities": ["audio"], "conversation": "auto"}
    if not isinstance(wish, Mapping):
        raise EventError("invalid_type", f"response is {wish!r}; accepted: an object", "response")
    for name, value in wish.items():
        if name != "metadata" and (name not in accepted or value != accepted[name]):
            path = f"response.{name}"[:80]
            raise EventError(
                "unsupported_parameter",
                f"{path} is {shown(value)}; accepted: {accepted} and metadata",
                path,
            )
    return CreateResponse()


def _cancel_response(event: Mapping[str, Any]) -> CancelResponse:
    response_id = event.get("response_id")
    return CancelResponse(None if response_id is None else _id(response_id, "response_id"))


def _truncate(event: Mapping[str, Any]) -> Truncate:
    end = event.get("audio_end_ms")
    if isinstance(end, bool) or not isinstance(end, int) or not 0 <= end <= MAX_AUDIO_MS:
        raise EventError(
            "invalid_value",
            f"audio_end_ms is {shown(end)}; accepted: 0 to {MAX_AUDIO_MS}",
            "audio_end_ms",
        )
    if event.get("content_index", 0) != 0:
        raise EventError(
            "invalid_value",
            f"content_index is {shown(event['content_index'])}; accepted: 0",
            "content_index",
        )
    return Truncate(_id(event.get("item_id"), "item_id"), end)


def _id(value: object, param: str) -> str:
    if isinstance(value, str) and _ID.fullmatch(value):
        return value
    raise EventError(
        "invalid_value",
        f"{param} is {shown(value)}; accepted: 1 to 64 letters, digits, '_' and '-'",
        param,
    )


_PARSERS: Final[Mapping[str, Callable[[Mapping[str, Any]], Command]]] = {
    "session.update": _update,
    "conversation.item.create": _add_message,
    "conversation.item.truncate": _truncate,
    "response.create": _create_response,
    "response.cancel": _cancel_response,
    "output_audio_buffer.clear": lambda _: ClearOutput(),
    "input_audio_buffer.commit": lambda _: CommitInput(),
    "input_audio_buffer.clear": lambda _: ClearInput(),
}
