"""A measured conversation with a fake server: the figures are those the fake was built to give."""

import asyncio
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from pipeline.errors import ConfigurationError, ServerFullError
from tests.fakes.engine import PICTURE_SAMPLES, FakeEngine, FakeScript
from tests.fakes.pictures import read_counter
from tests.transport.wire import LocalSignalling, connected, write_recording
from transport.caller import Caller
from transport.calls import Calls
from transport.errors import CallFailedError
from transport.measure import flash_click_offset
from transport.microphone import Microphone
from transport.recording import decode_pictures
from transport.talk import converse, talk

FLASH_EVERY = 10


@pytest.fixture
def question(tmp_path: Path) -> Path:
    return write_recording(tmp_path / "question.wav", 0.2, 0.4, 0.1)


def flashes(width: int, height: int, index: int) -> NDArray[np.uint8]:
    """Return a white picture every tenth time, else a black one."""
    planes = np.full((height * 3 // 2, width), 128, np.uint8)
    planes[:height] = 16 if index % FLASH_EVERY else 235
    return planes


async def test_every_turn_is_reported(question: Path) -> None:
    calls = Calls(FakeEngine([FakeScript(reply_seconds=0.4)]))
    report = await converse(LocalSignalling(calls), [question, question])
    await calls.close()
    assert [turn.question for turn in report.turns] == ["question.wav"] * 2
    for turn in report.turns:
        assert (turn.recognised, turn.reply, turn.language) == ("a loud sound", "beep", "en")
        assert (turn.status, turn.problem) == ("completed", "")
        assert turn.stages == {"silence": 0.3, "first_sound": 0.3}
        # The fake answers once it has heard 0.3 s of silence, which a microphone that was held up
        # for a moment sends a little faster than it came.
        assert turn.voice_to_voice_s is not None
        assert turn.voice_to_voice_s > 0.15
        assert turn.interruption_s is None
    assert report.voice_to_voice_median_s == min(
        turn.voice_to_voice_s or 0 for turn in report.turns
    )
    assert report.interruption_p95_s is None
    assert report.frames > 25
    assert 0 < report.client_cpu_share < 2
    as_json = report.to_json()
    assert as_json["turns"][0]["recognised"] == "a loud sound"
    assert as_json["frames"] == report.frames


async def test_a_reply_is_interrupted(question: Path) -> None:
    calls = Calls(FakeEngine([FakeScript(reply_seconds=1.5)]))
    report = await converse(LocalSignalling(calls), [question], interrupt_after=0.2)
    await calls.close()
    first, second = report.turns
    # The fake falls silent once it has heard 0.1 s of loudness.
    assert first.interruption_s is not None
    assert first.interruption_s > 0.08
    assert (first.reply, second.reply) == ("be", "beep")
    assert second.voice_to_voice_s is not None
    assert second.interruption_s is None
    assert report.interruption_p95_s == first.interruption_s


async def test_an_interruption_before_any_sound(question: Path) -> None:
    calls = Calls(FakeEngine([FakeScript(reply_seconds=1.5)]))
    report = await converse(LocalSignalling(calls), [question], interrupt_after=-0.15)
    await calls.close()
    first, second = report.turns
    assert first.interruption_s is not None
    assert second.status == "completed"
    assert second.voice_to_voice_s is not None


async def test_a_server_that_does_not_answer_is_reported(
    question: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("transport.talk.ANSWER_TIMEOUT_S", 0.5)
    monkeypatch.setattr("tests.fakes.engine.LOUD", 2.0)
    calls = Calls(FakeEngine())
    report = await converse(LocalSignalling(calls), [question])
    await calls.close()
    (turn,) = report.turns
    assert "did not come within 0.5 s" in turn.problem
    assert (turn.recognised, turn.reply, turn.status) == ("", "", "none")
    assert turn.voice_to_voice_s is None


async def test_an_answer_before_the_end_of_the_question_is_a_problem_and_no_figure(
    question: Path,
) -> None:
    calls = Calls(FakeEngine([FakeScript(reply_seconds=1.2)]))
    # Its noise ends at 0.6 s and the fake answers at 0.9 s; its speech is said to end later.
    late = write_recording(question.with_name("late.wav"), 0.2, 0.4, 0.9)
    report = await converse(LocalSignalling(calls), [late, question], speech_ends={late: 1.3})
    await calls.close()
    early, measured = report.turns
    assert early.problem == "an answer was heard before the question had ended"
    assert early.voice_to_voice_s is None
    assert (early.reply, early.status) == ("beep", "completed")
    assert measured.problem == ""
    assert report.voice_to_voice_median_s == measured.voice_to_voice_s


async def test_what_was_received_is_recorded(question: Path, tmp_path: Path) -> None:
    path = tmp_path / "talk.mp4"
    calls = Calls(FakeEngine([FakeScript(frequency=500, reply_seconds=0.5)]))
    report = await converse(LocalSignalling(calls), [question], record=path)
    await calls.close()
    with av.open(str(path)) as file:
        pictures = [
            read_counter(frame.to_ndarray(format="gray").astype(np.uint8))
            for frame in file.decode(video=0)
        ]
    with av.open(str(path)) as file:
        sound = np.concatenate([frame.to_ndarray()[0] for frame in file.decode(audio=0)])
    # A picture or two may come after the report was made and before the call ends.
    assert pictures == list(range(len(pictures)))
    assert 0 <= len(pictures) - report.frames <= 3
    spectrum = np.abs(np.fft.rfft(sound))
    assert spectrum.argmax() * 48_000 / len(sound) == pytest.approx(500, abs=3)
    assert len(sound) / 48_000 == pytest.approx(len(pictures) / 25, abs=0.15)


async def test_flash_and_click_come_together() -> None:
    script = FakeScript(picture=flashes, click_every=FLASH_EVERY)
    calls = Calls(FakeEngine([script]))
    async with connected(calls) as caller:
        await caller.until(lambda: len(caller.sounds) > 150 or None, 10, "three seconds")
    await calls.close()
    frames = list(decode_pictures("vp8", caller.coded))
    seen = [
        arrival.arrival
        for frame, arrival in zip(frames, caller.pictures, strict=True)
        if frame is not None and frame.to_ndarray(format="gray").mean() > 126
    ]
    heard = [
        frame.arrival + frame.first_sound
        for frame in caller.sounds
        if frame.first_sound is not None
    ]
    assert len(seen) >= 6
    assert len(heard) >= 6
    offset = flash_click_offset(seen, heard)
    assert offset is not None
    assert abs(offset) < 0.040
    # By media time they coincide exactly, but for the 2.5 ms that Opus looks ahead.
    clicks = [frame.media for frame in caller.sounds if frame.first_sound is not None]
    period = FLASH_EVERY * PICTURE_SAMPLES / 48_000
    assert clicks[:4] == pytest.approx([index * period for index in range(4)], abs=0.021)


async def test_a_full_server_refuses(question: Path) -> None:
    with pytest.raises(ServerFullError):
        await converse(LocalSignalling(Calls(FakeEngine(limit=0))), [question])


async def test_no_question_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="one WAV file or more"):
        await converse(LocalSignalling(Calls(FakeEngine())), [])


class HttpServer:
    """Answers every request with one response and notes what was asked."""

    def __init__(self, status: str, headers: str, body: str) -> None:
        self._response = (
            f"HTTP/1.1 {status}\r\n{headers}Content-Length: {len(body)}\r\n"
            f"Connection: close\r\n\r\n{body}"
        ).encode()
        self.requests: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.requests.append(head)
        for line in head.lower().split("\r\n"):
            if line.startswith("content-length:"):
                await reader.readexactly(int(line.split(":")[1]))
        writer.write(self._response)
        await writer.drain()
        writer.close()
        await writer.wait_closed()


async def test_a_refusal_over_http_is_quoted(question: Path) -> None:
    page = HttpServer("503 Service Unavailable", "Retry-After: 5\r\n", "all 1 sessions in use")
    server = await asyncio.start_server(page.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        with pytest.raises(CallFailedError, match="503 all 1 sessions in use"):
            await talk(f"http://127.0.0.1:{port}", [question], voice="tone", size=(540, 960))
    (head,) = page.requests
    assert head.startswith("POST /v1/realtime/calls?voice=tone&size=540x960 ")
    assert "content-type: application/sdp" in head.lower()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_server_on_this_machine_is_called_without_a_proxy(
    question: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    page = HttpServer("503 Service Unavailable", "", "all 1 sessions in use")
    server = await asyncio.start_server(page.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        with pytest.raises(CallFailedError, match="503 all 1 sessions in use"):
            await talk(f"http://{host}:{port}", [question])
    with pytest.raises(CallFailedError, match="cannot be reached"):
        await talk("http://server.invalid", [question])  # by the proxy, which is not there


async def test_a_url_that_is_none_is_refused(question: Path) -> None:
    with pytest.raises(ConfigurationError, match="server's URL"):
        await talk("http://127.0.0.1:port", [question])


class LostServer(LocalSignalling):
    """A server that cannot be reached any more when the call is to be hung up."""

    async def hang_up(self) -> None:
        raise CallFailedError("the server cannot be reached")


async def test_a_hang_up_that_fails_frees_everything_all_the_same() -> None:
    calls = Calls(FakeEngine())
    caller = Caller(Microphone(), video=False)
    await caller.connect(LostServer(calls))
    await caller.close()
    assert caller.microphone.readyState == "ended"
    assert caller.broken
    async with asyncio.timeout(5):
        await calls.empty()  # the end of the connection was noticed


async def test_an_unreachable_server_is_named(question: Path) -> None:
    with pytest.raises(CallFailedError, match=r"127\.0\.0\.1:1 cannot be reached"):
        await talk("http://127.0.0.1:1", [question])
