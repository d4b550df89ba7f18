"""What is kept of a person, over HTTP: exported in one call, deleted in one call."""

import re
from dataclasses import asdict
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from pipeline.privacy import Keeper
from web.access import prefix_of
from web.errors import RequestRefusedError

PATH: Final = "/v1/people/{person}/data"
_NUMBER: Final = re.compile(r"[0-9]{1,9}")


def people_routes(keeper: Keeper) -> list[Route]:
    """Return the routes of exports, of recordings and of deletion, for those who operate."""

    async def export(request: Request) -> JSONResponse:
        person = request.path_params["person"]
        data = await keeper.export(person)
        root = prefix_of(request)
        for number, recording in enumerate(data["recordings"]):
            del recording["file"]  # where it lies on the server is nobody's concern
            recording["url"] = f"{root}/v1/people/{person}/data/recordings/{number}"
        return JSONResponse(data, headers=_UNKEPT)

    async def recording(request: Request) -> Response:
        number = request.path_params["number"]
        path = None
        if _NUMBER.fullmatch(number):
            path = await keeper.recording(request.path_params["person"], int(number))
        if path is None:
            raise RequestRefusedError(404, f"there is no recording {number[:40]}", param="number")
        kind = _TYPES.get(path.suffix, "application/octet-stream")
        return FileResponse(path, headers=_UNKEPT, media_type=kind)

    async def delete(request: Request) -> JSONResponse:
        person = request.path_params["person"]
        deleted = asdict(await keeper.delete(person))
        return JSONResponse({"object": "person.data.deleted", "person": person, **deleted})

    return [
        Route(PATH, export, methods=["GET"]),
        Route(PATH, delete, methods=["DELETE"]),
        Route(PATH + "/recordings/{number}", recording, methods=["GET"]),
    ]


_TYPES: Final = {
    ".mp4": "video/mp4",
    ".m4s": "video/iso.segment",
    ".m3u8": "application/vnd.apple.mpegurl",
}
# Nothing on the way may keep what is somebody's own.
_UNKEPT: Final = {"Cache-Control": "no-store"}
