"""What a caller may wish for in a new session: query parameters, or the form's session."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, cast

from pipeline.contract import Engine
from pipeline.options import SessionLanguage, SessionOptions, VideoFormat
from transport.errors import EventError
from transport.session_object import updated_options
from transport.strict_json import shown
from web.errors import RequestRefusedError

QUERY: Final = ("voice", "language", "avatar", "scene", "style", "framing", "speed", "size")
# What the query says of the look, as `session.avatar` names it.
_LOOK: Final = {"avatar": "name", "scene": "scene", "style": "style", "framing": "framing"}
_IGNORED: Final = ("model",)  # clients of the OpenAI API name one; here the server decides
_SIZE: Final = re.compile(r"(\d{2,4})x(\d{2,4})")
_BITS_PER_PIXEL: Final = 2.9  # 1.5 Mbit/s at 540x960
_BITRATES: Final = (250_000, 8_000_000)


def session_options(
    engine: Engine,
    query: Iterable[tuple[str, str]],
    session: Mapping[str, object],
    *,
    usual_size: str | None = None,
) -> SessionOptions:
    """Return the options of a session; what the query says wins over `session`.

    Args:
        engine: knows the voices and the size of picture when there is no wish.
        query: pairs of the URL's query. Accepted: voice, language (auto, en, zh), avatar, scene and
            style (names), framing (head, half, full), speed (0.5 to 2), size (as 540x960; "none"
            for sound alone).
        usual_size: of the picture where nobody wishes for one; None is the engine's.
        session: a session of the Realtime API, with `avatar` {name, scene, style, framing, size}
            beside it; see `transport.session_object.updated_options`.

    Raises:
        RequestRefusedError: 400, naming the parameter, its value and what is accepted.
        EventError: a field of `session` is not accepted.
        ConfigurationError: a number out of its range.
    """
    asked = _from_query(query)
    avatar, size = _without_size(session.get("avatar") or {})
    options = updated_options(SessionOptions(), {**session, "avatar": avatar}).options
    options = _with_look(options, asked)
    video = _video(engine, asked.get("size", size or usual_size))
    options = replace(options, **_changes(asked), video=video)
    if options.voice is not None and options.voice not in engine.voices:
        raise _refused("voice", shown(options.voice), ", ".join(engine.voices))
    return options


def only_resume(query: Iterable[tuple[str, str]]) -> str:
    """Return the token of a query that takes a session up again.

    Raises:
        RequestRefusedError: 400, it says more: the session stays as it is.
    """
    tokens = []
    for key, value in query:
        if key == "resume":
            tokens.append(value)
        elif key not in _IGNORED:
            raise _refused(key[:40], "not with resume", "resume alone; change it by session.update")
    if len(tokens) != 1:
        raise _refused("resume", "given twice", "one value")
    return tokens[0]


def merged(base: Mapping[str, object], wishes: Mapping[str, object]) -> dict[str, object]:
    """Return `base` with `wishes` in it: objects are merged, all else is replaced."""
    whole = dict(base)
    for key, value in wishes.items():
        before = whole.get(key)
        both = isinstance(before, Mapping) and isinstance(value, Mapping)
        whole[key] = merged(before, value) if both else value  # type: ignore[arg-type]
    return whole


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


def _without_size(avatar: object) -> tuple[object, object]:
    """The size of the picture is settled before there is a session, and stays."""
    if not isinstance(avatar, dict):
        return avatar, None
    return {key: value for key, value in avatar.items() if key != "size"}, avatar.get("size")


def _with_look(options: SessionOptions, wishes: Mapping[str, object]) -> SessionOptions:
    """Lay the query's look over `options`; a refusal names the parameter that was given."""
    for key, field in _LOOK.items():
        if key in wishes:
            try:
                options = updated_options(options, {"avatar": {field: wishes[key]}}).options
            except EventError as error:
                message = str(error).replace(error.param or "", key, 1)
                raise RequestRefusedError(400, message, param=key) from error
    return options


def _changes(wishes: Mapping[str, object]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if "voice" in wishes:
        changes["voice"] = wishes["voice"]
    if "language" in wishes:
        language = _choice("language", wishes["language"], "auto", "en", "zh")
        changes["language"] = cast(SessionLanguage, language)
    if "speed" in wishes:
        changes["speed"] = _number("speed", wishes["speed"])
    return changes


def _choice(key: str, value: object, *accepted: str) -> str:
    if not isinstance(value, str) or value not in accepted:
        raise _refused(key, shown(value), ", ".join(accepted))
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
