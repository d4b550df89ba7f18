"""Session events as server events of the OpenAI Realtime API (GA). Knows no connection."""

from collections import OrderedDict
from typing import Any, Final

from pipeline import events
from transport.errors import EventError
from transport.items import ServerEvent, item_of, message, server_event
from transport.responses import Responses

# Items whose length or reply is still open; a session has a handful.
MAX_OPEN_ITEMS: Final = 64


class Translator:
    """Turns what a session tells into the events a client of the API expects, in its order.

    Keeps only what the API asks for and a session event does not repeat: where speech began, and
    which items are open.
    """

    def __init__(self) -> None:
        self.responses = Responses()
        self._starts: OrderedDict[str, int] = OrderedDict()
        self._seconds: OrderedDict[str, float] = OrderedDict()
        self._last_item: str | None = None

    def translate(self, event: events.SessionEvent) -> list[ServerEvent]:
        """Return the server events that one session event stands for."""
        match event:
            case events.UserSpeechStarted() | events.UserSpeechStopped():
                return [self._speech(event)]
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
            case events.ItemAdded() | events.ItemDeleted() | events.ItemTruncated():
                return self._item(event)
            case events.IdleTimeout():
                return [
                    server_event(
                        "input_audio_buffer.timeout_triggered",
                        item_id=event.item_id,
                        audio_start_ms=event.audio_start_ms,
                        audio_end_ms=event.audio_end_ms,
                    )
                ]
            case events.SessionFailed():
                return [error_event("server_error", event.code, event.message)]
            case events.SpokenThrough():
                return []  # a matter of live rooms
            case _:
                return self._response(event)

    def _response(self, event: events.SessionEvent) -> list[ServerEvent]:
        match event:
            case events.ResponseCreated():
                previous, self._last_item = self._last_item, event.item_id
                return self.responses.created(event, previous)
            case events.TranscriptDelta():
                return self.responses.text(event)
            case events.FunctionCalled():
                self._last_item = event.item_id
                return self.responses.called(event)
            case events.ResponseDone():
                return self.responses.done(event)
            case events.OutputAudioStarted():
                name = "output_audio_buffer.started"
            case events.OutputAudioStopped():
                name = "output_audio_buffer.stopped"
            case events.OutputAudioCleared():
                name = "output_audio_buffer.cleared"
            case events.TurnMeasured():
                return [
                    server_event(
                        "avatar.turn.measured",
                        turn=event.turn,
                        response_id=event.response_id,
                        timings=dict(event.timings),
                    )
                ]
            case _:
                raise TypeError(f"{type(event).__name__} is no session event")
        return [server_event(name, response_id=event.response_id)]

    def _item(
        self, event: events.ItemAdded | events.ItemDeleted | events.ItemTruncated
    ) -> list[ServerEvent]:
        if isinstance(event, events.ItemDeleted):
            return [server_event("conversation.item.deleted", item_id=event.item_id)]
        if isinstance(event, events.ItemTruncated):
            # `transcript` is this server's addition: what was heard of the item.
            return [
                server_event(
                    "conversation.item.truncated",
                    item_id=event.item_id,
                    content_index=0,
                    audio_end_ms=event.audio_end_ms,
                    transcript=event.transcript,
                )
            ]
        self._last_item = event.item.id
        told = {"item": item_of(event.item), "previous_item_id": event.previous_item_id}
        return [
            server_event("conversation.item.added", **told),
            server_event("conversation.item.done", **told),
        ]

    def _speech(self, event: events.UserSpeechStarted | events.UserSpeechStopped) -> ServerEvent:
        if isinstance(event, events.UserSpeechStarted):
            _remember(self._starts, event.item_id, event.audio_start_ms)
            return server_event(
                "input_audio_buffer.speech_started",
                item_id=event.item_id,
                audio_start_ms=event.audio_start_ms,
            )
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
        item = message(event.item_id, "user", "completed", [content])
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


def _remember(table: "OrderedDict[str, Any]", key: str, value: object) -> None:
    table[key] = value
    if len(table) > MAX_OPEN_ITEMS:
        table.popitem(last=False)
