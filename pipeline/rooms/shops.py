"""`KeptShops`: the shops of a server, in the store and at hand."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from agents.shop.form import product_from_json, product_to_json, shop_from_json, shop_to_json
from agents.shop.product import Product, Shop
from agents.show.viewers import ViewerEvent
from pipeline.rooms.errors import RecordInUseError, RecordNotFoundError
from pipeline.rooms.pictures import Pictures
from pipeline.rooms.service import Change
from pipeline.store import Store
from pipeline.store.shops import (
    SHOPS,
    products,
    put_product,
    put_shop,
    remove_product,
)


class KeptShops:
    """A `pipeline.rooms.service.Shops`. Shops are small, so all are at hand; what changes them is
    done one after the other.

    Args:
        store, pictures: where they are kept.
        used: the rooms that are set to a shop.
        changed: called when a shop is another one, with it; empty once it is deleted.
    """

    def __init__(
        self,
        store: Store,
        pictures: Pictures,
        used: Callable[[str], Sequence[str]],
        changed: Callable[[Shop], None],
    ) -> None:
        self._store = store
        self._pictures = pictures
        self._used = used
        self._changed = changed
        self._shops: dict[str, Shop] = {}
        self.changing = asyncio.Lock()

    async def load(self) -> None:
        """Read what is kept."""
        documents = await self._store.read(_everything)
        self._shops = {each["id"]: shop_from_json(each) for each in documents}

    def now(self, shop_id: str) -> Shop:
        """Return a shop without waiting.

        Raises:
            RecordNotFoundError: there is none of that id.
        """
        if shop_id not in self._shops:
            raise RecordNotFoundError("shop", shop_id)
        return self._shops[shop_id]

    async def list(self) -> "list[Shop]":
        return [self._shops[shop_id] for shop_id in sorted(self._shops)]

    async def get(self, shop_id: str) -> Shop:
        return self.now(shop_id)

    async def product(self, shop_id: str, product_id: str) -> Product:
        """Return a product. Raises: RecordNotFoundError."""
        return _product(self.now(shop_id), product_id)

    async def put(self, shop: Shop) -> None:
        document, goods = _parts(shop)
        shop_from_json({**document, "products": goods})  # refuses what is not accepted
        async with self.changing:
            await self._store.write(lambda c: put_shop(c, shop.id, document, goods))
            self._take(shop)

    async def delete(self, shop_id: str) -> None:
        async with self.changing:
            shop = self.now(shop_id)
            if rooms := self._used(shop_id):
                raise RecordInUseError(f"the shop {shop_id!r} is that of {', '.join(rooms)}")
            await self._store.write(lambda c: SHOPS.remove(c, shop_id))
            del self._shops[shop_id]
            self._changed(replace(shop, products=(), policies={}))
            await asyncio.to_thread(self._pictures.remove_shop, shop_id)

    async def put_product(self, shop_id: str, product: Product) -> None:
        document = product_to_json(product)
        product_from_json(document)
        async with self.changing:
            await self._put_product(shop_id, product, document)

    async def change_product(self, shop_id: str, product_id: str, change: Change) -> Product:
        async with self.changing:
            old = product_to_json(_product(self.now(shop_id), product_id))
            product = product_from_json({**old, **change.fields, "id": product_id})
            await self._put_product(shop_id, product, product_to_json(product))
        return product

    async def delete_product(self, shop_id: str, product_id: str) -> None:
        async with self.changing:
            shop = self.now(shop_id)
            _product(shop, product_id)
            await self._store.write(lambda c: remove_product(c, shop_id, product_id))
            left = tuple(each for each in shop if each.id != product_id)
            self._take(replace(shop, products=left))

    async def picture(self, shop_id: str, product_id: str) -> bytes | None:
        name = (await self.product(shop_id, product_id)).picture
        return await asyncio.to_thread(self._pictures.read, shop_id, name) if name else None

    async def put_picture(self, shop_id: str, product_id: str, picture: bytes) -> None:
        await self.product(shop_id, product_id)
        name = await asyncio.to_thread(self._pictures.write, shop_id, product_id, picture)
        await self.change_product(shop_id, product_id, Change({"picture": name}))

    def sell(
        self, connection: Connection, shop_id: str, orders: Sequence[ViewerEvent]
    ) -> Sequence[Product]:
        """Lower the stock by what was ordered, within a transaction; return the products changed.
        Called on the store's thread, under `changing`. What is counted does not fall below 0.
        """
        shop = self._shops.get(shop_id)
        if shop is None:
            return []
        changed: dict[str, Product] = {}
        for order in orders:
            found = changed.get(order.product or "") or _find(shop, order.product)
            if found is not None:
                changed[found.id] = _sold(found, round(order.amount))
        for product in changed.values():
            put_product(connection, shop_id, product_to_json(product))
        return list(changed.values())

    def sold(self, shop_id: str, changed: Sequence[Product]) -> None:
        """Take over what `sell` returned, once it is on disk."""
        shop = self._shops.get(shop_id)
        if shop is not None and changed:
            self._take(_with(shop, changed))

    async def _put_product(self, shop_id: str, product: Product, document: dict[str, Any]) -> None:
        shop = self.now(shop_id)
        await self._store.write(lambda c: put_product(c, shop_id, document))
        self._take(_with(shop, [product]))

    def _take(self, shop: Shop) -> None:
        self._shops[shop.id] = shop
        self._changed(shop)


def _everything(connection: Connection) -> list[dict[str, Any]]:
    return [
        {**each, "products": products(connection, each["id"])}
        for each in SHOPS.everything(connection)
    ]


def _parts(shop: Shop) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    document = shop_to_json(shop)
    goods: list[dict[str, Any]] = document.pop("products", [])
    return document, goods


def _find(shop: Shop, product_id: str | None) -> Product | None:
    return next((each for each in shop if each.id == product_id), None)


def _product(shop: Shop, product_id: str) -> Product:
    found = _find(shop, product_id)
    if found is None:
        raise RecordNotFoundError("product", product_id)
    return found


def _with(shop: Shop, changed: Sequence[Product]) -> Shop:
    goods = {each.id: each for each in shop}
    goods.update({each.id: each for each in changed})
    return replace(shop, products=tuple(goods.values()))


def _sold(product: Product, amount: int) -> Product:
    stock, offer = product.stock, product.offer
    if offer is not None and offer.stock is not None:
        offer = replace(offer, stock=max(0, offer.stock - amount))
    return replace(product, stock=None if stock is None else max(0, stock - amount), offer=offer)
