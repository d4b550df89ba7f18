"""Operations of what rooms look like and what is left of them: hosts, scenes, films, settings."""

from typing import Final

from web.openapi.broadcast import BODY
from web.openapi.models import DELETED, OUTDATED, listed, with_example
from web.openapi.operation import (
    JSON,
    TEXT,
    Answer,
    Body,
    Operation,
    found,
    in_path,
    parameter,
    record,
    refused,
)
from web.openapi.rooms import IF_MATCH, VERSION
from web.openapi.talking import JPEG, NAME

TAGS: Final = (
    ("hosts", "Who stands in a room, made and changed by sentences."),
    ("scenes", "Where they stand."),
    ("recordings", "Films of rooms."),
    ("settings", "What the server runs with, and what its operations brain has learnt."),
)

_NAME: Final = in_path("name", "its name", pattern=NAME)
_FILM: Final = in_path("name", "its name", pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}(\.[0-9]+)?$")
_DOCUMENT: Final = {"type": "object"}
_PICTURES: Final = dict.fromkeys(("image/jpeg", "image/png", "image/webp"), TEXT)
_SENTENCE: Final = {"type": "string", "minLength": 1, "maxLength": 500}
_REPORT: Final = {
    **record(("object",), object=TEXT, ready={"type": "boolean"}),
    "description": "what was understood; `ready`: whether its figure is built",
}
_FREE: Final = {"type": "string", "pattern": NAME}
_COUNT: Final = {"type": "integer", "minimum": 0}
_BUILD: Final = {
    500: refused("it cannot be built or drawn here"),
    503: refused("its figure takes long, and goes on being built", Retry_After="seconds to wait"),
}

_HOSTS: Final = (
    Operation(
        "POST",
        "/v1/avatars",
        "Make a host from a sentence.",
        {
            201: Answer("it is made", {JSON: _REPORT}, {"Location": "its own address"}),
            400: refused("the name or the sentence is not accepted"),
            409: refused("there is a host of that name"),
            **_BUILD,
            **BODY,
        },
        "hosts",
        body=Body(
            "who",
            {
                JSON: with_example(
                    {
                        **record(("name", "sentence"), name=_FREE, sentence=_SENTENCE, base=_FREE),
                        "additionalProperties": False,
                    },
                    {"name": "ada", "sentence": "a tall woman with short red hair in a blazer"},
                )
            },
        ),
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/avatars/{name}",
        "Show a host's specification.",
        {200: Answer("it", {JSON: _DOCUMENT}, VERSION), 404: refused("there is none")},
        "hosts",
        parameters=(_NAME,),
        scope="operate",
    ),
    Operation(
        "DELETE",
        "/v1/avatars/{name}",
        "Delete a host of one's own.",
        {
            200: found("it is gone", DELETED),
            400: refused("it comes with the program"),
            404: refused("there is none"),
        },
        "hosts",
        parameters=(_NAME,),
        scope="operate",
    ),
    Operation(
        "POST",
        "/v1/avatars/{name}/edit",
        "Change a host by an instruction: a host of one's own itself, or a new one.",
        {
            200: found("it was refused; `why` says why", _REPORT),
            201: Answer("it is made", {JSON: _REPORT}, {"Location": "the result's own address"}),
            400: refused("a field is not accepted"),
            404: refused("there is no such host"),
            409: refused("there is a host of that name"),
            **_BUILD,
            **BODY,
        },
        "hosts",
        parameters=(_NAME,),
        body=Body(
            "the instruction",
            {
                JSON: with_example(
                    {
                        **record(
                            ("instruction",),
                            instruction=_SENTENCE,
                            save_as={"type": ["string", "null"]},
                        ),
                        "additionalProperties": False,
                    },
                    {"instruction": "change the blazer to red", "save_as": "ada-red"},
                )
            },
        ),
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/avatars/{name}/picture",
        "See a host.",
        {
            200: found("a still picture", JPEG, "image/jpeg"),
            304: Answer("it has not changed since it was sent"),
            404: refused("there is none, or its figure has not been built yet"),
        },
        "hosts",
        parameters=(_NAME,),
    ),
)

_SCENES: Final = (
    Operation(
        "GET",
        "/v1/scenes/{name}",
        "Show a scene.",
        {200: Answer("it", {JSON: _DOCUMENT}, VERSION), 404: refused("there is none")},
        "scenes",
        parameters=(_NAME,),
        scope="operate",
    ),
    Operation(
        "POST",
        "/v1/scenes/{name}",
        "Make a scene of another one.",
        {
            201: Answer("it is made", {JSON: _DOCUMENT}, {**VERSION, "Location": "its address"}),
            400: refused("a field is not accepted"),
            409: refused("there is a scene of that name"),
            **BODY,
        },
        "scenes",
        text="Fields are laid over those of `base` (`studio`). Files must be such as come with the "
        "program (`asset:NAME`).",
        parameters=(_NAME,),
        body=Body(
            "the fields",
            {JSON: with_example(_DOCUMENT, {"base": "shop", "framing": "head"})},
            required=False,
        ),
        scope="operate",
    ),
    Operation(
        "PUT",
        "/v1/scenes/{name}",
        "Change a scene of one's own.",
        {
            200: Answer("as it is now", {JSON: _DOCUMENT}, VERSION),
            400: refused("a field is not accepted, or it comes with the program"),
            404: refused("there is none"),
            412: OUTDATED,
            **BODY,
        },
        "scenes",
        parameters=(_NAME, IF_MATCH),
        body=Body("the fields", {JSON: _DOCUMENT}, required=False),
        scope="operate",
    ),
    Operation(
        "DELETE",
        "/v1/scenes/{name}",
        "Delete a scene of one's own.",
        {
            200: found("it is gone", DELETED),
            400: refused("it comes with the program"),
            404: refused("there is none"),
            412: OUTDATED,
        },
        "scenes",
        parameters=(_NAME, IF_MATCH),
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/scenes/{name}/picture",
        "See a scene, with the usual host in it.",
        {
            200: Answer("a picture", {"image/jpeg": JPEG}, {"ETag": "for `If-None-Match`"}),
            304: Answer("it has not changed since it was sent"),
            400: refused("nothing is drawn here"),
            404: refused("there is none"),
        },
        "scenes",
        parameters=(_NAME,),
    ),
    Operation(
        "PUT",
        "/v1/scenes/{name}/picture",
        "Put a picture behind the host of a scene of one's own.",
        {
            200: Answer("the scene as it is now", {JSON: _DOCUMENT}, VERSION),
            400: refused("it is no picture that is taken, or the scene comes with the program"),
            404: refused("there is none"),
            412: OUTDATED,
            **BODY,
        },
        "scenes",
        text="The background is then a `picture` whose source is called `own`.",
        parameters=(_NAME, IF_MATCH),
        body=Body("the picture, at most 8 MiB", _PICTURES),
        scope="operate",
    ),
)

_RECORDINGS: Final = (
    Operation(
        "GET",
        "/v1/recordings",
        "List the recordings, the newest first.",
        {
            200: found(
                "all of them",
                listed(
                    record(
                        name=TEXT,
                        size={**_COUNT, "description": "in bytes"},
                        made={"type": "string", "format": "date-time"},
                        seconds={"type": ["number", "null"]},
                        url=TEXT,
                    )
                ),
            )
        },
        "recordings",
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/recordings/{name}",
        "Fetch a recording, or a piece of it.",
        {
            200: found("the film", TEXT, "video/mp4"),
            206: found("the part that `Range` asked for", TEXT, "video/mp4"),
            404: refused("there is none"),
            416: found("there is no such part", TEXT, "text/plain"),
        },
        "recordings",
        text="With a key, or at the address that `POST …/link` gives.",
        parameters=(_FILM, parameter("ticket", "of `POST …/link`")),
        scope="signed",
    ),
    Operation(
        "DELETE",
        "/v1/recordings/{name}",
        "Delete a recording.",
        {200: found("it is gone", DELETED), 404: refused("there is none")},
        "recordings",
        parameters=(_FILM,),
        scope="operate",
    ),
    Operation(
        "POST",
        "/v1/recordings/{name}/link",
        "Make an address at which a player may fetch a recording for six hours.",
        {
            200: found(
                "the address",
                record(object={"const": "link"}, url=TEXT, expires_at={"type": "integer"}),
            ),
            404: refused("there is none"),
        },
        "recordings",
        parameters=(_FILM,),
        scope="operate",
    ),
)

_POLICY: Final = record(
    name=TEXT,
    kind={"enum": ["rules", "learnt"]},
    live={"type": "boolean"},
    passed={"type": "boolean", "description": "whether its estimate is good enough to go live"},
    decisions=_COUNT,
    estimate={"type": ["number", "null"], "description": "of its reward a decision, off-policy"},
    low={"type": ["number", "null"]},
    high={"type": ["number", "null"]},
    rules={"type": ["number", "null"], "description": "that of the rules"},
    at={"type": ["number", "null"]},
)
_SETTINGS: Final = (
    Operation(
        "GET",
        "/v1/settings",
        "Show what the server runs with.",
        {200: found("no secrets are among it", {"type": "object"})},
        "settings",
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/settings/policy",
        "List the policies of the operations brain, with what they are estimated to bring.",
        {200: found("the rules first", listed(_POLICY))},
        "settings",
        scope="operate",
    ),
    Operation(
        "POST",
        "/v1/settings/policy",
        "Let a learnt policy decide, or no longer.",
        {
            200: found(
                "so it is",
                record(object={"const": "policy"}, name=TEXT, live={"type": "boolean"}),
            ),
            400: refused("a field is not accepted"),
            404: refused("there is no such policy"),
            409: refused("it has not passed its estimate"),
            503: refused("it could not be kept"),
            **BODY,
        },
        "settings",
        body=Body(
            "which",
            {
                JSON: with_example(
                    {
                        **record(name={"type": "string"}, live={"type": "boolean"}),
                        "additionalProperties": False,
                    },
                    {"name": "learnt-1", "live": True},
                )
            },
        ),
        scope="operate",
    ),
)

OPERATIONS: Final = (*_HOSTS, *_SCENES, *_RECORDINGS, *_SETTINGS)
