"""Operations of live rooms: what they are set to be, how they stand, what is brought to them."""

from typing import Final

from pipeline.rooms.state import RoomSpec, RoomState
from transport.chat.adapters import ADAPTERS
from transport.chat.events import IncomingEvent
from web.openapi.broadcast import BODY, body_answers
from web.openapi.models import (
    DELETED,
    OUTDATED,
    command_schema,
    listed,
    schema_of,
    with_example,
)
from web.openapi.operation import (
    JSON,
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
from web.openapi.talking import FULL, JPEG, NAME

TAGS: Final = (
    ("rooms", "Live rooms: a host who goes through a rundown, and answers who asks."),
    ("chat", "What viewers do, brought to a room by whatever platform they are on."),
)

ROOM: Final = in_path("room", "the room's id", pattern=NAME)
IF_MATCH: Final = Parameter(
    "If-Match", "the `ETag` of the version that is to be changed; any where absent", TEXT, "header"
)
NO_ROOM: Final = refused("there is no such room")
NOT_KEPT: Final = refused("it could not be kept: try again", Retry_After="seconds to wait")
VERSION: Final = {"ETag": "its version, for `If-Match`"}
_NULL_TEXT: Final = {"type": ["string", "null"]}
_COUNT: Final = {"type": "integer", "minimum": 0}
_SPEC: Final = schema_of(RoomSpec, "serialization")
_LISTED: Final = {
    **{name: value for name, value in _SPEC.items() if name != "additionalProperties"},
    "properties": {
        **_SPEC["properties"],
        "status": {"enum": ["off", "starting", "on_air", "stopping", "failed"]},
        "viewers": _COUNT,
        "since": {"type": ["number", "null"], "description": "on air since then"},
    },
}
_SPEC_EXAMPLE: Final = {
    "id": "evening",
    "title": "An evening at the harbour",
    "shop": "willow-and-tide",
    "rundown": "willow-and-tide",
    "language": "en",
    "autopilot": "rules",
    "limits": {"offers_per_hour": 6, "most_discount_percent": 30},
}
_EVENT: Final = schema_of(IncomingEvent)
_EVENT_EXAMPLE: Final = {
    "id": "m-1",
    "kind": "chat",
    "viewer": "v-17",
    "name": "Lena",
    "text": "how much is the bag?",
}
_RECEIPTS: Final = listed(
    record(
        ("id", "status"),
        id=TEXT,
        status={
            "enum": ["taken", "known", "refused"],
            "description": "kept now, or before under that id; or never",
        },
        message={"type": "string", "description": "why it was refused"},
    )
)
_PROGRESS: Final = record(
    object={"const": "replay"},
    room=TEXT,
    running={"type": "boolean"},
    total=_COUNT,
    sent=_COUNT,
    taken=_COUNT,
    refused=_COUNT,
    seconds={"type": "number", "minimum": 0, "description": "of the log"},
)

_ROOMS: Final = (
    Operation(
        "GET",
        "/v1/rooms",
        "List the rooms.",
        {200: found("all of them", listed(_LISTED))},
        "rooms",
        text="Beside what they are set to be, `status` and `viewers` tell how they stand.",
        scope="operate",
    ),
    Operation(
        "POST",
        "/v1/rooms",
        "Make a room.",
        {
            201: Answer(
                "it is made, and off", {JSON: _SPEC}, {**VERSION, "Location": "its own address"}
            ),
            400: refused("a field is not accepted, or names what is not there"),
            404: refused("there is no such shop or rundown"),
            409: refused("there is a room of that id"),
            503: NOT_KEPT,
            **BODY,
        },
        "rooms",
        body=Body("what it is to be", {JSON: with_example(schema_of(RoomSpec), _SPEC_EXAMPLE)}),
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/rooms/{room}",
        "Show what a room is set to be.",
        {200: Answer("the room", {JSON: _SPEC}, VERSION), 404: NO_ROOM},
        "rooms",
        parameters=(ROOM,),
        scope="operate",
    ),
    Operation(
        "PUT",
        "/v1/rooms/{room}",
        "Set a room anew.",
        {
            200: Answer("as it is set now", {JSON: _SPEC}, VERSION),
            400: refused("a field is not accepted, or names what is not there"),
            404: NO_ROOM,
            409: refused("the room cannot be set so as it stands"),
            412: OUTDATED,
            503: NOT_KEPT,
            **BODY,
        },
        "rooms",
        text="On air too; who and how large the picture is changes at the next start.",
        parameters=(ROOM, IF_MATCH),
        body=Body("all that it is to be; `id` may be left out", {JSON: {"type": "object"}}),
        scope="operate",
    ),
    Operation(
        "DELETE",
        "/v1/rooms/{room}",
        "Delete a room and all that was kept of it.",
        {
            200: found("it is gone", DELETED),
            404: NO_ROOM,
            409: refused("it is on air"),
            412: OUTDATED,
            503: NOT_KEPT,
        },
        "rooms",
        parameters=(ROOM, IF_MATCH),
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/rooms/{room}/state",
        "Show how a room stands.",
        {200: found("how it stands", schema_of(RoomState, "serialization")), 404: NO_ROOM},
        "rooms",
        text="Lists hold the newest, oldest first. Times are seconds since 1970 UTC.",
        parameters=(ROOM,),
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/rooms/{room}/events",
        "Follow how a room stands, as server-sent events.",
        {200: Answer("events, without end", {"text/event-stream": TEXT}), 404: NO_ROOM},
        "rooms",
        text="`event: state` has all of the state as its data, `event: change` one change: "
        "`{number, field, key, value}`, where `key` is the id of the entry of a list that is "
        "added or replaced (without it an entry of `metrics` is added, any other field is "
        "replaced). Who reconnects, with `Last-Event-ID` or without, is given the whole state "
        "first; who reads too slowly, too. A comment comes every 10 s.",
        parameters=(ROOM,),
        scope="operate",
    ),
    Operation(
        "POST",
        "/v1/rooms/{room}/commands",
        "Tell a room to do something.",
        {
            202: found(
                "it does, or will at the end of the sentence",
                record(id=TEXT, object={"const": "room.command"}, type=TEXT),
            ),
            400: refused("there is no such command, or a field of it is not accepted"),
            404: refused("there is no such room, or what the command names"),
            409: refused("the room cannot do that as it stands"),
            503: FULL,
            **BODY,
        },
        "rooms",
        parameters=(ROOM,),
        body=Body(
            "a command", {JSON: with_example(command_schema(), {"type": "jump", "item": "offer"})}
        ),
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/rooms/{room}/preview",
        "See what comes next.",
        {
            200: found("a picture", JPEG, "image/jpeg"),
            400: refused("nothing is drawn here"),
            404: NO_ROOM,
        },
        "rooms",
        parameters=(ROOM,),
        scope="operate",
    ),
    Operation(
        "POST",
        "/v1/rooms/{room}/recording",
        "Begin or end a recording.",
        {
            200: found(
                "what it is called",
                record(
                    object={"const": "recording"},
                    room=TEXT,
                    name=_NULL_TEXT,
                    on={"type": "boolean"},
                ),
            ),
            400: refused("nothing can be recorded here, or a recording is being made"),
            404: NO_ROOM,
            409: refused("the room is off"),
            **BODY,
        },
        "rooms",
        parameters=(ROOM,),
        body=Body("which", {JSON: with_example(record(on={"type": "boolean"}), {"on": True})}),
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/rooms/{room}/history",
        "Read what was kept of a room, newest first.",
        {
            200: Answer(
                "entries, as the state has them",
                {JSON: listed({"type": "object"}, before=_NULL_TEXT), "application/jsonl": TEXT},
            ),
            400: refused("a parameter is not accepted"),
            404: NO_ROOM,
            503: NOT_KEPT,
        },
        "rooms",
        text="`before` of the answer asks for the entries before these; null where there are none.",
        parameters=(
            ROOM,
            parameter(
                "kind",
                "of what",
                enum=["chat", "lines", "decisions", "metrics", "orders"],
                default="chat",
            ),
            parameter("before", "an entry's id (of `metrics` its `at`)", maxLength=120),
            parameter("limit", "how many", type="integer", minimum=1, maximum=1000, default=100),
            parameter("format", "of the answer", enum=["json", "jsonl"], default="json"),
        ),
        scope="operate",
    ),
)

_CHAT: Final = (
    Operation(
        "POST",
        "/v1/rooms/{room}/chat",
        "Bring what viewers did.",
        {
            200: found("what became of each; what is taken is on disk", _RECEIPTS),
            400: refused("the payload cannot be read"),
            404: NO_ROOM,
            409: refused("a message of that `webhook-id` has been taken"),
            503: NOT_KEPT,
            **body_answers("512 KiB"),
        },
        "chat",
        text="Signed as [Standard Webhooks](https://www.standardwebhooks.com) asks, with the "
        "room's secret: `webhook-signature` is `v1,` and the Base64 of the HMAC-SHA256 of "
        "`webhook-id.webhook-timestamp.body`; or with a key of the scope `operate`. A timestamp "
        "may be 5 minutes off, and an id is taken once. At most 100 events of our own form, one "
        'or `{"events": [...]}`; with `adapter` the payload is a platform\'s own. Over a '
        "WebSocket at the same address (signed over an empty body) messages are such payloads, "
        'which may have an `id` beside `events`; what comes back is `{"type": "receipts", "id", '
        '"data"}`, `{"type": "error", "id", "error"}`, and `{"type": "answer", "event", "name", '
        '"platform", "question", "text"}` for each answer given in writing. These are posted as '
        "the webhook `room.answer_written` too.",
        parameters=(
            ROOM,
            parameter("adapter", "whose form it has", enum=list(ADAPTERS), default="generic"),
        ),
        body=Body("an event, or several", {JSON: with_example(_EVENT, _EVENT_EXAMPLE)}),
        scope="signed",
    ),
    Operation(
        "POST",
        "/v1/rooms/{room}/chat/secret",
        "Make a new secret for a room's chat.",
        {
            200: found(
                "the secret; the one before holds no longer",
                record(object={"const": "room.secret"}, room=TEXT, secret=TEXT),
            ),
            404: NO_ROOM,
            503: NOT_KEPT,
        },
        "chat",
        parameters=(ROOM,),
        scope="operate",
    ),
    Operation(
        "POST",
        "/v1/rooms/{room}/replay",
        "Play a log of chat into a room.",
        {
            202: found("it plays", _PROGRESS),
            400: refused("it is no log, or the speed is not accepted"),
            404: NO_ROOM,
            409: refused("a log is being played"),
            **body_answers("4 MiB"),
        },
        "chat",
        text="A log has a line of JSON for each event: the event, and `at`, when it came, in "
        "seconds since the log began.",
        parameters=(ROOM,),
        body=Body(
            "the log",
            {
                JSON: with_example(
                    {
                        **record(
                            (),
                            log={
                                "type": "string",
                                "description": "`sample`, or the lines",
                                "default": "sample",
                            },
                            speed={
                                "type": "number",
                                "minimum": 0.1,
                                "maximum": 1000,
                                "default": 1,
                            },
                        ),
                        "required": [],
                        "additionalProperties": False,
                    },
                    {"log": "sample", "speed": 2},
                )
            },
            required=False,
        ),
        scope="operate",
    ),
    Operation(
        "GET",
        "/v1/rooms/{room}/replay",
        "Show how far a log has been played.",
        {200: found("how far", _PROGRESS), 404: refused("there is no such room, or no log")},
        "chat",
        parameters=(ROOM,),
        scope="operate",
    ),
    Operation(
        "DELETE",
        "/v1/rooms/{room}/replay",
        "Stop playing a log.",
        {200: found("it has stopped", DELETED), 404: refused("there is no such room, or no log")},
        "chat",
        parameters=(ROOM,),
        scope="operate",
    ),
)

OPERATIONS: Final = (*_ROOMS, *_CHAT)
