"""Servers that tell our addresses: used when they answer, not waited for when they do not."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aioice import stun

from pipeline.errors import ConfigurationError
from pipeline.options import IceServer, SessionOptions
from tests.fakes.engine import FakeEngine
from tests.transport.offers import CANDIDATE, audio_section, sdp
from tests.transport.wire import connected
from transport.calls import Calls
from transport.nat import Nat

MAPPED = ("203.0.113.7", 40_000)


class Server(asyncio.DatagramProtocol):
    """Tells everybody the same address, or nobody anything."""

    def __init__(self, answers: bool) -> None:
        self.asked = 0
        self._answers = answers

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport

    def datagram_received(self, data: bytes, addr: tuple[str | Any, int]) -> None:
        self.asked += 1
        if self._answers:
            request = stun.parse_message(data)
            response = stun.Message(
                message_method=stun.Method.BINDING,
                message_class=stun.Class.RESPONSE,
                transaction_id=request.transaction_id,
            )
            response.attributes["XOR-MAPPED-ADDRESS"] = MAPPED
            self._transport.sendto(bytes(response), addr)


@asynccontextmanager
async def serving(answers: bool) -> AsyncIterator[tuple[Server, int]]:
    loop = asyncio.get_running_loop()
    transport, server = await loop.create_datagram_endpoint(
        lambda: Server(answers), local_addr=("127.0.0.1", 0)
    )
    try:
        yield server, transport.get_extra_info("sockname")[1]
    finally:
        transport.close()


def files() -> int:
    return len(list(Path(f"/proc/{os.getpid()}/fd").iterdir()))


async def test_the_address_a_server_tells_is_in_the_answer() -> None:
    async with serving(answers=True) as (_, port):
        calls = Calls(FakeEngine(), Nat([IceServer((f"stun:127.0.0.1:{port}",))]))
        async with asyncio.timeout(0.9):  # less than a server that is silent is waited for
            call = await calls.answer(sdp(audio_section(CANDIDATE)), SessionOptions())
        await calls.close()
    assert f"{MAPPED[0]} {MAPPED[1]} typ srflx" in call.answer_sdp


async def test_silent_servers_delay_an_answer_by_a_second_and_break_nothing() -> None:
    before = files()
    async with serving(answers=False) as (server, port):
        servers = [
            IceServer((f"stun:127.0.0.1:{port}",)),
            IceServer((f"turn:127.0.0.1:{port}?transport=udp",), "user", "secret"),
        ]
        calls = Calls(FakeEngine(), Nat(servers))
        async with asyncio.timeout(2.5):
            call = await calls.answer(sdp(audio_section(CANDIDATE)), SessionOptions())
        await calls.hang_up(call.id)
        assert server.asked >= 2
        async with connected(calls) as caller:
            await caller.until(lambda: caller.pictures[5:] or None, 5, "pictures")
            await caller.until(lambda: caller.sounds[10:] or None, 5, "sound")
        await calls.close()
    await asyncio.sleep(0)  # sockets are closed in the turn after the one that asked for it
    assert files() <= before


async def test_a_server_that_refuses_connections_is_no_harm() -> None:
    server = IceServer(("stun:127.0.0.1:1", "turn:127.0.0.1:1?transport=tcp"), "user", "secret")
    calls = Calls(FakeEngine(), Nat([server]))
    async with asyncio.timeout(5), connected(calls, video=False) as caller:
        await caller.until(lambda: caller.sounds[10:] or None, 5, "sound")
    await calls.close()


def test_a_url_of_no_use_is_refused_before_the_first_call() -> None:
    server = IceServer(("stun:stun.example:3478?transport=udp",))
    with pytest.raises(ConfigurationError, match=r"stun.example.*accepted"):
        Nat([server])
