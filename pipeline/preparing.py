"""Figures prepared while the server serves: in a process of their own, once for all who wait."""

import asyncio
import logging
import multiprocessing
import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

from pipeline.errors import AssetError, AvatarPreparingError, VivantError
from pipeline.prepared import prepare_avatars

LONGEST_WAIT_S: Final = 60.0
# Ten seconds of work take what calls leave: sound and pictures of others go first.
_LAST: Final = 19

Build = Callable[[Path, str], None]

logger = logging.getLogger(__name__)


def build_figure(cache: Path, name: str) -> None:
    """Build the figure and the still picture of an identity in the library of `cache`.

    Raises:
        AssetError: it cannot be built.
        ConfigurationError: there is no identity of that name.
    """
    prepare_avatars(cache, (name,))


class Preparing:
    """What is being prepared in one cache folder, one figure at a time.

    Args:
        cache: the folder.
        build: does the work, in another process: a function of a module.
        longest_s: seconds a caller waits; the work goes on for whoever comes next.
    """

    def __init__(
        self, cache: Path, build: Build = build_figure, longest_s: float = LONGEST_WAIT_S
    ) -> None:
        self._cache = cache
        self._build = build
        self._longest = longest_s
        self._one = asyncio.Lock()
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._process: BaseProcess | None = None
        self._closing = False

    async def ready(self, name: str) -> None:
        """Return when the figure of an identity has been prepared; many may wait for one.

        Raises:
            AvatarPreparingError: it takes longer than a caller should wait, and goes on.
            AssetError: it cannot be prepared; the next caller tries anew.
        """
        task = self._under_way.get(name)
        if task is None:
            task = asyncio.create_task(self._make(name), name=f"prepare-{name}")
            self._under_way[name] = task
            task.add_done_callback(lambda done: self._ended(name, done))
        try:
            async with asyncio.timeout(self._longest):
                await asyncio.shield(task)
        except TimeoutError as error:
            raise AvatarPreparingError(name) from error

    async def close(self) -> None:
        """Leave what is under way, and let its callers know. Idempotent."""
        self._closing = True
        if self._process is not None:
            self._process.kill()
        await asyncio.gather(*self._under_way.values(), return_exceptions=True)

    async def _make(self, name: str) -> None:
        async with self._one:
            problem = "the server closes"
            if not self._closing:
                logger.info("preparing avatar %s", name)
                problem = await asyncio.to_thread(self._run, name)
            if problem:
                raise AssetError(f"avatar {name!r} cannot be prepared: {problem}")

    def _run(self, name: str) -> str:
        """Return what went wrong, nothing where nothing did. Blocks for as long as it takes."""
        spawning = multiprocessing.get_context("spawn")
        ours, theirs = spawning.Pipe(duplex=False)
        arguments = (theirs, self._build, self._cache, name)
        process = spawning.Process(target=_work, args=arguments, name="prepare", daemon=True)
        with ours:
            process.start()
            self._process = process
            theirs.close()
            if self._closing:  # begun in the moment before
                process.kill()
            problem = _last_word(ours)
        process.join()
        self._process = None
        return problem

    def _ended(self, name: str, task: asyncio.Task[None]) -> None:
        del self._under_way[name]
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.warning("%s", error)


def _work(connection: Connection, build: Build, cache: Path, name: str) -> None:
    # Ctrl-C reaches the whole group of processes; the server tells this one when to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_LAST)
    try:
        build(cache, name)
    except VivantError as error:
        connection.send(str(error))
    else:
        connection.send("")


def _last_word(connection: Connection) -> str:
    try:
        word = connection.recv()
    except (EOFError, ConnectionError):
        return "its process ended before it was done"
    assert isinstance(word, str)
    return word
