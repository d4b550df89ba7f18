"""What one may wish for in a conversation, as the URL's query and as `session` of the protocol."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from transport.client.errors import ClientValueError

# What the query of the URL carries; a new session is opened with it.
QUERY: Final = ("voice", "language", "avatar", "scene", "style", "framing", "speed", "size")

Scene = str | Mapping[str, Any]
TurnDetection = Mapping[str, Any] | Literal["off"]


def query(wishes: Mapping[str, Any], *, motion: bool, video: bool) -> dict[str, str]:
    """Return the query for a new session. Pictures are made only where they are wanted.

    Raises:
        ClientValueError: a wish is unknown, or a size is wished for no picture.
    """
    given = {key: value for key, value in wishes.items() if value is not None}
    unknown = given.keys() - set(QUERY)
    if unknown:
        raise ClientValueError(f"{sorted(unknown)}; accepted: {', '.join(QUERY)}")
    if not video and "size" in given:
        raise ClientValueError("size is of the picture, which video=True asks for")
    if not isinstance(given.get("scene", ""), str):
        del given["scene"]  # fields of a scene go into the session
    if "size" in given:
        given["size"] = _size(given["size"])
    if not video:
        given["size"] = "none"
    if motion:
        given["motion"] = "base64"
    return {key: str(value) for key, value in given.items()}


def session(
    *,
    instructions: str | None = None,
    tools: list[dict[str, Any]] | None = None,
    turn_detection: TurnDetection | None = None,
    modality: Literal["audio", "text"] | None = None,
    voice: str | None = None,
    speed: float | None = None,
    language: str | None = None,
    scene: Scene | None = None,
    style: str | None = None,
    framing: str | None = None,
) -> dict[str, Any]:
    """Return the `session` of a `session.update` that changes what is not None.

    Raises:
        ClientValueError: `turn_detection` is a text other than "off".
    """
    if isinstance(turn_detection, str) and turn_detection != "off":
        raise ClientValueError(f"turn_detection is {turn_detection!r}; accepted: 'off', an object")
    audio = {
        "input": _given(
            transcription=None if language is None else {"language": language},
            turn_detection=turn_detection,
        ),
        "output": _given(voice=voice, speed=speed),
    }
    if turn_detection == "off":
        audio["input"]["turn_detection"] = None
    changes = _given(
        instructions=instructions,
        tools=tools,
        output_modalities=None if modality is None else [modality],
        audio={key: value for key, value in audio.items() if value} or None,
        avatar=_given(
            scene=dict(scene) if isinstance(scene, Mapping) else scene,
            style=style,
            framing=framing,
        )
        or None,
    )
    return {"type": "realtime", **changes} if changes else {}


def _given(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _size(value: object) -> str:
    match value:
        case str():
            return value
        case (int(width), int(height)):
            return f"{width}x{height}"
    raise ClientValueError(f"size is {value!r}; accepted: (width, height) or '540x960'")
