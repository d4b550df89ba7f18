"""The knowledge bases' products follow the shops."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from agents.errors import AgentError
from agents.knowledge import Collection, Document, SqliteKnowledge
from agents.shop.product import Product, Shop
from agents.shop.sample import sample_shop
from pipeline.rooms.cataloguing import Cataloguing


class Watched(SqliteKnowledge):
    """Tells the event loop of each time documents were put and deleted."""

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()
        self._changes: asyncio.Queue[None] = asyncio.Queue()
        self.fails = False

    def put(self, documents: Iterable[Document]) -> None:
        super().put(documents)
        if self.fails:
            self._loop.call_soon_threadsafe(self._changes.put_nowait, None)
            raise AgentError("the disk is full")

    def delete(self, collection: Collection, document_ids: Iterable[str]) -> int:
        count = super().delete(collection, document_ids)
        self._loop.call_soon_threadsafe(self._changes.put_nowait, None)
        return count

    async def changed(self) -> None:
        """Wait for the end of a change."""
        await asyncio.wait_for(self._changes.get(), 30)


def texts(knowledge: SqliteKnowledge) -> list[str]:
    return [document.text for document in knowledge.documents("products", limit=1000)]


async def test_a_change_is_put_and_an_empty_shop_taken_out() -> None:
    knowledge = Watched()
    work = Cataloguing(knowledge)
    shop = sample_shop()
    work.take(shop)
    await knowledge.changed()
    assert len(texts(knowledge)) == 16 + 2 * len(shop.policies)
    work.take(replace(shop, products=(), policies={}))
    await knowledge.changed()
    assert texts(knowledge) == []
    await work.close()
    knowledge.close()


async def test_of_many_changes_the_newest_stands() -> None:
    knowledge = Watched()
    work = Cataloguing(knowledge)
    for number in range(50):
        description = {"en": f"Version {number}."}
        cup = Product("cup", {"en": "Cup"}, price=Decimal(5), description=description)  # type: ignore[arg-type]
        work.take(Shop("ours", {"en": "Ours"}, (cup,)))
    await knowledge.changed()
    assert texts(knowledge) == ["Version 49."]
    await work.close()
    knowledge.close()


async def test_a_store_that_fails_is_tried_again_with_the_next_change() -> None:
    knowledge = Watched()
    knowledge.fails = True
    work = Cataloguing(knowledge)
    work.take(sample_shop())
    await knowledge.changed()
    knowledge.fails = False
    work.take(
        Shop("other", {"en": "Other"}, (Product("a", {"en": "A"}, description={"en": "B."}),))
    )
    await knowledge.changed()
    assert "B." in texts(knowledge)
    await work.close()
    knowledge.close()
