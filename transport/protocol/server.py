"""Server events: what a client is sent."""

from typing import Annotated, Any, Literal

from pydantic import Field

from transport.protocol.base import Told
from transport.protocol.session import Session

Base64 = Annotated[str, Field(description="Base64.")]


class ServerEvent(Told):
    """One message from the server."""

    event_id: str


class ItemContent(Told):
    """A part of an item: text, or sound with its transcript."""

    type: Literal["input_text", "input_audio", "output_text", "output_audio"]
    text: str | None = None
    transcript: str | None = None


class Item(Told):
    """An item of the conversation: a message, a function call or its output."""

    id: str
    object: Literal["realtime.item"]
    type: Literal["message", "function_call", "function_call_output"]
    status: Literal["completed", "incomplete", "in_progress"]
    role: Literal["user", "assistant", "system"] | None = None
    content: list[ItemContent] | None = None
    call_id: str | None = None
    name: str | None = None
    arguments: str | None = None
    output: str | None = None


class TokenDetails(Told):
    """Tokens by kind: words of text; tenths of a second heard, twentieths spoken."""

    text_tokens: int
    audio_tokens: int


class Usage(Told):
    """What a response took, in tokens."""

    total_tokens: int
    input_tokens: int
    output_tokens: int
    input_token_details: TokenDetails
    output_token_details: TokenDetails


class Response(Told):
    """A reply of the host."""

    id: str
    object: Literal["realtime.response"]
    status: Literal["in_progress", "completed", "cancelled", "failed", "incomplete"]
    status_details: dict[str, Any] | None
    output: list[Item]
    output_modalities: list[Literal["audio", "text"]]
    metadata: dict[str, str] | None = None
    usage: Usage | None = None


class Part(Told):
    """A part of a reply."""

    type: Literal["audio", "text"]
    text: str | None = None
    transcript: str | None = None


class ErrorDetail(Told):
    """What was wrong, with which value, and what is accepted."""

    type: Literal["invalid_request_error", "server_error", "rate_limit_error"]
    code: Annotated[str, Field(description="For programs.")]
    message: Annotated[str, Field(description="For people: the value, and what is accepted.")]
    param: Annotated[str | None, Field(description="Path of the field at fault.")] = None
    event_id: Annotated[str | None, Field(description="Of the client event that caused it.")] = None


class ErrorEvent(ServerEvent):
    """Something was not accepted, or failed. The session goes on."""

    type: Literal["error"]
    error: ErrorDetail


class SessionCreated(ServerEvent):
    """The first event: the session as it is."""

    type: Literal["session.created"]
    session: Session


class SessionUpdated(ServerEvent):
    """The session after a change."""

    type: Literal["session.updated"]
    session: Session


class SpeechStarted(ServerEvent):
    """The person has begun to speak."""

    type: Literal["input_audio_buffer.speech_started"]
    item_id: Annotated[str, Field(description="Which item it will be.")]
    audio_start_ms: Annotated[int, Field(description="In the sound sent so far in this session.")]


class SpeechStopped(ServerEvent):
    """The person has stopped."""

    type: Literal["input_audio_buffer.speech_stopped"]
    item_id: str
    audio_end_ms: Annotated[int, Field(description="In the sound sent so far in this session.")]


class AudioCommitted(ServerEvent):
    """What was said has become an item."""

    type: Literal["input_audio_buffer.committed"]
    item_id: str
    previous_item_id: str | None


class AudioCleared(ServerEvent):
    """Sound that had not become a turn is forgotten."""

    type: Literal["input_audio_buffer.cleared"]


class TimeoutTriggered(ServerEvent):
    """Nobody has spoken for `idle_timeout_ms`; the host asks whether somebody is there."""

    type: Literal["input_audio_buffer.timeout_triggered"]
    item_id: str
    audio_start_ms: int
    audio_end_ms: int


class ItemAdded(ServerEvent):
    """An item has come into the conversation."""

    type: Literal["conversation.item.added"]
    item: Item
    previous_item_id: str | None


class ItemDone(ServerEvent):
    """An item is whole."""

    type: Literal["conversation.item.done"]
    item: Item
    previous_item_id: str | None


class ItemRetrieved(ServerEvent):
    """An item as the conversation holds it."""

    type: Literal["conversation.item.retrieved"]
    item: Item


class ItemTruncated(ServerEvent):
    """An item has been cut to what was heard of it, which `transcript` says."""

    type: Literal["conversation.item.truncated"]
    item_id: str
    content_index: int
    audio_end_ms: int
    transcript: str


class ItemDeleted(ServerEvent):
    """An item has gone."""

    type: Literal["conversation.item.deleted"]
    item_id: str


class TranscriptionDelta(ServerEvent):
    """More of what the person says, while they speak."""

    type: Literal["conversation.item.input_audio_transcription.delta"]
    item_id: str
    content_index: int
    delta: str


class TranscriptionCompleted(ServerEvent):
    """All of what the person said."""

    type: Literal["conversation.item.input_audio_transcription.completed"]
    item_id: str
    content_index: int
    transcript: str
    languages: list[dict[str, str]]
    usage: dict[str, Any]


class TranscriptionFailed(ServerEvent):
    """What was said could not be recognised."""

    type: Literal["conversation.item.input_audio_transcription.failed"]
    item_id: str
    content_index: int
    error: dict[str, Any]


class ResponseCreated(ServerEvent):
    """A reply begins."""

    type: Literal["response.created"]
    response: Response


class ResponseDone(ServerEvent):
    """A reply has been made, given up or has failed. In a call its sound may still be under way;
    over a WebSocket its last sound has been sent.
    """

    type: Literal["response.done"]
    response: Response


class OutputItemAdded(ServerEvent):
    """An item of the reply begins."""

    type: Literal["response.output_item.added"]
    response_id: str
    output_index: int
    item: Item


class OutputItemDone(ServerEvent):
    """An item of the reply is whole."""

    type: Literal["response.output_item.done"]
    response_id: str
    output_index: int
    item: Item


class InResponse(ServerEvent):
    """Where in a reply an event belongs."""

    response_id: str
    item_id: str
    output_index: int
    content_index: int


class PartAdded(InResponse):
    """A part of an item begins."""

    type: Literal["response.content_part.added"]
    part: Part


class PartDone(InResponse):
    """A part of an item is whole."""

    type: Literal["response.content_part.done"]
    part: Part


class OutputAudioDelta(InResponse):
    """Sound of the reply, PCM16 at 24 kHz, sent when it is due (WebSocket)."""

    type: Literal["response.output_audio.delta"]
    delta: Base64
    position_ms: Annotated[
        float, Field(description="Where it begins on the session's output clock.")
    ]


class OutputAudioDone(InResponse):
    """All sound of the reply has been made, and over a WebSocket sent."""

    type: Literal["response.output_audio.done"]


class TranscriptDelta(InResponse):
    """Text of the reply, a clause at a time."""

    type: Literal["response.output_audio_transcript.delta"]
    delta: str
    audio_start_ms: Annotated[
        int, Field(description="When it is heard, from the first sound of the reply.")
    ]


class TranscriptDone(InResponse):
    """All text of the reply."""

    type: Literal["response.output_audio_transcript.done"]
    transcript: str


class TextDelta(InResponse):
    """Text of a reply without sound."""

    type: Literal["response.output_text.delta"]
    delta: str


class TextDone(InResponse):
    """All text of a reply without sound."""

    type: Literal["response.output_text.done"]
    text: str


class InCall(ServerEvent):
    """Which function call an event belongs to."""

    response_id: str
    item_id: str
    output_index: int
    call_id: str


class ArgumentsDelta(InCall):
    """Arguments of a function call."""

    type: Literal["response.function_call_arguments.delta"]
    delta: str


class ArgumentsDone(InCall):
    """The host asks for a function: answer with a `function_call_output` and response.create."""

    type: Literal["response.function_call_arguments.done"]
    name: str
    arguments: str


class OutputStarted(ServerEvent):
    """The first sound of the reply has been sent."""

    type: Literal["output_audio_buffer.started"]
    response_id: str


class OutputStopped(ServerEvent):
    """The last sound of the reply has been sent."""

    type: Literal["output_audio_buffer.stopped"]
    response_id: str


class OutputCleared(ServerEvent):
    """Sound not yet sent was thrown away: a client that plays from a buffer empties it."""

    type: Literal["output_audio_buffer.cleared"]
    response_id: str


class RateLimits(ServerEvent):
    """How many events the client may still send."""

    type: Literal["rate_limits.updated"]
    rate_limits: list[dict[str, Any]]


class TurnMeasured(ServerEvent):
    """Where the time of a turn went: seconds after the end of speech."""

    type: Literal["avatar.turn.measured"]
    turn: Annotated[int, Field(description="Which, from 1.")]
    response_id: str
    timings: Annotated[
        dict[str, float],
        Field(
            description="recognised, silence (the turn was over), first_clause, first_audio "
            "(made), first_sound (sent)."
        ),
    ]


class MotionFormat(ServerEvent):
    """How to read the poses that follow."""

    type: Literal["avatar.motion.format"]
    encoding: Literal["base64"]
    poses_per_second: int
    joints: Annotated[list[str], Field(description="Names, in the order of all that follows.")]
    parents: Annotated[list[int], Field(description="The joint each hangs on; -1: none.")]
    rest: Annotated[
        Base64, Field(description="float32 [joints, 3]: where joints are at rest, metres.")
    ]
    blendshapes: Annotated[list[str], Field(description="Names, in the order of `face`.")]


class MotionDelta(ServerEvent):
    """One pose, somewhat ahead of the sound of the same position."""

    type: Literal["avatar.motion.delta"]
    position_ms: Annotated[float, Field(description="On the clock of response.output_audio.delta.")]
    rotations: Annotated[
        Base64, Field(description="float32 little endian [joints, 4]: w, x, y, z, local.")
    ]
    translation: Annotated[list[float], Field(description="Of the root from rest, metres.")]
    face: Annotated[Base64, Field(description="float32 [52]: ARKit coefficients, 0 to 1.")]


class VideoDelta(ServerEvent):
    """One coded picture."""

    type: Literal["avatar.video.delta"]
    position_ms: Annotated[float, Field(description="On the clock of response.output_audio.delta.")]
    keyframe: Annotated[bool, Field(description="Decodes without the pictures before it.")]
    codec: Literal["h264", "vp8"]
    data: Annotated[Base64, Field(description="An H264 access unit with start codes.")]


class Notes(ServerEvent):
    """What the avatar sees; `seeing` is false where no vision model is configured."""

    type: Literal["avatar.notes"]
    seeing: bool
    notes: list[dict[str, Any]]


class Lagging(ServerEvent):
    """The client does not read fast enough: so many messages of a kind were left out."""

    type: Literal["avatar.lagging"]
    motion: Annotated[int, Field(description="Poses.")]
    video: Annotated[int, Field(description="Pictures.")]


OpenAIServerEvent = (
    ErrorEvent
    | SessionCreated
    | SessionUpdated
    | SpeechStarted
    | SpeechStopped
    | AudioCommitted
    | AudioCleared
    | TimeoutTriggered
    | ItemAdded
    | ItemDone
    | ItemRetrieved
    | ItemTruncated
    | ItemDeleted
    | TranscriptionDelta
    | TranscriptionCompleted
    | TranscriptionFailed
    | ResponseCreated
    | ResponseDone
    | OutputItemAdded
    | OutputItemDone
    | PartAdded
    | PartDone
    | OutputAudioDelta
    | OutputAudioDone
    | TranscriptDelta
    | TranscriptDone
    | TextDelta
    | TextDone
    | ArgumentsDelta
    | ArgumentsDone
    | OutputStarted
    | OutputStopped
    | OutputCleared
    | RateLimits
)
AvatarServerEvent = TurnMeasured | MotionFormat | MotionDelta | VideoDelta | Notes | Lagging
AnyServerEvent = OpenAIServerEvent | AvatarServerEvent
