"""Calls that may use nothing but a TURN server: Debian's coturn, set up as the guide says."""

import asyncio
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pipeline.options import IceServer, SessionOptions
from tests.fakes.engine import FakeEngine, FakeScript
from tests.transport.coturn import ADDRESS, SECRET, turn_server
from tests.transport.offers import CANDIDATE, audio_section, sdp
from tests.transport.wire import LocalSignalling, write_recording
from transport.caller import Caller
from transport.calls import Calls
from transport.errors import CallFailedError
from transport.microphone import Microphone, load_utterance
from transport.nat import DIRECT, Nat, told_servers

VARIABLE = "TEST_TURN_SECRET"
TONE = 440.0


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with turn_server(tmp_path_factory.mktemp("coturn")) as port:
        yield port


@pytest.fixture(autouse=True)
def shared_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, SECRET)


def servers(port: int, transport: str = "udp") -> IceServer:
    return IceServer(
        (f"turn:{ADDRESS}:{port}?transport={transport}",), secret_variable=VARIABLE, lifetime_s=60
    )


def page_nat(port: int) -> Nat:
    """Return what a page has that may only be relayed: what it was told, no secret."""
    (told,) = told_servers([servers(port)], time.time())
    server = IceServer(tuple(told["urls"]), told["username"], told["credential"])
    return Nat([server], "relay")


def selected(caller: Caller) -> tuple[str, str]:
    """Return the kinds of the chosen pair, the caller's end first."""
    ice = caller._connection.getTransceivers()[0].receiver.transport.transport
    pair = ice._connection._nominated[1]
    return pair.local_candidate.type, pair.remote_candidate.type


@pytest.mark.parametrize(
    ("server_relays", "caller_relays", "transport"),
    [(True, False, "udp"), (True, False, "tcp"), (False, True, "udp"), (True, True, "udp")],
)
async def test_sound_passes_both_ways_by_relay_alone(
    port: int, tmp_path: Path, server_relays: bool, caller_relays: bool, transport: str
) -> None:
    engine = FakeEngine([FakeScript(frequency=TONE)])
    nat = Nat([servers(port, transport)], "relay") if server_relays else DIRECT
    calls = Calls(engine, nat)
    caller_nat = page_nat(port) if caller_relays else DIRECT
    question = load_utterance(write_recording(tmp_path / "hum.wav", 0.1, 0.5, 0.5))
    async with Caller(Microphone(), video=False, keep_media=True, nat=caller_nat) as caller:
        signalling = LocalSignalling(calls)
        await caller.connect(signalling)
        ours, theirs = selected(caller)
        await caller.microphone.speak(question)
        await caller.event("output_audio_buffer.stopped", 10)
    await calls.close()
    assert ours == ("relay" if caller_relays else "host")
    assert theirs == ("relay" if server_relays else "host")
    if server_relays:
        assert set(re.findall(r" typ (\w+)", signalling.answer)) == {"relay"}
    heard = np.concatenate(engine.opened[0].taken)
    assert np.abs(heard).max() > 0.1, "the server heard the question"
    sound = np.concatenate([samples for _, samples in caller.samples]).astype(np.float64)
    loud = sound[np.abs(sound) > 2_000]
    assert len(loud) > 10_000, "the caller heard the answer"


async def test_calls_give_their_relays_back(port: int) -> None:
    before = files()
    calls = Calls(FakeEngine(), Nat([servers(port)], "relay"))
    for _ in range(3):
        async with Caller(Microphone(), video=False) as caller:
            await caller.connect(LocalSignalling(calls))
            await caller.until(lambda: caller.sounds or None, 5, "sound")
    await calls.close()
    await asyncio.sleep(0)  # sockets are closed in the turn after the one that asked for it
    assert files() <= before


async def test_a_wrong_password_is_no_way_in(port: int) -> None:
    engine = FakeEngine()
    calls = Calls(engine, Nat([IceServer((f"turn:{ADDRESS}:{port}",), "1:vivant", "x")], "relay"))
    with pytest.raises(CallFailedError, match="no TURN server gave an address"):
        await calls.answer(sdp(audio_section(CANDIDATE)), SessionOptions())
    assert engine.sessions == len(calls) == 0


async def test_a_password_ends_with_its_time(port: int) -> None:
    (told,) = told_servers([servers(port)], time.time() - 61)
    stale = IceServer(tuple(told["urls"]), told["username"], told["credential"])
    calls = Calls(FakeEngine(), Nat([stale], "relay"))
    with pytest.raises(CallFailedError, match="no TURN server gave an address"):
        await calls.answer(sdp(audio_section(CANDIDATE)), SessionOptions())
    await calls.close()


def files() -> int:
    return len(list(Path(f"/proc/{os.getpid()}/fd").iterdir()))
