"""Keeps the knowledge bases' products as the shops have them."""

import asyncio
import logging

from agents.errors import AgentError
from agents.knowledge.products import replace_shop
from agents.knowledge.store import Knowledge
from agents.shop.product import Shop
from pipeline.tasks import Tasks

_log = logging.getLogger(__name__)


class Cataloguing:
    """Puts what changes of shops into the knowledge bases, off the event loop.

    Of a shop that changes faster than that goes, only the newest is put.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._waiting: dict[str, Shop] = {}
        self._tasks = Tasks()
        self._working = False

    def take(self, shop: Shop) -> None:
        """Put a shop that is another one; one without products and policies is taken out."""
        self._waiting[shop.id] = shop
        if not self._working:
            self._working = True
            self._tasks.start(self._work(), "products into the knowledge bases")

    async def close(self) -> None:
        """Stop; what was not put is put when the shops are read again."""
        await self._tasks.close()

    async def _work(self) -> None:
        try:
            while self._waiting:
                shop = self._waiting.pop(next(iter(self._waiting)))
                try:
                    await asyncio.to_thread(replace_shop, self._knowledge, shop)
                except AgentError:
                    _log.exception("the products of %s are not in the knowledge bases", shop.id)
        finally:
            self._working = False
