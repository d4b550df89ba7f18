"""Requests to addresses that somebody wrote down: to allowed hosts, and never into our own network.

A name can resolve to another address from one moment to the next (DNS rebinding), so what is
connected to is the address that was checked, and a redirect is an answer like any other.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import Final
from urllib.parse import SplitResult, urlsplit

import httpcore

from pipeline.errors import ConfigurationError
from transport.errors import DeliveryError

TIMEOUT_S: Final = 10.0

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# The addresses of a host and a port.
Resolve = Callable[[str, int], Awaitable[list[str]]]

_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")  # RFC 6052


async def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


class Poster:
    """Posts bodies to one URL.

    Args:
        url: https; http too where its host is a loopback address, written as one.
        allowed_hosts: names and addresses it may have, without ports.
        finder: tells the addresses of a host.
        backend: connects.
        tls: which certificates are trusted; None for the usual ones.

    Raises:
        ConfigurationError: the URL is not accepted.
    """

    def __init__(
        self,
        url: str,
        allowed_hosts: Collection[str],
        *,
        finder: Resolve = resolve,
        backend: httpcore.AsyncNetworkBackend | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        parts = _checked_url(url, allowed_hosts)
        self.host = parts.hostname or ""
        self._url = url
        self._tls = tls
        loopback = _is_loopback(self.host)
        self._backend = CheckedBackend(finder, backend or httpcore.AnyIOBackend(), loopback)

    def __repr__(self) -> str:
        return f"Poster({self.host})"  # its path may hold a token

    async def post(self, headers: Mapping[str, str], body: bytes) -> int:
        """Post a body and return the status of the answer; what else is in it is not read.

        Raises:
            DeliveryError: no answer came within 10 s, or no address may be connected to.
        """
        try:
            async with (
                asyncio.timeout(TIMEOUT_S),
                httpcore.AsyncConnectionPool(
                    self._tls, max_connections=1, network_backend=self._backend
                ) as pool,
                pool.stream("POST", self._url, headers=list(headers.items()), content=body) as got,
            ):
                return int(got.status)
        except TimeoutError:
            raise DeliveryError(f"{self.host} did not answer in {TIMEOUT_S:g} s") from None
        except (OSError, UnicodeError, httpcore.NetworkError, httpcore.ProtocolError) as error:
            raise DeliveryError(f"{self.host} did not answer: {type(error).__name__}") from None
        except httpcore.TimeoutException:
            raise DeliveryError(f"{self.host} did not answer in time") from None


class CheckedBackend(httpcore.AsyncNetworkBackend):
    """Connects to the address of a name only when all its addresses are of the public network."""

    def __init__(
        self, finder: Resolve, backend: httpcore.AsyncNetworkBackend, loopback: bool
    ) -> None:
        self._finder = finder
        self._backend = backend
        self._loopback = loopback

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's own signature
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to a host.

        Raises:
            DeliveryError: one of its addresses is not public, or it has none.
        """
        found = await self._finder(host, port)
        for address in found:
            if not (is_public(address) or (self._loopback and _is_loopback(address))):
                raise DeliveryError(f"{host} has the address {address}, which is not public")
        if not found:
            raise DeliveryError(f"{host} has no address")
        return await self._backend.connect_tcp(
            found[0], port, timeout, local_address, socket_options
        )


def is_public(text: str) -> bool:
    """Whether an address is one of the public network: no loopback, private, link-local, shared,
    multicast or reserved one, nor an IPv6 address with such an IPv4 address in it.
    """
    try:
        address = ipaddress.ip_address(text)
    except ValueError:  # with a zone, such as fe80::1%eth0, too
        return False
    if isinstance(address, ipaddress.IPv4Address):
        return address.is_global and not address.is_multicast
    if address in _NAT64:
        return is_public(str(ipaddress.IPv4Address(address.packed[-4:])))
    if address.sixtofour is not None and not is_public(str(address.sixtofour)):
        return False
    return address in _UNICAST and address.is_global and address.teredo is None


def _is_loopback(text: str) -> bool:
    try:
        return ipaddress.ip_address(text).is_loopback
    except ValueError:
        return False


def _checked_url(url: str, allowed_hosts: Collection[str]) -> SplitResult:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise ConfigurationError("webhooks.url is no URL; accepted: https://HOST/…") from None
    if host not in {name.lower() for name in allowed_hosts}:
        raise ConfigurationError(
            f"webhooks.url has the host {host[:80]!r}; accepted: those of webhooks.allowed_hosts"
        )
    if parts.scheme != "https" and not (parts.scheme == "http" and _is_loopback(host)):
        raise ConfigurationError(f"webhooks.url begins with {parts.scheme[:20]!r}; accepted: https")
    if parts.username is not None or parts.fragment or not url.isascii() or not url.isprintable():
        raise ConfigurationError(
            "webhooks.url has a user, a fragment or letters that are no ASCII; accepted: none"
        )
    return parts
