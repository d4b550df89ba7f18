"""The `session` object: what a client may set, and what it is told."""

from typing import Annotated, Any, Literal

from pydantic import Field

from transport.protocol.base import (
    ID,
    MAX_INSTRUCTIONS,
    SIZE,
    LookName,
    Modality,
    Shape,
)

_RESUME = "With it a client that lost its connection goes on; as good as a password."


class PcmFormat(Shape):
    """16-bit PCM, mono, little endian, 24 kHz; in JSON as base64."""

    type: Literal["audio/pcm"] = "audio/pcm"
    rate: Literal[24000] = 24000


class Transcription(Shape):
    """Recognition of what the person says. `model` and `prompt` have no effect here."""

    language: Annotated[
        Literal["auto", "en", "zh"] | None, Field(description="Which language is spoken.")
    ] = None
    model: Annotated[str | None, Field(max_length=80)] = None
    prompt: Annotated[str | None, Field(max_length=MAX_INSTRUCTIONS)] = None


class ServerVad(Shape):
    """Turns end after silence. Without `silence_duration_ms` the text decides how long: 300 to 800
    ms after a finished sentence, up to 2 s after an unfinished one.
    """

    type: Literal["server_vad"] = "server_vad"
    threshold: Annotated[
        float, Field(ge=0.1, le=0.95, description="Probability at which sound counts as speech.")
    ] = 0.5
    prefix_padding_ms: Annotated[
        int, Field(ge=0, le=1000, description="Sound kept from before speech began.")
    ] = 300
    silence_duration_ms: Annotated[
        int | None, Field(ge=200, le=2000, description="Silence that ends a turn.")
    ] = None
    create_response: Annotated[bool, Field(description="Answer when a turn ends.")] = True
    interrupt_response: Annotated[
        bool, Field(description="Stop the answer when the person speaks.")
    ] = True
    idle_timeout_ms: Annotated[
        int | None,
        Field(
            ge=5000,
            le=30000,
            description="Ask whether somebody is there when nobody has spoken for so long after a "
            "reply.",
        ),
    ] = None


class SemanticVad(Shape):
    """Turns end when what was said reads as finished."""

    type: Literal["semantic_vad"]
    eagerness: Annotated[
        Literal["low", "medium", "high", "auto"],
        Field(description="How soon: high ends sooner after a finished sentence, low waits."),
    ] = "auto"
    create_response: bool = True
    interrupt_response: bool = True


class NoiseReduction(Shape):
    """Not done here: accepted in shape, refused in effect."""

    type: Literal["near_field", "far_field"] | None = None
    strength: float | None = None


class AudioInput(Shape):
    """How the person is heard."""

    format: PcmFormat | None = None
    transcription: Transcription | None = None
    turn_detection: Annotated[
        ServerVad | SemanticVad | None,
        Field(description="Who ends turns; null: the client, with input_audio_buffer.commit."),
    ] = None
    noise_reduction: NoiseReduction | None = None


class CustomVoice(Shape):
    """A voice named by an object."""

    id: Annotated[str, Field(max_length=80)]


class AudioOutput(Shape):
    """How the host sounds."""

    format: PcmFormat | None = None
    voice: Annotated[
        Annotated[str, Field(max_length=80)] | CustomVoice | None,
        Field(description="A name that GET /v1/voices lists."),
    ] = None
    speed: Annotated[float, Field(ge=0.5, le=2.0, description="1 is the voice's own pace.")] = 1.0


class Audio(Shape):
    """Sound in both directions."""

    input: AudioInput | None = None
    output: AudioOutput | None = None


class FunctionTool(Shape):
    """A function the client offers; the host asks for it by name, with arguments."""

    type: Literal["function"] = "function"
    name: Annotated[str, Field(pattern=ID)]
    description: Annotated[str, Field(max_length=1024)] = ""
    parameters: Annotated[
        dict[str, Any], Field(description="JSON Schema of the arguments, an object.")
    ] = Field(default_factory=lambda: {"type": "object", "properties": {}})


class FunctionChoice(Shape):
    """Demands one function."""

    type: Literal["function"] = "function"
    name: Annotated[str, Field(pattern=ID)]


ToolChoice = Literal["auto", "none", "required"] | FunctionChoice
Tools = Annotated[list[FunctionTool], Field(max_length=32)]
MaxTokens = Annotated[int, Field(ge=1, le=4096)] | Literal["inf"]


class MotionStream(Shape):
    """Poses for an engine that draws by itself."""

    encoding: Literal["base64"] = "base64"


class VideoFormat(Shape):
    """The picture, fixed when a session opens."""

    codec: Literal["vp8", "h264"]
    width: Annotated[int, Field(description="Pixels.")]
    height: Annotated[int, Field(description="Pixels.")]


class AvatarSession(Shape):
    """The extension: who is seen, where, and what else the client is sent."""

    name: Annotated[LookName | None, Field(description="Who; stays while the session lasts.")] = (
        None
    )
    scene: Annotated[
        LookName | dict[str, Any] | None,
        Field(
            description="Where: the name of a stored scene, or an object of its fields, laid over "
            "the scene `name` or over what is shown now."
        ),
    ] = None
    style: Annotated[LookName | None, Field(description="How the body moves.")] = None
    framing: Annotated[
        Literal["head", "half", "full"] | None, Field(description="How much is seen.")
    ] = None
    video: VideoFormat | None = None
    motion: Annotated[
        MotionStream | None, Field(description="Send `avatar.motion.delta` (WebSocket only).")
    ] = None
    video_delta: Annotated[
        bool, Field(description="Send `avatar.video.delta` (WebSocket with a picture size).")
    ] = True
    size: Annotated[
        str | None,
        Field(
            pattern=SIZE,
            description="Size of the picture when a session is opened, such as 540x960; none.",
        ),
    ] = None
    # What the server tells and a client may send back as it was.
    protocol: Annotated[str | None, Field(description="Version of this extension.")] = None
    resumed: Annotated[
        bool | None, Field(description="Whether it goes on after a connection was lost.")
    ] = None
    resume_token: Annotated[str | None, Field(max_length=128, description=_RESUME)] = None
    follows_instructions: Annotated[
        bool | None, Field(description="Whether the host's model heeds `instructions`.")
    ] = None


class Session(Shape):
    """The session. In `session.update` absent fields stay as they are."""

    type: Literal["realtime"] = "realtime"
    object: Literal["realtime.session"] | None = None
    id: Annotated[str | None, Field(max_length=128)] = None
    model: Annotated[
        str | None, Field(max_length=80, description="Has no effect: the server's configuration.")
    ] = None
    expires_at: int | None = None
    output_modalities: Annotated[
        list[Modality],
        Field(
            min_length=1, max_length=1, description='["audio"], which has text too, or ["text"].'
        ),
    ] = ["audio"]  # noqa: RUF012 - pydantic copies defaults
    instructions: Annotated[
        str,
        Field(
            max_length=MAX_INSTRUCTIONS,
            description="For hosts whose language model takes them; facts stay the catalogue's.",
        ),
    ] = ""
    tools: Tools = Field(default_factory=list)
    tool_choice: ToolChoice = "auto"
    max_output_tokens: MaxTokens = "inf"
    audio: Audio | None = None
    avatar: AvatarSession | None = None


class ResponseAudioOutput(Shape):
    """Sound of one response."""

    format: PcmFormat | None = None
    voice: Annotated[str, Field(max_length=80)] | None = None


class ResponseAudio(Shape):
    """Sound of one response."""

    output: ResponseAudioOutput | None = None


Metadata = Annotated[
    dict[Annotated[str, Field(max_length=64)], Annotated[str, Field(max_length=512)]],
    Field(max_length=16, description="Comes back with the response."),
]


class ResponseWish(Shape):
    """What one response is to be; absent fields are the session's."""

    output_modalities: Annotated[list[Modality], Field(min_length=1, max_length=1)] | None = None
    instructions: Annotated[str, Field(max_length=MAX_INSTRUCTIONS)] | None = None
    tools: Tools | None = None
    tool_choice: ToolChoice | None = None
    max_output_tokens: MaxTokens | None = None
    metadata: Metadata | None = None
    conversation: Annotated[
        Literal["auto"], Field(description="Every response belongs to the conversation.")
    ] = "auto"
    audio: ResponseAudio | None = None
