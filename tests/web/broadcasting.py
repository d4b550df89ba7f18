"""An application with streams over a fake engine, for tests of WHIP, WHEP and streams."""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from pipeline.options import IceServer
from tests.fakes.engine import FakeEngine, FakeScript
from tests.web.fakes import StubCalls, StubEngine, client_of
from transport.access.access import Access
from transport.streams import Streams
from transport.whep import Viewers
from transport.whip import Publishers
from web.app import create_app
from web.streams import Broadcasting

SDP = {"Content-Type": "application/sdp"}
WHEP = "/v1/whep/lobby"
WHIP = "/v1/whip/lobby"


@dataclass
class Studio:
    """The application, and what is behind it."""

    client: httpx.AsyncClient
    engine: FakeEngine
    streams: Streams
    viewers: Viewers
    publishers: Publishers

    async def open(self, name: str = "lobby", **wishes: str) -> httpx.Response:
        """Open a stream."""
        return await self.client.post("/v1/streams", json={"name": name, **wishes})

    @property
    def held(self) -> tuple[int, int, int]:
        """Return how many connections, guests and file descriptors there are."""
        connections = len(self.viewers) + len(self.publishers)
        guests = sum(len(stream.guests) for stream in self.streams)
        return connections, guests, len(list(Path(f"/proc/{os.getpid()}/fd").iterdir()))


@asynccontextmanager
async def studio(
    *,
    limit: int = 4,
    per_stream: int = 8,
    ice_servers: Sequence[IceServer] = (),
    access: Access | None = None,
) -> AsyncIterator[Studio]:
    """Yield an application with the stream "lobby"; nothing is left of it afterwards."""
    engine = FakeEngine([FakeScript(always=True)], limit=limit)
    streams = Streams(engine)
    viewers, publishers = Viewers(streams, per_stream=per_stream), Publishers(streams)
    broadcasting = Broadcasting(streams, viewers, publishers)
    app = create_app(
        engine,
        StubCalls(StubEngine()),
        ice_servers=ice_servers,
        access=access,
        streams=broadcasting,
    )
    async with client_of(app) as client:
        made = Studio(client, engine, streams, viewers, publishers)
        try:
            if access is None:
                assert (await made.open()).status_code == 201
            yield made
        finally:
            await broadcasting.close()
        assert engine.sessions == 0
        assert len(viewers) == len(publishers) == 0
