"""Who has a session, whatever order its client comes, goes and comes back in."""

import asyncio
import json
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from pipeline.options import SessionOptions
from tests.fakes.engine import FakeEngine
from tests.transport.access.doors import Door
from tests.transport.offers import audio_section, sdp
from tests.web.doors import handshake
from tests.web.raw_socket import CLOSE, frame, raw_socket
from tests.web.socket_server import served
from transport.access.grant import Limits
from transport.calls import Calls
from transport.errors import SessionGoneError
from transport.line import Lines
from web.app import create_app

OFFER = sdp(audio_section())
SDP = {"Content-Type": "application/sdp"}


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


async def token_of(socket: ClientConnection) -> str:
    return str(json.loads(await socket.recv())["session"]["avatar"]["resume_token"])


async def test_two_who_resume_at_once_leave_the_session_to_its_key(tmp_path: Path) -> None:
    door = Door(tmp_path)
    _, key = door.file.create("shop", ["talk"])
    _, stranger = door.file.create("other", ["talk"])
    door.clock._now += 1.0
    async with (
        served(access=door.access) as server,
        httpx.AsyncClient(base_url=server.http) as http,
        connect(server.url, additional_headers=bearer(key)) as socket,
    ):
        url = f"/v1/realtime/calls?resume={await token_of(socket)}"
        headers = SDP | bearer(key)
        answers = await asyncio.gather(
            *(http.post(url, content=OFFER, headers=headers) for _ in range(2))
        )
        assert [answer.status_code for answer in answers] == [201, 201]
        places = [answer.headers["location"] for answer in answers]
        refused = [await http.delete(place, headers=bearer(stranger)) for place in places]
        assert 403 in [answer.status_code for answer in refused]
        assert server.engine.sessions == 1, "a stranger has hung up"
        door.file.revoke("shop")
        await door.clock.run(3.0)
        async with asyncio.timeout(5):
            await server.lines.empty()


async def test_a_session_that_ends_while_it_is_resumed_is_gone() -> None:
    engine = FakeEngine()
    lines = Lines(engine)
    calls = Calls(engine, lines=lines)
    line = lines.open(SessionOptions())
    resuming = asyncio.create_task(calls.resume(OFFER, line.token))
    await asyncio.sleep(0)
    assert not resuming.done()
    await line.close()
    with pytest.raises(SessionGoneError, match="it has ended"):
        await resuming
    assert len(calls) == engine.sessions == 0
    await calls.close()


async def test_minutes_that_are_used_up_end_a_session_that_waits(tmp_path: Path) -> None:
    door = Door(tmp_path)
    _, key = door.file.create("shop", ["talk"], Limits(minutes_a_day=1))
    door.clock._now += 1.0
    async with served(access=door.access, hold_s=30) as server:
        socket = await connect(server.url, additional_headers=bearer(key))
        token = await token_of(socket)
        socket.transport.abort()
        async with asyncio.timeout(5):
            await server.session.rested.wait()
            await door.clock.run(62.0)
            await server.lines.empty()
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"{server.url}?resume={token}", additional_headers=bearer(key))
        assert refused.value.response.status_code == 404


async def test_a_call_that_is_dismissed_cannot_be_taken_up_while_it_ends() -> None:
    engine = FakeEngine()
    lines = Lines(engine)
    calls = Calls(engine, lines=lines)
    call = await calls.answer(OFFER, SessionOptions())
    (token,) = lines._lines
    calls.dismiss(call.id, "minutes_limit", "the minutes of this key are used up for today")
    with pytest.raises(SessionGoneError):
        await calls.resume(OFFER, token)
    async with asyncio.timeout(5):
        await calls.empty()
    assert engine.sessions == 0
    await calls.close()


@pytest.mark.parametrize("content", [b"", (1000).to_bytes(2, "big")], ids=["no code", "1000"])
async def test_to_close_without_a_code_is_to_hang_up(content: bytes) -> None:
    async with served() as server, raw_socket(server.port) as socket:
        await socket.read_frame()
        await socket.send(frame(content, CLOSE))
        async with asyncio.timeout(3):
            await server.lines.empty()
        assert not server.session.rested.is_set()


async def test_to_go_without_a_word_is_to_be_lost() -> None:
    async with served() as server, raw_socket(server.port) as socket:
        await socket.read_frame()
        socket.writer.transport.abort()
        async with asyncio.timeout(3):
            await server.session.rested.wait()
        assert server.engine.sessions == 1


async def test_who_leaves_before_the_socket_opens_leaves_nothing() -> None:
    engine = FakeEngine()
    lines = Lines(engine)
    calls = Calls(engine, lines=lines)
    assert await handshake(create_app(engine, calls, lines=lines), gone=True) == []
    assert len(engine.opened) == 1
    assert len(lines) == engine.sessions == 0
