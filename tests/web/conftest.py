"""Fixtures of the HTTP application."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from tests.fakes.rooms import FakeRooms
from tests.web.fakes import StubCalls, StubEngine, client_of
from tests.web.server import running
from tests.web.whole import whole_app
from web.app import create_app


@pytest.fixture(autouse=True)
def _no_keys_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what whoever runs the tests has set up out of them."""
    monkeypatch.setenv("VIVANT_CONFIG", str(tmp_path / "no-settings"))
    monkeypatch.delenv("VIVANT_API_KEY", raising=False)


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


@pytest.fixture
def rooms() -> FakeRooms:
    return FakeRooms()


@pytest.fixture
def url(tmp_path: Path, rooms: FakeRooms) -> Iterator[str]:
    """Return the address of a server with all its parts, whose rooms are `rooms`."""
    with running(whole_app(tmp_path, rooms=rooms)) as url:
        yield url
