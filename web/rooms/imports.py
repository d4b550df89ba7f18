"""A merchant's file becomes products of a shop; what was not taken is told by row and column."""

from dataclasses import asdict
from functools import partial
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from agents.shop.importing import Imported, import_file, merge
from agents.shop.product import Shop
from pipeline.rooms.service import Rooms
from transport.strict_json import shown
from web.apart import Apart
from web.errors import RequestRefusedError
from web.rooms.reading import UNKEPT, refusing
from web.rooms.shops import SHOP
from web.rooms.uploads import Upload, read_upload
from web.rooms.versions import Versions

IMPORT: Final = SHOP + "/import"
_SWITCH: Final = {"": False, "false": False, "0": False, "true": True, "1": True}


def import_routes(rooms: Rooms, versions: Versions, apart: Apart) -> list[Route]:
    """Return the route of imports into a shop; files are read `apart`."""

    async def read(upload: Upload, shop: Shop, zone: ZoneInfo | None) -> Imported:
        work = partial(import_file, zone=zone)
        imported: Imported = await apart.read(work, upload.name, upload.data, shop)
        return imported

    async def bring(request: Request) -> JSONResponse:
        shop_id = request.path_params["shop"]
        dry, zone = switch_of(request, "dry_run"), _zone(request)
        await rooms.shops.get(shop_id)
        upload = await read_upload(request)
        shop = await rooms.shops.get(shop_id)
        imported = await read(upload, shop, zone)
        if not dry:
            async with versions.changing:
                now = await rooms.shops.get(shop_id)
                if now != shop:  # what a file leaves out of a product stays as it is now
                    shop, imported = now, await read(upload, now, zone)
                if imported.products or imported.policies:
                    with refusing():
                        await rooms.shops.put(merge(shop, imported))
        told = _told(shop, imported)
        return JSONResponse({"object": "import", "dry_run": dry, **told}, headers=UNKEPT)

    return [Route(IMPORT, bring, methods=["POST"])]


def switch_of(request: Request, name: str) -> bool:
    """Return whether a parameter of the query is true.

    Raises:
        RequestRefusedError: 400, it is neither true nor false.
    """
    value = request.query_params.get(name, "")
    if value not in _SWITCH:
        raise RequestRefusedError(
            400, f"{name} is {shown(value)}; accepted: true, false", param=name
        )
    return _SWITCH[value]


def _zone(request: Request) -> ZoneInfo | None:
    name = request.query_params.get("zone")
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        message = f"zone is {shown(name)}; accepted: a time zone such as Asia/Shanghai"
        raise RequestRefusedError(400, message, param="zone") from None


def _told(shop: Shop, imported: Imported) -> dict[str, Any]:
    """Return what an import brings: how many products are new, how many change, what is wrong."""
    known = {product.id: product for product in shop}
    new = [product.id for product in imported.products if product.id not in known]
    changed = [
        product.id
        for product in imported.products
        if product.id in known and known[product.id] != product
    ]
    return {
        "imported": len(new),
        "changed": len(changed),
        "products": [product.id for product in imported.products],
        "policies": sorted(imported.policies),
        "problems": [asdict(problem) for problem in imported.problems],
    }
