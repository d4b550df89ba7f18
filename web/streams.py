"""Streams over HTTP: open one, list them, let one speak, end one; and the doors in and out."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from agents.clause import Language
from pipeline.configuration import EgressSettings
from pipeline.contract import Engine
from pipeline.folders import egress_folder
from pipeline.looks import Looks
from pipeline.options import IceServer
from pipeline.privacy import Keeper
from transport.access.access import Access
from transport.nat import Nat
from transport.outlets import Outlets
from transport.streams import Stream, Streams
from transport.strict_json import shown
from transport.whep import VIEWERS, VIEWERS_PER_STREAM, Viewers
from transport.whip import Publishers
from web.access import grant_of, prefix_of
from web.body import read_object
from web.egress import egress_routes
from web.errors import RequestRefusedError
from web.whip import WHEP, WHIP, ExchangeRoutes, Exchanges
from web.wishes import QUERY, session_options

PATH: Final = "/v1/streams"
MAX_TEXT: Final = 4000
_SAY: Final = ("text", "language", "interrupt")


@dataclass(frozen=True, slots=True)
class Broadcasting:
    """The streams, who watches and publishes, and where they go beside; None sends none on."""

    streams: Streams
    viewers: Exchanges
    publishers: Exchanges
    outlets: Outlets | None = None

    async def close(self) -> None:
        """End everything."""
        await self.viewers.close()
        await self.publishers.close()
        await self.streams.close()


def open_broadcasting(
    engine: Engine,
    nat: Nat,
    egress: EgressSettings | None = None,
    *,
    per_stream: int = VIEWERS_PER_STREAM,
    viewers: int = VIEWERS,
) -> Broadcasting:
    """Return streams of `engine`, none yet, reached through `nat`; without `egress` they go
    nowhere but to their viewers, of whom there may be `per_stream`, and `viewers` of all.
    """
    streams, outlets = Streams(engine), None
    if egress is not None:
        outlets = Outlets(egress.folder or egress_folder(), allow_private=egress.allow_private)
    watching = Viewers(streams, nat, per_stream=per_stream, limit=viewers)
    return Broadcasting(streams, watching, Publishers(streams, nat), outlets)


def stream_routes(
    engine: Engine,
    broadcasting: Broadcasting,
    access: Access,
    *,
    looks: Looks | None = None,
    keeper: Keeper | None = None,
    ice_servers: Sequence[IceServer] = (),
) -> list[Route]:
    """Return the routes of streams, of WHIP and of WHEP.

    Args:
        engine: knows the voices and the size of picture when there is no wish.
        broadcasting: what is served.
        access: keeps account of who holds what.
        looks: prepares a figure that nobody has seen yet.
        keeper: knows of recordings, to delete them in time.
        ice_servers: what clients are told to find a way through NAT with.
    """
    streams, servers = broadcasting.streams, tuple(ice_servers)

    async def open_stream(request: Request) -> JSONResponse:
        wishes = await read_object(request)
        name = wishes.pop("name", None)
        if not isinstance(name, str):
            raise RequestRefusedError(400, f"name is {shown(name)}; accepted: text", param="name")
        streams.check_free(name)
        options = session_options(engine, _texts(wishes), {})
        lease = access.admit(grant_of(request), "stream")
        with lease.unless_opened():
            if looks is not None:
                await looks.prepare(options)
            stream = streams.open(name, options, lease.close)
            lease.opened(stream.session.id, partial(streams.dismiss, stream))
        root = prefix_of(request)
        return JSONResponse(_object(stream, root), 201, {"Location": f"{root}{PATH}/{name}"})

    async def list_streams(request: Request) -> JSONResponse:
        data = [_object(stream, prefix_of(request)) for stream in streams]
        return JSONResponse({"object": "list", "data": data})

    async def show(request: Request) -> JSONResponse:
        return JSONResponse(_object(_named(request), prefix_of(request)))

    async def end(request: Request) -> JSONResponse:
        name = _named(request).name
        await streams.end(name)
        return JSONResponse({"name": name, "object": "stream", "status": "ended"})

    async def say(request: Request) -> JSONResponse:
        stream = _named(request)
        text, language, interrupt = _saying(await read_object(request))
        stream.session.say(text, language, interrupt=interrupt)
        return JSONResponse({"name": stream.name, "object": "stream", "status": "speaking"}, 202)

    def _named(request: Request) -> Stream:
        return streams.get(request.path_params["stream"])

    return [
        Route(PATH, open_stream, methods=["POST"]),
        Route(PATH, list_streams, methods=["GET"]),
        Route(PATH + "/{stream}", show, methods=["GET"]),
        Route(PATH + "/{stream}", end, methods=["DELETE"]),
        Route(PATH + "/{stream}/say", say, methods=["POST"]),
        *(egress_routes(streams, broadcasting.outlets, keeper) if broadcasting.outlets else []),
        *ExchangeRoutes(WHEP, broadcasting.viewers, servers, access, "view").routes(),
        *ExchangeRoutes(WHIP, broadcasting.publishers, servers, access, "publish").routes(),
    ]


def _texts(wishes: dict[str, Any]) -> list[tuple[str, str]]:
    """Return wishes as a query has them."""
    if type(wishes.get("speed")) in (int, float):
        wishes = {**wishes, "speed": str(wishes["speed"])}
    for key, value in wishes.items():
        if key in QUERY and not isinstance(value, str):
            raise RequestRefusedError(400, f"{key} is {shown(value)}; accepted: text", param=key)
    return list(wishes.items())


def _saying(body: dict[str, Any]) -> tuple[str, Language | None, bool]:
    for key in body:
        if key not in _SAY:
            accepted = ", ".join(_SAY)
            raise RequestRefusedError(400, f"{key[:40]}: unknown; accepted: {accepted}", param=key)
    text, language = body.get("text"), body.get("language")
    interrupt = body.get("interrupt", True)
    if not isinstance(text, str) or not 0 < len(text.strip()) <= MAX_TEXT:
        message = f"text is {shown(text)}; accepted: 1 to {MAX_TEXT} characters"
        raise RequestRefusedError(400, message, param="text")
    if language not in (None, "en", "zh"):
        message = f"language is {shown(language)}; accepted: en, zh"
        raise RequestRefusedError(400, message, param="language")
    if not isinstance(interrupt, bool):
        message = f"interrupt is {shown(interrupt)}; accepted: true, false"
        raise RequestRefusedError(400, message, param="interrupt")
    return text, cast(Language | None, language), interrupt


def _object(stream: Stream, root: str) -> dict[str, Any]:
    options, video = stream.session.options, stream.session.options.video
    return {
        "object": "stream",
        "name": stream.name,
        "session": stream.session.id,
        "avatar": options.avatar,
        "scene": options.scene,
        "style": options.style,
        "framing": options.framing,
        "voice": options.voice,
        "language": options.language,
        "size": f"{video.width}x{video.height}" if video else "none",
        "viewers": stream.broadcast.viewers,
        "published": stream.publisher is not None,
        "whep": root + WHEP.format(stream=stream.name),
        "whip": root + WHIP.format(stream=stream.name),
    }
