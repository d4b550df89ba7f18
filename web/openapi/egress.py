"""Operations that send a stream elsewhere: ingests, playlists, recordings."""

from typing import Final

from web.openapi.broadcast import BODY, NO_STREAM, STREAM
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

TAGS: Final = (
    ("egress", "Where a stream goes beside its viewers: RTMP, HLS, MP4 recordings."),
    ("playlists", "Watch a stream by HLS (RFC 8216)."),
)

_EGRESS: Final = in_path("egress_id", "the last part of `Location`", maxLength=128)
_COUNT: Final = {"type": "integer", "minimum": 0}
_OBJECT: Final = record(
    ("object", "id", "stream", "type", "target", "state", "sent", "dropped", "reconnects", "error"),
    object={"const": "egress"},
    id=TEXT,
    stream=TEXT,
    type={"enum": ["rtmp", "hls", "recording"]},
    target={"type": "string", "description": "where it goes, without the key of an ingest"},
    file={
        "type": ["string", "null"],
        "description": "what it writes, below `[egress] folder` (by default `egress` in the "
        "user's own data of vivant)",
    },
    state={"enum": ["starting", "running", "reconnecting", "failed", "ended"]},
    sent={**_COUNT, "description": "pictures, and sound by 20 ms"},
    dropped=_COUNT,
    reconnects=_COUNT,
    error={"type": "string", "description": "what went wrong last"},
    playlist={"type": "string", "description": "of `hls`: where it is watched"},
)
_ASKED: Final[Schema] = {
    **record(
        ("type",),
        type={"type": "string", "enum": ["rtmp", "hls", "recording"]},
        url={"type": "string", "description": "of `rtmp`: the ingest, with its key; needed"},
        verify={
            "type": "boolean",
            "default": True,
            "description": "of `rtmp`: check the certificate of an `rtmps` ingest",
        },
        playlist={
            "type": "string",
            "enum": ["sliding", "event"],
            "default": "sliding",
            "description": "of `hls`: the newest seconds, or all from the beginning",
        },
        segments={
            "type": "integer",
            "default": 6,
            "description": "of `hls`: how many a sliding playlist lists, 2 s each",
        },
        name={
            "type": "string",
            "pattern": "^[A-Za-z0-9_-]{1,64}$",
            "description": "of `recording`: the file's name, without its ending; needed",
        },
    ),
    "additionalProperties": False,
}
_GONE: Final = refused("there is no such stream, or no such egress of it")

OPERATIONS: Final = (
    Operation(
        "POST",
        "/v1/streams/{stream}/egress",
        "Send a stream on.",
        {
            201: Answer("it begins", {JSON: _OBJECT}, {"Location": "its own address"}),
            400: refused("a value is not accepted"),
            404: NO_STREAM,
            409: refused("it is written already, or the stream has as many as it may"),
            **BODY,
        },
        "egress",
        text="It is answered at once; how it goes is told by `GET`. Only fields of its `type` are "
        "accepted. A recording is noted as data of the person whose stream it is, or of "
        "`stream-NAME`: see [people](#people).",
        parameters=(STREAM,),
        body=Body("where it goes", {JSON: _ASKED}),
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/streams/{stream}/egress",
        "List where a stream goes.",
        {
            200: found(
                "all of them",
                record(object={"const": "list"}, data={"type": "array", "items": _OBJECT}),
            ),
            404: NO_STREAM,
        },
        "egress",
        parameters=(STREAM,),
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/streams/{stream}/egress/{egress_id}",
        "Show how an egress does.",
        {200: found("how it does", _OBJECT), 404: _GONE},
        "egress",
        parameters=(STREAM, _EGRESS),
        scope="operate",
    ),
    Operation(
        "DELETE",
        "/v1/streams/{stream}/egress/{egress_id}",
        "End an egress; a file is finished.",
        {
            200: found(
                "it has ended",
                record(id=TEXT, object={"const": "egress"}, state={"const": "ended"}),
            ),
            404: _GONE,
        },
        "egress",
        parameters=(STREAM, _EGRESS),
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/hls/{stream}/{file}",
        "Fetch a playlist or a piece of one.",
        {
            200: Answer(
                "the file",
                dict.fromkeys(
                    ("application/vnd.apple.mpegurl", "video/mp4", "video/iso.segment"), TEXT
                ),
            ),
            404: refused("no playlist has it"),
        },
        "playlists",
        parameters=(
            STREAM,
            in_path("file", "`index.m3u8`, or what it names", pattern="^[a-z0-9_.]{1,40}$"),
        ),
        scope="watch",
    ),
)
