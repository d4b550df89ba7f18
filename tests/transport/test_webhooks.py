"""Events are signed, tried again, bounded, and given up at last."""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping

import pytest

from pipeline.errors import ConfigurationError
from tests.fakes.clock import VirtualClock
from transport.access.secret import Secret
from transport.errors import DeliveryError
from transport.webhooks import (
    EVENTS,
    MOST_WAITING,
    PAUSES_S,
    Webhooks,
    read_webhook_secret,
    signature,
)

KEY = bytes(range(24))
NOW = 1_800_000_000


class _Receiver:
    """Answers as told, the last answer for ever; 0 is no answer."""

    def __init__(self, clock: VirtualClock, *answers: int) -> None:
        self.clock = clock
        self.answers = list(answers) or [200]
        self.got: list[tuple[float, Mapping[str, str], bytes]] = []

    async def post(self, headers: Mapping[str, str], body: bytes) -> int:
        self.got.append((self.clock.now() - 1000.0, headers, body))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if answer == 0:
            raise DeliveryError("no answer")
        return answer

    @property
    def names(self) -> list[str]:
        return [json.loads(body)["type"] for _, _, body in self.got]


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


def _webhooks(clock: VirtualClock, receiver: _Receiver, *events: str) -> Webhooks:
    return Webhooks(
        receiver, Secret(KEY), events, clock=clock, wall=lambda: NOW + clock.now() - 1000.0
    )


async def test_an_event_is_sent_signed(clock: VirtualClock) -> None:
    receiver = _Receiver(clock)
    webhooks = _webhooks(clock, receiver)
    async with webhooks.running():
        webhooks.post("session.started", {"id": "call_1", "key": "key_1"})
        await clock.settle()
    ((_, headers, body),) = receiver.got
    assert json.loads(body) == {
        "type": "session.started",
        "timestamp": "2027-01-15T08:00:00.000+00:00",
        "data": {"id": "call_1", "key": "key_1"},
    }
    assert headers["Content-Type"] == "application/json"
    assert headers["webhook-id"].startswith("msg_")
    assert headers["webhook-timestamp"] == str(NOW)
    signed = f"{headers['webhook-id']}.{NOW}.".encode() + body
    expected = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert webhooks.delivered == 1


def test_a_signature_that_others_make_too() -> None:
    """The example that receivers' libraries are tested with."""
    secret = read_webhook_secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "X")
    event_id, body = "msg_p5jXN8AQM9LWM0D4loKWxJek", b'{"test": 2432232314}'
    signed = signature(secret, event_id, "1614265330", body)
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


async def test_only_what_was_asked_for_is_sent(clock: VirtualClock) -> None:
    receiver = _Receiver(clock)
    webhooks = _webhooks(clock, receiver, "session.ended")
    async with webhooks.running():
        for name in (*EVENTS, "session.whispered"):
            webhooks.post(name, {})
        await clock.settle()
    assert receiver.names == ["session.ended"]


async def test_events_come_in_their_order(clock: VirtualClock) -> None:
    receiver = _Receiver(clock)
    webhooks = _webhooks(clock, receiver)
    async with webhooks.running():
        for n in range(20):
            webhooks.post(EVENTS[n % 2], {"n": n})
        await clock.settle()
        await clock.settle()
    assert [json.loads(body)["data"]["n"] for _, _, body in receiver.got] == list(range(20))


@pytest.mark.parametrize("answer", [0, 302, 400, 404, 429, 500, 503])
async def test_what_is_not_taken_is_tried_again_and_given_up(
    clock: VirtualClock, answer: int
) -> None:
    receiver = _Receiver(clock, answer)
    webhooks = _webhooks(clock, receiver)
    async with webhooks.running():
        webhooks.post("session.started", {})
        await clock.run(sum(PAUSES_S) + 10_000)
    moments = [moment for moment, _, _ in receiver.got]
    assert moments == [sum(PAUSES_S[:n]) for n in range(len(PAUSES_S) + 1)]
    assert len({headers["webhook-id"] for _, headers, _ in receiver.got}) == 1
    stamps = [headers["webhook-timestamp"] for _, headers, _ in receiver.got]
    assert stamps == [str(int(NOW + moment)) for moment in moments], "each try is signed anew"
    assert (webhooks.delivered, webhooks.given_up, webhooks.waiting) == (0, 1, 0)


async def test_one_that_waits_does_not_hold_up_the_others(clock: VirtualClock) -> None:
    receiver = _Receiver(clock, 500, 200)
    webhooks = _webhooks(clock, receiver)
    async with webhooks.running():
        webhooks.post("session.started", {})
        await clock.run(1.0)
        webhooks.post("session.ended", {})
        await clock.run(1.0)
        assert receiver.names == ["session.started", "session.ended"]
        await clock.run(10.0)
    assert receiver.names == ["session.started", "session.ended", "session.started"]
    assert webhooks.delivered == 2


async def test_a_receiver_that_is_gone_is_left_alone(clock: VirtualClock) -> None:
    receiver = _Receiver(clock, 500, 410)
    webhooks = _webhooks(clock, receiver)
    async with webhooks.running():
        webhooks.post("session.started", {})
        webhooks.post("session.ended", {})
        await clock.run(60.0)
        webhooks.post("session.started", {})
        await clock.run(60.0)
    assert len(receiver.got) == 2
    assert webhooks.given_up == 2


async def test_no_more_wait_than_there_is_room_for(
    clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    receiver = _Receiver(clock, 500)
    webhooks = _webhooks(clock, receiver)
    for _ in range(MOST_WAITING + 50):
        webhooks.post("session.started", {"person": "p-1"})
    assert (webhooks.waiting, webhooks.dropped) == (MOST_WAITING, 50)
    async with webhooks.running():
        await clock.run(20.0)
        webhooks.post("session.ended", {})
        assert webhooks.waiting == MOST_WAITING
    assert "p-1" not in caplog.text


async def test_what_happens_at_the_end_is_told_too(clock: VirtualClock) -> None:
    receiver = _Receiver(clock, 500, 500, 200)
    webhooks = _webhooks(clock, receiver)
    async with webhooks.running():
        webhooks.post("session.started", {})
        await clock.settle()
        webhooks.post("session.ended", {"id": "call_1"})
    assert receiver.names == ["session.started", "session.ended"]


@pytest.mark.parametrize(
    "text", ["", "whsec_", "whsec_AAAA", "AAAA" * 8, "whsec_" + "A" * 33, "whsec_" + "é" * 32]
)
def test_secrets_that_are_none_are_not_quoted(text: str) -> None:
    with pytest.raises(ConfigurationError, match="MY_SECRET") as caught:
        read_webhook_secret(text, "MY_SECRET")
    assert (
        text == "" or text.removeprefix("whsec_") in ("", "AAAA") or text not in str(caught.value)
    )


def test_events_that_are_none(clock: VirtualClock) -> None:
    with pytest.raises(ConfigurationError, match=r"session\.started"):
        _webhooks(clock, _Receiver(clock), "session.begun")
