"""A conversation over fakes that has begun."""

from collections.abc import AsyncIterator

import pytest

from tests.fakes.room import Room


@pytest.fixture
async def room() -> AsyncIterator[Room]:
    room = Room("what is on this pizza", "and how much is it")
    await room.open()
    yield room
    await room.close()
