"""`Reception`: takes in what viewers do: kept first, then heard."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from agents.show.viewers import ViewerEvent
from pipeline.errors import StoreError
from pipeline.rooms.parts import Parts
from pipeline.rooms.receipt import Receipt

if TYPE_CHECKING:
    from pipeline.rooms.room import Room


class Reception:
    """Takes in what viewers of one room do."""

    def __init__(self, room: "Room", parts: Parts) -> None:
        self._room = room
        self._parts = parts
        self._taking: set[asyncio.Task[list[Receipt]]] = set()

    async def hear(self, events: Sequence[ViewerEvent]) -> list[Receipt]:
        """Take in what viewers did; what is accepted is on disk on return, whoever waits for it.

        Raises:
            StoreError: nothing was kept.
        """
        taking = asyncio.create_task(self._take(events), name=f"take {self._room.id}")
        self._taking.add(taking)
        taking.add_done_callback(self._taking.discard)
        try:
            return await asyncio.shield(taking)
        except StoreError:
            self._room.warden.look_at_store()
            raise

    async def _take(self, events: Sequence[ViewerEvent]) -> list[Receipt]:
        now = self._room.clock.now()
        stamped = [replace(event, at=now) for event in events]
        if any(event.kind == "order" for event in events):
            fresh = await self._sell(stamped)
        else:
            fresh = await self._parts.store.write(partial(self._room.chatter.write, events=stamped))
        for event in fresh:
            self._happened(event)
        if self._room.show is not None:
            self._room.show.nudge()
        self._room.reporter.refresh()
        self._room.reporter.restock()
        taken = {event.id for event in fresh}
        receipts = []
        for event in events:
            receipts.append(Receipt(event.id, "taken" if event.id in taken else "known"))
            taken.discard(event.id)
        return receipts

    async def _sell(self, events: Sequence[ViewerEvent]) -> list[ViewerEvent]:
        shops, shop = self._parts.shops, self._room.spec.shop

        def take(connection: Any) -> tuple[list[ViewerEvent], Sequence[Any]]:
            fresh = self._room.chatter.write(connection, events)
            orders = [event for event in fresh if event.kind == "order"]
            return fresh, shops.sell(connection, shop, orders)

        async with shops.changing:
            fresh, changed = await self._parts.store.write(take)
            shops.sold(shop, changed)
        return fresh

    def _happened(self, event: ViewerEvent) -> None:
        discount = 0.0
        if event.kind == "order":
            discount = self._room.shelf.reduction(event.product, self._room.clock.wall())
        self._room.watch.hear(event, discount)
        self._room.shelf.count(event)
        self._room.warden.count(event)
        heard = self._room.show.hear(event) if self._room.show is not None else None
        self._room.chatter.show(event, heard)

    async def hear_voice(self, event: ViewerEvent) -> None:
        """Take in what somebody said on the line. What cannot be kept was still heard."""
        try:
            await self.hear([event])
        except StoreError:  # the alert tells of it; what was said to the host was still heard
            self._happened(replace(event, at=self._room.clock.now()))
            if self._room.show is not None:
                self._room.show.nudge()

    async def close(self) -> None:
        """Wait until all that is being taken in is kept."""
        if self._taking:
            await asyncio.wait(set(self._taking))
