"""Operations of those who look after the server, and the page itself."""

from typing import Final

from web.openapi.operation import TEXT, Answer, Operation, found, in_path, record, refused
from web.openapi.talking import NAME

TAGS: Final = (
    ("status", "How the server does."),
    ("page", "The page on which one talks, and this document."),
)

_HTML: Final = {"type": "string", "contentMediaType": "text/html"}
_UNCHANGED: Final = Answer("it has not changed since it was sent")
_FILES: Final = ("text/javascript", "text/css", "image/svg+xml", "image/jpeg")
_COUNT: Final = {"type": "integer", "minimum": 0}

OPERATIONS: Final = (
    Operation(
        "GET",
        "/healthz",
        "Tell whether the server does what it should.",
        {
            200: found(
                "`ok`; `full`: new calls are refused; `degraded`: see `troubles`",
                record(
                    status={"enum": ["ok", "full", "degraded"]},
                    troubles={"type": "array", "items": TEXT},
                    sessions=_COUNT,
                    limit=_COUNT,
                    version=TEXT,
                ),
            )
        },
        "status",
    ),
    Operation(
        "GET",
        "/metrics",
        "Show what the server counts, for Prometheus.",
        {200: found("text exposition format", TEXT, "text/plain")},
        "status",
        scope="operate",
    ),
    Operation(
        "GET",
        "/",
        "Show the page on which one talks.",
        {200: found("the page", _HTML, "text/html"), 304: _UNCHANGED},
        "page",
    ),
    Operation(
        "GET",
        "/console",
        "Go to the console.",
        {308: Answer("it is at `/console/`")},
        "page",
    ),
    Operation(
        "GET",
        "/console/",
        "Show the console, on which live rooms are run.",
        {200: found("the page", _HTML, "text/html"), 304: _UNCHANGED},
        "page",
    ),
    Operation(
        "GET",
        "/watch/{stream}",
        "Show the page on which one watches a stream.",
        {
            200: found("the page", _HTML, "text/html"),
            304: _UNCHANGED,
            404: refused("this is no name of a stream"),
        },
        "page",
        text="The page is there whether or not the stream is on the air.",
        parameters=(in_path("stream", "the name of a stream", pattern=NAME),),
    ),
    Operation(
        "GET",
        "/static/{name}",
        "Fetch a file of the page.",
        {
            200: Answer("the file", dict.fromkeys(_FILES, TEXT)),
            304: _UNCHANGED,
            404: refused("there is no such file"),
        },
        "page",
        parameters=(in_path("name", "its name"),),
    ),
    Operation(
        "GET",
        "/openapi.json",
        "Show this document.",
        {200: found("OpenAPI 3.1", {"type": "object"})},
        "page",
    ),
)
