"""The Realtime WebSocket, `/v1/realtime`, in the shape of the OpenAI Realtime API."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final

from starlette.routing import WebSocketRoute
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from pipeline.contract import Engine
from pipeline.errors import VivantError
from pipeline.looks import Looks
from pipeline.options import SessionOptions
from transport.access.access import Access
from transport.line import Line, Lines
from transport.socket import NORMAL, Socket, SocketClosedError
from web.access import grant_of
from web.errors import RequestRefusedError, meaning, refuse_connection
from web.wishes import only_resume, session_options

PATH: Final = "/v1/realtime"
# What clients of the API offer as the protocol of the WebSocket; theirs is the first.
PROTOCOL: Final = "realtime"
MOTION: Final = "base64"
# Reported by a WebSocket that was closed without a code, or went without a word (RFC 6455, 7.4.1).
NO_CODE: Final = 1005
ABNORMAL: Final = 1006


def socket_routes(
    engine: Engine, lines: Lines, access: Access, looks: Looks | None = None
) -> list[WebSocketRoute]:
    """Return the route of the Realtime WebSocket.

    The query has `model`, which has no effect, and what calls take, with `size` "none" unless
    given; `motion=base64` sends poses. With `resume=TOKEN` a session goes on over the new socket.
    What is wrong is answered before the WebSocket is accepted, as for HTTP requests.
    """

    async def serve(websocket: WebSocket) -> None:
        try:
            await _accepted(websocket, engine, lines, access, looks)
        except RequestRefusedError as error:
            await _refuse(websocket, error)
        except VivantError as error:
            await _refuse(websocket, meaning(error))

    return [WebSocketRoute(PATH, serve), WebSocketRoute("/{other:path}", no_such_socket)]


async def no_such_socket(websocket: WebSocket) -> None:
    """Refuse a WebSocket at any other path."""
    path = websocket.url.path
    error = RequestRefusedError(404, f"no WebSocket is at {path[:80]!r}; accepted: {PATH}")
    await _refuse(websocket, error)


async def _accepted(
    websocket: WebSocket, engine: Engine, lines: Lines, access: Access, looks: Looks | None
) -> None:
    grant, query = grant_of(websocket), websocket.query_params.multi_items()
    if "resume" in websocket.query_params:
        line = lines.find(only_resume(query))
        access.require_end(grant, line.name)
        socket = await _open(websocket, line)
        access.move(line.name, socket.id, line.dismiss)
        await _run(line, socket)
        return
    options = _options(engine, query, grant.session)
    options = replace(options, person=grant.person)
    lease = access.admit(grant)
    with lease.unless_opened():
        if looks is not None:
            await looks.prepare(options)
        line = lines.open(options, lease.close)
        accepted = False
        try:
            socket = await _open(websocket, line)
            accepted = True
        except (WebSocketDisconnect, OSError):
            return  # its client has not waited
        finally:
            if not accepted:
                await line.close()
        lease.opened(socket.id, line.dismiss)
    await _run(line, socket)


async def _open(websocket: WebSocket, line: Line) -> Socket:
    await websocket.accept(PROTOCOL if PROTOCOL in websocket.scope["subprotocols"] else None)
    return Socket(line, StarletteSocket(websocket))


async def _run(line: Line, socket: Socket) -> None:
    line.name = socket.id
    await socket.run()


def _options(
    engine: Engine, query: list[tuple[str, str]], session: Mapping[str, object]
) -> SessionOptions:
    motion = [value for key, value in query if key == "motion"]
    if motion and motion != [MOTION]:
        raise RequestRefusedError(
            400, f"motion: {motion[0][:40]!r}; accepted: {MOTION}", param="motion"
        )
    others = [(key, value) for key, value in query if key != "motion"]
    options = session_options(engine, others, session, usual_size="none")
    return replace(options, motion=options.motion or bool(motion))


async def _refuse(websocket: WebSocket, error: RequestRefusedError) -> None:
    if websocket.client_state is WebSocketState.CONNECTING:
        await websocket.receive()  # the handshake, which a refusal answers
    await refuse_connection(error, websocket.scope, websocket.receive, websocket.send)


class StarletteSocket:
    """A `transport.socket.WebSocket` over starlette's."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket

    async def receive(self) -> str | bytes:
        """Return the next message."""
        try:
            message = await self._websocket.receive()
        except RuntimeError as error:  # after the disconnect has been reported
            raise SocketClosedError(ABNORMAL) from error
        if message["type"] == "websocket.disconnect":
            raise SocketClosedError(_close_code(message))
        text: str | None = message.get("text")
        data: bytes = message.get("bytes") or b""
        return data if text is None else text

    async def send(self, text: str) -> None:
        """Send a message."""
        try:
            await self._websocket.send_text(text)
        except (WebSocketDisconnect, RuntimeError) as error:
            raise SocketClosedError(ABNORMAL) from error

    async def close(self, code: int, reason: str) -> None:
        """Close it."""
        with suppress(WebSocketDisconnect, RuntimeError):
            await self._websocket.close(code, reason)


def _close_code(message: Message) -> int:
    """Return why a WebSocket closed. `close()` in a browser names no code, and is a farewell; that
    is told of connections that broke as well, but those come without a reason.
    """
    code: int = message.get("code", ABNORMAL)
    if code != NO_CODE:
        return code
    return NORMAL if "reason" in message else ABNORMAL
