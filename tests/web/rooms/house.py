"""An application with live rooms in memory, a client that reaches it, and keys where asked for."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette

from tests.fakes.engine import FakeEngine
from tests.fakes.rooms import FakeRooms
from tests.web.fakes import client_of
from tests.web.whole import whole_app
from transport.access.access import Access
from transport.access.keys import KeyFile, Keys
from transport.access.secret import Secret

Json = dict[str, Any]


@dataclass
class House:
    """The application, and what is behind it."""

    app: Starlette
    client: httpx.AsyncClient
    rooms: FakeRooms
    folder: Path
    engine: FakeEngine

    async def get(self, path: str, status: int = 200, **more: Any) -> Json:
        """Ask for a document."""
        response = await self.client.get(f"/v1/{path}", **more)
        assert response.status_code == status, response.text
        told: Json = response.json()
        return told

    async def send(self, method: str, path: str, body: object, status: int = 200) -> Json:
        """Send a document, and return the answer."""
        response = await self.client.request(method, f"/v1/{path}", json=body)
        assert response.status_code == status, response.text
        told: Json = response.json()
        return told


@asynccontextmanager
async def house(folder: Path, access: Access | None = None) -> AsyncIterator[House]:
    """Give an application whose rooms have begun."""
    rooms, engine = FakeRooms(), FakeEngine()
    app = whole_app(folder, engine, access, rooms)
    async with app.router.lifespan_context(app), client_of(app) as client:
        yield House(app, client, rooms, folder, engine)
    assert rooms.closed


def guarded(folder: Path) -> tuple[Access, dict[str, str]]:
    """Return a door, and a key for each scope."""
    file = KeyFile(folder / "keys.json")
    keys = {
        scope: file.create(scope, [scope])[1] for scope in ("talk", "watch", "publish", "operate")
    }
    return Access(Keys(file), Secret(bytes(32))), keys


def bearer(key: str) -> dict[str, str]:
    """Return the header that shows a key."""
    return {"Authorization": f"Bearer {key}"}
