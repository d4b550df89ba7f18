"""Targets of egress: what is refused, and that a stream key is never shown."""

import ipaddress
import json
import pickle
import socket
from pathlib import Path

import pytest

from pipeline.errors import ConfigurationError
from tests.conftest import SHARED
from transport.egress.addresses import AddressError, is_public, resolve
from transport.egress.targets import MASK, HlsTarget, RecordingTarget, RtmpTarget

_FILE = SHARED / "cases" / "names.json"
HOSTILE_NAMES = [
    *(json.loads(_FILE.read_text("utf-8")) if _FILE.is_file() else []),
    *("../../etc/passwd", "..\\..\\windows", "/etc/passwd", "%2e%2e%2fsecret", "a/../../b"),
    *("name\u0000.json", "", ".", "..", "a" * 300, "a\n", ".hidden", "a b", "-rf", "ä", "a.mp4"),
]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_names_that_lead_elsewhere_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="name"):
        RecordingTarget(tmp_path, name)
    with pytest.raises(ConfigurationError, match="name"):
        HlsTarget(tmp_path, name)
    assert list(tmp_path.iterdir()) == []


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (inside / "show").symlink_to(outside)
    (inside / "film.mp4").symlink_to(outside / "film.mp4")
    with pytest.raises(ConfigurationError, match="elsewhere"):
        HlsTarget(inside, "show")
    with pytest.raises(ConfigurationError, match="elsewhere"):
        RecordingTarget(inside, "film")


def test_a_recording_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "film.mp4").touch()
    with pytest.raises(ConfigurationError, match="'film' exists"):
        RecordingTarget(tmp_path, "film")


@pytest.mark.parametrize(
    "url",
    [
        *("", "rtmp://", "rtmp://host", "rtmp://host/app", "rtmp://host/app/", "rtmp:///app/key"),
        *("http://host/app/key", "file:///etc/passwd", "rtmp://me:word@host/app/key"),
        *("rtmp://host:0/app/key", "rtmp://host:99999/app/key", "rtmp://host:x/app/key"),
        *("rtmp://host/app/key word", "rtmp://host/app/key\nx", "rtmp://[::1/app/key"),
        *("rtmp://host/app/key#x", "rtmp://ho_st/app/key", "rtmp://host/app/" + "k" * 3000),
    ],
)
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(ConfigurationError, match="accepted: rtmp"):
        RtmpTarget(url)


def test_parts_of_a_url() -> None:
    target = RtmpTarget("rtmps://live.example.com/rtmp/eu/key-1234?token=abcd&x=1")
    assert (target.secure, target.host, target.port) == (True, "live.example.com", 443)
    assert (target.app, target.key) == ("rtmp/eu", "key-1234?token=abcd&x=1")
    assert target.connect_url == "rtmps://live.example.com/rtmp/eu"
    plain = RtmpTarget("rtmp://203.0.114.9:1936/live/key")
    assert (plain.secure, plain.host, plain.port) == (False, "203.0.114.9", 1936)
    assert pickle.loads(pickle.dumps(target)) == target  # noqa: S301


def test_the_key_is_never_shown() -> None:
    target = RtmpTarget("rtmp://live.example.com/live/sec%20ret-key?token=abcdefgh")
    for shown in (str(target), repr(target), f"{[target]}"):
        assert "ret-key" not in shown
        assert "abcdefgh" not in shown
    told = target.masked("publishing sec ret-key with abcdefgh, that is sec%20ret-key, failed")
    assert told == f"publishing {MASK} with {MASK}, that is {MASK}, failed"
    with pytest.raises(ConfigurationError) as refused:
        RtmpTarget("rtmp://me:pass-word@live.example.com/live/secret-key")
    assert "pass-word" not in str(refused.value)
    assert "secret-key" not in str(refused.value)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
        *("0.0.0.0", "255.255.255.255", "224.0.0.1", "::1", "::", "fe80::1", "fe80::1%eth0"),
        *("fc00::1", "ff02::1", "::ffff:10.0.0.1", "2002:7f00:1::", "64:ff9b::a00:1"),
        *("2001:0:0a00:0001::", "2001:db8::1"),
    ],
)
def test_private_and_local_addresses_are_not_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))
    host = f"[{address}]" if ":" in address else address
    if "%" not in address:
        with pytest.raises(AddressError, match="no private"):
            RtmpTarget(f"rtmp://{host}/live/key")
        assert RtmpTarget(f"rtmp://{host}/live/key", allow_private=True).host == address


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("host", ["localhost", "2130706433", "0x7f.1"])
def test_a_name_for_a_private_address_is_refused_when_resolved(host: str) -> None:
    RtmpTarget(f"rtmp://{host}/live/key")  # what it stands for is not known yet
    with pytest.raises(AddressError, match="private"):
        resolve(host, 1935, allow_private=False)
    assert "127.0.0.1" in resolve(host, 1935, allow_private=True)


def test_one_private_address_among_several_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    family = socket.AF_INET
    answers = [(family, 1, 6, "", ("8.8.8.8", 1)), (family, 1, 6, "", ("10.0.0.1", 1))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answers)
    with pytest.raises(AddressError):
        resolve("twofold.example.com", 1, allow_private=False)
    assert resolve("twofold.example.com", 1, allow_private=True) == ["8.8.8.8", "10.0.0.1"]
