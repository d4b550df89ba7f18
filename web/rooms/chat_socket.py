"""A room's chat over a WebSocket: events in; receipts, and answers given in writing, out."""

import asyncio
from contextlib import aclosing, suppress
from typing import Any, Final

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from pipeline.errors import VivantError
from pipeline.rooms.service import Rooms
from transport.chat.ingest import Ingest
from transport.strict_json import read_json, shown, write_json
from web.errors import RequestRefusedError, meaning, refuse_connection
from web.rooms.chat import CHAT, CHAT_LIMIT, adapter_of, admitted, bring, told_receipt
from web.rooms.written import written_answers

# Who does not read what it is told for so long is let go.
STALLED_S: Final = 20.0
_ENDED, _TOO_SLOW, _AWAY = 1000, 1008, 1001


def socket_routes(rooms: Rooms, ingest: Ingest, closing: asyncio.Event) -> list[WebSocketRoute]:
    """Return the route by which platforms stay connected to a room; it ends once `closing` is set.

    A message is what a body of `POST` is, and may have an "id", which comes back with its
    receipts. One message is taken after the other: who sends faster than events can be kept is
    held up by the connection itself.
    """

    async def chat(socket: WebSocket) -> None:
        room = socket.path_params["room"]
        try:
            adapter = adapter_of(socket)
            with await admitted(rooms, ingest, socket, b""):
                await socket.accept(next(iter(socket.scope["subprotocols"]), None))
        except VivantError as error:
            await _refuse(socket, meaning(error))
            return
        except RequestRefusedError as error:
            await _refuse(socket, error)
            return
        line = _Line(socket, rooms, room, adapter)
        await line.run(closing)

    return [WebSocketRoute(CHAT, chat)]


class _Line:
    """One connection."""

    def __init__(self, socket: WebSocket, rooms: Rooms, room: str, adapter: Any) -> None:
        self._socket = socket
        self._rooms = rooms
        self._room = room
        self._adapter = adapter
        self._sending = asyncio.Lock()

    async def run(self, closing: asyncio.Event) -> None:
        """Serve until somebody ends it."""
        tasks = {
            asyncio.create_task(self._take(), name="chat-take"): _ENDED,
            asyncio.create_task(self._tell(), name="chat-tell"): _ENDED,
            asyncio.create_task(closing.wait(), name="chat-closing"): _AWAY,
        }
        code = _ENDED
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            code = tasks[next(iter(done))]
            for task in done:
                if isinstance(task.exception(), TimeoutError):
                    code = _TOO_SLOW
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            with suppress(RuntimeError, OSError, WebSocketDisconnect):
                await self._socket.close(code)

    async def _take(self) -> None:
        while True:
            try:
                text = await self._receive()
            except WebSocketDisconnect:
                return
            await self._send(await self._answer(text))

    async def _receive(self) -> str | bytes:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", _ENDED))
        text: str | bytes | None = message.get("text")
        return text if text is not None else message.get("bytes") or b""

    async def _answer(self, text: str | bytes) -> dict[str, Any]:
        name: str | int | None = None
        try:
            if len(text) > CHAT_LIMIT:
                raise RequestRefusedError(413, f"the message is larger than {CHAT_LIMIT} bytes")
            value = _read(text)
            if isinstance(value, dict) and "id" in value and "events" in value:
                name = _name(value.pop("id"))
            receipts = await bring(self._rooms, self._room, self._adapter(value))
        except VivantError as error:
            return _error(meaning(error), name)
        except RequestRefusedError as error:
            return _error(error, name)
        return {"type": "receipts", "id": name, "data": [told_receipt(one) for one in receipts]}

    async def _tell(self) -> None:
        async with aclosing(written_answers(self._rooms, self._room)) as answers:
            async for answer in answers:
                await self._send({"type": "answer", **answer})

    async def _send(self, message: dict[str, Any]) -> None:
        async with asyncio.timeout(STALLED_S), self._sending:
            await self._socket.send_text(write_json(message).decode())


async def _refuse(socket: WebSocket, error: RequestRefusedError) -> None:
    if socket.client_state is WebSocketState.CONNECTING:
        await socket.receive()  # the handshake, which a refusal answers
        await refuse_connection(error, socket.scope, socket.receive, socket.send)


def _read(text: str | bytes) -> Any:
    try:
        return read_json(text)
    except ValueError as error:
        message = f"the message is not JSON: {error}"
        raise RequestRefusedError(400, message, "bad_json") from None


def _name(value: object) -> str | int:
    """Return what a sender calls its message."""
    if isinstance(value, str | int) and len(str(value)[:201]) <= 200:
        return value
    message = f"id is {shown(value)}; accepted: a text or a number, up to 200 characters"
    raise RequestRefusedError(400, message, param="id")


def _error(error: RequestRefusedError, name: str | int | None) -> dict[str, Any]:
    told = {"code": error.code, "message": error.detail, "param": error.param}
    return {"type": "error", "id": name, "error": told}
