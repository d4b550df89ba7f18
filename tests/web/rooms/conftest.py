"""Fixtures of live rooms over HTTP."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.web.rooms.house import House, house


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path) as made:
        yield made
