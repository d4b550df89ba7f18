"""Who connects and does not say what they want is let go; who takes their time is served."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.web.raw_socket import HANDSHAKE, raw_socket
from tests.web.socket_server import Served, served
from web.patience import PatientProtocol

GET = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Served]:
    monkeypatch.setattr(PatientProtocol, "head_s", 0.3)
    async with served() as server:
        yield server


async def ended(port: int, *said: bytes) -> bytes:
    """Connect, say a few words, and return what was answered up to the end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for words in said:
            writer.write(words)
            await writer.drain()
            await asyncio.sleep(0.1)
        async with asyncio.timeout(5):
            return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.transport.abort()


async def test_who_says_nothing_or_half_a_request_is_let_go(server: Served) -> None:
    assert await ended(server.port) == b""
    assert await ended(server.port, GET[:30]) == b""
    assert await ended(server.port, *(bytes([letter]) for letter in GET[:12])) == b""
    assert await ended(server.port, HANDSHAKE.encode()[:60]) == b""


async def test_a_second_request_may_not_take_for_ever_either(server: Served) -> None:
    answer = await ended(server.port, GET, GET[:30])
    assert answer.count(b"HTTP/1.1 200") == 1


async def test_hundreds_that_say_nothing_hold_nothing(server: Served) -> None:
    answers = await asyncio.gather(*(ended(server.port) for _ in range(200)))
    assert set(answers) == {b""}
    assert b"200 OK" in await ended(
        server.port, GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    )


async def test_who_is_served_is_not_let_go(server: Served) -> None:
    async with raw_socket(server.port) as client:
        await client.read_frame()
        await asyncio.sleep(0.5)
        assert server.engine.sessions == 1
        assert not client.reader.at_eof()


@pytest.mark.parametrize(
    ("field", "piece"),
    [(b"Content-Length: 1000", b"x"), (b"Transfer-Encoding: chunked", b"1\r\nx\r\n")],
)
async def test_who_goes_on_after_the_answer_is_let_go(
    server: Served, field: bytes, piece: bytes
) -> None:
    head = GET.replace(b"\r\n\r\n", b"\r\n" + field + b"\r\n\r\n")
    await ended(server.port, head, *(6 * [piece]))


async def test_a_body_that_comes_after_the_answer_is_forgiven(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PatientProtocol, "head_s", 5.0)
    post = GET.replace(b"\r\n\r\n", b"\r\nContent-Length: 2\r\n\r\n")
    last = GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    answers = await ended(server.port, post, b"x", b"x" + last)
    assert answers.count(b"HTTP/1.1 200") == 2
