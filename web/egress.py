"""Egress over HTTP: where a stream goes beside its viewers, and the playlists it is watched by."""

import re
from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from pipeline.privacy import Keeper
from transport.egress.targets import HlsTarget, RecordingTarget, RtmpTarget, Target
from transport.outlets import Outlet, Outlets
from transport.streams import NAME, Streams
from transport.strict_json import shown
from web.access import prefix_of
from web.body import read_object
from web.errors import RequestRefusedError

PATH: Final = "/v1/streams/{stream}/egress"
HLS: Final = "/v1/hls/{stream}/{file}"
_FIELDS: Final = {
    "rtmp": ("url", "verify"),
    "hls": ("playlist", "segments"),
    "recording": ("name",),
}
_FILE: Final = re.compile(r"(index\.m3u8|init\.mp4|segment_\d{1,12}\.m4s)")
_TYPES: Final = {
    ".m3u8": "application/vnd.apple.mpegurl",
    ".mp4": "video/mp4",
    ".m4s": "video/iso.segment",
}


def egress_routes(streams: Streams, outlets: Outlets, keeper: Keeper | None = None) -> list[Route]:
    """Return the routes that send a stream on: to an RTMP ingest, an HLS playlist, a recording.

    `POST` {type: "rtmp", url, verify} | {type: "hls", playlist, segments} | {type: "recording",
    name} answers 201 at once; how it goes is told by `GET`. A stream key is never told again.
    `keeper` is told of recordings and playlists, which it deletes when their time has come.
    """

    async def open_egress(request: Request) -> JSONResponse:
        stream = streams.get(request.path_params["stream"])
        target = _target(await read_object(request), stream.name, outlets)
        outlet = outlets.open(stream, target)
        if keeper is not None and not isinstance(target, RtmpTarget):
            person = stream.session.options.person or f"stream-{stream.name}"
            place = target.path.parent if isinstance(target, HlsTarget) else target.part(1)
            keeper.note_recording(person, place)
        root = prefix_of(request)
        location = f"{root}{PATH.format(stream=stream.name)}/{outlet.id}"
        return JSONResponse(_object(outlet, root), 201, {"Location": location})

    async def list_egress(request: Request) -> JSONResponse:
        stream = streams.get(request.path_params["stream"])
        root = prefix_of(request)
        data = [_object(outlet, root) for outlet in outlets.of(stream)]
        return JSONResponse({"object": "list", "data": data})

    async def show(request: Request) -> JSONResponse:
        root = prefix_of(request)
        return JSONResponse(_object(_named(request), root))

    async def end(request: Request) -> JSONResponse:
        outlet = _named(request)
        await outlets.close(outlet)
        return JSONResponse({"id": outlet.id, "object": "egress", "state": "ended"})

    async def playlist(request: Request) -> Response:
        name, file = request.path_params["stream"], request.path_params["file"]
        path = outlets.playlists / name / file
        if not NAME.fullmatch(name) or not _FILE.fullmatch(file) or not path.is_file():
            raise RequestRefusedError(404, f"no playlist has {name[:40]}/{file[:40]}", param="file")
        # A playlist changes every two seconds, what it names never does.
        kept = "no-cache" if path.suffix == ".m3u8" else "max-age=60"
        return FileResponse(path, headers={"Cache-Control": kept}, media_type=_TYPES[path.suffix])

    def _named(request: Request) -> Outlet:
        stream = streams.get(request.path_params["stream"])
        return outlets.get(stream, request.path_params["egress_id"])

    return [
        Route(PATH, open_egress, methods=["POST"]),
        Route(PATH, list_egress, methods=["GET"]),
        Route(PATH + "/{egress_id}", show, methods=["GET"]),
        Route(PATH + "/{egress_id}", end, methods=["DELETE"]),
        Route(HLS, playlist, methods=["GET"]),
    ]


def _target(wish: Mapping[str, Any], stream: str, outlets: Outlets) -> Target:
    """Return what a body asks for.

    Raises:
        RequestRefusedError: a field is unknown or of another type.
        ConfigurationError: a value is not accepted.
    """
    kind = wish.get("type")
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise _refused("type", shown(kind), ", ".join(_FIELDS))
    for key in wish:
        if key != "type" and key not in _FIELDS[kind]:
            raise _refused(key[:40], "unknown field", ", ".join(("type", *_FIELDS[kind])))
    if kind == "rtmp":
        verify = _typed(wish, "verify", bool, default=True)
        return RtmpTarget(
            _typed(wish, "url", str), allow_private=outlets.allow_private, verify=verify
        )
    if kind == "hls":
        return HlsTarget(
            outlets.playlists,
            stream,
            _typed(wish, "playlist", str, default="sliding"),
            _typed(wish, "segments", int, default=6),
        )
    return RecordingTarget(outlets.recordings, _typed(wish, "name", str))


def _typed(wish: Mapping[str, Any], key: str, kind: type, default: Any = None) -> Any:
    value = wish.get(key, default)
    if type(value) is not kind:
        names = {str: "text", bool: "true or false", int: "a whole number"}
        # The URL of an ingest holds its key, which is not told back.
        raise _refused(key, type(value).__name__, names[kind])
    return value


def _object(outlet: Outlet, root: str) -> dict[str, Any]:
    told = outlet.statistics
    made: dict[str, Any] = {
        "object": "egress",
        "id": outlet.id,
        "stream": outlet.stream.name,
        "type": outlet.kind,
        "target": str(outlet.target),
        "file": outlet.file,
        "state": told.state,
        "sent": told.sent,
        "dropped": told.dropped,
        "reconnects": told.reconnects,
        "error": told.error,
    }
    if outlet.kind == "hls":
        made["playlist"] = root + HLS.format(stream=outlet.stream.name, file="index.m3u8")
    return made


def _refused(key: str, value: str, accepted: str) -> RequestRefusedError:
    return RequestRefusedError(400, f"{key}: {value}; accepted: {accepted}", param=key)
