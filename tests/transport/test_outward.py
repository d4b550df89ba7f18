"""Requests go to allowed hosts at public addresses, and to the address that was checked."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager

import httpcore
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import ConfigurationError
from transport.errors import DeliveryError
from transport.outward import Poster, is_public

OK = b"HTTP/1.1 204 No Content\r\n\r\n"
URL = "https://hooks.example/in?token=secret-path"
HOSTS = ("hooks.example",)
PUBLIC = "93.184.215.14"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.9.9.9", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "192.168.1.1",
        "169.254.169.254", "100.64.0.1", "192.0.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1",
        "239.1.1.1", "240.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0",
        "fc00::1", "fd12::1", "fec0::1", "ff02::1", "2001:db8::1", "100::1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "::ffff:93.184.215.14", "::127.0.0.1", "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2", "localhost", "", "0x7f.1", "2130706433", "127.1",
    ],
)  # fmt: skip
def test_addresses_of_our_own_network(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    ["93.184.215.14", "1.1.1.1", "2606:4700::1111", "64:ff9b::5db8:d70e", "2002:5db8:d70e::1"],
)
def test_addresses_of_the_public_network(address: str) -> None:
    assert is_public(address)


@given(st.ip_addresses(v=4, network="10.0.0.0/8") | st.ip_addresses(v=4, network="127.0.0.0/8"))
def test_no_private_address_hides_in_ipv6(address: object) -> None:
    for form in (f"::ffff:{address}", f"64:ff9b::{address}", f"::{address}"):
        assert not is_public(form)


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example/x",
        "ftp://hooks.example/x",
        "//hooks.example/x",
        "hooks.example",
        "https://other.example/x",
        "https://hooks.example.evil.example/x",
        "https://user@hooks.example/x",
        "https://hooks.example:x/",
        "https://[::1/",
        "https://hooks.example/x#part",
        "https://hooks.example/ü",
        "https://hooks.example/\r\nX: y",
        "https://127.0.0.1/x",
        "http://10.0.0.1/x",
        "file:///etc/passwd",
        "",
    ],
)
def test_urls_that_are_not_accepted(url: str) -> None:
    with pytest.raises(ConfigurationError, match=r"webhooks\.url") as caught:
        Poster(url, (*HOSTS, "10.0.0.1"))
    assert len(str(caught.value)) < 250


def test_the_url_is_not_shown() -> None:
    assert "secret-path" not in repr(Poster(URL, HOSTS))


class _Backend(httpcore.AsyncMockBackend):
    """Remembers what was connected to, and answers from memory."""

    def __init__(self, answer: bytes = OK) -> None:
        super().__init__([answer])
        self.connected: list[str] = []

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's own signature
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        self.connected.append(f"{host}:{port}")
        return await super().connect_tcp(host, port, timeout, local_address, socket_options)


class _Names:
    """A name whose addresses differ from one question to the next."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, host: str, _: int) -> list[str]:
        self.asked.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


async def test_what_is_connected_to_is_what_was_checked() -> None:
    names, backend = _Names([PUBLIC], ["127.0.0.1"]), _Backend()
    poster = Poster(URL, HOSTS, finder=names, backend=backend)
    assert await poster.post({"X-A": "1"}, b"{}") == 204
    assert backend.connected == [f"{PUBLIC}:443"]
    assert names.asked == ["hooks.example"], "asked once, and not again to connect"
    with pytest.raises(DeliveryError, match=r"127\.0\.0\.1, which is not public"):
        await poster.post({}, b"{}")
    assert len(backend.connected) == 1


@pytest.mark.parametrize(
    "addresses", [["10.0.0.1"], [PUBLIC, "10.0.0.1"], ["::1", PUBLIC], ["169.254.169.254"], []]
)
async def test_one_address_of_our_own_network_is_enough(addresses: list[str]) -> None:
    backend = _Backend()
    poster = Poster(URL, HOSTS, finder=_Names(addresses), backend=backend)
    with pytest.raises(DeliveryError, match=r"hooks\.example"):
        await poster.post({}, b"{}")
    assert backend.connected == []


async def test_a_redirect_is_an_answer() -> None:
    answer = b"HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n"
    names, backend = _Names([PUBLIC]), _Backend(answer)
    assert await Poster(URL, HOSTS, finder=names, backend=backend).post({}, b"{}") == 302
    assert len(backend.connected) == 1


async def test_a_name_that_leads_nowhere() -> None:
    async def none(_host: str, _port: int) -> list[str]:
        raise OSError("no such name")

    with pytest.raises(DeliveryError) as caught:
        await Poster(URL, HOSTS, finder=none, backend=_Backend()).post({}, b"{}")
    assert "secret-path" not in str(caught.value)


@asynccontextmanager
async def _server(
    serve: Callable[[bytes], Awaitable[bytes]], tls: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        writer.write(await serve(head))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, ssl=tls)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def test_a_loopback_address_that_was_allowed_by_name() -> None:
    heads: list[bytes] = []

    async def serve(head: bytes) -> bytes:
        heads.append(head)
        return b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\nendless"

    async with _server(serve) as port:
        poster = Poster(f"http://127.0.0.1:{port}/in", ["127.0.0.1"])
        assert await poster.post({"webhook-id": "msg_1"}, b"{}") == 200
    assert heads[0].startswith(b"POST /in HTTP/1.1\r\n")
    assert b"webhook-id: msg_1" in heads[0]
    with pytest.raises(DeliveryError, match="ConnectError"):
        await poster.post({}, b"{}")


async def test_what_is_no_http_is_told() -> None:
    async def serve(_: bytes) -> bytes:
        return b"220 mail.example ESMTP\r\n"

    async with _server(serve) as port:
        with pytest.raises(DeliveryError):
            await Poster(f"http://127.0.0.1:{port}/", ["127.0.0.1"]).post({}, b"{}")
