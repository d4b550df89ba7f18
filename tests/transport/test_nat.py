"""What servers and pages are told of STUN and TURN, and which addresses answers name."""

import base64
import hashlib
import hmac

import pytest
from aiortc import RTCIceTransportPolicy
from aiortc.sdp import SessionDescription

from pipeline.errors import ConfigurationError
from pipeline.options import IceServer
from transport.errors import CallFailedError
from transport.nat import Nat, server_links, told_servers

STUN = IceServer(("stun:stun.example:3478",))
FIXED = IceServer(("turn:turn.example",), "me", 'a "b" \\')
SHARED = IceServer(
    ("turn:turn.example?transport=udp", "turns:turn.example:5349?transport=tcp"),
    secret_variable="TEST_TURN_SECRET",
    lifetime_s=600,
)
NOW = 1_700_000_000.9
ANSWER = (
    "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n"
    "m=audio 40002 UDP/TLS/RTP/SAVPF 96\r\nc=IN IP4 10.0.0.5\r\na=mid:0\r\na=sendrecv\r\n"
    "a=rtpmap:96 opus/48000/2\r\na=setup:active\r\n"
    "a=candidate:1 1 udp 2130706431 10.0.0.5 40002 typ host\r\n"
    "a=candidate:2 1 udp 2130706431 fd00::5 40003 typ host\r\n"
    "a=candidate:3 1 udp 16777215 192.0.2.9 50000 typ relay raddr 0.0.0.0 rport 9\r\n"
    "a=end-of-candidates\r\na=ice-ufrag:abcd\r\na=ice-pwd:abcdefghijklmnopqrstuv\r\n"
)


@pytest.fixture(autouse=True)
def shared_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_TURN_SECRET", "north")


def test_pages_are_told_what_they_need_and_no_more() -> None:
    assert told_servers([STUN, FIXED], NOW) == [
        {"urls": ["stun:stun.example:3478"]},
        {"urls": ["turn:turn.example"], "username": "me", "credential": 'a "b" \\'},
    ]


def test_a_shared_secret_becomes_a_password_that_ends() -> None:
    (told,) = told_servers([SHARED], NOW, "page")
    assert set(told) == {"urls", "username", "credential"}
    assert told["username"] == "1700000600:page"
    password = hmac.new(b"north", b"1700000600:page", hashlib.sha1).digest()
    assert base64.b64decode(told["credential"]) == password
    assert "north" not in str(told)


def test_a_secret_that_is_not_set_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEST_TURN_SECRET")
    with pytest.raises(ConfigurationError, match="TEST_TURN_SECRET"):
        Nat([SHARED])


def test_links_are_as_whip_has_them() -> None:
    plain, fixed = server_links([STUN, FIXED], NOW)
    assert plain == '<stun:stun.example:3478>; rel="ice-server"'
    assert fixed == (
        '<turn:turn.example>; rel="ice-server"; username="me"; credential="a \\"b\\" \\\\"; '
        'credential-type="password"'
    )
    assert len(server_links([SHARED], NOW)) == 2


def test_our_own_connections_get_the_same() -> None:
    configuration = Nat([STUN, SHARED], "relay").configuration()
    assert configuration.iceTransportPolicy is RTCIceTransportPolicy.RELAY
    assert configuration.iceServers is not None
    plain, turn = configuration.iceServers
    assert plain.username is None
    expiry, _, label = str(turn.username).partition(":")
    assert (int(expiry) > NOW, label) == (True, "vivant")
    assert Nat().configuration().iceServers == [], "nobody is asked unless configured"


@pytest.mark.parametrize("servers", [(), (STUN,)])
def test_relaying_needs_a_turn_server(servers: tuple[IceServer, ...]) -> None:
    with pytest.raises(ConfigurationError, match=r"'relay'.*turn:"):
        Nat(servers, "relay")


def test_public_addresses_are_named_beside_our_own() -> None:
    named = Nat(public_addresses=["203.0.113.7", "203.0.113.8"]).named(ANSWER)
    candidates = SessionDescription.parse(named).media[0].ice_candidates
    public = [c for c in candidates if c.type == "srflx"]
    assert [(c.ip, c.port) for c in public] == [("203.0.113.7", 40002), ("203.0.113.8", 40002)]
    assert {(c.relatedAddress, c.relatedPort) for c in public} == {("10.0.0.5", 40002)}
    host = next(c for c in candidates if c.type == "host")
    assert all(c.priority < host.priority and c.foundation != host.foundation for c in public)
    assert Nat().named(ANSWER) == ANSWER


def test_an_answer_nobody_can_reach_is_none() -> None:
    nat = Nat([FIXED], "relay")
    assert nat.named(ANSWER) == ANSWER
    unreachable = "\r\n".join(line for line in ANSWER.split("\r\n") if "candidate:" not in line)
    with pytest.raises(CallFailedError, match="no TURN server gave an address"):
        nat.named(unreachable)
