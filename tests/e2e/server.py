"""A server in a thread, for tests that drive a browser."""

import socket
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp

from pipeline.contract import Engine
from pipeline.looks import Looks
from pipeline.options import IceServer
from transport.access.access import Access
from transport.calls import Calls
from transport.line import Lines
from web.app import create_app
from web.streams import Broadcasting

START_SECONDS = 10.0


class _ThreadServer(uvicorn.Server):
    def __init__(self, settings: uvicorn.Config) -> None:
        super().__init__(settings)
        self.ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


@contextmanager
def serving(
    engine: Engine,
    languages: dict[str, tuple[str, ...]] | None = None,
    prefix: str = "",
    origins: Collection[str] = (),
    looks: Looks | None = None,
    ice_servers: Sequence[IceServer] = (),
    calls: Calls | None = None,
    access: Access | None = None,
    streams: Broadcasting | None = None,
) -> Iterator[str]:
    """Serve `engine` on a free port of this machine and give the URL; closes it at the end.

    With `prefix` all of it lies under that path, and the application is told so.
    """
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    lines = Lines(engine)
    made = create_app(
        engine,
        Calls(engine, lines=lines) if calls is None else calls,
        lines=lines,
        languages=languages,
        origins=origins,
        looks=looks,
        ice_servers=ice_servers,
        access=access,
        streams=streams,
    )
    app = _under(prefix, made)
    settings = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2, lifespan="on")
    server = _ThreadServer(settings)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="server")
    thread.start()
    try:
        assert server.ready.wait(START_SECONDS), "the server did not start"
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def _under(prefix: str, app: Starlette) -> ASGIApp:
    if not prefix:
        return app
    outer = Starlette(routes=[Mount(prefix, app)])
    outer.router.lifespan_context = app.router.lifespan_context
    return outer
