"""Calls over real connections: media, feedback, deadlines, and nothing left behind."""

import asyncio
import gc
import os
import threading
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from aiortc import RTCPeerConnection
from aiortc.rtp import RTCP_PSFB_APP, RtcpPsfbPacket, pack_remb_fci
from numpy.typing import NDArray

from pipeline.errors import ConfigurationError, ServerFullError
from pipeline.options import SessionOptions, VideoCodec
from tests.fakes.engine import FakeEngine, FakeScript
from tests.fakes.pictures import read_counter
from tests.transport.offers import (
    CANDIDATE,
    VP8,
    audio_section,
    sdp,
    shared_cases,
    video_section,
)
from tests.transport.server_events import validate
from tests.transport.wire import SMALL, LocalSignalling, connected
from transport.caller import Caller
from transport.calls import Calls
from transport.errors import CallFailedError, CallNotFoundError, OfferError
from transport.line import Lines
from transport.microphone import Microphone
from transport.peer import MIN_ESTIMATE
from transport.recording import decode_pictures

WITH_VIDEO = SessionOptions(video=SMALL)
CASES = shared_cases()


async def enough(caller: Caller, seconds: float) -> None:
    """Wait for so much sound, and the pictures that belong to it."""
    count = round(seconds * 50)
    await caller.until(lambda: len(caller.sounds) >= count or None, seconds + 10, "sound")


def received(caller: Caller) -> NDArray[np.float64]:
    return np.concatenate([samples for _, samples in caller.samples]).astype(np.float64)


@pytest.mark.parametrize(("name", "case"), CASES.items())
async def test_offers(name: str, case: tuple[str, str]) -> None:
    text, expectation = case
    engine = FakeEngine()
    calls = Calls(engine, connect_timeout_s=0.3)
    if expectation.startswith("4xx"):
        with pytest.raises(OfferError):
            await calls.answer(text, WITH_VIDEO)
        assert engine.opened == [], name
        return
    async with asyncio.timeout(2):
        call = await calls.answer(text, WITH_VIDEO)
    assert call.answer_sdp.startswith("v=0")
    assert engine.sessions == len(calls) == 1
    if name == "h264-only":
        assert "profile-level-id=42e01f" in call.answer_sdp
        assert engine.opened[0].options.video is not None
        assert engine.opened[0].options.video.codec == "h264"
    async with asyncio.timeout(5):
        await calls.empty()
    assert engine.sessions == 0, "freed by the connecting deadline"


async def test_an_offer_without_any_address_is_answered_at_once() -> None:
    calls = Calls(FakeEngine(), connect_timeout_s=0.2)
    async with asyncio.timeout(2):
        await calls.answer(sdp(audio_section()), SessionOptions())
    await calls.close()


async def test_a_full_server_and_a_bad_voice_refuse() -> None:
    engine = FakeEngine(limit=1)
    calls = Calls(engine)
    offer = sdp(audio_section(CANDIDATE))
    with pytest.raises(ConfigurationError, match="alloy"):
        await calls.answer(offer, SessionOptions(voice="alloy"))
    first = await calls.answer(offer, SessionOptions())
    with pytest.raises(ServerFullError):
        await calls.answer(offer, SessionOptions())
    await calls.hang_up(first.id)
    with pytest.raises(CallNotFoundError):
        await calls.hang_up(first.id)
    second = await calls.answer(offer, SessionOptions())
    assert second.id != first.id
    await calls.close()
    assert engine.sessions == 0


@pytest.mark.parametrize("codec", ["vp8", "h264"])
async def test_pictures_arrive_whole_in_order_and_in_time(codec: VideoCodec) -> None:
    calls = Calls(FakeEngine())
    async with connected(calls, codec=codec) as caller:
        await enough(caller, 1.2)
    await calls.close()
    assert caller.codec == codec
    frames = list(decode_pictures(codec, caller.coded))
    counters = [read_counter(f.to_ndarray(format="gray").astype(np.uint8)) for f in frames if f]
    assert counters[0] == 0, "the first picture is not lost"
    assert counters == list(range(len(counters)))
    assert len(counters) >= 25
    media = [picture.media for picture in caller.pictures]
    assert media == pytest.approx([0.04 * index for index in range(len(media))])


async def test_the_server_may_prefer_a_codec() -> None:
    engine = FakeEngine()
    calls = Calls(engine, video_codec="h264")
    async with connected(calls) as caller:
        await caller.until(lambda: caller.pictures or None, 5, "a picture")
    assert caller.codec == "h264"
    assert engine.opened[0].options.video is not None
    assert engine.opened[0].options.video.codec == "h264"
    await calls.close()


async def test_a_session_without_pictures() -> None:
    engine = FakeEngine()
    calls = Calls(engine)
    async with Caller(Microphone()) as caller:
        signalling = LocalSignalling(calls, SessionOptions())
        await caller.connect(signalling)
        await enough(caller, 0.4)
    assert engine.opened[0].options.video is None
    assert "a=inactive" in signalling.answer
    assert caller.pictures == []
    await calls.close()


@pytest.mark.parametrize("direction", ["sendonly", "sendrecv"])
async def test_a_camera_is_not_watched(direction: str) -> None:
    calls = Calls(FakeEngine())
    offer = sdp(audio_section(CANDIDATE), video_section(VP8, direction=direction))
    call = await calls.answer(offer, SessionOptions())
    await calls.close()
    _, video = call.answer_sdp.split("m=video")
    assert "a=inactive" in video


async def test_a_caller_without_pictures() -> None:
    engine = FakeEngine()
    calls = Calls(engine)
    async with connected(calls, video=False) as caller:
        await enough(caller, 0.4)
    assert engine.opened[0].options.video is None
    await calls.close()


async def test_a_sine_passes_without_clicks() -> None:
    calls = Calls(FakeEngine([FakeScript(frequency=440, always=True)]))
    async with connected(calls, video=False) as caller:
        await enough(caller, 2.2)
    await calls.close()
    sound = received(caller)[9_600 : 9_600 + 81_920]
    spectrum = np.abs(np.fft.rfft(sound * np.blackman(len(sound)))) ** 2
    peak = int(spectrum.argmax())
    assert peak * 48_000 / len(sound) == pytest.approx(440, abs=1)
    # A click is broadband: no 20 ms may have energy away from the tone.
    residue = np.diff(sound, 2) + (2 * np.pi * 440 / 48_000) ** 2 * sound[1:-1]
    blocks = residue[: len(residue) // 960 * 960].reshape(-1, 960)
    energy = np.sqrt((blocks**2).mean(axis=1))
    assert energy.max() < 4 * np.median(energy)
    positions = [position for position, _ in caller.samples]
    assert set(np.diff(positions)) == {960}


async def test_two_callers_hear_only_their_own() -> None:
    tones = (440.0, 1000.0)
    engine = FakeEngine([FakeScript(frequency=tone, always=True) for tone in tones])
    calls = Calls(engine)
    async with connected(calls) as first, connected(calls) as second:
        await asyncio.gather(enough(first, 1.0), enough(second, 1.0))
    await calls.close()
    for caller, own, other in ((first, *tones), (second, *tones[::-1])):
        sound = received(caller)[4_800:43_200]
        spectrum = np.abs(np.fft.rfft(sound * np.hanning(len(sound))))
        bins = [round(tone * len(sound) / 48_000) for tone in (own, other)]
        levels = [spectrum[bin_ - 3 : bin_ + 4].max() for bin_ in bins]
        assert levels[1] < levels[0] / 1000


async def test_the_session_hears_what_is_said() -> None:
    engine = FakeEngine()
    calls = Calls(engine)
    async with connected(calls, video=False) as caller:
        await enough(caller, 0.5)
    await calls.close()
    heard = np.concatenate(engine.opened[0].taken)
    assert heard.dtype == np.float32
    assert len(heard) > 9_600
    assert np.abs(heard).max() < 0.01


async def test_feedback_reaches_the_session() -> None:
    engine = FakeEngine()
    calls = Calls(engine)
    async with connected(calls) as caller:
        session = engine.opened[0]
        receiver = caller._connection.getTransceivers()[1].receiver
        await caller.until(lambda: caller.pictures or None, 5, "a picture")
        (source,) = receiver.getSynchronizationSources()
        await receiver._send_rtcp_pli(source.source)
        # Reports need a sender report first, which comes within 1.5 s, as theirs do.
        await caller.until(lambda: session.playout_delays or None, 8, "a round trip")
        assert session.keyframes_asked == 1
    assert 0.06 <= session.playout_delays[-1] < 0.5
    await calls.close()


async def test_a_low_estimate_is_not_taken_for_a_narrow_link() -> None:
    engine = FakeEngine()
    calls = Calls(engine)
    async with connected(calls) as caller:
        receiver = caller._connection.getTransceivers()[1].receiver
        await caller.until(lambda: caller.pictures or None, 5, "a picture")
        (source,) = receiver.getSynchronizationSources()
        for estimate in (900_000, 60_000):
            fci = pack_remb_fci(estimate, [source.source])
            packet = RtcpPsfbPacket(fmt=RTCP_PSFB_APP, ssrc=1, media_ssrc=0, fci=fci)
            await receiver._send_rtcp(packet)
        bitrates = engine.opened[0].bitrates
        await caller.until(lambda: bitrates[1:] or None, 5, "estimates")
    await calls.close()
    assert bitrates[0] == pytest.approx(900_000, rel=0.01)
    assert bitrates[1] == MIN_ESTIMATE


async def test_events_come_in_legal_order_and_shape() -> None:
    calls = Calls(FakeEngine())
    async with connected(calls, video=False) as caller:
        caller.send({"type": "response.create"})
        await caller.event("output_audio_buffer.stopped", 5)
        caller.send_text("[[[")
        caller.send_text('{"type": "sing"}')
        await caller.until(
            lambda: [e for e in caller.events if e.event["type"] == "error"][1:] or None, 5, "error"
        )
        # The call goes on.
        caller.send({"type": "session.update", "session": {"audio": {"output": {"speed": 1.1}}}})
        await caller.event("session.updated", 5)
    await calls.close()
    for timed in caller.events:
        validate(timed.event)
    kinds = [timed.event["type"] for timed in caller.events]
    assert kinds[0] == "session.created"
    order = [
        "response.created",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_audio_transcript.delta",
        "output_audio_buffer.started",
        "response.content_part.done",
        "response.output_item.done",
        "response.done",
        "output_audio_buffer.stopped",
    ]
    assert [kinds.index(kind) for kind in order] == sorted(kinds.index(kind) for kind in order)


async def test_a_second_channel_is_closed() -> None:
    calls = Calls(FakeEngine())
    async with connected(calls, video=False) as caller:
        other = caller._connection.createDataChannel("other")
        closed = asyncio.Event()
        other.on("close", closed.set)
        async with asyncio.timeout(5):
            await closed.wait()
    await calls.close()


async def test_a_caller_that_hangs_up_frees_its_session() -> None:
    engine = FakeEngine()
    calls = Calls(engine)
    caller = Caller(Microphone())
    signalling = LocalSignalling(calls)
    await caller.connect(signalling)
    await caller._connection.close()  # as a closed tab: no request, only the connection's end
    async with asyncio.timeout(5):
        await calls.empty()
    assert engine.sessions == 0
    await caller.close()


async def test_a_silent_peer_is_freed() -> None:
    engine = FakeEngine()
    calls = Calls(engine, silent_timeout_s=0.8, lines=Lines(engine, hold_s=0.4))
    async with Caller(Microphone()) as caller:
        await caller.connect(LocalSignalling(calls))
        await enough(caller, 1.2)
        assert len(calls) == 1
        await caller.vanish()
        assert len(calls) == 1, "nobody told the server"
        async with asyncio.timeout(6):
            await calls.empty()
        assert engine.sessions == 0
        assert engine.opened[0].lost, "what was sent after its last sign of life was not heard"


async def test_the_server_hanging_up_ends_the_call_for_the_caller() -> None:
    calls = Calls(FakeEngine())
    async with connected(calls, video=False) as caller:
        await calls.close()
        with pytest.raises(CallFailedError, match="the connection has"):
            await caller.event("never", 5)


async def test_a_failed_answer_frees_what_it_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(_: RTCPeerConnection) -> None:
        raise ValueError("no such codec")

    monkeypatch.setattr(RTCPeerConnection, "createAnswer", fail)
    engine = FakeEngine()
    calls = Calls(engine)
    with pytest.raises(OfferError, match="no such codec"):
        await calls.answer(sdp(audio_section(CANDIDATE)), SessionOptions())
    assert engine.sessions == len(calls) == 0


def footprint() -> tuple[int, int, int]:
    """Return the number of tasks, threads and open files."""
    gc.collect()
    files = len(list(Path(f"/proc/{os.getpid()}/fd").iterdir()))
    return len(asyncio.all_tasks()), threading.active_count(), files


async def test_twenty_calls_leave_nothing() -> None:
    engine = FakeEngine([FakeScript(always=True)])
    calls = Calls(engine, connect_timeout_s=0.2)
    before: tuple[int, int, int] | None = None
    for index in range(21):
        if index % 3 == 2:  # never connects
            call = await calls.answer(sdp(audio_section(CANDIDATE)), SessionOptions())
            await calls.hang_up(call.id)
        else:
            caller = Caller(Microphone())
            await caller.connect(LocalSignalling(calls))
            if index % 3 == 1:  # in mid-speech
                await enough(caller, 0.1)
            await caller.close()
        async with asyncio.timeout(5):
            await calls.empty()
        if index == 0:
            before = await settled()
    assert engine.sessions == 0
    assert await settled() == before


async def settled() -> tuple[int, int, int]:
    """Return the footprint once it has been the same for 0.3 s."""
    last, same = footprint(), 0
    async with asyncio.timeout(10):
        while same < 3:
            await asyncio.sleep(0.1)
            now = footprint()
            last, same = now, same + 1 if now == last else 0
    return last


async def test_a_call_keeps_no_memory() -> None:
    engine = FakeEngine()
    calls = Calls(engine)
    offer = sdp(audio_section(CANDIDATE))

    async def call_often(times: int) -> None:
        for _ in range(times):
            call = await calls.answer(offer, SessionOptions())
            await calls.hang_up(call.id)

    await call_often(3)
    gc.collect()
    tracemalloc.start()
    start, _ = tracemalloc.get_traced_memory()
    await call_often(20)
    engine.opened.clear()
    gc.collect()
    stop, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert stop - start < 200_000
