"""Which addresses an output may connect to: nothing private unless it is allowed."""

import ipaddress
import socket
from ipaddress import IPv4Address, IPv6Address
from typing import Final

from pipeline.errors import ConfigurationError

_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")


class AddressError(ConfigurationError):
    """A host has an address that outputs may not connect to."""


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether the address, and any IPv4 address embedded in it, is globally reachable.

    Private, shared, loopback, link-local, multicast, reserved and unspecified ones are not
    (IANA's special-purpose registries, RFC 6890); embedded are IPv4-mapped, 6to4, Teredo (its
    server and its client) and NAT64 addresses.
    """
    if not address.is_global or address.is_multicast or address.is_reserved:
        return isinstance(address, IPv6Address) and _all_public(_embedded(address))
    return isinstance(address, IPv4Address) or all(map(is_public, _embedded(address)))


def check_host(host: str, *, allow_private: bool) -> None:
    """Refuse a host that is written as an address outputs may not connect to.

    Raises:
        AddressError: it is one. Names are only known once they are resolved.
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return
    if not (allow_private or is_public(address)):
        raise AddressError(f"host is {host}; accepted: no private or local address")


def resolve(host: str, port: int, *, allow_private: bool) -> list[str]:
    """Return the addresses of `host`, in the order to try them. Blocks.

    Connect to these and never to the name again: a second look-up may answer differently.

    Raises:
        AddressError: one of them is private and `allow_private` is False.
        OSError: the name cannot be resolved.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    if not allow_private:
        for address in addresses:
            if not is_public(ipaddress.ip_address(address)):
                raise AddressError(f"{host} is at a private or local address; not allowed")
    return addresses


def _embedded(address: IPv6Address) -> list[IPv4Address]:
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64:
        found.append(IPv4Address(int(address) & 0xFFFFFFFF))
    return [inner for inner in found if inner is not None]


def _all_public(inner: list[IPv4Address]) -> bool:
    return bool(inner) and all(map(is_public, inner))
