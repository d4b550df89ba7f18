"""What a caller may wish for in a new session: query parameters, or the form's session."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal, cast

from pipeline.contract import Engine
from pipeline.options import SessionLanguage, SessionOptions, VideoFormat
from transport.session_object import updated_options
from transport.strict_json import shown
from web.errors import RequestRefusedError

QUERY: Final = ("voice", "language", "avatar", "framing", "speed", "size")
AVATAR: Final = ("name", "framing", "size")
_IGNORED: Final = ("model",)  # clients of the OpenAI API name one; here the server decides
_SIZE: Final = re.compile(r"(\d{2,4})x(\d{2,4})")
_BITS_PER_PIXEL: Final = 2.9  # 1.5 Mbit/s at 540x960
_BITRATES: Final = (250_000, 8_000_000)
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def session_options(
    engine: Engine, query: Iterable[tuple[str, str]], session: Mapping[str, object]
) -> SessionOptions:
    """Return the options of a session; what the query says wins over `session`.

    Args:
        engine: knows the voices and the size of picture when there is no wish.
        query: pairs of the URL's query. Accepted: voice, language (auto, en, zh), avatar, framing
            (half, head), speed (0.5 to 2), size (as 540x960; "none" for sound alone).
        session: a session of the Realtime API, with `avatar` {name, framing, size} beside it.

    Raises:
        RequestRefusedError: 400, naming the parameter, its value and what is accepted.
        EventError: a field of `session` is not accepted.
        ConfigurationError: a number out of its range.
    """
    api = {key: value for key, value in session.items() if key != "avatar"}
    options = updated_options(SessionOptions(), api).options
    wishes = {**_from_avatar(session.get("avatar")), **_from_query(query)}
    options = replace(options, **_changes(wishes), video=_video(engine, wishes.get("size")))
    if options.voice is not None and options.voice not in engine.voices:
        raise _refused("voice", shown(options.voice), ", ".join(engine.voices))
    return options


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


def _from_avatar(avatar: object) -> dict[str, object]:
    if avatar is None:
        return {}
    if not isinstance(avatar, dict) or not avatar.keys() <= set(AVATAR):
        raise _refused("avatar", shown(avatar), f"an object with {', '.join(AVATAR)}")
    return {"avatar" if key == "name" else key: value for key, value in avatar.items()}


def _changes(wishes: Mapping[str, object]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if "voice" in wishes:
        changes["voice"] = wishes["voice"]
    if "language" in wishes:
        language = _choice("language", wishes["language"], "auto", "en", "zh")
        changes["language"] = cast(SessionLanguage, language)
    if "framing" in wishes:
        framing = _choice("framing", wishes["framing"], "half", "head")
        changes["framing"] = cast(Literal["half", "head"], framing)
    if "avatar" in wishes:
        changes["avatar"] = _name(wishes["avatar"])
    if "speed" in wishes:
        changes["speed"] = _number("speed", wishes["speed"])
    return changes


def _choice(key: str, value: object, *accepted: str) -> str:
    if not isinstance(value, str) or value not in accepted:
        raise _refused(key, shown(value), ", ".join(accepted))
    return value


def _name(value: object) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise _refused("avatar", shown(value), "letters, digits, '.', '_' and '-', at most 64")
    return value


def _number(key: str, value: object) -> float:
    try:
        number = float(str(value))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise _refused(key, shown(value), "a number")
    return number


def _video(engine: Engine, value: object) -> VideoFormat | None:
    if value == "none":
        return None
    width, height = engine.default_video if value is None else _size(value)
    low, high = _BITRATES
    bitrate = max(low, min(high, int(width * height * _BITS_PER_PIXEL)))
    return VideoFormat(width=width, height=height, bitrate=bitrate)


def _size(value: object) -> tuple[int, int]:
    match = _SIZE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise _refused("size", shown(value), "WIDTHxHEIGHT such as 540x960, or none")
    return int(match[1]), int(match[2])


def _refused(key: str, value: str, accepted: str) -> RequestRefusedError:
    return RequestRefusedError(400, f"{key}: {value}; accepted: {accepted}", param=key)
