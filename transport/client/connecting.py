"""`connect`: where a conversation begins."""

import os
import ssl
from collections.abc import Iterable
from typing import Final, Literal

from transport.client.address import DEFAULT_URL, Address
from transport.client.conversation import Conversation
from transport.client.errors import ClientValueError
from transport.client.link import Reconnect
from transport.client.tools import Handler, Toolbox
from transport.client.wishes import Scene, TurnDetection, query, session

AS_EVER: Final = Reconnect()


def connect(
    url: str | None = None,
    *,
    api_key: str | None = None,
    token: str | None = None,
    voice: str | None = None,
    language: str | None = None,
    avatar: str | None = None,
    scene: Scene | None = None,
    style: str | None = None,
    framing: str | None = None,
    speed: float | None = None,
    size: tuple[int, int] | str | None = None,
    motion: bool = False,
    video: bool = False,
    instructions: str | None = None,
    tools: Iterable[Handler] = (),
    turn_detection: TurnDetection | None = None,
    modality: Literal["audio", "text"] | None = None,
    reconnect: Reconnect = AS_EVER,
    tls: ssl.SSLContext | None = None,
) -> Conversation:
    """Return a conversation to enter: `async with vivant.connect() as conversation:`.

    Args:
        url: of the server: ws, wss, http or https. None is $VIVANT_URL, else this machine's
            port 8080.
        api_key, token: a key, or a short-lived token made with one; at most one of them. None is
            $VIVANT_API_KEY. A server on the same machine needs none.
        voice, language, avatar, scene, style, framing, speed: as the server's lists name them;
            None leaves them to the server. A scene may be an object of its fields.
        size: of the picture, (width, height).
        motion: send poses, see `Conversation.motion`.
        video: send pictures, see `Conversation.video`.
        instructions: for hosts whose language model takes them.
        tools: functions with type hints that the host may call.
        turn_detection: `server_vad` or `semantic_vad` of the protocol, or "off": then nothing
            heard is answered until it is committed, as `ask_sound` does.
        modality: "text" for replies without sound.
        reconnect: what to do when the connection breaks.
        tls: for wss; None verifies as the system does.

    Raises:
        ClientValueError: an argument is not accepted.
    """
    if api_key is not None and token is not None:
        raise ClientValueError("api_key and token are both given; accepted: one")
    wishes = {
        "voice": voice,
        "language": language,
        "avatar": avatar,
        "scene": scene,
        "style": style,
        "framing": framing,
        "speed": speed,
        "size": size,
    }
    address = Address(
        url or os.environ.get("VIVANT_URL") or DEFAULT_URL,
        api_key or token or os.environ.get("VIVANT_API_KEY"),
        query(wishes, motion=motion, video=video),
    )
    changes = session(
        instructions=instructions,
        turn_detection=turn_detection,
        modality=modality,
        scene=None if isinstance(scene, str) else scene,
    )
    toolbox = Toolbox()
    for handler in tools:
        toolbox.add(handler)
    return Conversation(address, changes, toolbox, reconnect, tls, motion=motion, video=video)
