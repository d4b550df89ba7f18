"""Fixtures of the HTTP application."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.web.fakes import StubCalls, StubEngine, client_of
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
