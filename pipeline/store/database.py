"""`Database`: SQLite or PostgreSQL behind one way of asking, and who may write to it."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from pipeline.errors import ConfigurationError, StoreError
from pipeline.store.errors import WORDS, trouble_of

ACCEPTED: Final = "sqlite:///PATH or postgresql+pg8000://USER:PASSWORD@HOST:PORT/DATABASE"
BUSY_S: Final = 10.0  # how long SQLite waits for another process that writes
CONNECT_S: Final = 10.0  # how long PostgreSQL may take to answer
_JOURNAL_BYTES: Final = 64 * 1024 * 1024
# The advisory lock by which one server holds a PostgreSQL database: "vivant" in ASCII.
_LOCK: Final = int.from_bytes(b"vivant", "big")


class Database:
    """One database, used by one server.

    Args:
        url: as `open_store` takes it.
        durable: whether a commit waits for the disk; tests that need no disk say no.

    Raises:
        ConfigurationError: the URL is not accepted.
        StoreError: the database cannot be opened, or another server has it.
    """

    def __init__(self, url: str, *, durable: bool = True) -> None:
        self._url = _accepted(url)
        self.sqlite = self._url.get_backend_name() == "sqlite"
        self._lock: int | None = None
        self._holder: Connection | None = None
        if self.sqlite:
            self._lock = _lock_file(Path(str(self._url.database)))
        self.engine = self._sqlite(durable) if self.sqlite else self._postgresql()

    @property
    def kind(self) -> str:
        """Which database: sqlite or postgresql."""
        return self._url.get_backend_name()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a transaction that may write; it is on disk when this ends without an error."""
        with self.engine.connect().execution_options(writes=True) as connection:
            if not self.sqlite:
                self._hold()
            with connection.begin():
                yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a transaction that sees one state of all tables."""
        with self.engine.connect() as connection, connection.begin():
            yield connection

    def close(self) -> None:
        """Let go of the database."""
        if self._holder is not None:
            self._holder.invalidate()
            self._holder.close()
            self._holder = None
        self.engine.dispose()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _hold(self) -> None:
        """Hold the database for this server alone, by a lock that ends with its connection."""
        if self._holder is not None and not self._holder.closed:
            try:
                self._holder.execute(text("select 1"))
                return
            except (DBAPIError, OSError):
                self._holder.invalidate()
                self._holder.close()
                self._holder = None
        holder = self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        taken = holder.execute(text("select pg_try_advisory_lock(:key)"), {"key": _LOCK}).scalar()
        if not taken:
            holder.close()
            raise StoreError(_in_use(str(self._url)), retry_after_s=10)
        self._holder = holder

    def _sqlite(self, durable: bool) -> Engine:
        engine = create_engine(self._url, connect_args={"timeout": BUSY_S})

        @event.listens_for(engine, "connect")
        def _connected(connection: Any, _record: Any) -> None:
            connection.isolation_level = None  # transactions begin where we say
            cursor = connection.cursor()
            for setting in (
                "journal_mode=WAL",
                f"synchronous={'FULL' if durable else 'OFF'}",
                "foreign_keys=ON",
                f"busy_timeout={int(BUSY_S * 1000)}",
                f"journal_size_limit={_JOURNAL_BYTES}",
            ):
                cursor.execute(f"PRAGMA {setting}")
            cursor.close()

        @event.listens_for(engine, "begin")
        def _began(connection: Connection) -> None:
            writes = connection.get_execution_options().get("writes", False)
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

        return engine

    def _postgresql(self) -> Engine:
        return create_engine(
            self._url, pool_pre_ping=True, pool_size=4, connect_args={"timeout": CONNECT_S}
        )


def _accepted(url: str) -> URL:
    try:
        parsed = make_url(url)
        parsed.get_dialect()
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise ConfigurationError(f"rooms.database is {url!r}; accepted: {ACCEPTED}") from error
    shown = parsed.render_as_string(hide_password=True)
    if parsed.drivername not in ("sqlite", "postgresql+pg8000") or not parsed.database:
        raise ConfigurationError(f"rooms.database is {shown!r}; accepted: {ACCEPTED}")
    return parsed


def _lock_file(path: Path) -> int:
    """Hold a SQLite database for this process; the system lets go when it ends, however it ends."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StoreError(f"the database {path} cannot be opened: {error.strerror}") from error
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise StoreError(_in_use(str(path)), retry_after_s=10) from error
    return lock


def _in_use(where: str) -> str:
    return (
        f"the database {where} is in use by another server; end that one, or set rooms.database "
        "to another"
    )


def refused(error: Exception) -> StoreError | None:
    """Return what to tell of an error of the database; None where it is about what was asked."""
    trouble = trouble_of(error)
    return None if trouble is None else StoreError(f"{WORDS[trouble]}; nothing was kept")
