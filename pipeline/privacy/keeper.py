"""Keeps beside running sessions: writes on a thread of its own, sweeps every day."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeVar

from pipeline.clock import Clock, SystemClock
from pipeline.configuration import Configuration
from pipeline.privacy.holdings import Deleted, Holdings, open_holdings
from pipeline.privacy.person import check_person
from pipeline.privacy.scribe import Scribe
from pipeline.privacy.transcripts import Line

# Lines that wait for the disk. People say one every few seconds.
MAX_WAITING: Final = 256
_DAY_S: Final = 86_400.0

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Keeper:
    """What sessions, the HTTP application and recordings use of `Holdings`. Never blocks.

    Args:
        holdings: what there is.
        transcripts: whether what is said is kept; else `follow` gives nobody.
        now: the date, for lines.
        clock: on which a day passes between two sweeps.
        executor: runs what blocks, one call at a time.
    """

    def __init__(
        self,
        holdings: Holdings,
        *,
        transcripts: bool,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Clock | None = None,
        executor: Executor | None = None,
    ) -> None:
        self.lost = 0  # lines for which there was no room
        self._holdings = holdings
        self._transcripts = transcripts
        self._now = now
        self._clock = clock or SystemClock()
        self._executor = executor or ThreadPoolExecutor(1, thread_name_prefix="keeping")
        self._lock = Lock()
        self._waiting = 0

    def follow(self, person: str | None) -> Scribe | None:
        """Return who writes down a session of `person`, None where nothing is kept.

        Raises:
            ConfigurationError: `person` is no id.
        """
        if not self._transcripts:
            return None
        return Scribe(self, None if person is None else check_person(person), self._now)

    def add(self, person: str, line: Line) -> None:
        """Keep a line soon."""
        self._later(lambda: self._room(self._holdings.transcripts.add(person, line)))

    def amend(self, person: str, session: str, item: str, text: str) -> None:
        """Change a line soon; see `TranscriptStore.amend`."""
        self._later(lambda: self._holdings.transcripts.amend(person, session, item, text))

    def note_recording(self, person: str, path: Path) -> None:
        """Note soon that `person` is seen or heard in a recording that somebody ordered.

        Raises:
            ConfigurationError: `person` is no id.
        """
        check_person(person)
        self._later(lambda: self._holdings.recordings.note(person, path))

    async def export(self, person: str) -> dict[str, Any]:
        """Return all there is of a person; see `Holdings.export`."""
        return await self._run(lambda: self._holdings.export(person))

    async def recording(self, person: str, number: int) -> Path | None:
        """Return the file of a recording by its place in the export, None where there is none."""
        found = await self._run(lambda: self._holdings.recordings.of(person))
        return found[number].path if 0 <= number < len(found) else None

    async def delete(self, person: str) -> Deleted:
        """Delete all there is of a person. What is said after that is kept again."""
        return await self._run(lambda: self._holdings.delete(person))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Sweep now and every day; at the end everything that waits has been written."""
        sweeping = asyncio.create_task(self._sweep_daily(), name="sweep what is kept")
        try:
            yield
        finally:
            sweeping.cancel()
            await asyncio.wait([sweeping])
            await asyncio.to_thread(self._executor.shutdown, wait=True)

    async def _sweep_daily(self) -> None:
        due = self._clock.now()
        while True:
            try:
                gone = await self._run(self._holdings.sweep)
            except OSError as error:
                _log.error("what is too old could not be deleted: %s", error.strerror)
            else:
                _log.info("%d files were too old and are gone", gone)
            due += _DAY_S
            await self._clock.sleep_until(due)

    async def _run(self, call: Callable[[], T]) -> T:
        return await asyncio.wrap_future(self._executor.submit(call))

    def _later(self, call: Callable[[], None]) -> None:
        with self._lock:
            full = self._waiting >= MAX_WAITING
            if not full:
                self._waiting += 1
        if full:
            self._room(False)
        else:
            self._executor.submit(self._write, call)

    def _write(self, call: Callable[[], None]) -> None:
        try:
            call()
        except OSError as error:  # its text names a path, never what was said
            self.lost += 1
            _log.error("a line could not be kept: %s", error.strerror)
        finally:
            with self._lock:
                self._waiting -= 1

    def _room(self, there: bool) -> None:
        if there:
            return
        self.lost += 1
        if self.lost == 1:
            _log.warning("there is no room for what is said; lines are lost from here on")


def open_keeper(configuration: Configuration) -> Keeper:
    """Return what keeps as the configuration says."""
    keep = configuration.privacy.keep == "transcripts"
    return Keeper(open_holdings(configuration), transcripts=keep)
