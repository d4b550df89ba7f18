"""Signatures: what is signed comes in once, for as long as its signature holds."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transport.access.errors import LimitReachedError
from transport.chat import ingest as module
from transport.chat.ingest import SIGNATURE, TOLERANCE_S, Ingest, sign
from transport.errors import ReplayError, SignatureError

SECRET = "whsec_" + base64.b64encode(bytes(range(24))).decode()
OTHER = "whsec_" + base64.b64encode(bytes(24)).decode()
NOW = 1_800_000_000.0


class Wall:
    """A clock on the wall."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


def _take(ingest: Ingest, headers: dict[str, str], body: bytes = b"{}", room: str = "demo") -> None:
    with ingest.admit(room, SECRET, headers, body):
        pass


def test_the_signature_is_that_of_standard_webhooks() -> None:
    """The example of the specification, 1.0."""
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    body = b'{"test": 2432232314}'
    headers = sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    assert headers[SIGNATURE] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_an_id_is_taken_once_a_room_and_again_when_its_signature_has_ended() -> None:
    wall = Wall()
    ingest = Ingest(wall)
    headers = sign(SECRET, "m1", NOW, b"{}")
    _take(ingest, headers)
    with pytest.raises(ReplayError, match="'m1'"):
        _take(ingest, headers)
    _take(ingest, headers, room="other")
    wall.now += 2 * TOLERANCE_S + 1
    with pytest.raises(SignatureError, match="server's time"):
        _take(ingest, headers)
    _take(ingest, sign(SECRET, "m1", wall.now, b"{}"))


def test_what_failed_may_come_again_under_its_id() -> None:
    ingest = Ingest(Wall())
    headers = sign(SECRET, "m1", NOW, b"{}")
    with pytest.raises(RuntimeError), ingest.admit("demo", SECRET, headers, b"{}"):
        raise RuntimeError("the disk is full")
    _take(ingest, headers)


def test_one_of_several_signatures_is_enough() -> None:
    headers = sign(SECRET, "m1", NOW, b"{}")
    old = sign(OTHER, "m1", NOW, b"{}")[SIGNATURE]
    _take(Ingest(Wall()), {**headers, SIGNATURE: f"{old} v2,x {headers[SIGNATURE]}"})
    many = " ".join([old] * 50 + [headers[SIGNATURE]])
    with pytest.raises(SignatureError):
        _take(Ingest(Wall()), {**headers, SIGNATURE: many})


def test_more_than_can_be_remembered_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_IDS", 3)
    ingest = Ingest(Wall())
    for number in range(3):
        _take(ingest, sign(SECRET, f"m{number}", NOW, b"{}"))
    with pytest.raises(LimitReachedError):
        _take(ingest, sign(SECRET, "m9", NOW, b"{}"))
    ingest.forget("demo")
    _take(ingest, sign(SECRET, "m9", NOW, b"{}"))


@given(
    st.dictionaries(
        st.sampled_from(["webhook-id", "webhook-timestamp", "webhook-signature"]),
        st.text(max_size=200) | st.just(str(int(NOW))),
    ),
    st.binary(max_size=20),
)
def test_nothing_made_up_comes_in(headers: dict[str, str], body: bytes) -> None:
    with pytest.raises(SignatureError) as refused:
        _take(Ingest(Wall()), headers, body)
    assert SECRET not in str(refused.value)
