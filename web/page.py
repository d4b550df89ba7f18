"""The pages and their files: every name is checked before it becomes a path."""

import re
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.staticfiles import NotModifiedResponse, StaticFiles

from transport.streams import NAME as STREAM_NAME
from web.access import prefix_of
from web.errors import RequestRefusedError

STATIC: Final = Path(__file__).parent / "static"
_FILE: Final = r"[a-z][a-z0-9-]{0,40}\.(?:js|d\.ts|css|svg|jpg)"
# The talk page's files lie flat; the console has a folder, and folders in it.
_NAME: Final = re.compile(rf"(?:console/(?:[a-z]{{1,20}}/)?)?{_FILE}")
_TYPES: Final = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".ts": "text/plain",  # declarations, for editors
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".jpg": "image/jpeg",
}


_FILES: Final = StaticFiles(directory=STATIC)


async def show_page(request: Request) -> Response:
    """Answer `GET /`."""
    return answer_file(request, STATIC / "index.html")


async def show_console(request: Request) -> Response:
    """Answer `GET /console/`: the page of those who run live rooms."""
    return answer_file(request, STATIC / "console" / "index.html")


async def to_console(request: Request) -> Response:
    """Answer `GET /console`: its files are found relative to the address with the slash."""
    return RedirectResponse(f"{prefix_of(request)}/console/", 308)


async def show_stream(request: Request) -> Response:
    """Answer `GET /watch/{stream}`: a page that plays it, whether or not it is on the air.

    Raises:
        RequestRefusedError: 404 for what cannot be a stream's name.
    """
    stream = request.path_params["stream"]
    if not STREAM_NAME.fullmatch(stream):
        raise RequestRefusedError(404, f"no stream is called {stream[:64]!r}", param="stream")
    return answer_file(request, STATIC / "watch.html")


async def show_file(request: Request) -> Response:
    """Answer `GET /static/{name}`.

    Raises:
        RequestRefusedError: 404 for a name that is none of the folder's files.
    """
    name = request.path_params["name"]
    if not _NAME.fullmatch(name) or not (STATIC / name).is_file():
        raise RequestRefusedError(404, f"no file is called {name[:64]!r}", param="name")
    return answer_file(request, STATIC / name)


def page_routes() -> list[Route]:
    """Return the routes of the pages."""
    return [
        Route("/", show_page),
        Route("/console", to_console),
        Route("/console/", show_console),
        Route("/watch/{stream}", show_stream),
        Route("/static/{name:path}", show_file),
    ]


def answer_file(request: Request, path: Path) -> Response:
    """Answer with a file, or that it has not changed since it was sent."""
    response = FileResponse(
        path,
        headers={"Cache-Control": "no-cache"},  # kept, but asked for again: there is no build step
        media_type=_TYPES[path.suffix],
        stat_result=path.stat(),
    )
    if _FILES.is_not_modified(response.headers, request.headers):
        return NotModifiedResponse(response.headers)
    return response
