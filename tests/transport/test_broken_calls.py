"""Calls whose session breaks, whose connection does not close, whose far end means no good."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from itertools import count

import pytest
from aiortc import RTCPeerConnection, RTCSctpTransport
from aiortc.rtcsctptransport import (
    SCTP_DATA_FIRST_FRAG,
    SCTP_DATA_LAST_FRAG,
    SCTP_DATA_UNORDERED,
    DataChunk,
)
from aiortc.rtp import RtpPacket

from pipeline import events
from pipeline.errors import ServerFullError
from pipeline.options import SessionOptions
from tests.fakes.engine import FakeEngine, FakeSession
from tests.transport.offers import CANDIDATE, audio_section, sdp
from tests.transport.wire import LocalSignalling, connected
from transport.aiortc_hooks import MAX_HELD_BYTES, MAX_HELD_PIECES, MAX_SOURCES, MAX_STREAMS
from transport.caller import Caller
from transport.calls import Calls
from transport.errors import CallFailedError
from transport.incoming import HeardSound
from transport.microphone import Microphone

TEXT = 51  # payload protocol identifier of a text message (RFC 8831 8)


async def break_session(session: FakeSession) -> None:
    """Do as a session does whose stage has raised: tell, and close itself."""
    session._sink.event(events.SessionFailed("internal_error", "the session broke"))
    await session.close()


async def test_a_session_that_breaks_tells_ends_the_call_and_frees_the_place() -> None:
    engine = FakeEngine(limit=1)
    calls = Calls(engine)
    async with connected(calls, video=False) as caller:
        await break_session(engine.opened[0])
        error = (await caller.event("error", 5))["error"]
        assert (error["type"], error["code"]) == ("server_error", "internal_error")
        with pytest.raises(CallFailedError, match="the connection has"):
            await caller.event("never", 5)
        async with asyncio.timeout(5):
            await calls.empty()
    async with connected(calls, video=False) as caller:
        assert len(calls) == 1
    await calls.close()


async def test_the_last_events_leave_before_the_call_ends() -> None:
    engine = FakeEngine(limit=1)
    calls = Calls(engine)
    async with connected(calls, video=False) as caller:
        for number in range(30):  # more than is sent at a stretch
            delta = events.TranscriptDelta("r", f"item_{number}", "a word " * 60)
            engine.opened[0]._sink.event(delta)
        await break_session(engine.opened[0])
        await caller.event("error", 5)
    await calls.close()


async def test_a_session_that_breaks_before_anybody_listens_ends_the_call() -> None:
    engine = FakeEngine(limit=1)
    calls = Calls(engine)
    await calls.answer(sdp(audio_section(CANDIDATE)), SessionOptions())
    with pytest.raises(ServerFullError):
        await calls.answer(sdp(audio_section(CANDIDATE)), SessionOptions())
    await break_session(engine.opened[0])
    async with asyncio.timeout(2):
        await calls.empty()


async def test_a_picture_that_fails_ends_nothing() -> None:
    engine = FakeEngine(limit=1)
    calls = Calls(engine)
    async with connected(calls, video=False) as caller:
        engine.opened[0]._sink.event(events.SessionFailed("picture_failed", "no picture"))
        await caller.event("error", 5)
        heard = len(caller.sounds)
        await caller.until(lambda: len(caller.sounds) > heard + 10 or None, 5, "more sound")
    await calls.close()


async def test_a_connection_that_does_not_close_keeps_no_session(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    close = RTCPeerConnection.close

    async def close_and_fail(connection: RTCPeerConnection) -> None:
        await close(connection)
        raise AttributeError("no such transport")

    engine = FakeEngine(limit=1)
    calls = Calls(engine)
    call = await calls.answer(sdp(audio_section(CANDIDATE)), SessionOptions())
    monkeypatch.setattr(RTCPeerConnection, "close", close_and_fail)
    await calls.hang_up(call.id)
    assert engine.sessions == len(calls) == 0
    (record,) = (record for record in caplog.records if record.levelno == logging.ERROR)
    assert "did not close" in record.message
    assert "AttributeError" in caplog.text


async def test_sound_that_cannot_be_heard_ends_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: HeardSound, frame: object) -> None:
        raise RuntimeError(f"no use for {frame}")

    monkeypatch.setattr(HeardSound, "take", fail)
    calls = Calls(FakeEngine())
    async with connected(calls, video=False):
        async with asyncio.timeout(5):
            await calls.empty()


async def test_text_that_is_no_text_is_answered_and_the_call_goes_on() -> None:
    calls = Calls(FakeEngine())
    async with connected(calls, video=False) as caller:
        sctp = caller._connection.sctp
        assert sctp is not None
        stream = caller._channel.id
        assert stream is not None
        await sctp._send(stream, TEXT, b"\xff\xfe")
        error = (await caller.event("error", 5))["error"]
        assert error["code"] == "invalid_json"
        caller.send_text('{"type": "dance", "event_id": "\\ud800"}')
        caller.send({"type": "session.update", "session": {"audio": {"output": {"speed": 1.1}}}})
        await caller.event("session.updated", 5)
    await calls.close()
    assert sum(timed.event["type"] == "error" for timed in caller.events) == 2


async def test_an_event_with_half_a_character_is_sent_without_it() -> None:
    engine = FakeEngine()
    calls = Calls(engine)
    async with connected(calls, video=False) as caller:
        engine.opened[0]._sink.event(events.TranscriptDelta("r", "item", "so \ud83d"))
        delta = await caller.event("response.output_audio_transcript.delta", 5)
        assert delta["delta"] == "so ?"
        heard = len(caller.sounds)
        await caller.until(lambda: len(caller.sounds) > heard + 10 or None, 5, "more sound")
    await calls.close()


async def test_a_far_end_that_takes_no_event_is_let_go(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "transport")
    calls = Calls(FakeEngine())
    caller = Caller(Microphone(), video=False)
    signalling = LocalSignalling(calls)

    class Narrow:
        async def call(self, offer_sdp: str) -> str:
            lines = offer_sdp.splitlines()
            kept = [line for line in lines if not line.startswith("a=max-message-size")]
            at = next(i for i, line in enumerate(kept) if line.startswith("m=application"))
            kept.insert(at + 2, "a=max-message-size:10")
            return await signalling.call("\r\n".join(kept) + "\r\n")

        async def hang_up(self) -> None:
            await signalling.hang_up()

    async with caller:
        with pytest.raises(CallFailedError):
            await caller.connect(Narrow())
        async with asyncio.timeout(5):
            await calls.empty()
    assert "ended: an event could not be sent" in caplog.text


def unfinished(number: int) -> DataChunk:
    """Return the first piece, or one of the middle, of a message that never ends."""
    chunk = DataChunk(flags=SCTP_DATA_FIRST_FRAG if number == 0 else 0)
    chunk.user_data = b"x"
    return chunk


def unfinished_and_large(number: int) -> DataChunk:
    chunk = unfinished(number)
    chunk.user_data = bytes(1000)
    return chunk


def on_its_own_stream(number: int) -> DataChunk:
    chunk = DataChunk(flags=SCTP_DATA_FIRST_FRAG | SCTP_DATA_LAST_FRAG)
    chunk.stream_id, chunk.user_data = 100 + number, b"x"
    return chunk


def whole_but_behind_a_hole(_: int) -> DataChunk:
    chunk = DataChunk(flags=SCTP_DATA_FIRST_FRAG | SCTP_DATA_LAST_FRAG | SCTP_DATA_UNORDERED)
    chunk.user_data = b"x"
    return chunk


async def send_pieces(sctp: RTCSctpTransport, make: Callable[[int], DataChunk], skip: int) -> int:
    """Send pieces, one after the other, until the far end has gone; return how many."""
    sctp._local_tsn += skip
    for number in count():
        chunk = make(number)
        chunk.tsn = sctp._local_tsn % (1 << 32)
        chunk.protocol = TEXT
        sctp._local_tsn += 1
        try:
            await sctp._send_chunk(chunk)
        except ConnectionError:
            return number
        await asyncio.sleep(0)  # the far end lives on this loop too
    raise AssertionError


@pytest.mark.parametrize(
    ("make", "skip", "bound"),
    [
        (unfinished, 0, MAX_HELD_PIECES),
        (unfinished_and_large, 0, MAX_HELD_BYTES // 1000),
        (on_its_own_stream, 0, MAX_STREAMS),
        (whole_but_behind_a_hole, 1, MAX_HELD_PIECES),
    ],
)
async def test_who_makes_us_hold_too_much_is_let_go(
    make: Callable[[int], DataChunk],
    skip: int,
    bound: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "transport")
    calls = Calls(FakeEngine())
    async with connected(calls, video=False) as caller:
        sctp = caller._connection.sctp
        assert sctp is not None
        async with asyncio.timeout(20):
            sent = await send_pieces(sctp, make, skip)
            await calls.empty()
    assert sent >= bound
    assert "ended: more than" in caplog.text or "ended: it uses more than" in caplog.text


async def test_who_speaks_from_too_many_sources_is_let_go() -> None:
    calls = Calls(FakeEngine())
    async with connected(calls, video=False) as caller:
        sender = caller._connection.getTransceivers()[0].sender
        codecs = caller._connection.getTransceivers()[0]._codecs
        (opus,) = (codec.payloadType for codec in codecs if codec.name == "opus")

        async def send(source: int) -> None:
            assert opus is not None
            packet = RtpPacket(opus, sequence_number=1, timestamp=1, ssrc=source)
            packet.payload = b"\x00"
            await sender.transport._send_rtp(packet.serialize())

        await send_from(send, MAX_SOURCES - 2)
        received = len(caller.sounds)
        await caller.until(lambda: len(caller.sounds) > received + 10 or None, 5, "more sound")
        assert len(calls) == 1
        await send_from(send, MAX_SOURCES + 1)
        async with asyncio.timeout(5):
            await calls.empty()


async def send_from(send: Callable[[int], Awaitable[None]], sources: int) -> None:
    for source in range(1, sources + 1):
        await send(source)
