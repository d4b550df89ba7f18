"""An application served over loopback by a thread, as `vivant serve` serves it."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

START_SECONDS = 10.0


class _ThreadServer(uvicorn.Server):
    def __init__(self, settings: uvicorn.Config) -> None:
        super().__init__(settings)
        self.ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


@contextmanager
def running(app: ASGIApp, port: int = 0) -> Iterator[str]:
    """Serve `app` on a port of this machine, 0 for a free one, and give the URL; closes it at the
    end.
    """
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
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
