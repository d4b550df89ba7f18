"""Rundowns over HTTP: written by hand or drafted, checked before they go on air."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from agents.clause import LANGUAGES
from agents.regulation.regulation import Regulation
from agents.rundown.check import Problem, check
from agents.rundown.document import Rundown
from agents.rundown.form import rundown_from_json, rundown_to_json
from agents.shop.product import Shop
from agents.shop.truth import FigureCheck
from pipeline.rooms.errors import RecordNotFoundError, RecordTakenError
from pipeline.rooms.service import Rooms
from transport.strict_json import shown
from web.access import prefix_of
from web.body import read_object
from web.errors import RequestRefusedError
from web.rooms.reading import UNKEPT, answer_deleted, answer_list, own_id, refusing
from web.rooms.versions import Versions, answer_document, check_version

RUNDOWNS: Final = "/v1/rundowns"
RUNDOWN: Final = RUNDOWNS + "/{rundown}"
RUNDOWN_LIMIT: Final = 2 * 1024 * 1024


def rundown_routes(
    rooms: Rooms, versions: Versions, wall: Callable[[], float] = time.time
) -> list[Route]:
    """Return the routes of rundowns; `wall`: seconds since 1970 UTC."""
    rundowns = rooms.rundowns

    async def list_rundowns(_: Request) -> JSONResponse:
        return answer_list([_summary(rundown) for rundown in await rundowns.list()])

    async def create(request: Request) -> JSONResponse:
        with refusing():
            rundown = rundown_from_json(await read_object(request, RUNDOWN_LIMIT))
            async with versions.changing:
                if await _is_there(rundown.id):
                    raise RecordTakenError("rundown", rundown.id)
                await rundowns.put(rundown)
        return _answer_new(request, rundown)

    async def draft(request: Request) -> JSONResponse:
        shop, language, title = _asked(await read_object(request))
        with refusing():
            rundown = await rundowns.draft(shop, language, title)
        return _answer_new(request, rundown)

    async def check_it(request: Request) -> JSONResponse:
        shop_id = request.query_params.get("shop")
        with refusing():
            rundown = rundown_from_json(await read_object(request, RUNDOWN_LIMIT))
        shop = await rooms.shops.get(shop_id or await _shop_of(rundown.id))
        problems = await asyncio.to_thread(problems_of, rundown, shop, wall())
        return JSONResponse({"problems": [asdict(each) for each in problems]}, headers=UNKEPT)

    async def _shop_of(rundown_id: str) -> str:
        """Return the shop of a room that goes through the rundown; else the first there is."""
        for spec in await rooms.specs():
            if spec.rundown == rundown_id:
                return spec.shop
        for shop in await rooms.shops.list():
            return shop.id
        raise RecordNotFoundError("shop", "")

    async def show(request: Request) -> JSONResponse:
        rundown = await rundowns.get(request.path_params["rundown"])
        return answer_document(rundown_to_json(rundown))

    async def update(request: Request) -> JSONResponse:
        rundown_id = request.path_params["rundown"]
        body = await read_object(request, RUNDOWN_LIMIT)
        async with versions.changing:
            check_version(request, rundown_to_json(await rundowns.get(rundown_id)))
            with refusing():
                rundown = rundown_from_json(own_id(body, rundown_id))
                await rundowns.put(rundown)
        return answer_document(rundown_to_json(rundown))

    async def delete(request: Request) -> JSONResponse:
        rundown_id = request.path_params["rundown"]
        async with versions.changing:
            check_version(request, rundown_to_json(await rundowns.get(rundown_id)))
            await rundowns.delete(rundown_id)
        return answer_deleted("rundown", rundown_id)

    async def _is_there(rundown_id: str) -> bool:
        try:
            await rundowns.get(rundown_id)
        except RecordNotFoundError:
            return False
        return True

    return [
        Route(RUNDOWNS, list_rundowns, methods=["GET"]),
        Route(RUNDOWNS, create, methods=["POST"]),
        Route(RUNDOWNS + "/draft", draft, methods=["POST"]),
        Route(RUNDOWNS + "/check", check_it, methods=["POST"]),
        Route(RUNDOWN, show, methods=["GET"]),
        Route(RUNDOWN, update, methods=["PUT"]),
        Route(RUNDOWN, delete, methods=["DELETE"]),
    ]


def problems_of(rundown: Rundown, shop: Shop, now: float) -> list[Problem]:
    """Return what is wrong with a rundown that is to be spoken for a shop: items, words that may
    not be said, figures that do not hold.

    Args:
        now: seconds since the epoch; offers hold until a moment.
    """
    figures = FigureCheck(shop, lambda: now)
    return check(rundown, shop, Regulation.of(shop).check, figures.false, now=now)


def _answer_new(request: Request, rundown: Rundown) -> JSONResponse:
    place = f"{prefix_of(request)}{RUNDOWNS}/{rundown.id}"
    return answer_document(rundown_to_json(rundown), 201, place)


def _asked(body: dict[str, Any]) -> tuple[str, Any, str | None]:
    for key in body:
        if key not in ("shop", "language", "title"):
            message = f"{key[:40]} is not known; accepted: shop, language, title"
            raise RequestRefusedError(400, message, param=key[:40])
    shop, language, title = body.get("shop"), body.get("language", "en"), body.get("title")
    if not isinstance(shop, str):
        raise RequestRefusedError(400, f"shop is {shown(shop)}; accepted: its id", param="shop")
    if language not in LANGUAGES:
        message = f"language is {shown(language)}; accepted: {', '.join(LANGUAGES)}"
        raise RequestRefusedError(400, message, param="language")
    if title is not None and not (isinstance(title, str) and 0 < len(title) <= 80):
        message = f"title is {shown(title)}; accepted: 1 to 80 characters"
        raise RequestRefusedError(400, message, param="title")
    return shop, language, title


def _summary(rundown: Rundown) -> dict[str, Any]:
    told = {name: getattr(rundown, name) for name in ("id", "title", "language", "loops")}
    return {**told, "items": len(rundown.items)}
