"""The products of a shop over HTTP, one at a time; their pictures."""

import hashlib
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from agents.shop.form import product_from_json, product_to_json, shop_to_json
from agents.shop.product import Product
from pipeline.rooms.errors import RecordNotFoundError
from pipeline.rooms.service import Change, Rooms
from web.body import read_bytes, read_object
from web.errors import RequestRefusedError
from web.rooms.reading import answer_deleted, answer_list, own_id, refusing
from web.rooms.shops import SHOP
from web.rooms.versions import Versions, answer_document, check_version

PRODUCTS: Final = SHOP + "/products"
PRODUCT: Final = PRODUCTS + "/{product}"
PICTURE_LIMIT: Final = 8 * 1024 * 1024
PICTURE_SECONDS: Final = 60.0
# What begins each kind of picture that is taken.
_KINDS: Final = {
    "image/jpeg": ((0, b"\xff\xd8\xff"),),
    "image/png": ((0, b"\x89PNG\r\n\x1a\n"),),
    "image/webp": ((0, b"RIFF"), (8, b"WEBP")),
}

PICTURE_KINDS: Final = tuple(_KINDS)


def product_routes(rooms: Rooms, versions: Versions) -> list[Route]:
    """Return the routes of products."""
    shops = rooms.shops

    async def list_products(request: Request) -> JSONResponse:
        shop = await shops.get(request.path_params["shop"])
        document = shop_to_json(shop)
        answer = answer_list([product_to_json(product) for product in shop])
        answer.headers["ETag"] = answer_document(document).headers["etag"]
        return answer

    async def show(request: Request) -> JSONResponse:
        return answer_document(product_to_json(await _named(request)))

    async def put(request: Request) -> JSONResponse:
        product_id = request.path_params["product"]
        body = await read_object(request)
        async with versions.changing:
            known = await _known(request)
            if known is not None:
                check_version(request, product_to_json(known))
            with refusing():
                product = product_from_json(own_id(body, product_id))
                await shops.put_product(request.path_params["shop"], product)
        return answer_document(product_to_json(product), 200 if known else 201)

    async def change(request: Request) -> JSONResponse:
        shop_id, product_id = request.path_params["shop"], request.path_params["product"]
        body = await read_object(request)
        if not body:
            raise RequestRefusedError(400, "nothing is to change; accepted: fields of a product")
        async with versions.changing:
            check_version(request, product_to_json(await _named(request)))
            with refusing():
                fields = own_id(body, product_id)
                product = await shops.change_product(shop_id, product_id, Change(fields))
        return answer_document(product_to_json(product))

    async def delete(request: Request) -> JSONResponse:
        product = await _named(request)
        async with versions.changing:
            check_version(request, product_to_json(product))
            await shops.delete_product(request.path_params["shop"], product.id)
        return answer_deleted("product", product.id)

    async def picture(request: Request) -> Response:
        product = await _named(request)
        data = await shops.picture(request.path_params["shop"], product.id)
        if data is None:
            raise RecordNotFoundError("picture", product.id)
        return answer_picture(request, data)

    async def put_picture(request: Request) -> JSONResponse:
        product = await _named(request)
        data = await read_bytes(request, PICTURE_LIMIT, PICTURE_KINDS, PICTURE_SECONDS)
        kind_of(data)
        with refusing():
            await shops.put_picture(request.path_params["shop"], product.id, data)
        told = {"object": "picture", "product": product.id, "bytes": len(data)}
        return JSONResponse(told)

    async def _known(request: Request) -> Product | None:
        shop = await shops.get(request.path_params["shop"])
        return next((each for each in shop if each.id == request.path_params["product"]), None)

    async def _named(request: Request) -> Product:
        product = await _known(request)
        if product is None:
            raise RecordNotFoundError("product", request.path_params["product"])
        return product

    return [
        Route(PRODUCTS, list_products, methods=["GET"]),
        Route(PRODUCT, show, methods=["GET"]),
        Route(PRODUCT, put, methods=["PUT"]),
        Route(PRODUCT, change, methods=["PATCH"]),
        Route(PRODUCT, delete, methods=["DELETE"]),
        Route(PRODUCT + "/picture", picture, methods=["GET"]),
        Route(PRODUCT + "/picture", put_picture, methods=["PUT"]),
    ]


def kind_of(data: bytes) -> str:
    """Return the media type of a picture, by what it begins with.

    Raises:
        RequestRefusedError: 400, it is none that is taken.
    """
    for kind, marks in _KINDS.items():
        if all(data[at : at + len(mark)] == mark for at, mark in marks):
            return kind
    begins = data[:8].hex(" ") or "nothing"
    accepted = ", ".join(_KINDS)
    raise RequestRefusedError(
        400, f"the picture begins with {begins}; accepted: {accepted}", param="picture"
    )


def answer_picture(request: Request, data: bytes) -> Response:
    """Answer with a picture, or that it has not changed since it was sent."""
    tag = f'"{hashlib.blake2s(data, digest_size=15).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(data, headers=headers, media_type=kind_of(data))
