"""Operations that send a stream on, and the playlists it is watched by."""

from typing import Final

from web.openapi.operation import (
    JSON,
    TEXT,
    Answer,
    Body,
    Operation,
    Schema,
    found,
    in_path,
    record,
    refused,
)
from web.openapi.talking import NAME

TAGS: Final = (("egress", "Streams sent on to RTMP ingests, HLS playlists and recordings."),)

_PATH: Final = "/v1/streams/{stream}/egress"
_STREAM: Final = in_path("stream", "the name of a stream", pattern=NAME)
_ID: Final = in_path("egress_id", "the id of an egress", maxLength=128)
_FILE: Final = in_path("file", "`index.m3u8`, or what it names", maxLength=128)
_GONE: Final = refused("there is no such stream, or it has no such egress")
_OBJECT: Final = record(
    object={"const": "egress"},
    id=TEXT,
    stream=TEXT,
    type={"enum": ["rtmp", "hls", "recording"]},
    target={"type": "string", "description": "where to, without the stream key"},
    state={"enum": ["starting", "running", "reconnecting", "failed", "ended"]},
    sent={"type": "integer", "minimum": 0, "description": "pictures and frames of sound"},
    dropped={"type": "integer", "minimum": 0},
    reconnects={"type": "integer", "minimum": 0},
    error={"type": "string", "description": "what went wrong last"},
)
_ASKED: Final[Schema] = {
    **record(
        ("type",),
        type={"enum": ["rtmp", "hls", "recording"]},
        url={
            "type": "string",
            "maxLength": 2048,
            "description": "rtmp: `rtmp[s]://HOST[:PORT]/APP/KEY`",
        },
        verify={
            "type": "boolean",
            "default": True,
            "description": "rtmp: whether the certificate of an RTMPS ingest must be valid",
        },
        playlist={
            "enum": ["sliding", "event"],
            "default": "sliding",
            "description": "hls: keep the newest segments, or all",
        },
        segments={
            "type": "integer",
            "minimum": 3,
            "maximum": 60,
            "default": 6,
            "description": "hls: how many a sliding playlist lists",
        },
        name={
            "type": "string",
            "maxLength": 64,
            "description": "recording: its file's name, without `.mp4`",
        },
    ),
    "additionalProperties": False,
}
_READ: Final = {
    408: refused("the body did not arrive in time"),
    413: refused("the body is larger than 128 KiB"),
    415: refused("the body is of another type"),
}

OPERATIONS: Final = (
    Operation(
        "POST",
        _PATH,
        "Send a stream on.",
        {
            201: Answer("it begins", {JSON: _OBJECT}, {"Location": "where it is shown and ended"}),
            400: refused("a value is not accepted"),
            404: _GONE,
            409: refused("the stream goes to as many places as it may, or to that place already"),
            **_READ,
        },
        "egress",
        text="Each runs in a process of its own and begins again when its target was away. "
        "How it goes is told by `GET`.",
        parameters=(_STREAM,),
        body=Body("where to", {JSON: _ASKED}),
        scope="operate",
    ),
    Operation(
        "GET",
        _PATH,
        "List where a stream goes.",
        {
            200: found(
                "all of them",
                record(object={"const": "list"}, data={"type": "array", "items": _OBJECT}),
            ),
            404: _GONE,
        },
        "egress",
        parameters=(_STREAM,),
        scope="operate",
    ),
    Operation(
        "GET",
        _PATH + "/{egress_id}",
        "Show how an egress does.",
        {200: found("the egress", _OBJECT), 404: _GONE},
        "egress",
        parameters=(_STREAM, _ID),
        scope="operate",
    ),
    Operation(
        "DELETE",
        _PATH + "/{egress_id}",
        "End an egress; its file is finished.",
        {
            200: found(
                "it has ended",
                record(id=TEXT, object={"const": "egress"}, state={"const": "ended"}),
            ),
            404: _GONE,
        },
        "egress",
        parameters=(_STREAM, _ID),
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/hls/{stream}/{file}",
        "Watch a stream that has an HLS egress (RFC 8216).",
        {
            200: Answer(
                "the file",
                {
                    "application/vnd.apple.mpegurl": TEXT,
                    "video/mp4": {"type": "string", "format": "binary"},
                    "video/iso.segment": {"type": "string", "format": "binary"},
                },
            ),
            404: refused("there is no such file"),
        },
        "egress",
        parameters=(_STREAM, _FILE),
        scope="watch",
    ),
)
