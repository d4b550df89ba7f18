"""The `session` object of the Realtime API and the options of a session, one from the other."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

from pipeline.errors import ConfigurationError
from pipeline.options import SessionLanguage, SessionOptions, TurnSettings
from transport.errors import EventError
from transport.strict_json import shown

LANGUAGES: Final = ("auto", "en", "zh")
PCM: Final = {"type": "audio/pcm", "rate": 24_000}

_SESSION: Final = ("type", "output_modalities", "audio", "avatar", "object", "id")
_INPUT: Final = ("format", "transcription", "turn_detection")
_OUTPUT: Final = ("format", "voice", "speed")
_AVATAR: Final = ("name", "scene", "style", "framing", "video")
_VAD: Final = (
    "type",
    "threshold",
    "prefix_padding_ms",
    "silence_duration_ms",
    "create_response",
    "interrupt_response",
)
# Fields that the API has and this server has no use for: they are refused one by one, and the
# rest of the update stands.
UNSUPPORTED: Final = (
    "include",
    "instructions",
    "max_output_tokens",
    "model",
    "parallel_tool_calls",
    "prompt",
    "reasoning",
    "tool_choice",
    "tools",
    "tracing",
    "truncation",
)
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_UNSUPPORTED_INPUT: Final = ("noise_reduction",)


@dataclass(frozen=True, slots=True)
class SessionUpdate:
    """What a `session.update` comes to: the new options, and the fields that were left out."""

    options: SessionOptions
    refused: tuple[str, ...] = field(default=())


def session_object(session_id: str, options: SessionOptions) -> dict[str, Any]:
    """Return the session as the API describes it, with the avatar as an extension."""
    return {
        "type": "realtime",
        "object": "realtime.session",
        "id": session_id,
        "output_modalities": ["audio"],
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
    refused = [f"session.{name}" for name in UNSUPPORTED if session.get(name)]
    _known("session", session, _SESSION + UNSUPPORTED)
    _only("session.type", session.get("type", "realtime"), ("realtime",))
    _only("session.output_modalities", session.get("output_modalities", ["audio"]), (["audio"],))
    audio = _object("session.audio", session.get("audio", {}))
    _known("session.audio", audio, ("input", "output"))
    source = _object("session.audio.input", audio.get("input", {}))
    _known("session.audio.input", source, _INPUT + _UNSUPPORTED_INPUT)
    refused += [f"session.audio.input.{name}" for name in _UNSUPPORTED_INPUT if source.get(name)]
    output = _object("session.audio.output", audio.get("output", {}))
    _known("session.audio.output", output, _OUTPUT)
    _format("session.audio.input.format", source)
    _format("session.audio.output.format", output)
    try:
        options = replace(
            options,
            voice=_voice(output.get("voice", options.voice)),
            speed=_number("session.audio.output.speed", output.get("speed", options.speed)),
            language=_language(source, options.language),
            turn=_turn(source, options.turn),
            **_look(session, options),
        )
    except ConfigurationError as error:
        raise EventError("invalid_value", str(error), "session") from error
    return SessionUpdate(options, tuple(refused))


def _video(options: SessionOptions) -> dict[str, Any] | None:
    video = options.video
    if video is None:
        return None
    return {"codec": video.codec, "width": video.width, "height": video.height}


def _look(session: Mapping[str, Any], options: SessionOptions) -> dict[str, Any]:
    """Return the changes that `session.avatar` makes."""
    path = "session.avatar"
    wish = _object(path, session.get("avatar", {}))
    _known(path, wish, _AVATAR)
    _only(f"{path}.video", wish.get("video", _video(options)), (_video(options),))
    changes: dict[str, Any] = {}
    if "scene" in wish:
        changes |= _scene(wish["scene"], options)
    for key, option in (("name", "avatar"), ("style", "style"), ("framing", "framing")):
        if key in wish:
            changes[option] = _name(f"{path}.{key}", wish[key])
    return changes


def _scene(value: object, options: SessionOptions) -> dict[str, Any]:
    path = "session.avatar.scene"
    wish = dict(_object(path, {"name": value} if isinstance(value, str) else value))
    if "name" not in wish:
        return {"scene_changes": {**options.scene_changes, **wish}}
    name = _name(f"{path}.name", wish.pop("name"))
    return {"scene": name, "scene_changes": wish, "framing": None}


def _name(path: str, value: object) -> str | None:
    if value is None or (isinstance(value, str) and _NAME.fullmatch(value)):
        return value
    raise EventError(
        "invalid_value", f"{path} is {shown(value)}; accepted: 1 to 40 of a-z, 0-9, _ and -", path
    )


def _turn_detection(turn: TurnSettings | None) -> dict[str, Any] | None:
    if turn is None:
        return None
    values: dict[str, Any] = {
        "type": "server_vad",
        "threshold": turn.threshold,
        "prefix_padding_ms": turn.prefix_padding_ms,
        "create_response": turn.create_response,
        "interrupt_response": turn.interrupt_response,
    }
    if turn.silence_duration_ms is not None:
        values["silence_duration_ms"] = turn.silence_duration_ms
    return values


def _turn(source: Mapping[str, Any], current: TurnSettings | None) -> TurnSettings | None:
    if "turn_detection" not in source:
        return current
    if source["turn_detection"] is None:
        return None
    path = "session.audio.input.turn_detection"
    wish = _object(path, source["turn_detection"])
    _known(path, wish, _VAD)
    _only(f"{path}.type", wish.get("type", "server_vad"), ("server_vad",))
    base = current or TurnSettings()
    silence = wish.get("silence_duration_ms", base.silence_duration_ms)
    return TurnSettings(
        threshold=_number(f"{path}.threshold", wish.get("threshold", base.threshold)),
        prefix_padding_ms=_integer(
            f"{path}.prefix_padding_ms", wish.get("prefix_padding_ms", base.prefix_padding_ms)
        ),
        silence_duration_ms=None
        if silence is None
        else _integer(f"{path}.silence_duration_ms", silence),
        create_response=_flag(
            f"{path}.create_response", wish.get("create_response", base.create_response)
        ),
        interrupt_response=_flag(
            f"{path}.interrupt_response", wish.get("interrupt_response", base.interrupt_response)
        ),
    )


def _language(source: Mapping[str, Any], current: SessionLanguage) -> SessionLanguage:
    path = "session.audio.input.transcription"
    wish = _object(path, source.get("transcription") or {})
    _known(path, wish, ("language", "model", "prompt"))
    language = wish.get("language", current)
    _only(f"{path}.language", language, LANGUAGES)
    return cast(SessionLanguage, language)


def _voice(value: object) -> str | None:
    if isinstance(value, Mapping):  # a custom voice is named by an object
        value = value.get("id")
    if value is None or isinstance(value, str):
        return value
    raise EventError(
        "invalid_type", f"voice is {shown(value)}; accepted: a name", "session.audio.output.voice"
    )


def _format(path: str, holder: Mapping[str, Any]) -> None:
    wish = {**PCM, **_object(path, holder.get("format") or {})}
    if wish != PCM:
        raise EventError("invalid_value", f"{path} is {shown(wish)}; accepted: {PCM}", path)


def _object(path: str, value: object) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    raise EventError("invalid_type", f"{path} is {shown(value)}; accepted: an object", path)


def _known(path: str, value: Mapping[str, Any], accepted: tuple[str, ...]) -> None:
    for name in value:
        if name not in accepted:
            param = f"{path}.{name}"
            raise EventError(
                "unknown_parameter", f"{param[:80]} is not known; accepted: {accepted}", param[:80]
            )


def _only(path: str, value: object, accepted: tuple[object, ...]) -> None:
    if value not in accepted:
        raise EventError("invalid_value", f"{path} is {shown(value)}; accepted: {accepted}", path)


def _number(path: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise EventError("invalid_type", f"{path} is {shown(value)}; accepted: a number", path)
    try:
        return float(value)
    except OverflowError as error:
        raise EventError(
            "invalid_value", f"{path} is {shown(value)}; accepted: up to 1e308", path
        ) from error


def _integer(path: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise EventError("invalid_type", f"{path} is {shown(value)}; accepted: an integer", path)
    return value


def _flag(path: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise EventError("invalid_type", f"{path} is {shown(value)}; accepted: true or false", path)
    return value
