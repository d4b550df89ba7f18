"""The reference pages of the protocol, in Markdown, printed from the models of its events."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from pydantic import BaseModel

from transport.protocol.base import PROTOCOL_VERSION
from transport.protocol.examples import client_example, server_example
from transport.protocol.schema import CLIENT_EVENTS, SERVER_EVENTS, json_schema
from transport.protocol.words import default_in_words, field_in_words, purpose, table

REALTIME: Final = "realtime.md"
AVATAR: Final = "avatar.md"
SCHEMA: Final = "events.schema.json"
# Fields that every event has; the head of the page tells of them.
_COMMON: Final = ("type", "event_id")
_AVATAR_SHAPES: Final = ("AvatarSession", "MotionStream", "VideoFormat")
_PRINTED: Final = "<!-- Printed by scripts/protocol-reference; change the models instead. -->"

_REALTIME_HEAD: Final = f"""\
# The Realtime protocol

{_PRINTED}

Version {PROTOCOL_VERSION}. The events of the OpenAI Realtime API, as this server speaks it: over
the WebSocket `/v1/realtime`, or over the data channel `oai-events` of a WebRTC call
([HTTP](http.md#calls)). A message is one event, a JSON object in UTF-8, of at most 64 KiB on the
data channel, and with at most 20 000 commas, colons and opening brackets: a long one is sound or
text. What this server adds is in [the avatar extension](avatar.md); all of it as JSON Schema is in
[{SCHEMA}]({SCHEMA}).

## Connecting

Over WebRTC, `POST /v1/realtime/calls` takes the offer and answers it; sound and pictures are tracks
of the call, and events go over the data channel, which the client opens. Over the WebSocket

```
ws://HOST/v1/realtime?model=any&voice=kokoro&avatar=mia
Authorization: Bearer KEY-OR-TOKEN
```

sound goes both ways in events, as PCM16 at 24 kHz in base64, at the pace of speech. The query takes
what [a call](http.md#post-v1realtimecalls) takes; `size` is `none` unless it is given, which leaves
pictures out, and `motion=base64` has poses sent from the beginning. `model` has no effect.
Browsers, whose WebSockets send no headers, offer the subprotocols `realtime` and
`openai-insecure-api-key.TOKEN`. Who may not connect is answered with a status, before there is a
WebSocket.

A client that has lost its connection comes back within 30 s with `resume=TOKEN` alone in the query,
of a WebSocket or of a call with a new offer; the token is `session.avatar.resume_token`, and is as
good as a password. `session.created` then says `session.avatar.resumed`, with the same id, and the
conversation goes on: of the reply that was cut off it holds what was heard. Later, 404
`session_gone`.

Close codes of the WebSocket: 1000 the session has ended; 4001 it goes on over another connection;
1008 a limit of the key is reached; 1009 a message is larger than 1.4 MB or in more than 4096
pieces; 1013 what was sent was not read (`slow_reader`): come back with the token. Poses and
pictures that a slow reader has no room for are left out and counted in `avatar.lagging`. A client
that closes with 1000, 1001 or no code has hung up, and is not waited for.

## What all events have in common

Every event has a `type`. A client event may have an `event_id` of the client's own, up to 128
characters, which an `error` that it causes repeats; every server event has one. A field that is not
listed is refused in a client event. Clients ignore fields of server events that they do not know:
later versions add some.

A field without a default may be left out, and null says the same, unless its line says more.

## One turn

What a client sees when somebody asks aloud, and is answered aloud:

```
input_audio_buffer.speech_started           the person speaks; a reply that sounds falls silent
conversation.item…transcription.delta       while they speak
input_audio_buffer.speech_stopped
input_audio_buffer.committed                what was said is an item now
conversation.item…transcription.completed
response.created                            the reply, clause by clause:
response.output_audio_transcript.delta      its text, with the time at which it is heard
output_audio_buffer.started                 its first sound is sent
response.done                               all of it has been made
output_audio_buffer.stopped                 its last sound is sent
avatar.turn.measured                        where the time went
```

Whoever speaks over a reply ends it: `output_audio_buffer.cleared`, then
`conversation.item.truncated` with what was heard of it, which is all the conversation keeps, then
`response.done` with the status `cancelled` where it was still being made.

## How much is taken

A burst of 100 client events is taken and 20 a second after that, besides sound; the rest is dropped
and told once with `too_many_events`.
"""

_AVATAR_HEAD: Final = f"""\
# The avatar extension

{_PRINTED}

Version {PROTOCOL_VERSION}, told in `session.avatar.protocol`: the first number changes when clients
would break, the second when something is added. These events go over the same WebSocket or data
channel as [the Realtime protocol](realtime.md), which says what all events have in common.

`response.output_audio.delta`, `avatar.motion.delta` and `avatar.video.delta` carry `position_ms` on
one clock: what has the same position belongs together. The poses and pictures of a position are
sent before or with its sound, so a client plays the sound and shows what belongs to it.
"""


def pages() -> dict[str, str]:
    """Return the text of each file of the reference, by name."""
    schema = json.dumps(json_schema(), ensure_ascii=False, indent=2) + "\n"
    return {REALTIME: "\n".join(_realtime()), AVATAR: "\n".join(_avatar()), SCHEMA: schema}


class Page:
    """The definitions one page shows, and where the others stand."""

    def __init__(self, own: set[str], other: str) -> None:
        self._own = own
        self._other = other

    def link(self, name: str) -> str:
        """Return a link to a definition, on this page or on the other one."""
        short = name.rpartition("__")[2]
        page = "" if name in self._own else self._other
        return f"[{short}]({page}#{short.lower()})"


def _realtime() -> Iterator[str]:
    shown = _shapes(_events(avatar=False)) - set(_AVATAR_SHAPES)
    page = Page(shown, AVATAR)
    yield _REALTIME_HEAD
    yield from _page(page, avatar=False)
    yield "## Shapes\n"
    yield from _definitions(page, sorted(shown))


def _avatar() -> Iterator[str]:
    page = Page(set(_AVATAR_SHAPES), REALTIME)
    yield _AVATAR_HEAD
    yield "## In the session\n"
    yield "`session.avatar`, in `session.update` and in what the server tells:\n"
    yield from _definitions(page, _AVATAR_SHAPES)
    yield from _page(page, avatar=True)


def _page(page: Page, *, avatar: bool) -> Iterator[str]:
    seen: set[str] = set()
    for title, events, example in (
        ("Client events", CLIENT_EVENTS, client_example),
        ("Server events", SERVER_EVENTS, server_example),
    ):
        kinds = [kind for kind in events if kind.startswith("avatar.") == avatar]
        yield f"## {title}\n"
        yield " · ".join(f"[`{kind}`](#{_anchor(kind, seen)})" for kind in kinds) + "\n"
        for kind in kinds:
            yield f"### {kind}\n"
            yield from _fields(page, _definition(events[kind]), skipped=_COMMON)
            shown = json.dumps(example(kind), ensure_ascii=False, indent=2)
            yield f"```json\n{_compact(shown)}\n```\n"


def _anchor(heading: str, seen: set[str]) -> str:
    """Return what a heading is linked by; one that is there twice gets a number."""
    anchor = heading.replace(".", "")
    again = anchor in seen
    seen.add(anchor)
    return f"{anchor}-1" if again else anchor


def _definitions(page: Page, names: Iterable[str]) -> Iterator[str]:
    definitions = json_schema()["$defs"]
    for name in names:
        yield f"### {name.rpartition('__')[2]}\n"
        yield from _fields(page, definitions[name])


def _fields(page: Page, schema: Mapping[str, Any], skipped: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the sentence of an object and the table of its fields."""
    yield " ".join(str(schema.get("description", "")).split()) + "\n"
    required = schema.get("required", ())
    rows = [
        (
            f"`{name}`",
            field_in_words(field, name in required, page.link),
            default_in_words(field, name in required),
            purpose(field),
        )
        for name, field in schema.get("properties", {}).items()
        if name not in skipped
    ]
    if rows:
        yield from table(("field", "type", "default", ""), rows)


def _events(*, avatar: bool) -> list[type[BaseModel]]:
    every = [*CLIENT_EVENTS.items(), *SERVER_EVENTS.items()]
    return [model for kind, model in every if kind.startswith("avatar.") == avatar]


def _shapes(models: Iterable[type[BaseModel]]) -> set[str]:
    """Return the names of all definitions that events are made of, without the events."""
    definitions = json_schema()["$defs"]
    found: set[str] = set()
    waiting = [name for model in models for name in _references(_definition(model))]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _references(definitions[name])
    return found


def _definition(model: type[BaseModel]) -> Mapping[str, Any]:
    definitions: Mapping[str, Mapping[str, Any]] = json_schema()["$defs"]
    long = f"{model.__module__}.{model.__qualname__}".replace(".", "__")
    return definitions[long] if long in definitions else definitions[model.__name__]


def _references(schema: object) -> list[str]:
    if isinstance(schema, Mapping):
        own = [schema["$ref"].rpartition("/")[2]] if "$ref" in schema else []
        return own + [name for value in schema.values() for name in _references(value)]
    if isinstance(schema, list):
        return [name for value in schema for name in _references(value)]
    return []


def _compact(text: str, width: int = 88) -> str:
    """Put objects and lists of JSON that fit into a line on one."""
    lines: list[str] = []
    for line in text.splitlines():
        lines.append(line)
        if line.strip().rstrip(",") in ("}", "]"):
            _fold(lines, width)
    return "\n".join(lines)


def _fold(lines: list[str], width: int) -> None:
    """Join the lines of the object or list that ends with the last line, where they fit."""
    indent = len(lines[-1]) - len(lines[-1].lstrip())
    begin = len(lines) - 2
    while begin > 0 and len(lines[begin]) - len(lines[begin].lstrip()) > indent:
        begin -= 1
    inner = " ".join(line.strip() for line in lines[begin + 1 : -1])
    gap = " " if lines[-1].strip().startswith("}") and inner else ""
    joined = f"{lines[begin]}{gap}{inner}{gap}{lines[-1].strip()}"
    if begin > 0 and len(joined) <= width:
        lines[begin:] = [joined]
