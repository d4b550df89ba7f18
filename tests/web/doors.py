"""Applications with a door, and a WebSocket client that shows every message."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from transport.access.access import Access
from web.access import AccessMiddleware, grant_of
from web.security import HostMiddleware, SecurityMiddleware

Message = dict[str, Any]


async def handshake(
    app: Any,
    path: str = "/v1/realtime",
    *,
    headers: Mapping[str, str] | None = None,
    subprotocols: Sequence[str] = (),
    extensions: Mapping[str, object] | None = None,
    gone: bool = False,
) -> list[Message]:
    """Offer a WebSocket to `app` and return what it sent.

    `gone`: the client has not waited, and nothing can be sent.
    """
    sent: list[Message] = []
    scope = {
        "type": "websocket",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "ws",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [
            (name.lower().encode(), value.encode())
            for name, value in {"Host": "testserver", **(headers or {})}.items()
        ],
        "server": ("testserver", 80),
        "client": ("192.0.2.1", 1),
        "subprotocols": list(subprotocols),
        "extensions": dict(extensions or {}),
    }
    came: list[Message] = [
        {"type": "websocket.connect"},
        {"type": "websocket.disconnect", "code": 1000},
    ]

    async def receive() -> Message:
        return came.pop(0)

    async def send(message: Any) -> None:
        if gone:
            raise OSError("the client has gone")
        sent.append(message)

    await app(scope, receive, send)
    return sent


async def accept(socket: WebSocket) -> None:
    """Accept, tell what the door found, and close."""
    grant, offered = grant_of(socket), socket.scope["subprotocols"]
    await socket.accept("realtime" if "realtime" in offered else None)
    found = {"key": grant.key_id, "scopes": sorted(grant.scopes), "offered": offered}
    await socket.send_json(found)
    await socket.close()


async def show(request: Request) -> JSONResponse:
    """Tell what the door found."""
    grant = grant_of(request)
    return JSONResponse({"key": grant.key_id, "scopes": sorted(grant.scopes)})


def guarded(
    access: Access, *, origins: Collection[str] = (), hosts: Collection[str] = ()
) -> Starlette:
    """Return an application that answers every path with what the door found."""
    return Starlette(
        routes=[
            WebSocketRoute("/{path:path}", accept),
            Route("/{path:path}", show, methods=["GET", "POST", "PATCH", "DELETE", "OPTIONS"]),
        ],
        middleware=[
            Middleware(SecurityMiddleware, origins=origins),
            *([Middleware(HostMiddleware, names=hosts)] if hosts else []),
            Middleware(AccessMiddleware, access=access),
        ],
    )
