"""Calls over HTTP, in the shape of the Realtime API: open with an offer, hang up."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pipeline.contract import Engine
from pipeline.looks import Looks
from pipeline.options import SessionOptions
from transport.access.access import Access
from web.access import grant_of, prefix_of
from web.body import read_offer
from web.errors import RequestRefusedError
from web.wishes import merged, only_resume, session_options

PATH: Final = "/v1/realtime/calls"
_CALL_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,127}")


class AnsweredCall(Protocol):
    """A call whose offer was taken."""

    @property
    def id(self) -> str: ...

    @property
    def answer_sdp(self) -> str: ...

    @property
    def before(self) -> str:
        """Id of the connection whose session it goes on with."""


class Calls(Protocol):
    """The part of transport's calls this application uses."""

    async def answer(
        self,
        offer_sdp: str,
        options: SessionOptions,
        at_end: Callable[[], None] | None = None,
    ) -> AnsweredCall: ...

    async def resume(self, offer_sdp: str, token: str) -> AnsweredCall: ...

    def holder(self, token: str) -> str: ...

    def dismiss(self, call_id: str, code: str, message: str) -> None: ...

    async def hang_up(self, call_id: str) -> None: ...

    async def close(self) -> None: ...


def call_routes(
    engine: Engine, calls: Calls, access: Access, looks: Looks | None = None
) -> list[Route]:
    """Return the routes that open and end calls. They count against the limits of their key, and
    are ended by who opened them.

    A call to a host that `looks` knows and nobody has seen yet waits until its figure is built.

    With the query `resume=TOKEN` a session goes on over the new call; it keeps all its settings.

    `Location` names the call with the prefix under which the application is served.
    """

    async def open_call(request: Request) -> Response:
        offer = await read_offer(request)
        if "resume" in request.query_params:
            return await answered(request, await resumed(request, offer.sdp))
        grant = grant_of(request)
        wishes = merged(grant.session, offer.session)
        options = session_options(engine, request.query_params.multi_items(), wishes)
        options = replace(options, person=grant.person)
        lease = access.admit(grant)
        with lease.unless_opened():
            if looks is not None:
                await looks.prepare(options)
            call = await calls.answer(offer.sdp, options, lease.close)
            lease.opened(call.id, partial(calls.dismiss, call.id))
        return await answered(request, call)

    async def resumed(request: Request, sdp: str) -> AnsweredCall:
        token = only_resume(request.query_params.multi_items())
        access.require_end(grant_of(request), calls.holder(token))
        call = await calls.resume(sdp, token)
        access.move(call.before, call.id, partial(calls.dismiss, call.id))
        return call

    async def answered(request: Request, call: AnsweredCall) -> Response:
        if await request.is_disconnected():
            await calls.hang_up(call.id)  # nobody is left to read where to hang up
        root = prefix_of(request)
        headers = {"Location": f"{root}{PATH}/{call.id}"}
        return Response(call.answer_sdp, 201, headers, media_type="application/sdp")

    async def hang_up(request: Request) -> Response:
        call_id = request.path_params["call_id"]
        if not _CALL_ID.fullmatch(call_id):
            raise RequestRefusedError(404, f"no call has the id {call_id[:64]!r}", param="call_id")
        access.require_end(grant_of(request), call_id)
        await calls.hang_up(call_id)
        return JSONResponse({"id": call_id, "object": "realtime.call", "status": "ended"})

    return [
        Route(PATH, open_call, methods=["POST"]),
        Route(PATH + "/{call_id}", hang_up, methods=["DELETE"]),
        Route(PATH + "/{call_id}/hangup", hang_up, methods=["POST"]),
    ]
