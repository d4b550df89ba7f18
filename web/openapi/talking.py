"""Operations of those who talk: calls, voices, looks."""

from typing import Final

from web.openapi.operation import (
    JSON,
    SDP,
    TEXT,
    Answer,
    Body,
    Operation,
    Parameter,
    found,
    in_path,
    parameter,
    record,
    refused,
)

TAGS: Final = (
    ("calls", "Talk over WebRTC: offer a call, hang up."),
    ("looks", "Who may be talked to, where, and in which voice."),
)

NAME: Final = "^[a-z0-9][a-z0-9_-]{0,39}$"
JPEG: Final = {"type": "string", "contentMediaType": "image/jpeg"}
_FRAMING: Final = {"type": "string", "enum": ["head", "half", "full"]}

# What may be wished for of a session in the URL, for calls and for the WebSocket alike.
WISHES: Final[tuple[Parameter, ...]] = (
    parameter("voice", "a name of `GET /v1/voices`; the first of them where it is absent"),
    parameter(
        "language",
        "what the person speaks; `auto` listens for it",
        enum=["auto", "en", "zh"],
        default="auto",
    ),
    parameter("avatar", "who: a name of `GET /v1/looks`", pattern=NAME),
    parameter("scene", "where: a name of `GET /v1/looks`", pattern=NAME),
    parameter("style", "how they move: a name of `GET /v1/looks`", pattern=NAME),
    Parameter("framing", "how much of the figure is seen; else the scene's own", _FRAMING),
    Parameter(
        "speed",
        "of the voice, 1 is its own pace",
        {"type": "number", "minimum": 0.5, "maximum": 2.0, "default": 1.0},
    ),
    parameter(
        "size",
        "of the picture, as `540x960` (even numbers from 64 to 4096), or `none` for sound alone",
        pattern=r"^([0-9]{2,4}x[0-9]{2,4}|none)$",
    ),
    parameter("model", "taken and ignored: clients of the OpenAI API send it"),
)

_CALL_ID: Final = in_path("call_id", "the last part of `Location`", maxLength=128)
_ENDED: Final = found(
    "the call has ended and everything it held is free",
    record(
        id=TEXT,
        object={"const": "realtime.call"},
        status={"const": "ended"},
    ),
)
_NO_CALL: Final = refused("no such call is open")
FULL: Final = refused(
    "every session is in use, or the figure is still being built",
    Retry_After="seconds after which a new try makes sense",
)

_FORM: Final = record(
    ("sdp",),
    sdp={"type": "string", "description": "the offer"},
    session={
        "type": "string",
        "contentMediaType": JSON,
        "description": "a session of the Realtime API, as in `session.update`, as JSON",
    },
)

OPERATIONS: Final = (
    Operation(
        "POST",
        "/v1/realtime/calls",
        "Open a call with an SDP offer.",
        {
            201: Answer(
                "the call is open; its events go over the data channel `oai-events`",
                {SDP: TEXT},
                {"Location": "the call's own address; `DELETE` it to hang up"},
            ),
            400: refused("the offer cannot be answered, or a wish is not accepted"),
            404: refused("the session to resume is gone"),
            408: refused("the body did not arrive in time"),
            413: refused("the body is larger than 128 KiB"),
            415: Answer(
                "the body is neither SDP nor a form",
                refused("").content,
                {"Accept-Post": "what is taken"},
            ),
            503: FULL,
        },
        "calls",
        text="The answer to the offer is complete: no candidates follow it. In the form, `session` "
        "says more of what the session is to be; the query wins over it.",
        parameters=(
            *WISHES,
            parameter(
                "resume",
                "`session.avatar.resume_token` of a session that has lost its connection less than "
                "30 s ago: it goes on over this call, as it was; nothing else may be wished for",
            ),
        ),
        body=Body(
            "the offer, alone or in a form beside a session",
            {SDP: TEXT, "multipart/form-data": _FORM},
        ),
        scope="talk",
    ),
    Operation(
        "DELETE",
        "/v1/realtime/calls/{call_id}",
        "Hang up.",
        {200: _ENDED, 404: _NO_CALL},
        "calls",
        parameters=(_CALL_ID,),
        scope="talk",
    ),
    Operation(
        "POST",
        "/v1/realtime/calls/{call_id}/hangup",
        "Hang up, as clients of the OpenAI API do it.",
        {200: _ENDED, 404: _NO_CALL},
        "calls",
        parameters=(_CALL_ID,),
        scope="talk",
    ),
    Operation(
        "GET",
        "/v1/voices",
        "List the voices, and the servers that find a way through NAT.",
        {
            200: found(
                "the voices; the default is what a session gets without a wish",
                record(
                    voices={
                        "type": "array",
                        "items": record(
                            name=TEXT,
                            languages={"type": "array", "items": {"enum": ["en", "zh"]}},
                        ),
                    },
                    default=TEXT,
                    ice_servers={
                        "type": "array",
                        "items": record(
                            ("urls",),
                            urls={"type": "array", "items": TEXT},
                            username=TEXT,
                            credential=TEXT,
                        ),
                    },
                ),
            )
        },
        "looks",
    ),
    Operation(
        "GET",
        "/v1/looks",
        "List who, where and how a session may be.",
        {
            200: found(
                "the names that calls take",
                record(
                    avatars={
                        "type": "array",
                        "items": record(
                            name=TEXT,
                            title=TEXT,
                            ready={
                                "type": "boolean",
                                "description": "else a call waits until the figure is built",
                            },
                            picture={
                                "type": ["string", "null"],
                                "description": "an address relative to this one",
                            },
                        ),
                    },
                    scenes={"type": "array", "items": TEXT},
                    styles={"type": "array", "items": TEXT},
                    framings={"type": "array", "items": _FRAMING},
                    default=record(avatar=TEXT, scene=TEXT, style=TEXT),
                ),
            )
        },
        "looks",
    ),
    Operation(
        "GET",
        "/v1/looks/avatars/{name}/still",
        "Show the still picture of one who may be talked to.",
        {
            200: found("a portrait", JPEG, "image/jpeg"),
            304: Answer("it has not changed since it was sent"),
            404: refused("there is nobody of that name, or no picture yet"),
        },
        "looks",
        parameters=(in_path("name", "a name of `GET /v1/looks`"),),
    ),
)
