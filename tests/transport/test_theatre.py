"""Rooms perform in streams: who is monitored, who watches, what is recorded, who is told."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import av
import pytest

from pipeline.contract import EncodedPicture
from pipeline.errors import ConfigurationError, ServerFullError
from pipeline.events import SessionFailed
from pipeline.options import SessionOptions, VideoFormat
from tests.fakes.engine import FakeEngine, FakeScript
from tests.fakes.sink import RecordingSink
from transport.connection import SESSION_BROKE
from transport.outlets import Outlets
from transport.streams import Streams
from transport.theatre import StreamTheatre

OPTIONS = SessionOptions(video=VideoFormat("vp8", 128, 224, 400_000))
MOMENT = datetime(2031, 5, 4, 20, 15, 30, tzinfo=UTC)


class Monitor(RecordingSink):
    """A sink that tells of pictures."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = asyncio.Event()

    def picture(self, picture: EncodedPicture) -> None:
        super().picture(picture)
        self.shown.set()


@dataclass
class House:
    """A theatre and what is behind it."""

    engine: FakeEngine
    streams: Streams
    theatre: StreamTheatre
    folder: Path
    monitor: Monitor = field(default_factory=Monitor)
    ended: list[str] = field(default_factory=list)

    async def open(self, name: str = "demo") -> None:
        await self.theatre.open(name, OPTIONS, self.monitor, self.ended.append)


@asynccontextmanager
async def house(folder: Path, limit: int = 2) -> AsyncIterator[House]:
    engine = FakeEngine([FakeScript(always=True)], limit=limit)
    streams, outlets = Streams(engine), Outlets(folder)
    theatre = StreamTheatre(streams, outlets, now=lambda: MOMENT)
    try:
        yield House(engine, streams, theatre, folder)
    finally:
        await streams.close()
        assert engine.sessions == 0


async def test_a_room_is_a_stream_of_its_name_and_the_monitor_hears_it_all(tmp_path: Path) -> None:
    async with house(tmp_path) as stage:
        await stage.open()
        assert [stream.name for stream in stage.streams] == ["demo"]
        session = stage.engine.opened[0]
        assert session.options.video is not None
        assert session.options.video.codec == "h264"
        async with asyncio.timeout(5):
            await stage.monitor.shown.wait()
        assert stage.monitor.frames[0].position == 0


async def test_a_monitor_is_nobody_who_watches(tmp_path: Path) -> None:
    async with house(tmp_path) as stage:
        await stage.open()
        assert stage.engine.opened[0].rested.is_set()
        assert stage.theatre.watching("demo") == 0
        stage.streams.get("demo").add_output(RecordingSink())
        assert not stage.engine.opened[0].rested.is_set()
        assert stage.theatre.watching("demo") == 1
        assert stage.theatre.watching("other") == 0


async def test_closing_it_tells_nobody_but_a_stream_that_ends_itself_is_told(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as stage:
        await stage.open()
        await stage.theatre.close("demo")
        await stage.theatre.close("demo")
        assert stage.engine.sessions == 0
        assert stage.ended == []
        await stage.open()
        await stage.streams.end("demo")
        assert stage.ended == ["the stream was ended"]
        await stage.open()
        broken = SessionFailed(SESSION_BROKE, "it broke")
        stage.streams.get("demo").broadcast.event(broken)
        await stage.streams.close()
        assert stage.ended[1:] == ["its session broke"]
        assert stage.theatre.watching("demo") == 0


async def test_a_name_that_is_taken_and_a_server_that_is_full(tmp_path: Path) -> None:
    async with house(tmp_path) as stage:
        stage.streams.open("demo", OPTIONS)
        with pytest.raises(ConfigurationError, match="'demo'"):
            await stage.open()
        await stage.open("other")
        with pytest.raises(ServerFullError):
            await stage.open("third")
        assert stage.ended == []


async def test_a_recording_is_whole_when_it_has_ended(tmp_path: Path) -> None:
    async with house(tmp_path) as stage:
        await stage.open()
        name = await stage.theatre.begin_recording("demo")
        assert name == "demo-20310504-201530"
        assert stage.theatre.recording("demo") == name
        assert stage.theatre.watching("demo") == 1
        with pytest.raises(ConfigurationError, match="already"):
            await stage.theatre.begin_recording("demo")
        stage.monitor.shown.clear()
        async with asyncio.timeout(10):
            while len(stage.monitor.pictures) < 40:
                stage.monitor.shown.clear()
                await stage.monitor.shown.wait()
        await stage.theatre.end_recording("demo")
        assert stage.theatre.recording("demo") is None
        with av.open(str(stage.folder / "recordings" / f"{name}.mp4")) as film:
            assert {stream.type for stream in film.streams} == {"audio", "video"}
        assert await stage.theatre.begin_recording("demo") == f"{name}-2"
        await stage.theatre.close("demo")
        assert stage.theatre.recording("demo") is None


async def test_what_is_off_cannot_be_recorded(tmp_path: Path) -> None:
    async with house(tmp_path) as stage:
        with pytest.raises(ConfigurationError, match="off"):
            await stage.theatre.begin_recording("demo")
        await stage.theatre.end_recording("demo")
    theatre = StreamTheatre(Streams(FakeEngine()))
    with pytest.raises(ConfigurationError, match="off"):
        await theatre.begin_recording("demo")
