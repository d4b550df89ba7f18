"""Figures prepared while the server serves: in a process of their own, once for all who wait."""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

from pipeline.aside import Aside, AsideError
from pipeline.errors import AssetError, AvatarPreparingError
from pipeline.prepared import prepare_avatars

LONGEST_WAIT_S: Final = 60.0

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
        self._aside = Aside()
        self._under_way: dict[str, asyncio.Task[None]] = {}

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
        self._aside.close()
        await asyncio.gather(*self._under_way.values(), return_exceptions=True)

    async def _make(self, name: str) -> None:
        logger.info("preparing avatar %s", name)
        try:
            await self._aside.run("prepare", self._build, self._cache, name)
        except AsideError as error:
            raise AssetError(f"avatar {name!r} cannot be prepared: {error}") from None

    def _ended(self, name: str, task: asyncio.Task[None]) -> None:
        del self._under_way[name]
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.warning("%s", error)
