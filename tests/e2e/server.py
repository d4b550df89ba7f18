"""A server in a thread, for tests that drive a browser."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp

from pipeline.contract import Engine
from pipeline.looks import Looks
from pipeline.options import IceServer
from tests.web.server import running
from transport.access.access import Access
from transport.calls import Calls
from transport.line import Lines
from web.app import create_app
from web.streams import Broadcasting


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
    with running(_under(prefix, made)) as url:
        yield url


def _under(prefix: str, app: Starlette) -> ASGIApp:
    if not prefix:
        return app
    outer = Starlette(routes=[Mount(prefix, app)])
    outer.router.lifespan_context = app.router.lifespan_context
    return outer
