"""`Ledger`: what a room writes down while it goes on, without waiting for the disk."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from pipeline.clock import Clock
from pipeline.errors import StoreError
from pipeline.store import Store
from pipeline.store.rooms import set_cursor

# What waits while nothing can be written: an hour and more of a busy room.
MOST: Final = 5000
RETRY_S: Final = 1.0

Entry = Callable[[Connection], Any]

_log = logging.getLogger(__name__)


class Ledger:
    """Writes entries of one room in their order, all that wait in one go; tries again for as long
    as the database does not take them. Where the newest place of the room waits, older ones are
    not written.

    Attributes:
        lost: entries that there was no room to keep waiting, the oldest.
    """

    def __init__(self, room: str, store: Store, clock: Clock) -> None:
        self.lost = 0
        self._room = room
        self._store = store
        self._clock = clock
        self._entries: deque[Entry] = deque()
        self._batch: list[Entry] = []  # being written
        self._place: tuple[float, dict[str, Any]] | None = None
        self._filled = asyncio.Event()
        self._closing = False
        self._ended = asyncio.Event()

    def add(self, entry: Entry) -> None:
        """Write an entry soon."""
        if len(self._entries) >= MOST:
            self._entries.popleft()
            self.lost += 1
        self._entries.append(entry)
        self._filled.set()

    def place(self, at: float, snapshot: dict[str, Any]) -> None:
        """Write soon where the room is, in place of what it was before."""
        self._place = (at, snapshot)
        self._filled.set()

    def forget(self) -> None:
        """Write nothing of what waits: the room is no more."""
        self._entries.clear()
        self._place = None

    async def run(self) -> None:
        """Write until `close`, and then what waits, if the database takes it."""
        while True:
            await self._filled.wait()
            self._filled.clear()
            while self._entries or self._place or self._batch:
                if not await self._write():
                    if self._closing:
                        return
                    await self._wait()
            if self._closing:
                return

    def close(self) -> None:
        """Let `run` end once it has tried to write what waits."""
        self._closing = True
        self._ended.set()
        self._filled.set()

    async def _wait(self) -> None:
        """Wait before the next try, but not for that when the room closes."""
        tasks = {
            asyncio.create_task(self._clock.sleep_until(self._clock.now() + RETRY_S)),
            asyncio.create_task(self._ended.wait()),
        }
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    async def _write(self) -> bool:
        if not self._batch:
            self._batch = list(self._entries)
            self._entries.clear()
        batch, place = self._batch, self._place
        try:
            await self._store.write(lambda connection: self._all(connection, batch, place))
        except StoreError:
            return False
        except SQLAlchemyError as error:  # of one entry: the others are written without it
            _log.error("room %s: an entry is not accepted: %s", self._room, type(error).__name__)
            await self._one_by_one(batch)
        self._batch = []
        if place is not None and self._place is place:
            self._place = None
        return True

    def _all(
        self,
        connection: Connection,
        entries: list[Entry],
        place: tuple[float, dict[str, Any]] | None,
    ) -> None:
        for entry in entries:
            entry(connection)
        if place is not None:
            set_cursor(connection, self._room, *place)

    async def _one_by_one(self, entries: list[Entry]) -> None:
        for entry in entries:
            try:
                await self._store.write(entry)
            except (SQLAlchemyError, StoreError) as error:
                self.lost += 1
                _log.error("room %s: an entry is lost: %s", self._room, type(error).__name__)
