"""The page and its files: a flat folder, every name checked before it becomes a path."""

import re
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from web.errors import RequestRefusedError

STATIC: Final = Path(__file__).parent / "static"
_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,40}\.(?:js|css|svg|png|webp)")
_TYPES: Final = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


async def show_page(_: Request) -> Response:
    """Answer `GET /`."""
    return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})


async def show_file(request: Request) -> Response:
    """Answer `GET /static/{name}`.

    Raises:
        RequestRefusedError: 404 for a name that is none of the folder's files.
    """
    name = request.path_params["name"]
    if not _NAME.fullmatch(name) or not (STATIC / name).is_file():
        raise RequestRefusedError(404, f"no file is called {name[:64]!r}", param="name")
    kind = _TYPES.get(Path(name).suffix)
    headers = {"Cache-Control": "no-cache"}
    return FileResponse(STATIC / name, headers=headers, media_type=kind)


def page_routes() -> list[Route]:
    """Return the routes of the page."""
    return [Route("/", show_page), Route("/static/{name:path}", show_file)]
