"""A server for every test, and no task left behind by one."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.transport.client.server import FakeServer, fake_server


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    """Yield a server; afterwards no task may be left."""
    async with fake_server() as fake:
        yield fake
    left = {task for task in asyncio.all_tasks() if task is not asyncio.current_task()}
    names = sorted(
        task.get_name() for task in left if task.get_name().startswith(("vivant", "tool"))
    )
    assert names == []
