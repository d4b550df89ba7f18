"""Replies as the Realtime API tells them: a response, its message, its function calls."""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from pipeline import events
from pipeline.options import Modality
from transport.items import ServerEvent, function_call, message, place, server_event

# Responses that are remembered; one is in progress, few others still sound.
MAX_RESPONSES: Final = 16


@dataclass(slots=True)
class _Response:
    """A reply under way.

    Attributes:
        previous: the item before it in the conversation.
        index: of its message among its items, None before it has said anything.
        calls: the items of its function calls, with their index.
    """

    id: str
    item_id: str
    modality: Modality
    metadata: dict[str, str]
    previous: str | None
    index: int | None = None
    calls: list[tuple[int, ServerEvent]] = field(default_factory=list)

    @property
    def next_index(self) -> int:
        return len(self.calls) + (self.index is not None)


class Responses:
    """Turns the events of replies into those of the API, in its order.

    A message is opened with its first text, so that a reply which only asks for a function has
    none.
    """

    def __init__(self) -> None:
        self.active: str | None = None
        self._open: OrderedDict[str, _Response] = OrderedDict()

    def item_of(self, response_id: str) -> str | None:
        """Return the id of a response's message, None where it is not known."""
        known = self._open.get(response_id)
        return None if known is None else known.item_id

    def created(self, event: events.ResponseCreated, previous: str | None) -> list[ServerEvent]:
        """Tell that a reply begins; `previous` is the item it follows."""
        self.active = event.response_id
        metadata = {"turn": str(event.turn), **event.metadata}
        made = _Response(event.response_id, event.item_id, event.modality, metadata, previous)
        self._open[made.id] = made
        if len(self._open) > MAX_RESPONSES:
            self._open.popitem(last=False)
        return [server_event("response.created", response=_response(made, "in_progress", []))]

    def text(self, event: events.TranscriptDelta) -> list[ServerEvent]:
        """Tell more text of a reply."""
        known = self._known(event.response_id, event.item_id)
        told = [] if known.index is not None else self._opened(known)
        where = place(known.id, known.item_id, known.index or 0)
        if known.modality == "text":
            return [*told, server_event("response.output_text.delta", delta=event.delta, **where)]
        # `audio_start_ms` is this server's addition: when that text is heard.
        return [
            *told,
            server_event(
                "response.output_audio_transcript.delta",
                delta=event.delta,
                audio_start_ms=event.audio_start_ms,
                **where,
            ),
        ]

    def called(self, event: events.FunctionCalled) -> list[ServerEvent]:
        """Tell that the host asks for a function."""
        known = self._known(event.response_id, event.item_id)
        index = known.next_index
        begun = function_call(event.item_id, event.call_id, event.name, "", "in_progress")
        whole = function_call(event.item_id, event.call_id, event.name, event.arguments)
        previous = known.item_id if known.index is not None else known.previous
        known.calls.append((index, whole))
        where = {"response_id": known.id, "output_index": index}
        call = {**where, "item_id": event.item_id, "call_id": event.call_id}
        kind = "response.function_call_arguments"
        return [
            server_event("response.output_item.added", item=begun, **where),
            server_event("conversation.item.added", item=begun, previous_item_id=previous),
            server_event(f"{kind}.delta", delta=event.arguments, **call),
            server_event(f"{kind}.done", name=event.name, arguments=event.arguments, **call),
            server_event("response.output_item.done", item=whole, **where),
            server_event("conversation.item.done", item=whole, previous_item_id=previous),
        ]

    def done(self, event: events.ResponseDone) -> list[ServerEvent]:
        """Tell that a reply has been made, or why it has not."""
        known = self._known(event.response_id, event.item_id)
        if self.active == known.id:
            self.active = None
        output = list(known.calls)
        told: list[ServerEvent] = []
        if known.index is not None:
            status = "completed" if event.status == "completed" else "incomplete"
            content = _content(known.modality, event.transcript)
            item = message(known.item_id, "assistant", status, [content])
            output.append((known.index, item))
            told = _closed(known, event.transcript, item)
        items = [item for _, item in sorted(output, key=lambda one: one[0])]
        response = _response(known, event.status, items)
        response["status_details"] = _status_details(event)
        response["usage"] = _usage(event.usage)
        return [*told, server_event("response.done", response=response)]

    def _known(self, response_id: str, item_id: str) -> _Response:
        known = self._open.get(response_id)
        if known is None:
            known = self._open[response_id] = _Response(response_id, item_id, "audio", {}, None)
        return known

    def _opened(self, known: _Response) -> list[ServerEvent]:
        known.index = known.next_index
        item = message(known.item_id, "assistant", "in_progress")
        part = {"type": "text", "text": ""}
        if known.modality == "audio":
            part = {"type": "audio", "transcript": ""}
        return [
            server_event(
                "response.output_item.added",
                item=item,
                response_id=known.id,
                output_index=known.index,
            ),
            server_event("conversation.item.added", item=item, previous_item_id=known.previous),
            server_event(
                "response.content_part.added",
                part=part,
                **place(known.id, known.item_id, known.index),
            ),
        ]


def _closed(known: _Response, text: str, item: ServerEvent) -> list[ServerEvent]:
    """Return the events that end a message."""
    index = known.index or 0
    where = place(known.id, known.item_id, index)
    if known.modality == "text":
        part = {"type": "text", "text": text}
        told = [server_event("response.output_text.done", text=text, **where)]
    else:
        part = {"type": "audio", "transcript": text}
        told = [
            server_event("response.output_audio.done", **where),
            server_event("response.output_audio_transcript.done", transcript=text, **where),
        ]
    return [
        *told,
        server_event("response.content_part.done", part=part, **where),
        server_event(
            "response.output_item.done", item=item, response_id=known.id, output_index=index
        ),
        server_event("conversation.item.done", item=item, previous_item_id=known.previous),
    ]


def _content(modality: Modality, text: str) -> ServerEvent:
    if modality == "text":
        return {"type": "output_text", "text": text}
    return {"type": "output_audio", "transcript": text}


def _response(known: _Response, status: str, output: list[ServerEvent]) -> ServerEvent:
    return {
        "id": known.id,
        "object": "realtime.response",
        "status": status,
        "status_details": None,
        "output": output,
        "output_modalities": [known.modality],
        "metadata": known.metadata,
    }


def _status_details(event: events.ResponseDone) -> ServerEvent | None:
    if event.status == "completed":
        return None
    details: ServerEvent = {"type": event.status}
    if event.status == "failed":
        details["error"] = {
            "type": "server_error",
            "code": "response_failed",
            "message": event.message,
        }
    else:
        details["reason"] = event.reason
    return details


def _usage(usage: events.Usage) -> ServerEvent:
    heard = usage.input_text + usage.input_audio
    said = usage.output_text + usage.output_audio
    return {
        "total_tokens": heard + said,
        "input_tokens": heard,
        "output_tokens": said,
        "input_token_details": {
            "text_tokens": usage.input_text,
            "audio_tokens": usage.input_audio,
            "cached_tokens": 0,
        },
        "output_token_details": {
            "text_tokens": usage.output_text,
            "audio_tokens": usage.output_audio,
        },
    }
