"""The `session` object of the Realtime API and the options of a session, one from the other."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from agents.brief import Brief
from agents.errors import AgentValueError
from agents.tools import Tool
from pipeline.errors import ConfigurationError
from pipeline.options import Modality, ResponseWish, SessionOptions, TurnSettings
from transport.errors import EventError
from transport.protocol.base import PROTOCOL_VERSION
from transport.protocol.schema import read_shape
from transport.protocol.session import (
    AudioInput,
    AudioOutput,
    AvatarSession,
    CustomVoice,
    FunctionTool,
    MaxTokens,
    SemanticVad,
    ServerVad,
    Session,
    ToolChoice,
)
from transport.protocol.session import ResponseWish as WishShape
from transport.strict_json import shown, write_json

PCM: Final = {"type": "audio/pcm", "rate": 24_000}
# Fields that the API has and this server has no use for: they are refused one by one, and the
# rest of the update stands.
UNSUPPORTED: Final = (
    "include",
    "parallel_tool_calls",
    "prompt",
    "reasoning",
    "temperature",
    "tracing",
    "truncation",
)
# Every message fits into what all data channels take, the session's tools with it.
MAX_TOOLS_BYTES: Final = 32_768
# Voices that programs written for OpenAI's API name: they mean "whichever you have".
OPENAI_VOICES: Final = frozenset(
    ("alloy", "ash", "ballad", "cedar", "coral", "echo", "marin", "sage", "shimmer", "verse")
)


@dataclass(frozen=True, slots=True)
class SessionUpdate:
    """What a `session.update` comes to: the new options, and the fields that were left out.

    `video_delta`: whether pictures are wanted as events; None leaves it as it is.
    """

    options: SessionOptions
    refused: tuple[str, ...] = field(default=())
    video_delta: bool | None = None


def session_object(session_id: str, options: SessionOptions, **avatar: Any) -> dict[str, Any]:
    """Return the session as the API describes it, with the avatar as an extension.

    `avatar`: further fields of the extension, which options do not know.
    """
    brief = options.brief
    choice: Any = brief.tool_choice
    if choice not in ("auto", "none", "required"):
        choice = {"type": "function", "name": choice}
    return {
        "type": "realtime",
        "object": "realtime.session",
        "id": session_id,
        "model": "vivant",
        "output_modalities": [options.modality],
        "instructions": brief.instructions,
        "tools": [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
            }
            for tool in brief.tools
        ],
        "tool_choice": choice,
        "max_output_tokens": brief.max_tokens or "inf",
        "audio": {
            "input": {
                "format": dict(PCM),
                "transcription": {"language": options.language},
                "turn_detection": _turn_detection(options.turn),
            },
            "output": {"format": dict(PCM), "voice": options.voice, "speed": options.speed},
        },
        "avatar": {
            "name": options.avatar,
            "scene": {"name": options.scene, **options.scene_changes},
            "style": options.style,
            "framing": options.framing,
            "video": _video(options),
            "motion": {"encoding": "base64"} if options.motion else None,
            "protocol": PROTOCOL_VERSION,
            **avatar,
        },
    }


def updated_options(options: SessionOptions, session: Mapping[str, Any]) -> SessionUpdate:
    """Apply the `session` of a session.update; fields that are absent stay as they are.

    Its extension `avatar` has `name`, `style`, `framing` and `scene`. A scene is the name of a
    stored one, or an object of fields as a stored scene has them: with `name` they are laid over
    that one, without it over what is shown now.

    Raises:
        EventError: a field is unknown or has a value that is not accepted; nothing changes.
    """
    known, refused = supported(session)
    wish = read_shape(Session, known, "session")
    assert isinstance(wish, Session)
    audio = wish.audio
    source = (audio and audio.input) or AudioInput()
    output = (audio and audio.output) or AudioOutput()
    if source.noise_reduction is not None:
        refused.append("session.audio.input.noise_reduction")
    avatar = wish.avatar or AvatarSession()
    changes = {
        **_spoken(source, output, options),
        **_look(avatar, options),
        "brief": _brief(wish, options.brief),
    }
    if "output_modalities" in wish.model_fields_set:
        changes["modality"] = wish.output_modalities[0]
    try:
        changed = replace(options, **changes)
    except ConfigurationError as error:
        raise EventError("invalid_value", str(error), "session") from error
    delta = avatar.video_delta if "video_delta" in avatar.model_fields_set else None
    return SessionUpdate(changed, tuple(refused), delta)


def supported(session: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return a session without what has no effect here, and the paths of what was left out."""
    refused = [f"session.{name}" for name in UNSUPPORTED if session.get(name)]
    return {key: value for key, value in session.items() if key not in UNSUPPORTED}, refused


def response_wish(shape: WishShape | None, options: SessionOptions) -> ResponseWish:
    """Return what a response.create asks for, `options` being the session's.

    Raises:
        EventError: tools do not hold together, or a voice is asked for one response alone.
    """
    if shape is None:
        return ResponseWish()
    output = shape.audio.output if shape.audio else None
    if output is not None and output.voice is not None:
        raise EventError(
            "unsupported_parameter",
            f"response.audio.output.voice is {shown(output.voice)}; accepted: a session's voice, "
            "by session.update",
            "response.audio.output.voice",
        )
    given = shape.model_fields_set & {"instructions", "tools", "tool_choice", "max_output_tokens"}
    brief = None
    if any(getattr(shape, name) is not None for name in given):
        session = {name: getattr(shape, name) for name in given if getattr(shape, name) is not None}
        brief = _briefed(options.brief, session, "response")
    modality: Modality | None = shape.output_modalities[0] if shape.output_modalities else None
    return ResponseWish(modality, brief, shape.metadata or {})


def _spoken(source: AudioInput, output: AudioOutput, options: SessionOptions) -> dict[str, Any]:
    """Return the changes that `session.audio` makes."""
    changes: dict[str, Any] = {"turn": _turn(source, options.turn)}
    if source.transcription is not None and source.transcription.language is not None:
        changes["language"] = source.transcription.language
    if "voice" in output.model_fields_set:
        voice = output.voice.id if isinstance(output.voice, CustomVoice) else output.voice
        changes["voice"] = None if voice in OPENAI_VOICES else voice
    if "speed" in output.model_fields_set:
        changes["speed"] = output.speed
    return changes


def _brief(wish: Session, brief: Brief) -> Brief:
    given = wish.model_fields_set & {"instructions", "tools", "tool_choice", "max_output_tokens"}
    return _briefed(brief, {name: getattr(wish, name) for name in given}, "session")


def _briefed(brief: Brief, given: Mapping[str, Any], path: str) -> Brief:
    """Return a brief with what was given in its place."""
    changes: dict[str, Any] = {}
    try:
        if "instructions" in given:
            changes["instructions"] = given["instructions"]
        if "tools" in given:
            changes["tools"] = tuple(_tool(each) for each in given["tools"])
            _check_size(changes["tools"], f"{path}.tools")
        if "tool_choice" in given:
            changes["tool_choice"] = _choice(given["tool_choice"])
        elif "tools" in given and brief.tool_choice not in ("auto", "none"):
            changes["tool_choice"] = "auto"  # what it demanded may have gone
        if "max_output_tokens" in given:
            changes["max_tokens"] = _most(given["max_output_tokens"])
        return replace(brief, **changes)
    except AgentValueError as error:
        param = f"{path}.tool_choice" if "tool_choice" in str(error) else f"{path}.tools"
        raise EventError("invalid_value", str(error), param) from error


def _check_size(tools: tuple[Tool, ...], path: str) -> None:
    """Refuse tools that a client could not be told again in one message."""
    size = sum(
        len(tool.name + tool.description) + len(write_json(dict(tool.parameters))) for tool in tools
    )
    if size > MAX_TOOLS_BYTES:
        message = f"{path} has {size} bytes; accepted: up to {MAX_TOOLS_BYTES}"
        raise EventError("invalid_value", message, path)


def _tool(shape: FunctionTool) -> Tool:
    return Tool(shape.name, shape.description, shape.parameters)


def _choice(choice: ToolChoice) -> str:
    return choice if isinstance(choice, str) else choice.name


def _most(tokens: MaxTokens) -> int | None:
    return None if tokens == "inf" else tokens


def _video(options: SessionOptions) -> dict[str, Any] | None:
    video = options.video
    if video is None:
        return None
    return {"codec": video.codec, "width": video.width, "height": video.height}


def _look(wish: AvatarSession, options: SessionOptions) -> dict[str, Any]:
    """Return the changes that `session.avatar` makes."""
    given = wish.model_fields_set
    video = wish.video.model_dump() if wish.video else None
    if "video" in given and video != _video(options):
        raise EventError(
            "invalid_value",
            f"session.avatar.video is {shown(video)}; accepted: {_video(options)}, which stays",
            "session.avatar.video",
        )
    changes: dict[str, Any] = {}
    if "scene" in given and wish.scene is not None:
        changes |= _scene(wish.scene, options)
    for key, option in (("name", "avatar"), ("style", "style"), ("framing", "framing")):
        if key in given:
            changes[option] = getattr(wish, key)
    if "motion" in given:
        changes["motion"] = wish.motion is not None
    return changes


def _scene(value: str | Mapping[str, Any], options: SessionOptions) -> dict[str, Any]:
    wish = {"name": value} if isinstance(value, str) else dict(value)
    if "name" not in wish:
        return {"scene_changes": {**options.scene_changes, **wish}}
    named = read_shape(AvatarSession, {"name": wish.pop("name")}, "session.avatar.scene")
    assert isinstance(named, AvatarSession)
    return {"scene": named.name, "scene_changes": wish, "framing": None}


def _turn_detection(turn: TurnSettings | None) -> dict[str, Any] | None:
    if turn is None:
        return None
    common = {
        "create_response": turn.create_response,
        "interrupt_response": turn.interrupt_response,
    }
    if turn.eagerness != "auto":
        return {"type": "semantic_vad", "eagerness": turn.eagerness, **common}
    values: dict[str, Any] = {
        "type": "server_vad",
        "threshold": turn.threshold,
        "prefix_padding_ms": turn.prefix_padding_ms,
        **common,
    }
    for name in ("silence_duration_ms", "idle_timeout_ms"):
        if getattr(turn, name) is not None:
            values[name] = getattr(turn, name)
    return values


def _turn(source: AudioInput, current: TurnSettings | None) -> TurnSettings | None:
    if "turn_detection" not in source.model_fields_set:
        return current
    wish = source.turn_detection
    if wish is None:
        return None
    given = {name: getattr(wish, name) for name in wish.model_fields_set if name != "type"}
    if isinstance(wish, SemanticVad):
        given = {"eagerness": wish.eagerness, **given}
        return replace(
            TurnSettings(), **{key: given[key] for key in given if given[key] is not None}
        )
    assert isinstance(wish, ServerVad)
    return replace(current or TurnSettings(), **{"eagerness": "auto", **given})
