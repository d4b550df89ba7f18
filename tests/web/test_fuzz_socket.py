"""The WebSocket bears noise, giants, fragments, floods, the slow and the dead, and forgets them."""

import asyncio
import gc
import json
import logging
import socket
import tracemalloc
from collections.abc import Awaitable, Callable
from typing import Any, Final

import httpx
import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import ClientConnection, connect

from tests.fakes.engine import FakeEngine, FakeScript
from tests.fakes.hostile import messages
from tests.web.raw_socket import (
    BINARY,
    CLOSE,
    CONTINUATION,
    HANDSHAKE,
    PING,
    TEXT,
    frame,
    open_files,
    raw_socket,
)
from tests.web.socket_server import Served, served
from transport import outbox
from transport.protocol.schema import json_schema
from transport.socket import MAX_MESSAGE_BYTES

SERVER_EVENT: Final = jsonschema_rs.validator_for({**json_schema(), "$ref": "#/$defs/ServerEvent"})
CLEAR: Final = json.dumps({"type": "input_audio_buffer.clear"})
# RFC 6455, 7.4.1
PROTOCOL_ERROR, NO_UTF8, TOO_BIG, TRY_AGAIN = 1002, 1007, 1009, 1013


async def freed(server: Served, within: float = 5.0) -> None:
    """Wait until no session is open."""
    async with asyncio.timeout(within):
        await server.lines.empty()
    assert server.engine.sessions == 0


async def answered(connection: ClientConnection) -> list[dict[str, Any]]:
    """Say something harmless; return what comes up to its answer, each checked."""
    events: list[dict[str, Any]] = []
    await connection.send(CLEAR)
    async with asyncio.timeout(10):
        while not events or events[-1]["type"] != "input_audio_buffer.cleared":
            events.append(json.loads(await connection.recv()))
            SERVER_EVENT.validate(events[-1])
    return events


@settings(
    max_examples=12,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(visits=st.lists(st.lists(messages, max_size=8), min_size=3, max_size=5))
def test_noise_is_answered_in_the_protocol(visits: list[list[str | bytes]]) -> None:
    async def talk() -> None:
        async with served(hold_s=0.05) as server:
            for said in visits:
                async with connect(server.url) as connection:
                    for message in said:
                        await connection.send(_sendable(message))
                    events = await answered(connection)
                    assert events[0]["type"] == "session.created"
                await freed(server)

    asyncio.run(talk())


def _sendable(message: str | bytes) -> str | bytes:
    """Return a message as UTF-8 can have it; what cannot is sent by hand below."""
    return message.encode("utf-8", "replace").decode() if isinstance(message, str) else message


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (frame(b"{}", first=0x80 | 0x40 | TEXT), PROTOCOL_ERROR),  # a reserved bit
        (frame(b"{}", masked=False), PROTOCOL_ERROR),
        (frame(b"{}", opcode=0x3), PROTOCOL_ERROR),
        (frame(b"{}", opcode=CONTINUATION), PROTOCOL_ERROR),  # of nothing
        (frame(b"x" * 126, opcode=PING), PROTOCOL_ERROR),  # a control frame is short
        (frame(b"\x03", opcode=CLOSE), PROTOCOL_ERROR),  # half a code
        (frame(b"\xff\xfe", opcode=TEXT), NO_UTF8),
        (frame(b"x" * (MAX_MESSAGE_BYTES + 1)), TOO_BIG),
        (frame(b"x" * 70_000, first=TEXT) + frame(b"y", first=TEXT), PROTOCOL_ERROR),
    ],
    ids=range(9),
)
async def test_what_is_no_websocket_is_closed_with_the_reason(data: bytes, code: int) -> None:
    async with served(hold_s=0.05) as server:
        async with raw_socket(server.port) as client:
            await client.send(data)
            assert await client.closed_with() == code
        await freed(server)


async def test_a_length_nobody_has_is_refused_before_anything_is_kept() -> None:
    async with served(hold_s=0.05) as server:
        async with raw_socket(server.port) as client:
            await client.send(bytes([0x81, 0xFF]) + (1 << 40).to_bytes(8, "big") + bytes(4))
            assert await client.closed_with() == TOO_BIG
        await freed(server)


async def test_a_message_in_many_pieces_is_one_message() -> None:
    async with served(hold_s=0.05) as server:
        async with raw_socket(server.port) as client:
            data = b"".join(frame(bytes([c]), first=CONTINUATION) for c in CLEAR.encode()[1:])
            await client.send(frame(CLEAR[:1].encode(), first=TEXT) + data)
            await client.send(frame(b"", first=0x80 | CONTINUATION))
            async with asyncio.timeout(5):
                while b"input_audio_buffer.cleared" not in (await client.read_frame())[1]:
                    continue
        await freed(server)


async def test_pieces_without_an_end_are_cut_off() -> None:
    async with served(hold_s=0.05) as server:
        async with raw_socket(server.port) as client:
            await client.send(frame(b"x", first=TEXT))
            piece = frame(b"x" * 60_000, first=CONTINUATION)
            for _ in range(MAX_MESSAGE_BYTES // 60_000 + 2):
                try:
                    await client.send(piece)
                except ConnectionError:
                    break
            assert await client.closed_with() in (TOO_BIG, None)
        await freed(server)


async def test_a_flood_is_told_once_and_slows_nobody() -> None:
    engine = FakeEngine([FakeScript(), FakeScript(reply_seconds=1.0)])
    async with served(engine, hold_s=0.05) as server:
        async with connect(server.url) as flooder, connect(server.url) as other:
            flooding = asyncio.create_task(_flood(flooder, 20_000))
            await other.send(json.dumps({"type": "response.create"}))
            sound = 0
            async with asyncio.timeout(8):
                while (event := json.loads(await other.recv()))["type"] != (
                    "output_audio_buffer.stopped"
                ):
                    sound += event["type"] == "response.output_audio.delta"
            assert sound >= 45  # of 50 in its second
            told = await flooding
        assert told.count("unknown_event_type") < 1_000
        await freed(server)


async def _flood(connection: ClientConnection, count: int) -> list[str]:
    """Send so many messages as fast as they are taken; return the codes of the errors told."""
    told: list[str] = []

    async def listen() -> None:
        while "too_many_events" not in told:
            event = json.loads(await connection.recv())
            if event["type"] == "error":
                told.append(event["error"]["code"])

    listening = asyncio.create_task(listen())
    for _ in range(count):
        await connection.send('{"type": "nothing"}')
    async with asyncio.timeout(10):
        await listening
    return told


async def test_who_does_not_read_is_told_and_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "MOST_SOUND", 20)
    engine = FakeEngine([FakeScript(reply_seconds=60.0), FakeScript(reply_seconds=3.0)])
    async with served(engine, hold_s=0.05, send_buffer=4_096) as server:
        async with raw_socket(server.port, buffer=2_048) as slow, connect(server.url) as other:
            await slow.send(frame(json.dumps({"type": "response.create"}).encode()))
            await other.send(json.dumps({"type": "response.create"}))
            kinds = await _kinds(other, "output_audio_buffer.stopped", within=15)
            assert kinds.count("response.output_audio.delta") >= 145  # of 150
            assert await slow.closed_with() == TRY_AGAIN
        await freed(server)


async def _kinds(connection: ClientConnection, last: str, within: float) -> list[str]:
    """Return the types of events up to the first of type `last`."""
    kinds: list[str] = []
    async with asyncio.timeout(within):
        while last not in kinds:
            kinds.append(json.loads(await connection.recv())["type"])
    return kinds


async def test_who_is_dead_is_noticed_and_forgotten() -> None:
    async with (
        served(hold_s=0.05, ping_s=0.2) as server,
        raw_socket(server.port) as dead,
    ):
        assert b"session.created" in (await dead.read_frame())[1]
        assert server.engine.sessions == 1
        await freed(server)  # it answers no ping


async def test_who_connects_and_says_nothing_holds_no_session_and_harms_nobody() -> None:
    async with served(hold_s=0.05) as server:
        mute = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(100)]
        for number, each in enumerate(mute):
            each.send(HANDSHAKE.encode()[: number % 90])
        async with httpx.AsyncClient() as client:
            health = (await client.get(f"{server.http}/healthz")).json()
        assert (health["status"], health["sessions"]) == ("ok", 0)
        async with connect(server.url) as connection:
            await answered(connection)
        for each in mute:
            each.close()
        await freed(server)


async def test_many_visits_leave_nothing_behind(caplog: pytest.LogCaptureFixture) -> None:
    engine = FakeEngine([FakeScript(reply_seconds=0.1)])
    async with served(engine, hold_s=0.01) as server:
        visits: list[Callable[[Served], Awaitable[None]]] = [_polite, _rude, _foul]

        async def rounds(count: int) -> None:
            for number in range(count):
                await visits[number % 3](server)
                await freed(server)
                engine.opened.clear()
            assert not [each for each in caplog.records if each.levelno >= logging.WARNING]
            caplog.clear()
            gc.collect()

        await rounds(12)
        tasks, files = len(asyncio.all_tasks()), open_files()
        tracemalloc.start()
        try:
            await rounds(12)
            before = tracemalloc.get_traced_memory()[0]
            await rounds(36)
            grown = tracemalloc.get_traced_memory()[0] - before
        finally:
            tracemalloc.stop()
        assert grown < 36 * 2_000, grown
        assert len(asyncio.all_tasks()) <= tasks
        assert open_files() <= files


async def _polite(server: Served) -> None:
    async with connect(server.url) as connection:
        await connection.send(json.dumps({"type": "response.create"}))
        await _kinds(connection, "output_audio_buffer.stopped", within=5)


async def _rude(server: Served) -> None:
    async with raw_socket(server.port) as client:
        await client.send(frame(json.dumps({"type": "response.create"}).encode()) * 3)
        await client.read_frame()


async def _foul(server: Served) -> None:
    async with raw_socket(server.port) as client:
        await client.send(frame(b"[" * 20_000) + frame(b"\xff" * 9, opcode=BINARY))
        await client.send(frame(b"{}", opcode=0x3))
        await client.closed_with()
