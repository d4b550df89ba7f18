"""Work that takes seconds while the server serves: in a process of its own, one piece at a time."""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final

from pipeline.errors import VivantError

# Such work takes what calls leave: sound and pictures of others go first.
_LAST: Final = 19
_ENDED: Final = "its process ended before it was done"


class AsideError(VivantError):
    """Work failed in its process; the message is of the error there.

    Attributes:
        kind: name of the error's class there; empty where the process just ended.
    """

    def __init__(self, message: str, kind: str = "") -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class _Failed:
    message: str
    kind: str


class Aside:
    """Runs functions of modules in processes that end with their work.

    Args:
        niceness: of the processes, 0 to 19.
    """

    def __init__(self, niceness: int = _LAST) -> None:
        self._niceness = niceness
        self._one = asyncio.Lock()
        self._process: BaseProcess | None = None
        self._closing = False

    async def run(self, name: str, work: Callable[..., Any], *arguments: object) -> Any:
        """Return what `work` returns. Given up by its caller it goes on to its end.

        Args:
            name: of the process.
            work: a function of a module; its arguments and result travel as pickles.

        Raises:
            AsideError: it raised a VivantError, its process ended, or the server closes.
        """
        async with self._one:
            if self._closing:
                raise AsideError("the server closes")
            done = await asyncio.to_thread(self._run, name, work, arguments)
        if isinstance(done, _Failed):
            raise AsideError(done.message, done.kind)
        return done

    def close(self) -> None:
        """End what runs, and begin nothing more. Idempotent."""
        self._closing = True
        if self._process is not None:
            self._process.kill()

    def _run(self, name: str, work: Callable[..., Any], arguments: tuple[object, ...]) -> Any:
        """Return what came of it. Blocks for as long as it takes."""
        spawning = multiprocessing.get_context("spawn")
        ours, theirs = spawning.Pipe(duplex=False)
        process = spawning.Process(
            target=_work, args=(theirs, self._niceness, work, arguments), name=name, daemon=True
        )
        with ours:
            process.start()
            self._process = process
            theirs.close()
            if self._closing:  # begun in the moment before
                process.kill()
            done = _last_word(ours)
        process.join()
        self._process = None
        return done


def _work(
    connection: Connection,
    niceness: int,
    work: Callable[..., Any],
    arguments: tuple[object, ...],
) -> None:
    # Ctrl-C reaches the whole group of processes; the server tells this one when to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(niceness)
    try:
        done = work(*arguments)
    except VivantError as error:
        done = _Failed(str(error), type(error).__name__)
    connection.send(done)


def _last_word(connection: Connection) -> Any:
    try:
        return connection.recv()
    except (EOFError, ConnectionError):
        return _Failed(_ENDED, "")
