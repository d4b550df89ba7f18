"""Session events as server events of the OpenAI Realtime API (GA). Knows no connection."""

import secrets
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

from pipeline import events
from pipeline.options import SessionOptions
from transport.errors import EventError
from transport.session_object import session_object

# Items whose length or reply is still open; a session has a handful.
MAX_OPEN_ITEMS: Final = 64

ServerEvent = dict[str, Any]


class Translator:
    """Turns what a session tells into the events a client of the API expects, in its order.

    Keeps only what the API asks for and a session event does not repeat: where speech began, and
    which items are open.
    """

    def __init__(self, session_id: str) -> None:
        self._session_id = session_id
        self._starts: OrderedDict[str, int] = OrderedDict()
        self._seconds: OrderedDict[str, float] = OrderedDict()
        self._last_item: str | None = None
        self.active_response: str | None = None

    def created(self, options: SessionOptions) -> ServerEvent:
        """Return the first event of a session."""
        return server_event("session.created", session=session_object(self._session_id, options))

    def updated(self, options: SessionOptions) -> ServerEvent:
        """Return the event that confirms new options."""
        return server_event("session.updated", session=session_object(self._session_id, options))

    def cleared(self) -> ServerEvent:
        """Return the event that confirms that input sound was forgotten."""
        return server_event("input_audio_buffer.cleared")

    def translate(self, event: events.SessionEvent) -> list[ServerEvent]:
        """Return the server events that one session event stands for."""
        match event:
            case events.UserSpeechStarted():
                _remember(self._starts, event.item_id, event.audio_start_ms)
                return [
                    server_event(
                        "input_audio_buffer.speech_started",
                        item_id=event.item_id,
                        audio_start_ms=event.audio_start_ms,
                    )
                ]
            case events.UserSpeechStopped():
                return [self._speech_stopped(event)]
            case events.UserSpeechDiscarded():
                self._starts.pop(event.item_id, None)
                return [server_event("input_audio_buffer.cleared")]
            case events.UserCommitted():
                return self._committed(event)
            case (
                events.TranscriptionDelta()
                | events.TranscriptionCompleted()
                | events.TranscriptionFailed()
            ):
                return [self._transcription(event)]
            case events.ItemTruncated():
                return [_truncated(event)]
            case events.TurnMeasured():
                return [
                    server_event(
                        "avatar.turn.measured",
                        turn=event.turn,
                        response_id=event.response_id,
                        timings=dict(event.timings),
                    )
                ]
            case events.SessionFailed():
                return [error_event("server_error", event.code, event.message)]
            case _:
                return self._response(event)

    def _response(self, event: events.SessionEvent) -> list[ServerEvent]:
        match event:
            case events.ResponseCreated():
                return self._response_created(event)
            case events.TranscriptDelta():
                # `audio_start_ms` is this server's addition: when that text is heard.
                return [
                    server_event(
                        "response.output_audio_transcript.delta",
                        delta=event.delta,
                        audio_start_ms=event.audio_start_ms,
                        **_place(event.response_id, event.item_id),
                    )
                ]
            case events.ResponseDone():
                return self._response_done(event)
            case events.OutputAudioStarted():
                name = "started"
            case events.OutputAudioStopped():
                name = "stopped"
            case events.OutputAudioCleared():
                name = "cleared"
            case _:
                raise TypeError(f"{type(event).__name__} is no session event")
        return [server_event(f"output_audio_buffer.{name}", response_id=event.response_id)]

    def _speech_stopped(self, event: events.UserSpeechStopped) -> ServerEvent:
        start = self._starts.pop(event.item_id, event.audio_end_ms)
        _remember(self._seconds, event.item_id, max(0.0, (event.audio_end_ms - start) / 1000))
        return server_event(
            "input_audio_buffer.speech_stopped",
            item_id=event.item_id,
            audio_end_ms=event.audio_end_ms,
        )

    def _committed(self, event: events.UserCommitted) -> list[ServerEvent]:
        self._last_item = event.item_id
        content: ServerEvent = {"type": "input_audio", "transcript": None}
        if event.text is not None:
            content = {"type": "input_text", "text": event.text}
        place = {"previous_item_id": event.previous_item_id}
        item = _item(event.item_id, "user", "completed", [content])
        added = [
            server_event("conversation.item.added", item=item, **place),
            server_event("conversation.item.done", item=item, **place),
        ]
        if event.text is not None:
            return added
        return [
            server_event("input_audio_buffer.committed", item_id=event.item_id, **place),
            *added,
        ]

    def _transcription(
        self,
        event: events.TranscriptionDelta
        | events.TranscriptionCompleted
        | events.TranscriptionFailed,
    ) -> ServerEvent:
        prefix = "conversation.item.input_audio_transcription"
        place = {"item_id": event.item_id, "content_index": 0}
        if isinstance(event, events.TranscriptionDelta):
            return server_event(f"{prefix}.delta", delta=event.delta, **place)
        seconds = self._seconds.pop(event.item_id, 0.0)
        if isinstance(event, events.TranscriptionFailed):
            error = {"type": "server_error", "code": "transcription_failed"}
            return server_event(
                f"{prefix}.failed", error={**error, "message": event.message}, **place
            )
        return server_event(
            f"{prefix}.completed",
            transcript=event.transcript,
            languages=[{"code": event.language}] if event.language else [],
            usage={"type": "duration", "seconds": seconds},
            **place,
        )

    def _response_created(self, event: events.ResponseCreated) -> list[ServerEvent]:
        self.active_response = event.response_id
        previous, self._last_item = self._last_item, event.item_id
        item = _item(event.item_id, "assistant", "in_progress", [])
        response = _response(event.response_id, "in_progress", [])
        place = {"response_id": event.response_id, "output_index": 0}
        return [
            server_event("response.created", response={**response, "metadata": _turn(event.turn)}),
            server_event("response.output_item.added", item=item, **place),
            server_event("conversation.item.added", item=item, previous_item_id=previous),
            server_event(
                "response.content_part.added",
                part={"type": "audio", "transcript": ""},
                **_place(event.response_id, event.item_id),
            ),
        ]

    def _response_done(self, event: events.ResponseDone) -> list[ServerEvent]:
        if self.active_response == event.response_id:
            self.active_response = None
        completed = event.status == "completed"
        content = [{"type": "output_audio", "transcript": event.transcript}]
        item = _item(
            event.item_id, "assistant", "completed" if completed else "incomplete", content
        )
        place = _place(event.response_id, event.item_id)
        response = _response(event.response_id, event.status, [item])
        response["status_details"] = _status_details(event)
        return [
            server_event("response.output_audio.done", **place),
            server_event(
                "response.output_audio_transcript.done", transcript=event.transcript, **place
            ),
            server_event(
                "response.content_part.done",
                part={"type": "audio", "transcript": event.transcript},
                **place,
            ),
            server_event(
                "response.output_item.done",
                item=item,
                response_id=event.response_id,
                output_index=0,
            ),
            server_event("conversation.item.done", item=item, previous_item_id=None),
            server_event("response.done", response=response),
        ]


def server_event(kind: str, **fields: Any) -> ServerEvent:
    """Return a server event with a fresh id."""
    return {"type": kind, "event_id": f"event_{secrets.token_hex(10)}", **fields}


def error_event(
    kind: str, code: str, message: str, param: str | None = None, event_id: str | None = None
) -> ServerEvent:
    """Return an `error` event; `event_id` is that of the client event that caused it."""
    return server_event(
        "error",
        error={
            "type": kind,
            "code": code,
            "message": message,
            "param": param,
            "event_id": event_id,
        },
    )


def refusal(error: EventError, event_id: str | None) -> ServerEvent:
    """Return the `error` event for a client event that is not accepted."""
    return error_event("invalid_request_error", error.code, str(error), error.param, event_id)


def _truncated(event: events.ItemTruncated) -> ServerEvent:
    # `transcript` is this server's addition: what was heard of the item.
    return server_event(
        "conversation.item.truncated",
        item_id=event.item_id,
        content_index=0,
        audio_end_ms=event.audio_end_ms,
        transcript=event.transcript,
    )


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


def _response(response_id: str, status: str, output: list[ServerEvent]) -> ServerEvent:
    return {
        "id": response_id,
        "object": "realtime.response",
        "status": status,
        "status_details": None,
        "output": output,
        "output_modalities": ["audio"],
    }


def _item(item_id: str, role: str, status: str, content: list[ServerEvent]) -> ServerEvent:
    return {
        "id": item_id,
        "object": "realtime.item",
        "type": "message",
        "role": role,
        "status": status,
        "content": content,
    }


def _place(response_id: str, item_id: str) -> ServerEvent:
    return {
        "response_id": response_id,
        "item_id": item_id,
        "output_index": 0,
        "content_index": 0,
    }


def _turn(turn: int) -> Mapping[str, str]:
    return {"turn": str(turn)}


def _remember(table: "OrderedDict[str, Any]", key: str, value: object) -> None:
    table[key] = value
    if len(table) > MAX_OPEN_ITEMS:
        table.popitem(last=False)
