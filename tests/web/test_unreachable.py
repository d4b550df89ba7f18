"""A server that may use a TURN server alone, and does not get hold of one."""

import pytest

from pipeline.options import IceServer
from tests.fakes.engine import FakeEngine
from tests.transport.offers import CANDIDATE, audio_section, sdp
from tests.web.fakes import client_of
from transport import nat
from transport.calls import Calls
from web.app import create_app


async def test_calls_are_put_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nat, "RELAY_TIMEOUT_S", 0.2)
    nobody = IceServer(("turn:127.0.0.1:9",), "me", "secret")
    engine = FakeEngine()
    calls = Calls(engine, nat.Nat([nobody], "relay"))
    async with client_of(create_app(engine, calls)) as client:
        response = await client.post(
            "/v1/realtime/calls",
            content=sdp(audio_section(CANDIDATE)),
            headers={"Content-Type": "application/sdp"},
        )
    assert (response.status_code, response.headers["retry-after"]) == (503, "5")
    assert response.json()["error"]["code"] == "call_failed"
    assert "no TURN server gave an address" in response.text
    assert engine.sessions == len(calls) == 0
