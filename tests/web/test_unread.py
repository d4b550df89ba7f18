"""Clients that do not read, or never finish, cost no more than they did at first."""

import asyncio

import pytest
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tests.web.raw_socket import CONTINUATION, PING, TEXT, frame, raw_socket
from tests.web.socket_server import served
from web.sockets import MOST_PIECES, TOO_BIG, BoundedProtocol

NARROW = 4096
# More than the system takes ahead, on both sides.
MUCH = 4 << 20


async def test_pings_that_nobody_reads_the_answers_of_are_not_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[asyncio.Transport] = []

    def connected(self: BoundedProtocol, transport: asyncio.Transport) -> None:
        WebSocketsSansIOProtocol.connection_made(self, transport)
        made.append(transport)

    monkeypatch.setattr(BoundedProtocol, "connection_made", connected)
    async with (
        served(send_buffer=NARROW) as server,
        raw_socket(server.port, buffer=NARROW) as client,
    ):
        await client.read_frame()
        pings = frame(b"x" * 125, PING) * 500
        for _ in range(MUCH // len(pings)):
            await client.send(pings)
        (transport,) = made
        assert transport.get_write_buffer_size() < 256 << 10
        assert server.engine.sessions == 1


async def test_who_reads_nothing_and_is_silent_is_given_up() -> None:
    async with (
        served(send_buffer=NARROW, ping_s=0.3) as server,
        raw_socket(server.port, buffer=NARROW) as client,
    ):
        pings = frame(b"x" * 125, PING) * 500
        for _ in range(10):
            await client.send(pings)
        async with asyncio.timeout(5):
            await server.session.rested.wait()


async def test_empty_pieces_without_an_end_are_cut_off() -> None:
    async with served() as server, raw_socket(server.port) as client:
        await client.send(frame(b"", first=TEXT) + frame(b"", first=CONTINUATION) * MOST_PIECES)
        assert await client.closed_with() == TOO_BIG
