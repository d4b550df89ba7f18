"""A call that is lost is taken up again: same session, nothing in the history that went unheard."""

import asyncio
from dataclasses import dataclass

import pytest

from pipeline.contract import WIRE_RATE
from pipeline.options import SessionOptions
from tests.fakes.engine import FakeEngine, FakeScript
from tests.transport.offers import CONSTRAINED, audio_section, sdp, video_section
from tests.transport.wire import SMALL, LocalSignalling
from transport.caller import Caller
from transport.calls import Calls
from transport.errors import CallNotFoundError, OfferError, SessionGoneError
from transport.line import Lines
from transport.microphone import Microphone

LONG = [FakeScript(reply_seconds=20)]


@dataclass
class ResumeSignalling:
    """Goes on with a session."""

    calls: Calls
    token: str
    call_id: str = ""

    async def call(self, offer_sdp: str) -> str:
        call = await self.calls.resume(offer_sdp, self.token)
        self.call_id = call.id
        return call.answer_sdp

    async def hang_up(self) -> None:
        await self.calls.hang_up(self.call_id)


async def token_of(caller: Caller) -> str:
    created = await caller.event("session.created", 5)
    return str(created["session"]["avatar"]["resume_token"])


@pytest.mark.parametrize("noticed", [False, True], ids=["before it is noticed", "after"])
async def test_a_vanished_caller_goes_on_over_another_connection(noticed: bool) -> None:
    engine = FakeEngine(LONG)
    calls = Calls(engine, silent_timeout_s=0.8, lines=Lines(engine, hold_s=10))
    first = Caller(Microphone())
    await first.connect(LocalSignalling(calls))
    token = await token_of(first)
    session = engine.opened[0]
    session.create_response()
    await first.event("output_audio_buffer.started", 5)
    await first.until(lambda: len(first.sounds) > 40 or None, 5, "sound")
    alive = session.position
    await first.vanish()
    if noticed:
        async with asyncio.timeout(6):
            await session.rested.wait()
    async with Caller(Microphone()) as second:
        await second.connect(ResumeSignalling(calls, token))
        created = await second.event("session.created", 5)
        assert created["session"]["id"] == session.id
        assert created["session"]["avatar"]["resumed"] is True
        (heard,) = session.lost
        assert abs(heard - alive) < 0.6 * WIRE_RATE, "what was sent into the void was not heard"
        assert await second.event("conversation.item.truncated", 5)
        await second.until(lambda: len(second.pictures) > 5 or None, 5, "pictures")
        assert not session.rested.is_set()
        assert engine.sessions == len(calls) == 1 or not noticed
    async with asyncio.timeout(5):
        await calls.empty()
    assert engine.sessions == 0
    with pytest.raises(SessionGoneError, match="no session waits"):
        await calls.resume(sdp(audio_section()), token)
    await first.close()


async def test_a_bad_offer_leaves_the_session_where_it_is() -> None:
    engine = FakeEngine()
    calls = Calls(engine)
    async with Caller(Microphone()) as caller:
        await caller.connect(LocalSignalling(calls))
        token = await token_of(caller)
        with pytest.raises(OfferError):
            await calls.resume("v=0\r\nrubbish", token)
        with pytest.raises(OfferError, match="vp8"):
            await calls.resume(sdp(audio_section(), video_section(CONSTRAINED)), token)
        with pytest.raises(SessionGoneError):
            await calls.resume(sdp(audio_section()), token[:-1])
        engine.opened[0].create_response()
        await caller.event("response.created", 5)
        assert engine.sessions == 1
    await calls.close()


async def test_who_hangs_up_is_not_waited_for() -> None:
    engine = FakeEngine()
    calls = Calls(engine, lines=Lines(engine, hold_s=30))
    async with Caller(Microphone()) as caller:
        await caller.connect(LocalSignalling(calls))
        token = await token_of(caller)
    async with asyncio.timeout(5):
        await calls.empty()
    assert engine.sessions == 0
    with pytest.raises(SessionGoneError):
        calls.holder(token)


async def test_a_lost_call_can_be_hung_up() -> None:
    engine = FakeEngine()
    calls = Calls(engine, silent_timeout_s=0.4, lines=Lines(engine, hold_s=30))
    caller = Caller(Microphone())
    signalling = LocalSignalling(calls)
    await caller.connect(signalling)
    await caller.vanish()
    async with asyncio.timeout(6):
        await engine.opened[0].rested.wait()
    await calls.hang_up(signalling.call_id)
    assert engine.sessions == 0
    with pytest.raises(CallNotFoundError):
        await calls.hang_up(signalling.call_id)
    await caller.close()


async def test_a_closing_server_waits_for_nobody() -> None:
    engine = FakeEngine()
    calls = Calls(engine, silent_timeout_s=0.4, lines=Lines(engine, hold_s=30))
    caller = Caller(Microphone())
    await caller.connect(LocalSignalling(calls, SessionOptions(video=SMALL)))
    await caller.vanish()
    async with asyncio.timeout(6):
        await engine.opened[0].rested.wait()
    assert engine.sessions == 1
    async with asyncio.timeout(5):
        await calls.close()
    assert engine.sessions == 0
    await caller.close()
