"""Fixtures of live rooms."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from pipeline.rooms import commands
from tests.pipeline.rooms.house import House


@pytest_asyncio.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """Return a house whose room is on air."""
    made = House(tmp_path)
    await made.start()
    await made.rooms.command("room", commands.Start(), "op")
    yield made
    await made.rooms.close()
