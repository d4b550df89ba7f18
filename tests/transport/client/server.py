"""A small server of the Realtime protocol, to be told what to do."""

import asyncio
import base64
import itertools
import json
import urllib.parse
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import numpy as np
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from transport.protocol.schema import read_client_event, read_server_event

Message = dict[str, Any]
Handler = Callable[["FakeServer", Message], None]

JOINTS, BLENDSHAPES = 3, 2


class FakeServer:
    """Keeps one session over any number of connections.

    Attributes:
        received: client events but sound, each checked against the protocol.
        heard: sound that was appended, PCM16.
        queries: of each connection, refused ones too; `authorizations` likewise.
        on: what to do with a type of event, instead of or beside what is always done.
        refusal: (status, error code) that connections are refused with.
        session: as `session.created` tells it; `greeting`: another first event.
    """

    def __init__(self) -> None:
        self.received: list[Message] = []
        self.heard = b""
        self.queries: list[dict[str, str]] = []
        self.authorizations: list[str | None] = []
        self.on: dict[str, Handler] = {}
        self.refusal: tuple[int, str] | None = None
        self.connections: list[ServerConnection] = []
        self.session: Message = {
            "id": "sess_1",
            "type": "realtime",
            "object": "realtime.session",
            "audio": {"input": {"turn_detection": {"type": "server_vad"}}},
            "avatar": {"name": "mia", "resume_token": "token_1", "protocol": "1.0"},
        }
        self.greeting = "session.created"
        self._ids = itertools.count(1)
        self._server: Server | None = None
        self._news = asyncio.Condition()
        self.counts: dict[str, int] = defaultdict(int)

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"ws://127.0.0.1:{next(iter(self._server.sockets)).getsockname()[1]}"

    @property
    def socket(self) -> ServerConnection:
        """The newest connection."""
        return self.connections[-1]

    def send(self, kind: str, **fields: Any) -> None:
        """Send an event; it must be one of the protocol."""
        event = {"type": kind, "event_id": f"event_{next(self._ids)}", **fields}
        read_server_event(event)
        self.send_raw(json.dumps(event))

    def send_raw(self, message: str) -> None:
        """Send anything, in order, without waiting."""
        self.socket.protocol.send_text(message.encode())
        self.socket.send_data()

    def drop(self) -> None:
        """Break the connection as a network does."""
        self.socket.transport.abort()

    async def until(self, kind: str, count: int = 1) -> Message:
        """Wait until `count` events of a type have come; return the newest."""
        async with self._news, asyncio.timeout(15):
            await self._news.wait_for(lambda: self.counts[kind] >= count)
        return [event for event in self.received if event["type"] == kind][-1:][0]

    async def heard_bytes(self, count: int) -> None:
        """Wait until so much sound has come."""
        async with self._news, asyncio.timeout(15):
            await self._news.wait_for(lambda: len(self.heard) >= count)

    async def connected(self, count: int) -> None:
        """Wait until so many connections have been open."""
        async with self._news, asyncio.timeout(15):
            await self._news.wait_for(lambda: len(self.connections) >= count)

    async def asked(self, count: int) -> None:
        """Wait until so many connections have been asked for, refused ones too."""
        async with self._news, asyncio.timeout(15):
            await self._news.wait_for(lambda: len(self.queries) >= count)

    def begin(self, response: str = "resp_1", metadata: Message | None = None) -> None:
        """Begin a response."""
        self.send("response.created", response=response_object(response, metadata=metadata))

    def sound(self, response: str, milliseconds: int, position: float = 0.0) -> None:
        """Send sound of a response: samples that count upwards."""
        samples = np.arange(24 * milliseconds, dtype="<i2")
        self.send(
            "response.output_audio.delta",
            delta=base64.b64encode(samples.tobytes()).decode(),
            position_ms=position,
            **place(response),
        )

    def text(self, response: str, text: str, start: int = 0) -> None:
        """Send text of a response."""
        self.send(
            "response.output_audio_transcript.delta",
            delta=text,
            audio_start_ms=start,
            **place(response),
        )

    def done(self, response: str, text: str = "", status: str = "completed", **more: Any) -> None:
        """A response has been made."""
        object_ = response_object(response, status, text) | more
        self.send("response.done", response=object_)

    def answer(self, response: str, text: str, *, metadata: Message | None = None) -> None:
        """Answer with a text and 40 ms of sound."""
        self.begin(response, metadata)
        self.send("output_audio_buffer.started", response_id=response)
        self.text(response, text)
        self.sound(response, 20, 0)
        self.done(response, text)
        self.sound(response, 20, 20)
        self.send("output_audio_buffer.stopped", response_id=response)

    def refuse(self, event: Message, code: str = "invalid_value") -> None:
        """Refuse a client's event."""
        error = {
            "type": "invalid_request_error",
            "code": code,
            "message": "that is not accepted",
            "param": None,
            "event_id": event.get("event_id"),
        }
        self.send("error", error=error)

    def motion_format(self) -> None:
        """Tell how poses are to be read."""
        self.send(
            "avatar.motion.format",
            encoding="base64",
            poses_per_second=25,
            joints=[f"joint_{index}" for index in range(JOINTS)],
            parents=[-1, 0, 1],
            rest=floats(np.zeros((JOINTS, 3))),
            blendshapes=["jawOpen", "eyeBlinkLeft"],
        )

    def pose(self, position: float, jaw: float = 0.5) -> None:
        """Send a pose."""
        self.send(
            "avatar.motion.delta",
            position_ms=position,
            rotations=floats(np.tile([1.0, 0.0, 0.0, 0.0], (JOINTS, 1))),
            translation=[0.0, 0.0, 0.25],
            face=floats(np.array([jaw, 0.0])),
        )

    async def handle(self, socket: ServerConnection) -> None:
        """Serve one connection."""
        await self._note(lambda: self.connections.append(socket))
        resumed = "resume" in self.queries[-1]
        avatar = self.session.get("avatar")
        session = dict(self.session)
        if avatar is not None:
            session["avatar"] = {**avatar, "resumed": resumed}
        self.send(self.greeting, session=session)
        try:
            async for message in socket:
                await self._take(json.loads(message))
        except ConnectionClosed:
            return

    async def admit(self, socket: ServerConnection, request: Request) -> Response | None:
        """Refuse a connection before it is one, where that is asked for."""
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(request.path).query))
        await self._note(lambda: self.queries.append(query))
        self.authorizations.append(request.headers.get("Authorization"))
        if self.refusal is None:
            return None
        status, code = self.refusal
        response = socket.respond(HTTPStatus(status), "")
        body = json.dumps({"error": {"code": code, "message": f"refused: {code}"}}).encode()
        response.headers["Retry-After"] = "3"
        del response.headers["Content-Length"]
        response.headers["Content-Length"] = str(len(body))
        return Response(response.status_code, response.reason_phrase, response.headers, body)

    async def _take(self, event: Message) -> None:
        read_client_event(event)
        kind = event["type"]
        if kind == "input_audio_buffer.append":
            self.heard += base64.b64decode(event["audio"])
        else:
            self.received.append(event)
        handler = self.on.get(kind)
        if handler is not None:
            handler(self, event)
        elif kind == "session.update":
            self.session |= {
                key: value for key, value in event["session"].items() if key != "avatar"
            }
            self.send("session.updated", session=self.session)
        await self._note(lambda: self.counts.update({kind: self.counts[kind] + 1}))

    async def _note(self, change: Callable[[], None]) -> None:
        async with self._news:
            change()
            self._news.notify_all()


@asynccontextmanager
async def fake_server() -> AsyncIterator[FakeServer]:
    """Yield a server that listens on loopback."""
    fake = FakeServer()
    async with serve(
        fake.handle, "127.0.0.1", 0, process_request=fake.admit, close_timeout=1, compression=None
    ) as server:
        fake._server = server
        yield fake


def response_object(
    response: str, status: str = "in_progress", text: str = "", metadata: Message | None = None
) -> Message:
    """Return a response as events have it."""
    content = [{"type": "output_audio", "transcript": text}]
    item = {
        "id": f"item_{response}",
        "object": "realtime.item",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": content,
    }
    return {
        "id": response,
        "object": "realtime.response",
        "status": status,
        "status_details": None,
        "output": [item] if text else [],
        "output_modalities": ["audio"],
        "metadata": metadata,
    }


def place(response: str) -> Message:
    """Return where in a reply an event belongs."""
    return {
        "response_id": response,
        "item_id": f"item_{response}",
        "output_index": 0,
        "content_index": 0,
    }


def floats(values: Any) -> str:
    """Return numbers as the wire has them."""
    return base64.b64encode(np.asarray(values, "<f4").tobytes()).decode()


def metadata(event: Message) -> Message | None:
    """Return the metadata a `response.create` or an `avatar.say` gives."""
    return (event.get("response") or event).get("metadata")
