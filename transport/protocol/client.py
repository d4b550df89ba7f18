"""Client events: what a client sends."""

from typing import Annotated, Any, Final, Literal

from pydantic import Field

from transport.protocol.base import (
    ACTION,
    ID,
    MAX_AUDIO_BASE64,
    MAX_AUDIO_MS,
    MAX_OUTPUT,
    MAX_TEXT,
    EventId,
    ItemId,
    Language,
    LookName,
    Milliseconds,
    ResponseId,
    Shape,
)
from transport.protocol.session import Metadata, ResponseWish, Session


class ClientEvent(Shape):
    """One message from a client."""

    event_id: EventId | None = None


class SessionUpdate(ClientEvent):
    """Change the session; what is absent stays."""

    type: Literal["session.update"]
    session: Session


APPEND: Final = "input_audio_buffer.append"


class AudioAppend(ClientEvent):
    """Add sound of the person (WebSocket; a WebRTC call has a track for it)."""

    type: Literal["input_audio_buffer.append"]
    audio: Annotated[
        str,
        Field(
            max_length=MAX_AUDIO_BASE64, description="Base64 of PCM16, mono, 24 kHz, up to 20 s."
        ),
    ]


class AudioCommit(ClientEvent):
    """End the person's turn now."""

    type: Literal["input_audio_buffer.commit"]


class AudioClear(ClientEvent):
    """Forget sound that has not become a turn."""

    type: Literal["input_audio_buffer.clear"]


class TextPart(Shape):
    """Text of a message."""

    type: Literal["input_text", "output_text", "text"]
    text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]


class Message(Shape):
    """A message of the user, of the host (what it is to have said) or of the system."""

    type: Literal["message"]
    role: Literal["user", "assistant", "system"]
    content: Annotated[list[TextPart], Field(min_length=1, max_length=16)]
    id: ItemId | None = None
    object: Literal["realtime.item"] | None = None
    status: Literal["completed", "incomplete", "in_progress"] | None = None


class FunctionOutput(Shape):
    """What a function gave back."""

    type: Literal["function_call_output"]
    call_id: ItemId
    output: Annotated[str, Field(max_length=MAX_OUTPUT, description="Text or JSON.")]
    id: ItemId | None = None
    object: Literal["realtime.item"] | None = None
    status: Literal["completed", "incomplete", "in_progress"] | None = None


class FunctionCall(Shape):
    """A call made earlier, for a conversation that is taken up again."""

    type: Literal["function_call"]
    call_id: ItemId
    name: Annotated[str, Field(pattern=ID)]
    arguments: Annotated[str, Field(max_length=MAX_OUTPUT, description="JSON.")]
    id: ItemId | None = None
    object: Literal["realtime.item"] | None = None
    status: Literal["completed", "incomplete", "in_progress"] | None = None


class ItemCreate(ClientEvent):
    """Add an item to the conversation. It is not answered by itself: see response.create."""

    type: Literal["conversation.item.create"]
    item: Annotated[Message | FunctionOutput | FunctionCall, Field(discriminator="type")]
    previous_item_id: Annotated[
        ItemId | None, Field(description='After which item; "root": at the beginning.')
    ] = None


class ItemRetrieve(ClientEvent):
    """Ask for an item as the conversation holds it."""

    type: Literal["conversation.item.retrieve"]
    item_id: ItemId


class ItemDelete(ClientEvent):
    """Take an item out of the conversation."""

    type: Literal["conversation.item.delete"]
    item_id: ItemId


class ItemTruncate(ClientEvent):
    """Cut a reply to what was heard of it."""

    type: Literal["conversation.item.truncate"]
    item_id: ItemId
    content_index: Literal[0] = 0
    audio_end_ms: Milliseconds


class ResponseCreate(ClientEvent):
    """Answer the newest message, or greet where there is none."""

    type: Literal["response.create"]
    response: ResponseWish | None = None


class ResponseCancel(ClientEvent):
    """Stop the response in progress."""

    type: Literal["response.cancel"]
    response_id: ResponseId | None = None


class OutputClear(ClientEvent):
    """Fall silent."""

    type: Literal["output_audio_buffer.clear"]


class AvatarSay(ClientEvent):
    """Speak this text, word for word. It becomes a reply of the conversation."""

    type: Literal["avatar.say"]
    text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]
    language: Annotated[Language | None, Field(description="Else told by its script.")] = None
    interrupt: Annotated[
        bool, Field(description="Break off a reply in progress; else wait until it is over.")
    ] = True
    metadata: Metadata | None = None


class AvatarAction(ClientEvent):
    """Make a gesture now, such as "wave" or "point" (`vivant motion show` lists them)."""

    type: Literal["avatar.action"]
    action: Annotated[str, Field(pattern=ACTION)]
    parameters: Annotated[dict[str, str | float], Field(max_length=8)] = Field(default_factory=dict)


class AvatarSceneUpdate(ClientEvent):
    """Change the scene, as `session.avatar.scene` does."""

    type: Literal["avatar.scene.update"]
    scene: LookName | dict[str, Any]


class AvatarNotesAsk(ClientEvent):
    """Ask what the avatar sees; answered by `avatar.notes`."""

    type: Literal["avatar.notes"]


class AvatarHeard(ClientEvent):
    """Tell how far the listener has heard, from time to time: an interruption, or a connection
    that is lost, then cuts the history where it should (WebSocket; calls measure it).
    """

    type: Literal["avatar.heard"]
    position_ms: Annotated[
        float,
        Field(ge=0, le=MAX_AUDIO_MS, description="On the clock of response.output_audio.delta."),
    ]


OpenAIClientEvent = (
    SessionUpdate
    | AudioAppend
    | AudioCommit
    | AudioClear
    | ItemCreate
    | ItemRetrieve
    | ItemDelete
    | ItemTruncate
    | ResponseCreate
    | ResponseCancel
    | OutputClear
)
AvatarClientEvent = AvatarSay | AvatarAction | AvatarSceneUpdate | AvatarNotesAsk | AvatarHeard
AnyClientEvent = OpenAIClientEvent | AvatarClientEvent
