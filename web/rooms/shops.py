"""Shops over HTTP: what there is to sell, and all that may be said of it."""

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from agents.shop.form import shop_from_json, shop_to_json
from agents.shop.product import Shop
from pipeline.rooms.errors import RecordNotFoundError, RecordTakenError
from pipeline.rooms.service import Rooms
from web.access import prefix_of
from web.body import read_object
from web.rooms.reading import answer_deleted, answer_list, own_id, refusing
from web.rooms.versions import Versions, answer_document, check_version

SHOPS: Final = "/v1/shops"
SHOP: Final = SHOPS + "/{shop}"
SHOP_LIMIT: Final = 8 * 1024 * 1024  # five thousand products, with all that is said of each


def shop_routes(rooms: Rooms, versions: Versions) -> list[Route]:
    """Return the routes of shops as a whole."""
    shops = rooms.shops

    async def list_shops(_: Request) -> JSONResponse:
        return answer_list([_summary(shop) for shop in await shops.list()])

    async def create(request: Request) -> JSONResponse:
        with refusing():
            shop = shop_from_json(await read_object(request, SHOP_LIMIT))
            async with versions.changing:
                if await _is_there(rooms, shop.id):
                    raise RecordTakenError("shop", shop.id)
                await shops.put(shop)
        place = f"{prefix_of(request)}{SHOPS}/{shop.id}"
        return answer_document(shop_to_json(shop), 201, place)

    async def show(request: Request) -> JSONResponse:
        return answer_document(shop_to_json(await shops.get(request.path_params["shop"])))

    async def update(request: Request) -> JSONResponse:
        shop_id = request.path_params["shop"]
        body = await read_object(request, SHOP_LIMIT)
        async with versions.changing:
            check_version(request, shop_to_json(await shops.get(shop_id)))
            with refusing():
                shop = shop_from_json(own_id(body, shop_id))
                await shops.put(shop)
        return answer_document(shop_to_json(shop))

    async def delete(request: Request) -> JSONResponse:
        shop_id = request.path_params["shop"]
        async with versions.changing:
            check_version(request, shop_to_json(await shops.get(shop_id)))
            await shops.delete(shop_id)
        return answer_deleted("shop", shop_id)

    return [
        Route(SHOPS, list_shops, methods=["GET"]),
        Route(SHOPS, create, methods=["POST"]),
        Route(SHOP, show, methods=["GET"]),
        Route(SHOP, update, methods=["PUT"]),
        Route(SHOP, delete, methods=["DELETE"]),
    ]


async def _is_there(rooms: Rooms, shop_id: str) -> bool:
    try:
        await rooms.shops.get(shop_id)
    except RecordNotFoundError:
        return False
    return True


def _summary(shop: Shop) -> dict[str, Any]:
    """Return what a list tells of a shop; its products are asked for apart."""
    return {"id": shop.id, "name": dict(shop.name), "products": len(shop.products)}
