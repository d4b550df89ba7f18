"""Headers that keep the page to its own scripts, and guards against other sites' pages."""

import re
from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.errors import RequestRefusedError, refuse_connection

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "font-src 'self'; media-src 'self' blob: mediastream:; connect-src 'self'; "
        "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",  # browsers that know no frame-ancestors
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "microphone=(self), camera=(self), geolocation=(), payment=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Permitted-Cross-Domain-Policies": "none",
}
# A year (RFC 6797). Not for this machine's own names, which other servers share.
STRICT_TRANSPORT: Final = "max-age=31536000"
LOOPBACK: Final = frozenset(("localhost", "127.0.0.1", "[::1]"))

_HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[^\[\]:@/\s]+)(?::[0-9]*)?")
_SAFE: Final = ("GET", "HEAD", "OPTIONS")
_STARTS: Final = ("http.response.start", "websocket.http.response.start")


class SecurityMiddleware:
    """Adds `HEADERS` to every response, and refuses what another site's page sends.

    A form can be posted, and a WebSocket opened, across origins without asking first, so a page
    anywhere could take the sessions of a server on the visitor's own machine. Browsers say where a
    request comes from; programs that are no browser send no Origin and pass.
    """

    def __init__(self, app: ASGIApp, origins: Collection[str] = ()) -> None:
        self.app = app
        self.origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        added = dict(HEADERS)
        if scope.get("scheme") in ("https", "wss") and host_name(headers) not in LOOPBACK:
            added["Strict-Transport-Security"] = STRICT_TRANSPORT

        async def send_guarded(message: Message) -> None:
            if message["type"] in _STARTS:
                MutableHeaders(scope=message).update(added)
            await send(message)

        if scope.get("method") in _SAFE or self._is_own(headers):
            await self.app(scope, receive, send_guarded)
            return
        error = RequestRefusedError(403, "requests from pages of another origin are refused")
        await refuse_connection(error, scope, receive, send_guarded)

    def _is_own(self, headers: Headers) -> bool:
        origin = headers.get("origin")
        if origin is None or origin in self.origins:
            return True
        try:
            host = urlsplit(origin).netloc
        except ValueError:  # no browser sends that
            return False
        return bool(host) and host == headers.get("host")


class HostMiddleware:
    """Serves requests for the names of this machine alone.

    A page can have its own name resolve to 127.0.0.1, and is then of the same origin as a server
    there (DNS rebinding). Where no key is asked for, only its Host header tells.
    """

    def __init__(self, app: ASGIApp, names: Collection[str] = LOOPBACK) -> None:
        self.app = app
        self.names = frozenset(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            name = host_name(Headers(scope=scope))
            if name not in self.names:
                error = RequestRefusedError(
                    421,
                    f"host is {name[:80]!r}; accepted without a key: "
                    f"{', '.join(sorted(self.names))}",
                )
                await refuse_connection(error, scope, receive, send)
                return
        await self.app(scope, receive, send)


def host_name(headers: Headers) -> str:
    """Return the host a request is for, without its port; empty when it names none, or two."""
    hosts = headers.getlist("host")
    named = _HOST.fullmatch(hosts[0].lower()) if len(hosts) == 1 else None
    return named[1] if named else ""
