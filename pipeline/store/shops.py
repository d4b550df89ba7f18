"""Shops: what holds for a shop in one row, and a row for each product, so that an order rewrites
one product and no shop.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Integer,
    Table,
    Text,
    delete,
    func,
    insert,
    select,
    update,
)

from pipeline.store.documents import Documents
from pipeline.store.tables import METADATA, dumped

SHOPS: Final = Documents("shops")
PRODUCTS: Final = Table(
    "products",
    METADATA,
    Column("shop", Text, ForeignKey("shops.id", ondelete="CASCADE"), primary_key=True),
    Column("id", Text, primary_key=True),
    Column("place", Integer, nullable=False),
    Column("document", Text, nullable=False),
)


def products(connection: Connection, shop: str) -> list[dict[str, Any]]:
    """Return a shop's products in their order."""
    rows = connection.execute(
        select(PRODUCTS.c.document).where(PRODUCTS.c.shop == shop).order_by(PRODUCTS.c.place)
    )
    return [json.loads(row.document) for row in rows]


def put_shop(
    connection: Connection, shop: str, document: dict[str, Any], goods: Sequence[dict[str, Any]]
) -> None:
    """Keep a shop and its products, each a document with an "id", in place of what there was."""
    SHOPS.put(connection, shop, document)
    connection.execute(delete(PRODUCTS).where(PRODUCTS.c.shop == shop))
    if goods:
        rows = [
            {"shop": shop, "id": each["id"], "place": place, "document": dumped(each)}
            for place, each in enumerate(goods)
        ]
        connection.execute(insert(PRODUCTS), rows)


def put_product(connection: Connection, shop: str, document: dict[str, Any]) -> None:
    """Keep a product in place of the one of its id, or as the last."""
    changed = connection.execute(
        update(PRODUCTS)
        .where(PRODUCTS.c.shop == shop, PRODUCTS.c.id == document["id"])
        .values(document=dumped(document))
    )
    if not changed.rowcount:
        last = select(func.max(PRODUCTS.c.place)).where(PRODUCTS.c.shop == shop)
        place = connection.execute(last).scalar()
        connection.execute(
            insert(PRODUCTS).values(
                shop=shop,
                id=document["id"],
                place=0 if place is None else place + 1,
                document=dumped(document),
            )
        )


def remove_product(connection: Connection, shop: str, product: str) -> bool:
    """Delete a product; return whether there was one."""
    gone = connection.execute(
        delete(PRODUCTS).where(PRODUCTS.c.shop == shop, PRODUCTS.c.id == product)
    )
    return bool(gone.rowcount)
