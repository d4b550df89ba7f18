"""What a caller may wish for in a new session: query parameters, or the form's session."""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Final, Literal, cast

from pipeline.contract import Engine
from pipeline.options import SessionLanguage, SessionOptions, TurnSettings, VideoFormat
from web.errors import RequestRefusedError

QUERY: Final = ("voice", "language", "avatar", "framing", "speed", "size")
_IGNORED: Final = ("model",)  # clients of the OpenAI API name one; here the server decides
_SIZE: Final = re.compile(r"(\d{2,4})x(\d{2,4})")
_BITS_PER_PIXEL: Final = 2.9  # 1.5 Mbit/s at 540x960
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def session_options(
    engine: Engine, query: Iterable[tuple[str, str]], session: Mapping[str, object]
) -> SessionOptions:
    """Return the options of a session; what the query says wins over `session`.

    Args:
        engine: knows the voices and the size of picture when there is no wish.
        query: pairs of the URL's query. Accepted: voice, language (auto, en, zh), avatar, framing
            (half, head), speed (0.5 to 2), size (as 540x960; "none" for sound alone).
        session: a session of the Realtime API (`audio.output.voice`, `audio.output.speed`,
            `audio.input.transcription.language`, `audio.input.turn_detection`), with `avatar`
            {name, framing, size} beside it.

    Raises:
        RequestRefusedError: 400, naming the parameter, its value and what is accepted.
        ConfigurationError: a number out of its range.
    """
    wishes = _from_session(session) | _from_query(query)
    return SessionOptions(
        voice=_voice(engine, wishes.get("voice")),
        language=cast(SessionLanguage, _choice(wishes, "language", "auto", "en", "zh")),
        avatar=_name(wishes.get("avatar", "mia")),
        framing=cast(Literal["half", "head"], _choice(wishes, "framing", "half", "head")),
        speed=_number("speed", wishes.get("speed", 1.0)),
        video=_video(engine, wishes.get("size")),
        turn=_turn(wishes),
    )


def _from_query(query: Iterable[tuple[str, str]]) -> dict[str, object]:
    wishes: dict[str, object] = {}
    for key, value in query:
        if key in _IGNORED:
            continue
        if key not in QUERY:
            raise _refused(key[:40], "unknown parameter", ", ".join(QUERY))
        if key in wishes:
            raise _refused(key, "given twice", "one value")
        wishes[key] = value
    return wishes


def _from_session(session: Mapping[str, object]) -> dict[str, object]:
    if session.get("type", "realtime") != "realtime":
        raise _refused("session.type", repr(session["type"]), "'realtime'")
    audio = _inner(session, "audio")
    sound, heard, avatar = (
        _inner(audio, "output"),
        _inner(audio, "input"),
        _inner(session, "avatar"),
    )
    found = {
        "voice": sound.get("voice"),
        "speed": sound.get("speed"),
        "language": _inner(heard, "transcription").get("language"),
        "avatar": avatar.get("name"),
        "framing": avatar.get("framing"),
        "size": avatar.get("size"),
    }
    wishes = {key: value for key, value in found.items() if value is not None}
    if "turn_detection" in heard:
        wishes["turn_detection"] = heard["turn_detection"]
    return wishes


def _inner(outer: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = outer.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _refused(key, _short(value), "an object")
    return value


def _voice(engine: Engine, value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or value not in engine.voices:
        raise _refused("voice", _short(value), ", ".join(engine.voices))
    return value


def _choice(wishes: Mapping[str, object], key: str, *accepted: str) -> str:
    value = wishes.get(key, accepted[0])
    if not isinstance(value, str) or value not in accepted:
        raise _refused(key, _short(value), ", ".join(accepted))
    return value


def _name(value: object) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise _refused("avatar", _short(value), "letters, digits, '.', '_' and '-', at most 64")
    return value


def _number(key: str, value: object) -> float:
    try:
        number = float(value) if isinstance(value, str | int | float) else math.nan
    except ValueError:
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number):
        raise _refused(key, _short(value), "a number")
    return number


def _video(engine: Engine, value: object) -> VideoFormat | None:
    if value == "none":
        return None
    width, height = engine.default_video if value is None else _size(value)
    bitrate = max(250_000, min(8_000_000, int(width * height * _BITS_PER_PIXEL)))
    return VideoFormat(width=width, height=height, bitrate=bitrate)


def _size(value: object) -> tuple[int, int]:
    match = _SIZE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise _refused("size", _short(value), "WIDTHxHEIGHT such as 540x960, or none")
    return int(match[1]), int(match[2])


def _turn(wishes: Mapping[str, object]) -> TurnSettings | None:
    if "turn_detection" not in wishes:
        return TurnSettings()
    wish = wishes["turn_detection"]
    if wish is None:
        return None
    if not isinstance(wish, dict) or wish.get("type", "server_vad") != "server_vad":
        raise _refused("turn_detection", _short(wish), "null, or an object of type server_vad")
    usual = TurnSettings()
    silence = wish.get("silence_duration_ms")
    return TurnSettings(
        threshold=_number("threshold", wish.get("threshold", usual.threshold)),
        prefix_padding_ms=_whole(wish, "prefix_padding_ms", usual.prefix_padding_ms),
        silence_duration_ms=None if silence is None else _whole(wish, "silence_duration_ms", 0),
        create_response=_switch(wish, "create_response"),
        interrupt_response=_switch(wish, "interrupt_response"),
    )


def _whole(wish: Mapping[str, object], key: str, usual: int) -> int:
    return round(_number(f"turn_detection.{key}", wish.get(key, usual)))


def _switch(wish: Mapping[str, object], key: str) -> bool:
    value = wish.get(key, True)
    if not isinstance(value, bool):
        raise _refused(f"turn_detection.{key}", _short(value), "true or false")
    return value


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _refused(key: str, value: str, accepted: str) -> RequestRefusedError:
    return RequestRefusedError(400, f"{key}: {value}; accepted: {accepted}", param=key)
