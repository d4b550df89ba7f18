"""Rooms: what they are set to be, how they stand, what they are told, what has happened in them."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pipeline.rooms.commands import COMMAND_TYPES, Command
from pipeline.rooms.errors import RecordNotFoundError
from pipeline.rooms.service import HistoryKind, Rooms
from pipeline.rooms.state import RoomSpec, RoomState
from transport.protocol.schema import read_document
from transport.strict_json import shown
from web.access import grant_of, prefix_of
from web.body import read_object
from web.errors import RequestRefusedError
from web.rooms.versions import Versions, answer_document, check_version

PATH: Final = "/v1/rooms"
ROOM: Final = PATH + "/{room}"
HISTORY_KINDS: Final[tuple[HistoryKind, ...]] = get_args(HistoryKind)
MOST_HISTORY: Final = 1000
_UNKEPT: Final = {"Cache-Control": "no-store"}


def room_routes(
    rooms: Rooms, versions: Versions, made: Callable[[str], None] = lambda _: None
) -> list[Route]:
    """Return the routes of rooms, but for those by which their viewers come in; `made` is told of
    each new one.
    """

    async def list_rooms(_: Request) -> JSONResponse:
        data = [_summary(spec, await rooms.state(spec.id)) for spec in await rooms.specs()]
        return JSONResponse({"object": "list", "data": data}, headers=_UNKEPT)

    async def create(request: Request) -> JSONResponse:
        spec = read_document(RoomSpec, await read_object(request))
        await rooms.create(spec)
        made(spec.id)
        place = f"{prefix_of(request)}{PATH}/{spec.id}"
        return answer_document(_document(spec), 201, place)

    async def show(request: Request) -> JSONResponse:
        return answer_document(_document(await _spec(request.path_params["room"])))

    async def update(request: Request) -> JSONResponse:
        room = request.path_params["room"]
        spec = read_document(RoomSpec, {"id": room, **await read_object(request)})
        check_id(spec.id, room)
        async with versions.changing:
            check_version(request, _document(await _spec(room)))
            await rooms.update(spec)
        return answer_document(_document(spec))

    async def delete(request: Request) -> JSONResponse:
        room = request.path_params["room"]
        async with versions.changing:
            check_version(request, _document(await _spec(room)))
            await rooms.delete(room)
        return JSONResponse({"id": room, "object": "room", "status": "deleted"})

    async def state(request: Request) -> Response:
        told = await rooms.state(request.path_params["room"])
        return Response(told.model_dump_json(), media_type="application/json", headers=_UNKEPT)

    async def command(request: Request) -> JSONResponse:
        room = request.path_params["room"]
        await _spec(room)
        told = read_command(await read_object(request))
        await rooms.command(room, told, grant_of(request).key_id)
        return JSONResponse({"id": room, "object": "room.command", "type": told.type}, 202)

    async def preview(request: Request) -> Response:
        picture = await rooms.preview(request.path_params["room"])
        return Response(picture, media_type="image/jpeg", headers=_UNKEPT)

    async def record(request: Request) -> JSONResponse:
        room = request.path_params["room"]
        await _spec(room)
        on = _switch(await read_object(request))
        name = await rooms.record(room, on)
        return JSONResponse({"object": "recording", "room": room, "name": name, "on": on})

    async def history(request: Request) -> Response:
        kind, before, limit, lines = _asked(request)
        entries = await rooms.history(request.path_params["room"], kind, before, limit)
        if lines:
            text = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in entries)
            return Response(text, media_type="application/jsonl", headers=_UNKEPT)
        last = str(entries[-1].get("id", entries[-1].get("at"))) if len(entries) == limit else None
        return JSONResponse(
            {"object": "list", "data": [dict(one) for one in entries], "before": last},
            headers=_UNKEPT,
        )

    async def _spec(room: str) -> RoomSpec:
        for spec in await rooms.specs():
            if spec.id == room:
                return spec
        raise RecordNotFoundError("room", room)

    return [
        Route(PATH, list_rooms, methods=["GET"]),
        Route(PATH, create, methods=["POST"]),
        Route(ROOM, show, methods=["GET"]),
        Route(ROOM, update, methods=["PUT"]),
        Route(ROOM, delete, methods=["DELETE"]),
        Route(ROOM + "/state", state, methods=["GET"]),
        Route(ROOM + "/commands", command, methods=["POST"]),
        Route(ROOM + "/preview", preview, methods=["GET"]),
        Route(ROOM + "/recording", record, methods=["POST"]),
        Route(ROOM + "/history", history, methods=["GET"]),
    ]


def read_command(value: Mapping[str, Any]) -> Command:
    """Return the command a JSON object is.

    Raises:
        RequestRefusedError: there is no command of its type.
        EventError: a field is not accepted.
    """
    kind = value.get("type")
    if not isinstance(kind, str) or kind not in COMMAND_TYPES:
        accepted = ", ".join(COMMAND_TYPES)
        raise RequestRefusedError(400, f"type is {shown(kind)}; accepted: {accepted}", param="type")
    return read_document(COMMAND_TYPES[kind], value)


def check_id(found: str, wanted: str) -> None:
    """Check that a document is kept under its own id.

    Raises:
        RequestRefusedError: its id is not that of its path.
    """
    if found != wanted:
        message = f"id is {shown(found)}; accepted: {wanted}, as in the path"
        raise RequestRefusedError(400, message, param="id")


def _document(spec: RoomSpec) -> dict[str, Any]:
    return spec.model_dump(mode="json")


def _summary(spec: RoomSpec, state: RoomState) -> dict[str, Any]:
    """Return what a list tells of a room: what it is set to be, and how it stands in short."""
    standing = ("status", "viewers", "waiting", "since")
    return {**_document(spec), **{name: getattr(state, name) for name in standing}}


def _switch(body: Mapping[str, Any]) -> bool:
    on = body.get("on")
    if not isinstance(on, bool) or len(body) > 1:
        told = shown(on) if len(body) <= 1 else ", ".join(sorted(body))[:80]
        raise RequestRefusedError(400, f"on is {told}; accepted: true, false, alone", param="on")
    return on


def _asked(request: Request) -> tuple[HistoryKind, str | None, int, bool]:
    query = request.query_params
    kind, form = query.get("kind", "chat"), query.get("format", "json")
    if kind not in HISTORY_KINDS:
        raise _refused("kind", kind, ", ".join(HISTORY_KINDS))
    if form not in ("json", "jsonl"):
        raise _refused("format", form, "json, jsonl")
    before, limit = query.get("before") or None, query.get("limit", "100")
    if before is not None and len(before) > 120:
        raise _refused("before", before, "the id of an entry")
    if not (limit.isascii() and limit.isdigit() and 1 <= int(limit[:5]) <= MOST_HISTORY):
        raise _refused("limit", limit, f"1 to {MOST_HISTORY}")
    return kind, before, int(limit), form == "jsonl"


def _refused(name: str, value: object, accepted: str) -> RequestRefusedError:
    return RequestRefusedError(400, f"{name} is {shown(value)}; accepted: {accepted}", param=name)
