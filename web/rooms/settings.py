"""Settings over HTTP: what the server runs with, without secrets, and the brain's policies."""

from dataclasses import asdict
from importlib.metadata import version
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from pipeline.configuration import Configuration
from pipeline.contract import Engine
from pipeline.rooms.service import Rooms
from transport.strict_json import shown
from web.access import grant_of
from web.body import read_object
from web.errors import RequestRefusedError
from web.rooms.reading import UNKEPT, answer_list

SETTINGS: Final = "/v1/settings"
POLICY: Final = SETTINGS + "/policy"


def setting_routes(rooms: Rooms, engine: Engine, configuration: Configuration) -> list[Route]:
    """Return the routes of settings."""

    async def show(request: Request) -> JSONResponse:
        told = settings_of(engine, configuration)
        return JSONResponse({**told, "key": grant_of(request).key_id}, headers=UNKEPT)

    async def policies(_: Request) -> JSONResponse:
        return answer_list([asdict(policy) for policy in await rooms.policies()])

    async def set_policy(request: Request) -> JSONResponse:
        name, live = _asked(await read_object(request))
        await rooms.set_policy(name, live)
        return JSONResponse({"object": "policy", "name": name, "live": live})

    return [
        Route(SETTINGS, show, methods=["GET"]),
        Route(POLICY, policies, methods=["GET"]),
        Route(POLICY, set_policy, methods=["POST"]),
    ]


def settings_of(engine: Engine, configuration: Configuration) -> dict[str, Any]:
    """Return what a server runs with. Addresses of endpoints may hold keys, so they are not told;
    of a database its kind alone is.
    """
    think, hear = configuration.think, configuration.hear
    draw, server = configuration.draw, configuration.server
    return {
        "object": "settings",
        "version": version("vivant"),
        "model": think.model,
        "recognizer": hear.recognizer,
        "voices": list(engine.voices),
        "voice": engine.voices[0],
        "renderer": draw.renderer,
        "size": "{}x{}".format(*engine.default_video),
        "codec": draw.codec,
        "gestures": configuration.move.gestures,
        "sessions": {"open": engine.sessions, "limit": engine.limit},
        "viewers": {"a_stream": server.viewers_per_stream, "all": server.viewers},
        "database": database_kind(configuration),
        "keep": configuration.privacy.keep,
        "retention_days": configuration.privacy.retention_days,
        "troubles": list(engine.troubles),
    }


def database_kind(configuration: Configuration) -> str:
    """Return the kind of the database, such as "sqlite" or "postgresql"."""
    rooms = getattr(configuration, "rooms", None)
    url = getattr(rooms, "database", "") or "sqlite:"
    return str(url).partition(":")[0].partition("+")[0]


def _asked(body: dict[str, Any]) -> tuple[str, bool]:
    name, live = body.get("name"), body.get("live")
    if not isinstance(name, str) or not 0 < len(name) <= 80:
        raise RequestRefusedError(400, f"name is {shown(name)}; accepted: a policy's", param="name")
    if not isinstance(live, bool) or len(body) > 2:
        message = f"live is {shown(live)}; accepted: true, false, beside name alone"
        raise RequestRefusedError(400, message, param="live")
    return name, live
