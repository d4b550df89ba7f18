"""How a room stands, as server-sent events (WHATWG HTML, 9.2): the state, then every change."""

import asyncio
from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from pipeline.rooms.service import Rooms
from pipeline.rooms.state import RoomChange, RoomState
from web.rooms.rooms import ROOM

KIND: Final = "text/event-stream"
# A comment as often as this tells both sides that the other is there.
HEARTBEAT_S: Final = 10.0
# Who takes nothing for so long is let go; it comes back when it reads again.
STALLED_S: Final = 20.0
RETRY_MS: Final = 1000
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # nginx would keep events until there are many
}

Changes = AsyncGenerator[RoomState | RoomChange]


def event_routes(
    rooms: Rooms, closing: asyncio.Event, heartbeat_s: float = HEARTBEAT_S
) -> list[Route]:
    """Return the route of events; they end once `closing` is set."""

    async def events(request: Request) -> Response:
        room = request.path_params["room"]
        await rooms.state(room)  # who asks for none is told so, not sent an empty stream
        return EventStream(rooms.watch(room), closing, heartbeat_s)

    return [Route(ROOM + "/events", events, methods=["GET"])]


class EventStream(Response):
    """Sends changes as they come, for as long as the client reads and the server serves.

    A client that reconnects is given the whole state first, whatever `Last-Event-ID` it sends:
    states are small, and nothing has to be kept for those who are away.
    """

    media_type = KIND

    def __init__(
        self, changes: Changes, closing: asyncio.Event, heartbeat_s: float = HEARTBEAT_S
    ) -> None:
        super().__init__(headers=_HEADERS)
        del self.headers["content-length"]
        self._changes = changes
        self._closing = closing
        self._heartbeat_s = heartbeat_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until somebody ends it."""
        del scope
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        ends: Collection[asyncio.Task[Any]] = (
            asyncio.create_task(_left(receive), name="events-left"),
            asyncio.create_task(self._closing.wait(), name="events-closing"),
        )
        try:
            async with aclosing(self._changes):
                await self._send_all(send, ends)
        finally:
            for end in ends:
                end.cancel()
            await asyncio.wait(ends)

    async def _send_all(self, send: Send, ends: "Collection[asyncio.Task[Any]]") -> None:
        block: bytes | None = f"retry: {RETRY_MS}\n\n".encode()
        pending = self._next()
        try:
            while block is not None:
                try:
                    async with asyncio.timeout(STALLED_S):
                        await send({"type": "http.response.body", "body": block, "more_body": True})
                except (TimeoutError, OSError):
                    return
                await asyncio.wait(
                    {pending, *ends},
                    timeout=self._heartbeat_s,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                if any(end.done() for end in ends):
                    break
                if not pending.done():
                    block = b":\n\n"
                    continue
                change = pending.result()
                block = None if change is None else block_of(change)
                pending = self._next()
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            pending.cancel()
            await asyncio.wait({pending})

    def _next(self) -> "asyncio.Task[RoomState | RoomChange | None]":
        return asyncio.create_task(_step(self._changes), name="events-next")


def block_of(change: RoomState | RoomChange) -> bytes:
    """Return one event as it is sent. JSON has no line breaks, so its data is one line."""
    if isinstance(change, RoomState):
        return f"event: state\ndata: {change.model_dump_json()}\n\n".encode()
    return f"event: change\nid: {change.number}\ndata: {change.model_dump_json()}\n\n".encode()


async def _step(changes: Changes) -> RoomState | RoomChange | None:
    return await anext(changes, None)


async def _left(receive: Receive) -> None:
    """Return when the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
