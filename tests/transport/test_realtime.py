"""Every server event has the shape that the OpenAI client's own types expect, in legal order."""

from typing import Any

import pytest
from openai.types.realtime import RealtimeServerEvent
from pydantic import TypeAdapter

from agents.history import Item
from pipeline import events
from pipeline.options import SessionOptions, VideoFormat
from tests.transport.server_events import OWN_EVENTS, validate
from transport.errors import EventError
from transport.items import server_event
from transport.realtime import Translator, error_event, refusal
from transport.session_object import session_object

ADAPTER: TypeAdapter[Any] = TypeAdapter(RealtimeServerEvent)


@pytest.fixture
def translator() -> Translator:
    return Translator()


ALL: list[events.SessionEvent] = [
    events.UserSpeechStarted("u1", 300),
    events.TranscriptionDelta("u1", "what does"),
    events.UserSpeechStopped("u1", 1800),
    events.UserCommitted("u1", None),
    events.TranscriptionCompleted("u1", "what does it cost", "en"),
    events.ResponseCreated("r1", "a1", 1),
    events.TranscriptDelta("r1", "a1", "It costs ten."),
    events.OutputAudioStarted("r1"),
    events.TurnMeasured(1, "r1", {"silence": 0.3}),
    events.ResponseDone("r1", "a1", "completed", "It costs ten."),
    events.OutputAudioStopped("r1"),
    events.UserSpeechStarted("u2", 9000),
    events.UserSpeechDiscarded("u2"),
    events.UserCommitted("u3", "a1", "typed"),
    events.ResponseCreated("r2", "a2", 2),
    events.OutputAudioCleared("r2"),
    events.ItemTruncated("a2", 450, "It"),
    events.ResponseDone("r2", "a2", "cancelled", "It costs", "turn_detected"),
    events.ResponseCreated("r3", "a3", 3),
    events.ResponseDone("r3", "a3", "failed", "", None, "the voice failed"),
    events.TranscriptionFailed("u4", "no model"),
    events.ItemAdded(Item("s1", "system", "Be kind."), "a3"),
    events.ItemAdded(Item("o1", "output", "{}", call_id="c1", name="stock"), "s1"),
    events.ItemDeleted("s1"),
    events.IdleTimeout("i1", 0, 6000),
    events.ResponseCreated("r4", "a4", 4, "text", {"mine": "yes"}),
    events.TranscriptDelta("r4", "a4", "One moment."),
    events.FunctionCalled("r4", "f4", "c4", "stock", '{"item": "mug"}'),
    events.ResponseDone("r4", "a4", "completed", "One moment.", usage=events.Usage(3, 20, 2, 0)),
    events.SessionFailed("draw_failed", "the renderer stopped"),
]


def test_all_shapes_are_the_apis(translator: Translator) -> None:
    session = session_object("sess_1", SessionOptions(voice="tone", video=VideoFormat()))
    sent = [
        server_event("session.created", session=session),
        server_event("input_audio_buffer.cleared"),
    ]
    for event in ALL:
        sent += translator.translate(event)
    sent.append(refusal(EventError("invalid_value", "no", "x.y"), "event_7"))
    for value in sent:
        validate(value)
    assert len({value["event_id"] for value in sent}) == len(sent)
    assert {value["type"] for value in sent} >= {
        "session.created",
        "conversation.item.truncated",
        *OWN_EVENTS,
    }


def kinds(translator: Translator, *given: events.SessionEvent) -> list[str]:
    return [value["type"] for event in given for value in translator.translate(event)]


def test_a_spoken_turn(translator: Translator) -> None:
    assert kinds(translator, *ALL[:5]) == [
        "input_audio_buffer.speech_started",
        "conversation.item.input_audio_transcription.delta",
        "input_audio_buffer.speech_stopped",
        "input_audio_buffer.committed",
        "conversation.item.added",
        "conversation.item.done",
        "conversation.item.input_audio_transcription.completed",
    ]


def test_a_response(translator: Translator) -> None:
    assert kinds(translator, *ALL[5:11]) == [
        "response.created",
        "response.output_item.added",
        "conversation.item.added",
        "response.content_part.added",
        "response.output_audio_transcript.delta",
        "output_audio_buffer.started",
        "avatar.turn.measured",
        "response.output_audio.done",
        "response.output_audio_transcript.done",
        "response.content_part.done",
        "response.output_item.done",
        "conversation.item.done",
        "response.done",
        "output_audio_buffer.stopped",
    ]


def test_typed_text_is_no_audio(translator: Translator) -> None:
    added, done = translator.translate(events.UserCommitted("u3", "a1", "typed"))
    assert added["item"]["content"] == [{"type": "input_text", "text": "typed"}]
    assert (added["previous_item_id"], done["item"]["id"]) == ("a1", "u3")


def test_transcription_is_billed_by_the_seconds_spoken(translator: Translator) -> None:
    last: dict[str, Any] = {}
    for event in ALL[:5]:
        last = translator.translate(event)[-1]
    assert last["usage"] == {"type": "duration", "seconds": 1.5}
    assert last["languages"] == [{"code": "en"}]


def test_a_reply_follows_the_item_it_answers(translator: Translator) -> None:
    translator.translate(events.UserCommitted("u1", None))
    translator.translate(events.ResponseCreated("r1", "a1", 1))
    added = translator.translate(events.TranscriptDelta("r1", "a1", "Ten."))[1]
    assert (added["item"]["id"], added["previous_item_id"]) == ("a1", "u1")


@pytest.mark.parametrize(
    ("done", "details"),
    [
        (events.ResponseDone("r", "a", "completed", "x"), None),
        (
            events.ResponseDone("r", "a", "cancelled", "x", "client_cancelled"),
            {"type": "cancelled", "reason": "client_cancelled"},
        ),
        (
            events.ResponseDone("r", "a", "failed", "", None, "broken"),
            {
                "type": "failed",
                "error": {"type": "server_error", "code": "response_failed", "message": "broken"},
            },
        ),
    ],
)
def test_why_a_response_ended(
    translator: Translator, done: events.ResponseDone, details: dict[str, Any] | None
) -> None:
    translator.translate(events.ResponseCreated("r", "a", 1))
    translator.translate(events.TranscriptDelta("r", "a", "x"))
    assert translator.responses.active == "r"
    response = translator.translate(done)[-1]["response"]
    assert translator.responses.active is None
    assert response["status_details"] == details
    assert response["output"][0]["content"][0]["transcript"] == done.transcript


def test_open_items_are_bounded(translator: Translator) -> None:
    for index in range(500):
        translator.translate(events.UserSpeechStarted(f"u{index}", 0))
        translator.translate(events.UserSpeechStopped(f"v{index}", 10))
    assert len(translator._starts) <= 64
    assert len(translator._seconds) <= 64


def test_errors_name_the_event_that_caused_them() -> None:
    value = error_event("invalid_request_error", "invalid_value", "no", "a.b", "event_9")
    assert value["error"] == {
        "type": "invalid_request_error",
        "code": "invalid_value",
        "message": "no",
        "param": "a.b",
        "event_id": "event_9",
    }


def test_a_reply_that_only_calls_a_function_has_no_message(translator: Translator) -> None:
    sent = []
    for event in (
        events.ResponseCreated("r", "a", 1),
        events.FunctionCalled("r", "f", "c", "stock", '{"item": "mug"}'),
        events.ResponseDone("r", "a", "completed", ""),
    ):
        sent += translator.translate(event)
    assert [event["type"] for event in sent] == [
        "response.created",
        "response.output_item.added",
        "conversation.item.added",
        "response.function_call_arguments.delta",
        "response.function_call_arguments.done",
        "response.output_item.done",
        "conversation.item.done",
        "response.done",
    ]
    (item,) = sent[-1]["response"]["output"]
    assert (item["type"], item["call_id"], item["arguments"]) == (
        "function_call",
        "c",
        '{"item": "mug"}',
    )


def test_text_alone_is_told_as_text_with_what_it_took(translator: Translator) -> None:
    sent = []
    for event in ALL[-5:-1]:
        sent += translator.translate(event)
    told = [event["type"] for event in sent]
    assert "response.output_text.delta" in told
    assert not any("audio" in kind for kind in told)
    response = sent[-1]["response"]
    assert response["metadata"] == {"turn": "4", "mine": "yes"}
    assert [item["type"] for item in response["output"]] == ["message", "function_call"]
    assert response["usage"]["total_tokens"] == 25
    assert response["usage"]["input_token_details"]["audio_tokens"] == 20
