"""WHIP and WHEP over HTTP: one offer in, one answer out, candidates that follow, an end.

RFC 9725 and draft-ietf-wish-whep say the same of both; what differs is which way media go.
"""

import re
import time
from collections.abc import Callable
from functools import partial
from typing import Final, Literal, Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pipeline.options import IceServer
from transport.access.access import Access
from transport.exchange import Answered
from transport.nat import server_links
from web.access import grant_of, prefix_of
from web.body import read_typed
from web.errors import RequestRefusedError

WHIP: Final = "/v1/whip/{stream}"
WHEP: Final = "/v1/whep/{stream}"
SDP: Final = "application/sdp"
FRAGMENT: Final = "application/trickle-ice-sdpfrag"

_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,128}")
_ENDPOINT: Final = ("GET", "POST", "OPTIONS")
_SESSION: Final = ("GET", "PATCH", "DELETE", "OPTIONS")


class Exchanges(Protocol):
    """The part of `transport.exchange.Exchanges` this application uses."""

    def check(self, stream_name: str) -> None: ...

    def find(self, stream_name: str, exchange_id: str) -> None: ...

    async def answer(
        self, stream_name: str, offer_sdp: str, at_end: Callable[[], None] | None = None
    ) -> Answered: ...

    def dismiss(self, exchange_id: str, code: str, message: str) -> None: ...

    async def trickle(
        self, stream_name: str, exchange_id: str, condition: str | None, fragment: str
    ) -> None: ...

    async def end(self, stream_name: str, exchange_id: str) -> None: ...

    async def close(self) -> None: ...


class ExchangeRoutes:
    """The two resources of one protocol: where offers are posted, and what comes of one.

    Neither has a representation: GET answers 204, as RFC 9725 (4.1) has it, and methods that have
    no meaning here answer 405.

    Args:
        path: of the endpoint, with `{stream}` in it.
        exchanges: answers the offers.
        servers: what clients are told to find a way through NAT with.
        access: keeps account of who holds what.
        kind: what is held, in its account.
    """

    def __init__(
        self,
        path: str,
        exchanges: Exchanges,
        servers: tuple[IceServer, ...],
        access: Access,
        kind: Literal["view", "publish"],
    ) -> None:
        self._path = path
        self._exchanges = exchanges
        self._servers = servers
        self._access = access
        self._kind = kind

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route(self._path, self.endpoint, methods=_ENDPOINT),
            Route(self._path + "/{exchange_id}", self.session, methods=_SESSION),
        ]

    async def endpoint(self, request: Request) -> Response:
        """Serve the endpoint."""
        stream = request.path_params["stream"]
        self._exchanges.check(stream)
        if request.method == "POST":
            return await self._open(request, stream)
        if request.method == "OPTIONS":
            response = Response(headers={"Accept-Post": SDP, "Allow": ", ".join(_ENDPOINT)})
            # A browser's preflight reads no servers, and asks without a credential.
            if "access-control-request-method" not in request.headers:
                self._name_servers(response)
            return response
        return Response(status_code=204)

    async def session(self, request: Request) -> Response:
        """Serve what came of an offer."""
        stream, exchange_id = request.path_params["stream"], request.path_params["exchange_id"]
        if not _ID.fullmatch(exchange_id):
            raise RequestRefusedError(404, f"no connection is named {exchange_id[:80]!r}")
        self._exchanges.find(stream, exchange_id)
        if request.method == "OPTIONS":
            return Response(headers={"Accept-Patch": FRAGMENT, "Allow": ", ".join(_SESSION)})
        if request.method in ("GET", "HEAD"):
            return Response(status_code=204)
        self._access.require_end(grant_of(request), exchange_id)
        if request.method == "DELETE":
            await self._exchanges.end(stream, exchange_id)
            return Response(status_code=200)
        fragment = await read_typed(request, FRAGMENT, "Accept-Patch")
        condition = request.headers.get("if-match")
        await self._exchanges.trickle(stream, exchange_id, condition, fragment)
        return Response(status_code=204)

    async def _open(self, request: Request, stream: str) -> Response:
        offer = await read_typed(request, SDP, "Accept-Post")
        lease = self._access.admit(grant_of(request), self._kind)
        with lease.unless_opened():
            answered = await self._exchanges.answer(stream, offer, lease.close)
            lease.opened(answered.id, partial(self._exchanges.dismiss, answered.id))
        if await request.is_disconnected():
            await self._exchanges.end(stream, answered.id)  # nobody is left to read where it is
        root = prefix_of(request)
        place = self._path.format(stream=stream)
        headers = {
            "Location": f"{root}{place}/{answered.id}",
            "ETag": answered.etag,
            "Accept-Patch": FRAGMENT,
        }
        response = Response(answered.sdp, 201, headers, media_type=SDP)
        self._name_servers(response)
        return response

    def _name_servers(self, response: Response) -> None:
        for link in server_links(self._servers, time.time()):
            response.headers.append("Link", link)
