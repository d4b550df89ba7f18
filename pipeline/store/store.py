"""`Store`: what live rooms keep, in SQLite or PostgreSQL."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Final, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from pipeline.store.database import Database, refused
from pipeline.store.errors import Trouble
from pipeline.store.schema import migrate
from pipeline.store.writer import Writer, Writes

T = TypeVar("T")

READERS: Final = 2


class Store:
    """Reads and writes, off the event loop.

    Args:
        database: where.
        writes: carries writes out; None starts a thread for them.
        readers: run what reads; None starts threads for it.
    """

    def __init__(
        self, database: Database, writes: Writes | None = None, readers: Executor | None = None
    ) -> None:
        self._database = database
        self._writes = writes or Writer(database)
        self._readers = readers or ThreadPoolExecutor(READERS, thread_name_prefix="store reader")

    @property
    def kind(self) -> str:
        """Which database: sqlite or postgresql."""
        return self._database.kind

    @property
    def trouble(self) -> Trouble | None:
        """What keeps it from writing now; None for nothing."""
        return self._writes.trouble

    async def write(self, call: Callable[[Connection], T]) -> T:
        """Carry out `call` within a transaction; what it wrote is on disk on return.

        What it raises undoes it and is raised here. When the awaiting task is cancelled, a write
        that has not begun never is.

        Raises:
            StoreError: nothing was kept: the disk is full, the database cannot be reached, or too
                many writes wait.
        """
        return await asyncio.wrap_future(self._writes.submit(call))

    def send(self, call: Callable[[Connection], T]) -> "Future[T]":
        """Like `write`, for who does not wait on the event loop.

        Raises:
            StoreError: too many writes wait.
        """
        return self._writes.submit(call)

    async def read(self, call: Callable[[Connection], T]) -> T:
        """Carry out `call`, which only reads, beside what is written.

        Raises:
            StoreError: the database cannot be read.
        """
        return await asyncio.wrap_future(self._readers.submit(self.read_now, call))

    def read_now(self, call: Callable[[Connection], T]) -> T:
        """Do the same on a thread of one's own."""
        try:
            with self._database.reading() as connection:
                return call(connection)
        except (SQLAlchemyError, OSError) as error:
            told = refused(error)
            if told is None:
                raise
            raise told from error

    async def close(self) -> None:
        """Write what waits, and let go of the database. Idempotent."""
        await asyncio.to_thread(self.close_now)

    def close_now(self) -> None:
        """Do the same on a thread of one's own."""
        self._writes.close()
        self._readers.shutdown(wait=True)
        self._database.close()


def open_store(url: str, *, durable: bool = True) -> Store:
    """Open a database, making its tables or bringing them up to date. Blocks.

    Args:
        url: "sqlite:///PATH" or "postgresql+pg8000://USER:PASSWORD@HOST:PORT/DATABASE".
        durable: whether what is written is on disk before it is acknowledged.

    Raises:
        ConfigurationError: the URL is not accepted, or the database is of a newer version.
        StoreError: the database cannot be opened, or another server has it.
    """
    return Store(open_database(url, durable=durable))


def open_database(url: str, *, durable: bool = True) -> Database:
    """Return the database behind a store; errors as of `open_store`."""
    database = Database(url, durable=durable)
    try:
        with database.writing() as connection:
            migrate(connection)
    except BaseException as error:
        database.close()
        told = refused(error) if isinstance(error, Exception) else None
        if told is None:
            raise
        raise told from error
    return database
