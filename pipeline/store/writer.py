"""`Writer`: one thread that writes, many writes to a commit."""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, Full, Queue
from threading import Thread
from typing import Any, Final, Protocol, TypeVar

from sqlalchemy import Connection

from pipeline.errors import StoreError
from pipeline.store.database import Database
from pipeline.store.errors import WORDS, Trouble, trouble_of

T = TypeVar("T")

INBOX: Final = 2048  # writes that wait; one more is refused
GROUP: Final = 256  # writes of one commit

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Write:
    """A piece of work within a transaction, and who waits for it."""

    call: Callable[[Connection], Any]
    done: "Future[Any]" = field(default_factory=Future)


class Writes(Protocol):
    """Takes writes; `Writer` is one."""

    @property
    def trouble(self) -> Trouble | None:
        """What keeps it from writing now."""

    def submit(self, call: Callable[[Connection], T]) -> "Future[T]":
        """Write soon.

        Raises:
            StoreError: too many writes wait.
        """

    def close(self) -> None:
        """Write what waits, and end."""


class Committer:
    """Carries out writes together; each stands or falls by itself, unless the database fails.

    Attributes:
        trouble: what the database suffered from when it was last written to; None for nothing.
    """

    def __init__(self, database: Database) -> None:
        self.trouble: Trouble | None = None
        self._database = database

    def commit(self, writes: list[Write]) -> None:
        """Carry out `writes` in one transaction and tell each how it went."""
        running = [write for write in writes if write.done.set_running_or_notify_cancel()]
        try:
            with self._database.writing() as connection:
                made = [self._carry_out(connection, write) for write in running]
        except Exception as error:  # noqa: BLE001 - told to all who wait, never hidden
            self._fail(running, error)
        else:
            self._settled(None)
            for write, (result, problem) in zip(running, made, strict=True):
                if problem is None:
                    write.done.set_result(result)
                else:
                    write.done.set_exception(problem)

    def _carry_out(self, connection: Connection, write: Write) -> tuple[Any, Exception | None]:
        try:
            with connection.begin_nested():
                return write.call(connection), None
        except Exception as error:  # told to who waits for this write
            if trouble_of(error) is not None:
                raise
            return None, error

    def _fail(self, writes: list[Write], error: Exception) -> None:
        trouble = trouble_of(error)
        told: Exception = error
        if isinstance(error, StoreError):
            trouble = "lost"  # another server has the database
        elif trouble is not None:
            told = StoreError(f"{WORDS[trouble]}; nothing was kept")
        self._settled(trouble or "failed")
        for write in writes:
            write.done.set_exception(told)

    def _settled(self, trouble: Trouble | None) -> None:
        if trouble != self.trouble:
            if trouble is None:
                _log.warning("the database takes writes again")
            else:
                _log.error("nothing can be kept: %s", WORDS[trouble])
        self.trouble = trouble


class Writer:
    """A `Writes` with a thread of its own and a bounded inbox.

    What waits while a commit is under way goes into the next one (group commit), so the wait for
    the disk is shared.
    """

    def __init__(self, database: Database, *, inbox: int = INBOX) -> None:
        self._committer = Committer(database)
        self._inbox: Queue[Write | None] = Queue(inbox)
        self._thread = Thread(target=self._run, name="store", daemon=True)
        self._closed = False
        self._thread.start()

    @property
    def trouble(self) -> Trouble | None:
        """What keeps it from writing now."""
        return self._committer.trouble

    def submit(self, call: Callable[[Connection], T]) -> "Future[T]":
        """Write soon.

        Raises:
            StoreError: too many writes wait, or the store has been closed.
        """
        if self._closed:
            raise StoreError("the store has been closed")
        write = Write(call)
        try:
            self._inbox.put_nowait(write)
        except Full:
            message = f"{self._inbox.maxsize} writes wait for the database; nothing was kept"
            raise StoreError(message) from None
        return write.done

    def close(self) -> None:
        """Write what waits, and end the thread. Blocks. Idempotent."""
        if not self._closed:
            self._closed = True
            self._inbox.put(None)
            self._thread.join()

    def _run(self) -> None:
        going_on = True
        while going_on:
            group, going_on = self._take()
            if group:
                self._committer.commit(group)

    def _take(self) -> tuple[list[Write], bool]:
        """Wait for a write; return it and those behind it, and whether more may come."""
        group: list[Write] = []
        entry = self._inbox.get()
        while entry is not None:
            group.append(entry)
            if len(group) == GROUP:
                return group, True
            try:
                entry = self._inbox.get_nowait()
            except Empty:
                return group, True
        return group, False
