import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest

from agents.endpoint_model import EndpointModel
from agents.errors import AgentValueError, ModelError
from agents.llm import Message

ASKED = [Message("user", "Hi")]
KEY = "sk-very-secret"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

Writer = asyncio.StreamWriter
Answer = Callable[[Writer], Awaitable[None]]


def event(content: str | None = None, finish: str | None = None) -> bytes:
    choice = {"delta": {} if content is None else {"content": content}, "finish_reason": finish}
    return f"data: {json.dumps({'choices': [choice]})}\n\n".encode()


class Server:
    """A chat endpoint on the loopback address that answers each request as it is told."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.head = ""
        self.body: dict[str, object] = {}
        self.gone = asyncio.Event()
        self.url = ""
        self.calls: set[asyncio.Task[None]] = set()

    def accept(self, reader: asyncio.StreamReader, writer: Writer) -> None:
        self.calls.add(asyncio.ensure_future(self.handle(reader, writer)))

    async def handle(self, reader: asyncio.StreamReader, writer: Writer) -> None:
        self.head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(self.head.lower().split("content-length:")[1].split("\r\n")[0])
        self.body = json.loads(await reader.readexactly(length))
        with suppress(ConnectionError):
            await self._answer(writer)
            if not writer.is_closing():
                await reader.read()
        self.gone.set()
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


@asynccontextmanager
async def serving(answer: Answer) -> AsyncIterator[Server]:
    chat = Server(answer)
    server = await asyncio.start_server(chat.accept, "127.0.0.1", 0)
    chat.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield chat
    finally:
        server.close()
        await server.wait_closed()
        if chat.calls:
            await asyncio.wait(chat.calls)


def sending(*chunks: bytes, close: bool = True) -> Answer:
    async def answer(writer: Writer) -> None:
        for chunk in chunks:
            writer.write(chunk)
            await writer.drain()
        if close:
            writer.close()

    return answer


def failing(status: str, body: str) -> Answer:
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return sending((head + body).encode())


async def read(chat: Server, **options: Any) -> list[str]:
    model = EndpointModel(chat.url, "small", KEY, **options)
    try:
        return [piece async for piece in model.stream(ASKED, max_tokens=7, temperature=0.5)]
    finally:
        await model.aclose()


async def test_streams_the_pieces_of_a_reply() -> None:
    whole = HEAD + b": ping\n\n" + event("We ") + event("open") + event(finish="stop")
    # Split within an event and within a character.
    async with serving(
        sending(whole[:90], whole[90:131], whole[131:], b"data: [DONE]\n\n")
    ) as chat:
        assert await read(chat) == ["We ", "open"]
    assert f"Authorization: Bearer {KEY}" in chat.head
    assert "POST /v1/chat/completions" in chat.head
    assert chat.body == {
        "model": "small",
        "messages": [{"role": "user", "content": "Hi"}],
        "max_tokens": 7,
        "temperature": 0.5,
        "stream": True,
    }


async def test_a_slow_stream_gives_each_piece_at_once() -> None:
    more = asyncio.Event()

    async def answer(writer: Writer) -> None:
        writer.write(HEAD + event("first"))
        await more.wait()
        writer.write(event("second") + event(finish="stop"))
        writer.close()

    async with serving(answer) as chat:
        model = EndpointModel(chat.url, "small")
        stream = model.stream(ASKED)
        assert await anext(stream) == "first"
        more.set()
        assert [piece async for piece in stream] == ["second"]
        await model.aclose()


async def test_usage_without_choices_and_empty_deltas_are_passed_over() -> None:
    usage = b'data: {"choices": [], "usage": {"total_tokens": 3}}\n\n'
    chunks = HEAD + event("") + event() + event("a") + event(finish="length") + usage
    async with serving(sending(chunks)) as chat:
        assert await read(chat) == ["a"]


@pytest.mark.parametrize(
    ("answer", "message", "retry"),
    [
        (
            failing("500 Oops", '{"error": {"message": "out of memory"}}'),
            "500: out of memory",
            True,
        ),
        (failing("429 Slow", '{"error": "slow down"}'), "429: slow down", True),
        (failing("401 No", f"bad key {KEY}"), r"401: bad key \[key\]", False),
        (failing("404 No", ""), "404: no reason given", False),
        (sending(HEAD, b"data: {broken\n\n"), "no JSON: '{broken'", False),
        (sending(HEAD, b"data: [1]\n\n"), "no object", False),
        (sending(HEAD, b'data: {"choices": [3]}\n\n'), "another shape", False),
        (sending(HEAD, b'data: {"choices": [{"delta": {"content": 3}}]}\n\n'), "no text: 3", False),
        (sending(HEAD, b'data: {"error": {"message": "busy"}}\n\n'), "broke off: busy", True),
        (sending(HEAD, event("We")), "in the middle of a reply", True),
        (sending(HEAD, b"data: " + b"x" * 200_000), "longer than", False),
        (sending(b""), "RemoteProtocolError", True),
        (
            sending(HEAD.replace(b"Connection", b"Content-Length: 999\r\nConnection"), event("We")),
            "RemoteProtocolError",
            True,
        ),
        (sending(b"nonsense\r\n\r\n"), "RemoteProtocolError", True),
    ],
)
async def test_failures_say_whether_a_retry_makes_sense(
    answer: Answer, message: str, retry: bool
) -> None:
    async with serving(answer) as chat:
        with pytest.raises(ModelError, match=message) as raised:
            await read(chat)
    assert raised.value.retry is retry
    assert ("may succeed" in str(raised.value)) is retry
    assert KEY not in str(raised.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"read_timeout": 0.05}, "too slow"), ({"total_timeout": 0.05}, "no full reply in 0.05 s")],
)
async def test_an_endpoint_that_hangs(options: dict[str, float], message: str) -> None:
    async with serving(sending(HEAD, event("We"), close=False)) as chat:
        with pytest.raises(ModelError, match=message) as raised:
            await read(chat, **options)
    assert raised.value.retry


async def test_nobody_listens() -> None:
    async with serving(sending()) as chat:
        pass
    with pytest.raises(ModelError, match="ConnectError"):
        await read(chat)


async def test_closing_the_stream_drops_the_connection() -> None:
    async with serving(sending(HEAD, event("We"), close=False)) as chat:
        model = EndpointModel(chat.url, "small")
        stream = model.stream(ASKED)
        assert await anext(stream) == "We"
        waiting = asyncio.ensure_future(anext(stream))
        await asyncio.wait({waiting}, timeout=0.01)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await asyncio.wait_for(chat.gone.wait(), 5)
        await model.aclose()
        await model.aclose()


async def test_the_key_is_never_shown(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with serving(sending(HEAD, event("a"), event(finish="stop"))) as chat:
        model = EndpointModel(chat.url, "small", KEY)
        assert KEY not in repr(model)
        assert [piece async for piece in model.stream(ASKED)] == ["a"]
        await model.aclose()
    assert KEY not in caplog.text


@pytest.mark.parametrize(
    ("url", "name", "read_timeout", "message"),
    [
        ("ftp://x", "m", 1.0, "'ftp://x'"),
        ("http://x", "", 1.0, "model is empty"),
        ("http://x", "m", 0.0, "above 0"),
    ],
)
def test_refuses_what_cannot_work(url: str, name: str, read_timeout: float, message: str) -> None:
    with pytest.raises(AgentValueError, match=message):
        EndpointModel(url, name, read_timeout=read_timeout)
