"""Operations of those who answer for what is kept of people."""

from typing import Final

from web.openapi.operation import TEXT, Answer, Operation, found, in_path, record, refused

TAGS: Final = (("people", "What is kept of a person: see it, hand it over, delete it."),)

_PERSON: Final = in_path(
    "person",
    "the opaque id in the token that the person talked with; for those without one, the id of "
    "their session",
    pattern="^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
)
_NO_PERSON: Final = refused("this is no id of a person")
_COUNT: Final = {"type": "integer", "minimum": 0}
_TIME: Final = {"type": "string", "format": "date-time"}
_FILMS: Final = dict.fromkeys(
    (
        "video/mp4",
        "video/iso.segment",
        "application/vnd.apple.mpegurl",
        "application/octet-stream",
    ),
    TEXT,
)

OPERATIONS: Final = (
    Operation(
        "GET",
        "/v1/people/{person}/data",
        "Export everything that is kept of a person.",
        {
            200: found(
                "all there is; empty lists where nothing is kept",
                record(
                    object={"const": "person.data"},
                    person=TEXT,
                    transcripts={
                        "type": "array",
                        "items": record(
                            at=_TIME,
                            session=TEXT,
                            item=TEXT,
                            who={"enum": ["person", "host"]},
                            text={"type": "string", "description": "as far as it was heard"},
                            language={"type": ["string", "null"]},
                        ),
                    },
                    recordings={
                        "type": "array",
                        "items": record(
                            at=_TIME,
                            bytes=_COUNT,
                            url={"type": "string", "description": "where its file is fetched"},
                        ),
                    },
                    avatars={
                        "type": "array",
                        "description": "identities that were made from photos of the person",
                        "items": {"type": "object"},
                    },
                ),
            ),
            400: _NO_PERSON,
        },
        "people",
        parameters=(_PERSON,),
        scope="operate",
    ),
    Operation(
        "DELETE",
        "/v1/people/{person}/data",
        "Delete everything that is kept of a person.",
        {
            200: found(
                "it is gone; how much there was",
                record(
                    object={"const": "person.data.deleted"},
                    person=TEXT,
                    transcripts=_COUNT,
                    recordings=_COUNT,
                    avatars=_COUNT,
                ),
            ),
            400: _NO_PERSON,
        },
        "people",
        text="Others who are in the same recording lose it too. What is said after the call is "
        "kept again.",
        parameters=(_PERSON,),
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/people/{person}/data/recordings/{number}",
        "Fetch the file of a recording.",
        {
            200: Answer("the file", _FILMS),
            206: Answer("the part that `Range` asked for", _FILMS),
            400: _NO_PERSON,
            404: refused("there is no such recording"),
            416: found("there is no such part", TEXT, "text/plain"),
        },
        "people",
        parameters=(
            _PERSON,
            in_path("number", "its place in the export, from 0", type="integer", minimum=0),
        ),
        scope="operate",
    ),
)
