"""Streams: sessions under a name that run from the first moment and are free at the last."""

import asyncio
import json

import pytest

from pipeline.contract import EncodedPicture
from pipeline.errors import ConfigurationError, ServerFullError
from pipeline.events import SessionFailed
from pipeline.options import SessionOptions, VideoFormat
from tests.conftest import SHARED
from tests.fakes.engine import FakeEngine
from tests.fakes.sink import RecordingSink
from transport.errors import StreamNotFoundError, StreamTakenError
from transport.streams import Stream, Streams

CASES = SHARED / "cases" / "names.json"
HOSTILE = [
    *("", ".", "..", "../x", "a/b", "A", "Ä", "-a", "_a", "a b", "a\n", "a\0", "x" * 41, "a.b"),
    *(json.loads(CASES.read_text("utf-8")) if CASES.is_file() else []),
]


class Guest:
    """One who is connected."""

    def __init__(self, stream: Stream) -> None:
        self.reasons: list[str] = []
        self._stream = stream
        stream.enter(self)

    def end(self, reason: str) -> None:
        self.reasons.append(reason)
        asyncio.get_running_loop().call_soon(self._stream.leave, self)


class Waiting(RecordingSink):
    """A sink that tells of the first picture."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = asyncio.Event()

    def picture(self, picture: EncodedPicture) -> None:
        super().picture(picture)
        self.shown.set()


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine(limit=2)


async def test_its_clock_runs_at_once_and_its_pictures_are_h264(engine: FakeEngine) -> None:
    streams = Streams(engine)
    stream = streams.open("lobby", SessionOptions(video=VideoFormat("vp8", 128, 224, 400_000)))
    sink = Waiting()
    stream.add_output(sink)
    async with asyncio.timeout(5):
        await sink.shown.wait()
    assert sink.frames[0].position == 0
    assert sink.pictures[0].keyframe
    video = stream.session.options.video
    assert video is not None
    assert video.codec == "h264"
    await streams.close()


async def test_each_counts_as_a_session_until_it_ends(engine: FakeEngine) -> None:
    streams = Streams(engine)
    for name in ("lobby", "hall"):
        streams.open(name, SessionOptions())
    assert engine.sessions == len(streams) == 2
    with pytest.raises(ServerFullError):
        streams.open("attic", SessionOptions())
    assert [stream.name for stream in streams] == ["lobby", "hall"]
    await streams.end("lobby")
    assert engine.sessions == 1
    streams.open("attic", SessionOptions())
    await streams.close()
    assert engine.sessions == len(streams) == 0


@pytest.mark.parametrize("name", HOSTILE)
async def test_names_are_checked(engine: FakeEngine, name: str) -> None:
    streams = Streams(engine)
    with pytest.raises(ConfigurationError, match="accepted: 1 to 40 of a-z"):
        streams.open(name, SessionOptions())
    with pytest.raises(StreamNotFoundError) as error:
        streams.get(name)
    assert len(str(error.value)) < 200
    assert engine.opened == []


async def test_what_cannot_be_opened_takes_no_name(engine: FakeEngine) -> None:
    streams = Streams(engine)
    with pytest.raises(ConfigurationError, match="alloy"):
        streams.open("lobby", SessionOptions(voice="alloy"))
    streams.open("lobby", SessionOptions())
    with pytest.raises(StreamTakenError, match="lobby"):
        streams.open("lobby", SessionOptions())
    assert len(engine.opened) == 1
    await streams.close()


async def test_whoever_is_connected_leaves_with_it(engine: FakeEngine) -> None:
    streams = Streams(engine)
    ended: list[int] = []
    stream = streams.open("lobby", SessionOptions(), lambda: ended.append(engine.sessions))
    guest = Guest(stream)
    await streams.end("lobby")
    assert guest.reasons == ["the stream was ended"]
    assert ended == [0], "told when the session was free"
    with pytest.raises(StreamNotFoundError):
        await streams.end("lobby")


async def test_a_broken_session_ends_its_stream_alone(engine: FakeEngine) -> None:
    streams = Streams(engine)
    stream, other = (streams.open(name, SessionOptions()) for name in ("lobby", "hall"))
    guest, elsewhere = Guest(stream), Guest(other)
    engine.opened[0]._sink.event(SessionFailed("picture_failed", "no picture"))
    assert len(streams) == 2
    engine.opened[0]._sink.event(SessionFailed("internal_error", "the session broke"))
    assert len(streams) == 1
    await streams.close()
    assert guest.reasons == ["its session broke"]
    assert elsewhere.reasons == ["the server closes"]
    assert engine.sessions == 0


async def test_it_may_be_dismissed(engine: FakeEngine) -> None:
    streams = Streams(engine)
    ended = asyncio.Event()
    stream = streams.open("lobby", SessionOptions(), ended.set)
    streams.dismiss(stream, "key_ended", "the key is no longer accepted")
    streams.dismiss(stream, "key_ended", "the key is no longer accepted")
    async with asyncio.timeout(5):
        await ended.wait()
    assert engine.sessions == len(streams) == 0


async def test_it_rests_while_nobody_takes_its_pictures(engine: FakeEngine) -> None:
    streams = Streams(engine)
    stream = streams.open("lobby", SessionOptions(video=VideoFormat("h264", 128, 224, 400_000)))
    rested = engine.opened[0].rested
    seat, sink = stream.broadcast.seat(), RecordingSink()
    assert rested.is_set()
    stream.broadcast.join(seat)
    assert not rested.is_set()
    asked = engine.opened[0].keyframes_asked
    stream.broadcast.join(stream.broadcast.seat())
    assert engine.opened[0].keyframes_asked == asked, "it rests no less for another"
    stream.broadcast.leave(stream.broadcast._seats[-1])
    stream.add_output(sink)
    stream.broadcast.leave(seat)
    assert not rested.is_set()
    stream.remove_output(sink)
    assert rested.is_set()
    await streams.close()
