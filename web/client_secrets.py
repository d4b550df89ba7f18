"""Short-lived tokens for browsers, in the shape of the Realtime API's client secrets."""

from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from pipeline.contract import Engine
from transport.access.access import Access
from transport.access.grant import check_scopes
from transport.access.tokens import DEFAULT_S
from transport.strict_json import shown
from web.access import grant_of
from web.body import read_object
from web.errors import RefusalResponse, RequestRefusedError
from web.wishes import session_options

PATH: Final = "/v1/realtime/client_secrets"
_FIELDS: Final = ("expires_after", "session", "scopes", "person", "stream")
_ANCHOR: Final = "created_at"


def client_secret_routes(engine: Engine, access: Access) -> list[Route]:
    """Return the route that issues tokens to who shows a key.

    A token's `session` is what sessions opened with it start with; it is checked here, so that a
    mistake is told to who made it, and not to their visitors.
    """

    async def create(request: Request) -> JSONResponse:
        asked = await read_object(request)
        for name in asked:
            if name not in _FIELDS:
                raise _refused(name[:40], "unknown field", ", ".join(_FIELDS))
        session = {} if asked.get("session") is None else asked["session"]
        if not isinstance(session, dict):
            raise _refused("session", shown(session), "an object")
        session_options(engine, (), session)
        token = access.issue(
            grant_of(request),
            check_scopes(_scopes(asked.get("scopes"))),
            seconds=_seconds(asked.get("expires_after")),
            person=_text("person", asked.get("person")),
            stream=_text("stream", asked.get("stream")),
            session=session,
        )
        content = {
            "value": token.value,
            "expires_at": token.expires_at,
            "session": {"type": "realtime", "object": "realtime.session", **session},
        }
        return RefusalResponse(content, headers={"Cache-Control": "no-store"})

    return [Route(PATH, create, methods=["POST"])]


def _scopes(value: object) -> list[object]:
    if value is None:
        return ["talk"]
    if not isinstance(value, list):
        raise _refused("scopes", shown(value), "a list of talk, watch, publish, operate")
    return value


def _seconds(value: object) -> Any:
    if value is None:
        return DEFAULT_S
    if not isinstance(value, Mapping) or value.get("anchor", _ANCHOR) != _ANCHOR:
        raise _refused("expires_after", shown(value), '{"anchor": "created_at", "seconds": 600}')
    return value.get("seconds", DEFAULT_S)


def _text(name: str, value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise _refused(name, shown(value), "a text")


def _refused(name: str, value: str, accepted: str) -> RequestRefusedError:
    return RequestRefusedError(400, f"{name} is {value}; accepted: {accepted}", param=name)
