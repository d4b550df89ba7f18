"""The HTTP application: calls, rooms, health, metrics, voices and the pages."""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from importlib.metadata import version

from prometheus_client import CollectorRegistry
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from pipeline.contract import Engine
from pipeline.errors import VivantError
from pipeline.looks import Looks
from pipeline.options import IceServer
from pipeline.privacy import Keeper
from pipeline.privacy.discretion import make_discreet
from transport.access.access import Access
from transport.access.keys import Keys
from transport.access.secret import BYTES, Secret
from transport.line import Lines
from transport.nat import told_servers
from transport.webhooks import Webhooks
from web.access import AccessMiddleware, grant_of
from web.calls import Calls, call_routes
from web.client_secrets import client_secret_routes
from web.errors import fail, refuse, refuse_engine
from web.looks import look_routes
from web.metrics import MetricsMiddleware, ServerMetrics
from web.openapi import document_route
from web.page import page_routes
from web.people import people_routes
from web.realtime import socket_routes
from web.rooms import House, live_routes
from web.security import HostMiddleware, SecurityMiddleware
from web.streams import Broadcasting, stream_routes

_log = logging.getLogger(__name__)


def create_app(
    engine: Engine,
    calls: Calls,
    *,
    lines: Lines | None = None,
    languages: Mapping[str, Sequence[str]] | None = None,
    origins: Collection[str] = (),
    ice_servers: Sequence[IceServer] = (),
    looks: Looks | None = None,
    keeper: Keeper | None = None,
    access: Access | None = None,
    webhooks: Webhooks | None = None,
    hosts: Collection[str] = (),
    streams: Broadcasting | None = None,
    house: House | None = None,
    registry: CollectorRegistry | None = None,
) -> Starlette:
    """Return the ASGI application; when it stops it closes `house`, `calls` and `streams`, then
    `engine`. What it tells without an end (rooms' events) ends once its `state.closing` is set,
    which the server does as soon as it is to stop.

    Args:
        engine: opens the sessions.
        calls: answers offers with `engine`.
        lines: the sessions of calls and of WebSockets; None serves no WebSocket.
        languages: the languages each voice speaks ("en", "zh"), by name.
        origins: origins beside its own whose pages may open calls, as "https://shop.example".
        ice_servers: what pages are told to find a way through NAT with.
        looks: who, where and how pages may offer, and what prepares them; None offers no choice.
        keeper: what is kept of people, to export and delete; it runs as long as the application.
        access: who is let in; None lets everybody in, which is for loopback alone.
        webhooks: runs as long as the application.
        hosts: names it is served under; requests for others are refused. Empty for any.
        streams: sessions that run unattended, and who watches and publishes; None serves none.
        house: live rooms, which begin with the application; None serves none.
        registry: measurements of the engine to show with the server's own.
    """
    make_discreet()
    access = access or Access(Keys(), Secret(secrets.token_bytes(BYTES)))
    metrics = ServerMetrics(engine, registry)
    closing = asyncio.Event()
    app = Starlette(
        routes=[
            *call_routes(engine, calls, access, looks),
            # Before the sockets, which refuse what is at no address of theirs.
            *(live_routes(house, engine, looks, closing) if house is not None else []),
            *(socket_routes(engine, lines, access, looks) if lines is not None else []),
            *client_secret_routes(engine, access),
            *(
                stream_routes(
                    engine, streams, access, looks=looks, keeper=keeper, ice_servers=ice_servers
                )
                if streams
                else []
            ),
            *_status_routes(engine, languages or {}, ice_servers),
            *(look_routes(looks) if looks else []),
            *(people_routes(keeper) if keeper else []),
            Route("/metrics", metrics.show),
            document_route(),
            *page_routes(),
        ],
        middleware=[
            Middleware(MetricsMiddleware, metrics=metrics),
            Middleware(SecurityMiddleware, origins=origins),
            *([Middleware(HostMiddleware, names=hosts)] if hosts else []),
            *([_sharing(origins)] if origins else []),
            Middleware(AccessMiddleware, access=access),
        ],
        exception_handlers={
            HTTPException: refuse,
            VivantError: refuse_engine,
            500: fail,
        },
        lifespan=_closing(engine, calls, access, keeper, webhooks, streams, house),
    )
    app.state.closing = closing
    app.router.redirect_slashes = False  # an empty id must not become another route
    return app


def _sharing(origins: Collection[str]) -> Middleware:
    """Let the pages of `origins` ask, and read the answers, as browsers require (Fetch, 3.2)."""
    return Middleware(
        CORSMiddleware,
        allow_origins=origins,
        allow_methods=("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
        allow_headers=("Authorization", "Content-Type", "If-Match", "Last-Event-ID"),
        allow_private_network=True,
        expose_headers=("ETag", "Link", "Location", "Retry-After", "WWW-Authenticate"),
    )


def _status_routes(
    engine: Engine, languages: Mapping[str, Sequence[str]], ice_servers: Sequence[IceServer]
) -> list[Route]:
    async def health(_: Request) -> JSONResponse:
        full = engine.sessions >= engine.limit
        status = "degraded" if engine.troubles else "full" if full else "ok"
        return JSONResponse(
            {
                "status": status,
                "troubles": list(engine.troubles),
                "sessions": engine.sessions,
                "limit": engine.limit,
                "version": version("vivant"),
            }
        )

    async def voices(request: Request) -> JSONResponse:
        named = [
            {"name": name, "languages": list(languages.get(name, ("en",)))}
            for name in engine.voices
        ]
        told = {
            "voices": named,
            "default": engine.voices[0],
            # They come with credentials of a relay, which are not for anybody who asks.
            "ice_servers": told_servers(
                ice_servers if grant_of(request).scopes else (), time.time()
            ),
        }
        return JSONResponse(told, headers={"Cache-Control": "no-store"})

    return [Route("/healthz", health), Route("/v1/voices", voices)]


def _closing(
    engine: Engine,
    calls: Calls,
    access: Access,
    keeper: Keeper | None,
    webhooks: Webhooks | None,
    streams: Broadcasting | None,
    house: House | None,
) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with (
            keeper.running() if keeper else nullcontext(),
            webhooks.running() if webhooks else nullcontext(),
        ):
            if house is not None:
                await house.start()
            yield
            app.state.closing.set()
            _log.info("closing %d sessions", engine.sessions)
            if house is not None:
                await house.close()
            await calls.close()
            if streams is not None:
                await streams.close()
            await access.close()
            await engine.close()

    return lifespan
