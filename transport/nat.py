"""The way through NAT: what each side of a call is told of servers, and which addresses it names.

Credentials that hold for a while follow the TURN REST scheme (draft-uberti-behave-turn-rest-00),
which coturn calls `use-auth-secret`: the name is "EXPIRY:LABEL", EXPIRY in seconds since 1970, and
the password is base64(HMAC-SHA1(secret, name)). Whoever asks gets what holds for `lifetime_s`;
the secret itself never leaves the server.
"""

import base64
import hmac
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from aioice.candidate import candidate_foundation, candidate_priority
from aiortc import RTCConfiguration, RTCIceServer, RTCIceTransportPolicy
from aiortc.rtcicetransport import parse_stun_turn_uri

from pipeline.configuration import secret
from pipeline.errors import ConfigurationError
from pipeline.options import CandidatePolicy, IceServer
from transport.errors import CallFailedError

LABEL: Final = "vivant"
# For STUN and TURN servers to tell our addresses; without them the call goes on. One request that
# was lost is repeated within it. A call that has no way but a TURN server waits longer: over TLS
# it takes five round trips.
GATHER_TIMEOUT_S: Final = 1.0
RELAY_TIMEOUT_S: Final = 4.0

_POLICIES: Final = {"all": RTCIceTransportPolicy.ALL, "relay": RTCIceTransportPolicy.RELAY}
_HOST: Final = re.compile(
    r"a=candidate:\S+ (?P<component>\d+) udp \d+ (?P<address>[\d.]+) (?P<port>\d+) typ host\r\n"
)


@dataclass(frozen=True, slots=True)
class Nat:
    """How this server is reached where there is NAT.

    Attributes:
        servers: the first of STUN and the first of TURN are asked for addresses of ours.
        candidates: "relay" names, and uses, an address of the TURN server alone.
        public_addresses: IPv4 addresses that are translated to this machine's, ports kept; each
            is named beside every IPv4 address of the machine.

    Raises:
        ConfigurationError: a server's URL is of no use here, its secret is not set, or there is no
            TURN server to relay.
    """

    servers: Sequence[IceServer] = ()
    candidates: CandidatePolicy = "all"
    public_addresses: Sequence[str] = ()

    def __post_init__(self) -> None:
        for server in self.servers:
            for url in server.urls:
                _check_url(url)
            _credentials(server, 0, LABEL)
        if self.candidates == "relay" and not any(map(_relays, self.servers)):
            raise ConfigurationError(
                "server.candidates is 'relay' and no server.ice_servers has a url that begins "
                "with 'turn:' or 'turns:'; accepted: with one, or 'all'"
            )

    @property
    def gather_timeout_s(self) -> float:
        """How long servers are waited for."""
        return RELAY_TIMEOUT_S if self.candidates == "relay" else GATHER_TIMEOUT_S

    def configuration(self) -> RTCConfiguration:
        """Return what a connection of ours is made with, its credentials new."""
        now = time.time()
        servers = []
        for server in self.servers:
            username, credential = _credentials(server, now, LABEL)
            servers.append(RTCIceServer(list(server.urls), username, credential))
        return RTCConfiguration(servers, iceTransportPolicy=_POLICIES[self.candidates])

    def named(self, sdp: str) -> str:
        """Return a description of ours with the public addresses in it.

        Raises:
            CallFailedError: no TURN server gave the address that the call needs.
        """
        if self.candidates == "relay" and "a=candidate:" not in sdp:
            raise CallFailedError(
                f"no TURN server gave an address within {RELAY_TIMEOUT_S:g} s, and no other way "
                "is allowed (server.candidates)"
            )
        return _HOST.sub(self._with_public, sdp)

    def _with_public(self, host: re.Match[str]) -> str:
        """Return a host candidate, and after it what it is translated to (RFC 8839 5.1)."""
        base, port, component = host["address"], host["port"], host["component"]
        foundation = candidate_foundation("srflx", "udp", base)
        priority = candidate_priority(int(component), "srflx")
        return host[0] + "".join(
            f"a=candidate:{foundation} {component} udp {priority} {address} {port} typ srflx "
            f"raddr {base} rport {port}\r\n"
            for address in self.public_addresses
        )


# The machine's own addresses, and nobody is asked.
DIRECT: Final = Nat()


def told_servers(
    servers: Sequence[IceServer], now: float, label: str = LABEL
) -> list[dict[str, Any]]:
    """Return servers as WebRTC's RTCIceServer has them, for a page to use from `now` on.

    Args:
        now: seconds since 1970.
        label: stands in the names of credentials; a TURN server may count allocations by name.

    Raises:
        ConfigurationError: the secret of a server is not set.
    """
    told = []
    for server in servers:
        entry: dict[str, Any] = {"urls": list(server.urls)}
        username, credential = _credentials(server, now, label)
        if username is not None:
            entry["username"] = username
        if credential is not None:
            entry["credential"] = credential
        told.append(entry)
    return told


def server_links(servers: Sequence[IceServer], now: float, label: str = LABEL) -> list[str]:
    """Return the value of a Link header for each URL, as WHIP and WHEP have it (RFC 9725 4.6)."""
    links = []
    for server in told_servers(servers, now, label):
        extra = ""
        if "username" in server and "credential" in server:
            extra = (
                f"; username={_quoted(server['username'])}"
                f'; credential={_quoted(server["credential"])}; credential-type="password"'
            )
        links += [f'<{url}>; rel="ice-server"{extra}' for url in server["urls"]]
    return links


def _credentials(server: IceServer, now: float, label: str) -> tuple[str | None, str | None]:
    if server.secret_variable is None:
        return server.username, server.credential
    shared = secret(server.secret_variable)
    if not shared:
        raise ConfigurationError(
            f"the environment variable {server.secret_variable!r}, which an ICE server's "
            "secret_variable names, is not set; accepted: the secret of that server"
        )
    username = f"{int(now) + server.lifetime_s}:{label}"
    digest = hmac.digest(shared.encode(), username.encode(), "sha1")
    return username, base64.b64encode(digest).decode()


def _check_url(url: str) -> None:
    try:
        parse_stun_turn_uri(url)
    except ValueError as error:
        raise ConfigurationError(
            f"the ICE server's url {url!r} has no use: {error}; accepted: as "
            "'stun:stun.example:3478' or 'turn:turn.example:3478?transport=udp'"
        ) from error


def _relays(server: IceServer) -> bool:
    return any(url.startswith("turn") for url in server.urls)


def _quoted(text: str) -> str:
    """Return a quoted-string of HTTP (RFC 9110 5.6.4)."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
