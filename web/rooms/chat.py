"""What viewers' platforms bring to a room over HTTP, signed or with a key."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from agents.show.viewers import ViewerEvent
from pipeline.rooms.receipt import Receipt
from pipeline.rooms.service import Rooms
from transport.chat.adapters import ADAPTERS
from transport.chat.ingest import SIGNATURE, Ingest
from transport.strict_json import shown
from web.access import grant_of
from web.body import parse_object, read_bytes
from web.errors import RequestRefusedError
from web.rooms.rooms import ROOM

CHAT: Final = ROOM + "/chat"
CHAT_LIMIT: Final = 512 * 1024  # a hundred events, each with all that a platform says of it
_UNKEPT: Final = {"Cache-Control": "no-store"}


def chat_routes(rooms: Rooms, ingest: Ingest) -> list[Route]:
    """Return the routes by which events come in over HTTP."""

    async def chat(request: Request) -> JSONResponse:
        room = request.path_params["room"]
        read = adapter_of(request)
        body = await read_bytes(request, CHAT_LIMIT, ("application/json",))
        with await admitted(rooms, ingest, request, body):
            receipts = await bring(rooms, room, read(parse_object(body)))
        told = {"object": "list", "data": [told_receipt(one) for one in receipts]}
        return JSONResponse(told, headers=_UNKEPT)

    async def secret(request: Request) -> JSONResponse:
        room = request.path_params["room"]
        await rooms.state(room)
        made = await rooms.renew_secret(room)
        told = {"object": "room.secret", "room": room, "secret": made}
        return JSONResponse(told, headers=_UNKEPT)

    return [
        Route(CHAT, chat, methods=["POST"]),
        Route(CHAT + "/secret", secret, methods=["POST"]),
    ]


def adapter_of(connection: HTTPConnection) -> Callable[[object], list[ViewerEvent]]:
    """Return what reads the payloads a sender has said it sends.

    Raises:
        RequestRefusedError: there is no such adapter.
    """
    name = connection.query_params.get("adapter", "generic")
    if name not in ADAPTERS:
        message = f"adapter is {shown(name)}; accepted: {', '.join(ADAPTERS)}"
        raise RequestRefusedError(400, message, param="adapter")
    return ADAPTERS[name]


async def admitted(
    rooms: Rooms, ingest: Ingest, connection: HTTPConnection, body: bytes
) -> AbstractContextManager[None]:
    """Return what a body is taken within, once it is known who sent it.

    Raises:
        RecordNotFoundError: there is no such room.
        ScopeError: it is not signed, and who sends it does not operate the server.
    """
    room = connection.path_params["room"]
    if SIGNATURE not in connection.headers:
        grant_of(connection).require("operate")
    await rooms.state(room)
    if SIGNATURE not in connection.headers:
        return nullcontext()
    return ingest.admit(room, await rooms.secret(room), connection.headers, body)


async def bring(rooms: Rooms, room: str, events: Sequence[ViewerEvent]) -> Sequence[Receipt]:
    """Bring events to a room. A payload may hold none: platforms send much that is no event."""
    return await rooms.hear(room, events) if events else ()


def told_receipt(receipt: Receipt) -> dict[str, Any]:
    """Return a receipt as senders are told it."""
    told = {"id": receipt.id, "status": receipt.status}
    return {**told, "message": receipt.message} if receipt.message else told
