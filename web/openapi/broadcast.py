"""Operations of those who broadcast: streams, who watches them and who speaks to them."""

from typing import Final

from transport.access.grant import Scope
from web.openapi.operation import (
    JSON,
    SDP,
    TEXT,
    Answer,
    Body,
    Operation,
    Parameter,
    Schema,
    found,
    in_path,
    record,
    refused,
)
from web.openapi.talking import FULL, NAME, WISHES

TAGS: Final = (
    ("streams", "Sessions that run unattended, under a name."),
    ("watch", "See and hear a stream: WHEP (draft-ietf-wish-whep)."),
    ("publish", "Speak to a stream: WHIP (RFC 9725). What is sent is what the host hears."),
)
FRAGMENT: Final = "application/trickle-ice-sdpfrag"

STREAM: Final = in_path("stream", "the name of a stream", pattern=NAME)
_EXCHANGE: Final = in_path("exchange_id", "the last part of `Location`", maxLength=128)
_OBJECT: Final = record(
    object={"const": "stream"},
    name=TEXT,
    session=TEXT,
    avatar={"type": ["string", "null"]},
    scene={"type": ["string", "null"]},
    style={"type": ["string", "null"]},
    framing={"type": ["string", "null"]},
    voice={"type": ["string", "null"]},
    language=TEXT,
    size={"type": "string", "description": "of the picture, or `none`"},
    viewers={"type": "integer", "minimum": 0},
    published={"type": "boolean", "description": "whether somebody speaks to it"},
    whep={"type": "string", "description": "where it is watched"},
    whip={"type": "string", "description": "where it is spoken to"},
)
# As in the query of a call, all of it texts.
_ASKED: Final[Schema] = {
    **record(
        ("name",),
        name={"type": "string", "pattern": NAME, "description": "what it is called from then on"},
        **{
            each.name: {**each.schema, "type": "string", "description": each.text}
            for each in WISHES
            if each.name not in ("model", "speed")
        },
        speed={"type": ["number", "string"], "description": "of the voice, `0.5` to `2`"},
    ),
    "additionalProperties": False,
}
_SAID: Final[Schema] = {
    **record(
        ("text",),
        text={"type": "string", "minLength": 1, "maxLength": 4000},
        language={"type": ["string", "null"], "enum": ["en", "zh", None]},
        interrupt={
            "type": "boolean",
            "default": True,
            "description": "break off a reply in progress; else wait for its end",
        },
    ),
    "additionalProperties": False,
}
_LATE: Final = refused("the body did not arrive in time")
NO_STREAM: Final = refused("there is no such stream")


def body_answers(most: str) -> dict[int, Answer]:
    """Return what is answered to bodies that are not read. `most`: how large one may be."""
    large = refused(f"the body is larger than {most}")
    return {408: _LATE, 413: large, 415: refused("the body is of another type")}


BODY: Final = body_answers("128 KiB")
_HEADERS: Final = {
    "Location": "what came of the offer: `PATCH` candidates to it, `DELETE` it to leave",
    "ETag": "for `If-Match` of a `PATCH`",
    "Accept-Patch": f"`{FRAGMENT}`",
}


def _exchange(
    path: str, tag: str, allowed: Scope, other: dict[int, Answer]
) -> tuple[Operation, ...]:
    """Return the operations of WHIP or of WHEP."""
    place = path + "/{exchange_id}"
    gone = refused("there is no such stream, or nothing came of an offer under this name")
    both = (STREAM, _EXCHANGE)
    matched = Parameter("If-Match", "the `ETag` of the offer's answer", TEXT, "header")
    return (
        Operation(
            "POST",
            path,
            "Offer a connection.",
            {
                201: Answer("the answer", {SDP: TEXT}, _HEADERS),
                400: refused("the offer cannot be answered"),
                404: NO_STREAM,
                503: FULL,
                **BODY,
                **other,
            },
            tag,
            text="Candidates may follow by `PATCH`. The servers that find a way through NAT are "
            'told as `Link` headers with `rel="ice-server"`, here and by `OPTIONS`.',
            parameters=(STREAM,),
            body=Body("the offer", {SDP: TEXT}),
            scope=allowed,
        ),
        Operation(
            "GET",
            path,
            "Find out whether the stream is there.",
            {204: Answer("it is"), 404: NO_STREAM},
            tag,
            parameters=(STREAM,),
            scope=allowed,
        ),
        Operation(
            "PATCH",
            place,
            "Name more candidates (RFC 8840).",
            {
                204: Answer("they are taken"),
                400: refused("the fragment cannot be read"),
                404: gone,
                412: refused("`If-Match` is not the present `ETag`"),
                422: refused("ICE restarts are not done: offer anew"),
                428: refused("`If-Match` is missing"),
                **BODY,
            },
            tag,
            parameters=(*both, matched),
            body=Body("a fragment of SDP", {FRAGMENT: TEXT}),
            scope=allowed,
        ),
        Operation(
            "GET",
            place,
            "Find out whether the connection is there.",
            {204: Answer("it is"), 404: gone},
            tag,
            parameters=both,
            scope=allowed,
        ),
        Operation(
            "DELETE",
            place,
            "Leave.",
            {200: Answer("the connection has ended"), 404: gone},
            tag,
            parameters=both,
            scope=allowed,
        ),
    )


OPERATIONS: Final = (
    Operation(
        "POST",
        "/v1/streams",
        "Open a stream.",
        {
            201: Answer("it runs", {JSON: _OBJECT}, {"Location": "the stream's own address"}),
            400: refused("a wish is not accepted"),
            409: refused("the name is taken"),
            503: FULL,
            **BODY,
        },
        "streams",
        body=Body("its name, and what it is to be", {JSON: _ASKED}),
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/streams",
        "List the streams.",
        {
            200: found(
                "all of them",
                record(object={"const": "list"}, data={"type": "array", "items": _OBJECT}),
            )
        },
        "streams",
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/streams/{stream}",
        "Show a stream.",
        {200: found("the stream", _OBJECT), 404: NO_STREAM},
        "streams",
        parameters=(STREAM,),
        scope="operate",
    ),
    Operation(
        "DELETE",
        "/v1/streams/{stream}",
        "End a stream, for all who watch it.",
        {
            200: found(
                "it has ended",
                record(name=TEXT, object={"const": "stream"}, status={"const": "ended"}),
            ),
            404: NO_STREAM,
        },
        "streams",
        parameters=(STREAM,),
        scope="operate",
    ),
    Operation(
        "POST",
        "/v1/streams/{stream}/say",
        "Have the host say a text, word for word.",
        {
            202: found(
                "it will",
                record(name=TEXT, object={"const": "stream"}, status={"const": "speaking"}),
            ),
            400: refused("the text is not accepted, or too many wait"),
            404: NO_STREAM,
            **BODY,
        },
        "streams",
        parameters=(STREAM,),
        body=Body("the text", {JSON: _SAID}),
        scope="operate",
    ),
    *_exchange("/v1/whep/{stream}", "watch", "watch", {}),
    *_exchange(
        "/v1/whip/{stream}",
        "publish",
        "publish",
        {409: refused("somebody else speaks to it")},
    ),
)
