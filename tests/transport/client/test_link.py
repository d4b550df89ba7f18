"""Connections that fail, break, and are made anew."""

import asyncio
import base64
import hashlib
import json
import socket
from typing import Final

import numpy as np
import pytest

import vivant
from tests.transport.client.server import FakeServer, Message, metadata
from transport.client.address import Address

AT_ONCE: Final = vivant.Reconnect(first_s=0.0, longest_s=0.0, give_up_s=10.0)


async def _next(conversation: vivant.Conversation, kind: type) -> object:
    async with asyncio.timeout(15):
        async for event in conversation:
            if isinstance(event, kind):
                return event
    raise AssertionError(f"the conversation ended without {kind.__name__}")


async def test_a_broken_connection_is_made_anew(server: FakeServer) -> None:
    server.on["response.create"] = lambda server, event: server.answer(
        "resp_1", "still here", metadata=metadata(event)
    )
    async with vivant.connect(server.url, voice="light", reconnect=AT_ONCE) as conversation:
        server.drop()
        assert isinstance(await _next(conversation, vivant.Disconnected), vivant.Disconnected)
        resumed = await _next(conversation, vivant.Resumed)
        assert isinstance(resumed, vivant.Resumed)
        assert (resumed.attempts, resumed.unheard_s) == (1, 0)
        reply = await conversation.ask("Are you there?")
        assert await reply.text() == "still here"
        assert conversation.session["avatar"]["resumed"]
    assert server.queries[1] == {"model": "vivant", "resume": "token_1"}


async def test_what_is_sent_meanwhile_waits_and_what_is_said_is_dropped(
    server: FakeServer,
) -> None:
    async with vivant.connect(server.url, reconnect=AT_ONCE) as conversation:
        server.refusal = (503, "busy")
        server.drop()
        await _next(conversation, vivant.Disconnected)
        await conversation.send_audio(np.zeros(12_000, np.float32))
        waiting = asyncio.create_task(conversation.action("wave"))
        await server.asked(3)
        assert not waiting.done()
        server.refusal = None
        resumed = await _next(conversation, vivant.Resumed)
        assert isinstance(resumed, vivant.Resumed)
        assert resumed.unheard_s == conversation.dropped.spoken_s == 0.5
        assert resumed.attempts > 1
        await waiting
        await server.until("avatar.action")
    assert server.heard == b""


async def test_answers_that_break_off_raise_and_may_be_asked_for_again(
    server: FakeServer,
) -> None:
    def begin(server: FakeServer, event: Message) -> None:
        server.begin("resp_1", metadata(event))
        server.text("resp_1", "We open")

    server.on["response.create"] = begin
    async with vivant.connect(server.url, reconnect=AT_ONCE) as conversation:
        reply = await conversation.ask("?")
        notes = asyncio.create_task(conversation.notes())
        await server.until("avatar.notes")
        server.drop()
        with pytest.raises(vivant.ReplyLostError) as lost:
            await reply.text()
        assert lost.value.retryable
        with pytest.raises(vivant.ReplyLostError):
            await notes
        await _next(conversation, vivant.Resumed)
        server.on["response.create"] = lambda server, event: server.answer(
            "resp_2", "at nine", metadata=metadata(event)
        )
        assert await (await conversation.ask("?")).text() == "at nine"


async def test_poses_go_on_after_a_break(server: FakeServer) -> None:
    async with vivant.connect(server.url, motion=True, reconnect=AT_ONCE) as conversation:
        server.motion_format()
        server.pose(40)
        assert (await anext(conversation.motion())).position_ms == 40
        server.drop()
        await _next(conversation, vivant.Resumed)
        server.motion_format()
        server.pose(2_000)
        assert (await anext(conversation.motion())).position_ms == 2_000


async def test_a_session_that_is_gone_is_lost_at_once(server: FakeServer) -> None:
    async with vivant.connect(server.url, reconnect=AT_ONCE) as conversation:
        server.refusal = (404, "session_gone")
        server.drop()
        with pytest.raises(vivant.SessionLostError, match="session_gone") as lost:
            await _next(conversation, vivant.Resumed)
        assert lost.value.retryable
        with pytest.raises(vivant.ConversationClosedError):
            await conversation.ask("?")


async def test_it_gives_up_after_a_while(server: FakeServer) -> None:
    bounds: list[int] = []

    def chance() -> float:
        bounds.append(1)
        return 0.5

    policy = vivant.Reconnect(first_s=0.02, longest_s=0.08, give_up_s=0.3, chance=chance)
    async with vivant.connect(server.url, reconnect=policy) as conversation:
        server.refusal = (503, "busy")
        server.drop()
        with pytest.raises(vivant.SessionLostError, match="did not come back"):
            await _next(conversation, vivant.Resumed)
    assert len(bounds) > 3


def test_pauses_grow_and_are_drawn_by_chance() -> None:
    longest = vivant.Reconnect(chance=lambda: 1.0)
    assert [longest.pause(attempt) for attempt in range(6)] == [0.25, 0.5, 1.0, 2.0, 4.0, 4.0]
    assert vivant.Reconnect(chance=lambda: 0.1).pause(3) == pytest.approx(0.2)
    assert longest.pause(10_000) == 4.0
    with pytest.raises(vivant.ClientValueError, match="first_s <= longest_s"):
        vivant.Reconnect(first_s=5.0)


@pytest.mark.parametrize(
    ("code", "message"), [(1_008, "too slow"), (4_001, "taken over by another client")]
)
async def test_who_is_sent_away_does_not_come_back(
    server: FakeServer, code: int, message: str
) -> None:
    async with vivant.connect(server.url, reconnect=AT_ONCE) as conversation:
        await server.socket.close(code, message)
        with pytest.raises(vivant.SessionLostError, match=message):
            await _next(conversation, vivant.Resumed)
    assert len(server.connections) == 1


async def test_another_session_is_no_resumption(server: FakeServer) -> None:
    async with vivant.connect(server.url, reconnect=AT_ONCE) as conversation:
        server.session["id"] = "sess_2"
        server.drop()
        with pytest.raises(vivant.SessionLostError, match="another session"):
            await _next(conversation, vivant.Resumed)
        await server.socket.wait_closed()


async def test_a_server_that_gives_no_token_cannot_be_resumed(server: FakeServer) -> None:
    del server.session["avatar"]
    async with vivant.connect(server.url, reconnect=AT_ONCE) as conversation:
        server.drop()
        with pytest.raises(vivant.SessionLostError, match="did not come back"):
            await _next(conversation, vivant.Resumed)
    assert len(server.connections) == 1


async def test_closing_while_it_is_broken(server: FakeServer) -> None:
    patient = vivant.Reconnect(first_s=20.0, longest_s=20.0, chance=lambda: 1.0)
    async with vivant.connect(server.url, reconnect=patient) as conversation:
        server.drop()
        await _next(conversation, vivant.Disconnected)
        waiting = asyncio.create_task(conversation.action("wave"))
        await asyncio.sleep(0)
    with pytest.raises(vivant.ConversationClosedError):
        await waiting


@pytest.mark.parametrize(
    ("status", "code", "retryable"),
    [(401, "invalid_api_key", False), (403, "origin", False), (503, "server_full", True)],
)
async def test_refused_connections_say_why(
    server: FakeServer, status: int, code: str, retryable: bool
) -> None:
    server.refusal = (status, code)
    with pytest.raises(vivant.ConnectionRefusedByServerError, match=code) as refused:
        async with vivant.connect(server.url):
            pytest.fail("the conversation is open")
    error = refused.value
    assert (error.status, error.code, error.retry_after_s) == (status, code, 3)
    assert error.retryable is retryable


async def test_a_server_that_is_not_there() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    with pytest.raises(vivant.ConnectionFailedError, match=f"127.0.0.1:{port}") as failed:
        async with vivant.connect(f"ws://127.0.0.1:{port}"):
            pytest.fail("the conversation is open")
    assert failed.value.retryable


async def test_a_server_of_another_kind(server: FakeServer) -> None:
    server.greeting = "session.updated"
    with pytest.raises(vivant.ConnectionFailedError, match=r"session\.created"):
        async with vivant.connect(server.url):
            pytest.fail("the conversation is open")


async def test_sending_waits_for_a_server_that_does_not_read() -> None:
    """What is not taken is not piled up here: the socket's own buffers are all there is."""
    reading, over = asyncio.Event(), asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _accept(reader, writer)
        await reading.wait()
        await asyncio.gather(reader.read(), return_exceptions=True)
        writer.close()
        await asyncio.gather(writer.wait_closed(), return_exceptions=True)
        over.set()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    async with listener, vivant.connect(f"ws://127.0.0.1:{port}") as conversation:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1):
                await conversation.send_audio(np.zeros(24_000 * 240, np.int16))
        transport = conversation._link._socket
        assert transport is not None
        assert transport.transport.get_write_buffer_size() < 2**17
        transport.transport.abort()
        reading.set()
        await over.wait()


def test_urls() -> None:
    assert Address().socket_url() == "ws://127.0.0.1:8080/v1/realtime?model=vivant"
    address = Address("https://host.example/own/path?a=1", "key", {"voice": "小 声"})
    assert address.socket_url() == (
        "wss://host.example/own/path?model=vivant&a=1&voice=%E5%B0%8F+%E5%A3%B0"
    )
    assert address.socket_url("t&") == "wss://host.example/own/path?model=vivant&a=1&resume=t%26"
    assert address.headers() == {"Authorization": "Bearer key"}
    assert "key" not in repr(address)


async def _accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Accept a WebSocket by hand (RFC 6455) and name a session."""
    request = (await reader.readuntil(b"\r\n\r\n")).decode()
    (key,) = (
        line.split(": ")[1]
        for line in request.split("\r\n")
        if line.lower().startswith("sec-websocket-key")
    )
    digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
    accept = base64.b64encode(digest).decode()
    writer.write(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + accept.encode() + b"\r\n\r\n"
    )
    created = {"type": "session.created", "session": {"id": "sess_1"}}
    message = json.dumps(created).encode()
    writer.write(bytes([0x81, len(message)]) + message)
    await writer.drain()
