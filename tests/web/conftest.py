"""Fixtures of the HTTP application."""

from collections.abc import AsyncIterator

import httpx
import pytest

from tests.web.fakes import StubCalls, StubEngine, client_of
from web.app import create_app


@pytest.fixture
def engine() -> StubEngine:
    return StubEngine()


@pytest.fixture
def calls(engine: StubEngine) -> StubCalls:
    return StubCalls(engine)


@pytest.fixture
async def client(engine: StubEngine, calls: StubCalls) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(engine, calls, languages={"joe": ("en",), "lily": ("en", "zh")})
    async with client_of(app) as client:
        yield client
