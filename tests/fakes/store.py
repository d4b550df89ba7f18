"""A store that does all at once, in the caller's thread; for tests under a virtual clock."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection

from pipeline.store import Store, Trouble, open_database
from pipeline.store.writer import Committer, Write
from tests.fakes.executor import InlineExecutor

T = TypeVar("T")


class InlineWrites:
    """A `pipeline.store.writer.Writes` without a thread."""

    def __init__(self, committer: Committer) -> None:
        self._committer = committer

    @property
    def trouble(self) -> Trouble | None:
        return self._committer.trouble

    def submit(self, call: Callable[[Connection], T]) -> "Future[T]":
        write = Write(call)
        self._committer.commit([write])
        return write.done

    def close(self) -> None:
        """Nothing waits."""


def inline_store(path: Path) -> Store:
    """Open an SQLite file; a commit does not wait for the disk."""
    database = open_database(f"sqlite:///{path}", durable=False)
    return Store(database, InlineWrites(Committer(database)), InlineExecutor())
