"""The application on a real port, in the event loop of the test."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import uvicorn

from tests.fakes.engine import FakeEngine, FakeSession
from transport.access.access import Access
from transport.calls import Calls
from transport.line import Lines
from transport.socket import MAX_MESSAGE_BYTES
from web.app import create_app
from web.patience import PatientProtocol
from web.sockets import BoundedProtocol


@dataclass
class Served:
    """A running server and what is behind it."""

    port: int
    engine: FakeEngine
    lines: Lines
    calls: Calls

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/v1/realtime"

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def session(self) -> FakeSession:
        """The session opened last."""
        return self.engine.opened[-1]


class _Announcing(uvicorn.Server):
    def __init__(self, settings: uvicorn.Config) -> None:
        super().__init__(settings)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


@asynccontextmanager
async def served(
    engine: FakeEngine | None = None,
    *,
    hold_s: float = 5.0,
    access: Access | None = None,
    ping_s: float = 20.0,
    send_buffer: int | None = None,
) -> AsyncIterator[Served]:
    """Serve the fake engine, as `vivant serve` serves the real one.

    `ping_s`: how often and for how long a client is asked for a sign of life; `send_buffer`: bytes
    the system takes for a client that does not read.
    """
    engine = engine or FakeEngine()
    lines = Lines(engine, hold_s)
    calls = Calls(engine, lines=lines)
    listener = socket.socket()
    if send_buffer is not None:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
    listener.bind(("127.0.0.1", 0))
    app = create_app(engine, calls, lines=lines, access=access)
    settings = uvicorn.Config(
        app,
        log_level="warning",
        http=PatientProtocol,
        ws=BoundedProtocol,
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=ping_s,
        ws_ping_timeout=ping_s,
        lifespan="on",
        timeout_graceful_shutdown=2,
    )
    server = _Announcing(settings)
    running = asyncio.create_task(server.serve(sockets=[listener]), name="server")
    async with asyncio.timeout(10):
        await server.ready.wait()
    try:
        yield Served(listener.getsockname()[1], engine, lines, calls)
    finally:
        server.should_exit = True
        await running
        listener.close()
