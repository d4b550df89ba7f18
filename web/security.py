"""Headers that keep the page to its own scripts, and a guard against other sites' pages."""

from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.errors import RequestRefusedError, refuse

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; media-src 'self' blob: mediastream:; connect-src 'self'; "
        "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "microphone=(self), camera=(self), geolocation=(), payment=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_SAFE: Final = ("GET", "HEAD", "OPTIONS")


class SecurityMiddleware:
    """Adds `HEADERS` to every response, and refuses what another site's page sends.

    A form can be posted across origins without asking first, so a page anywhere could take the
    sessions of a server on the visitor's own machine. Browsers say where a post comes from;
    programs that are no browser send no Origin and pass.
    """

    def __init__(self, app: ASGIApp, origins: Collection[str] = ()) -> None:
        self.app = app
        self.origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        if scope["method"] in _SAFE or self._is_own(Headers(scope=scope)):
            await self.app(scope, receive, send_guarded)
            return
        error = RequestRefusedError(403, "requests from pages of another origin are refused")
        await refuse(Request(scope), error)(scope, receive, send_guarded)

    def _is_own(self, headers: Headers) -> bool:
        origin = headers.get("origin")
        if origin is None or origin in self.origins:
            return True
        try:
            host = urlsplit(origin).netloc
        except ValueError:  # no browser sends that
            return False
        return bool(host) and host == headers.get("host")
