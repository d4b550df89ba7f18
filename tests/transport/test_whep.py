"""Viewers over real connections: one encode for eight, a slow one apart, nothing left behind."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pipeline.contract import EncodedPicture
from pipeline.errors import ServerFullError
from pipeline.options import SessionOptions, VideoFormat
from tests.fakes.engine import FakeEngine, FakeScript
from tests.fakes.pictures import counter_picture, read_counter
from tests.transport.offers import REFUSED, VP8, audio_section, sdp, video_section
from tests.transport.watcher import Watcher, units
from transport.broadcast import Seat
from transport.errors import (
    ExchangeNotFoundError,
    OfferError,
    StreamNotFoundError,
    ViewersFullError,
)
from transport.recording import decode_pictures
from transport.streams import Stream, Streams
from transport.whep import Viewers

TALK = FakeScript(always=True)
# To watch pictures alone is no mistake of a viewer's.
BAD = {name: text for name, text in REFUSED.items() if name != "video alone"}
SMALL = VideoFormat("h264", 128, 224, 400_000)


@dataclass
class Station:
    """A server with one stream, without HTTP."""

    engine: FakeEngine
    streams: Streams
    viewers: Viewers
    stream: Stream

    async def watch(self, watcher: Watcher) -> str:
        """Let `watcher` watch; return its connection's name."""
        answered = await self.viewers.answer("lobby", await watcher.offer())
        await watcher.take(answered.sdp)
        return answered.id


@asynccontextmanager
async def on_air(
    script: FakeScript = TALK,
    *,
    video: VideoFormat | None = SMALL,
    per_stream: int = 16,
    limit: int = 16,
    connect_s: float = 5.0,
    silent_s: float = 15.0,
) -> AsyncIterator[Station]:
    engine = FakeEngine([script])
    streams = Streams(engine)
    viewers = Viewers(
        streams,
        per_stream=per_stream,
        limit=limit,
        connect_timeout_s=connect_s,
        silent_timeout_s=silent_s,
    )
    stream = streams.open("lobby", SessionOptions(video=video))
    try:
        yield Station(engine, streams, viewers, stream)
    finally:
        await viewers.close()
        await streams.close()
        assert engine.sessions == 0


@asynccontextmanager
async def audience(station: Station, count: int) -> AsyncIterator[list[Watcher]]:
    """Let so many watch, who come at the same time."""
    async with AsyncExitStack() as stack:
        watchers = [await stack.enter_async_context(Watcher()) for _ in range(count)]
        await asyncio.gather(*map(station.watch, watchers))
        yield watchers


def grain(width: int, height: int, index: int) -> NDArray[np.uint8]:
    """Return planes that cost all the bits there are."""
    planes = counter_picture(width, height, index)
    noise = np.random.default_rng(index).integers(0, 30, (height, width), np.uint8)
    planes[:height] //= 2
    planes[:height] += 32 + noise
    return planes


def files() -> int:
    return len(list(Path(f"/proc/{os.getpid()}/fd").iterdir()))


def tasks() -> set[str]:
    return {task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()}


async def test_eight_viewers_see_one_encode_from_one_keyframe() -> None:
    async with on_air() as station:
        encoded: list[tuple[bytes, ...]] = []
        spread = station.stream.broadcast.picture

        def count_and_spread(picture: EncodedPicture) -> None:
            encoded.append(units(picture.data))
            spread(picture)

        station.stream.broadcast.picture = count_and_spread  # type: ignore[method-assign]
        together: list[Seat] = []
        join = station.stream.broadcast.join

        def join_together(seat: Seat) -> None:
            together.append(seat)
            if len(together) == 8:
                for each in together:
                    join(each)

        station.stream.broadcast.join = join_together  # type: ignore[method-assign]
        async with audience(station, 8) as watchers:
            for watcher in watchers:
                await watcher.until(lambda w=watcher: w.pictures or None, 20)  # type: ignore[misc]
            assert station.engine.opened[0].keyframes_asked == 1
            for watcher in watchers:
                await watcher.more(30)
            for watcher in watchers:
                assert {units(picture.data) for _, picture in watcher.pictures} <= set(encoded)
                assert np.diff(watcher.media()).max() == pytest.approx(0.04)
                assert len(watcher.sounds) > 50
            assert station.stream.broadcast.viewers == 8
        await asyncio.wait_for(station.viewers.empty(), 10)
        assert station.stream.broadcast.viewers == 0


async def test_what_a_viewer_sees_decodes_from_the_first_picture_on() -> None:
    async with on_air() as station, Watcher() as watcher:
        await station.watch(watcher)
        await watcher.more(20)
        coded = [picture for _, picture in watcher.pictures]
        frames = [frame for frame in decode_pictures("h264", coded) if frame is not None]
        counters = [read_counter(f.to_ndarray(format="gray").astype(np.uint8)) for f in frames]
        assert len(counters) == len(coded)
        assert counters == list(range(counters[0], counters[0] + len(counters)))


async def test_a_viewer_on_a_thin_link_gets_keyframes_and_the_others_stay_on_time() -> None:
    async with on_air(FakeScript(picture=grain)) as station, audience(station, 3) as watchers:
        slow, *others = watchers
        for watcher in watchers:
            await watcher.more(5)
        slow.throttle(250_000)
        loop = asyncio.get_running_loop()
        while not station.stream.broadcast.slow_viewers:
            await others[0].more(1)
        since = loop.time()
        await others[0].more(200, 60)
        for other in others:
            assert np.diff(other.media(since)).max() == pytest.approx(0.04)
            assert len(other.media(since)) > 100
        assert len(slow.media(since)) < len(others[0].media(since)) / 2, "but where it was tried"
        assert slow.whole_keyframes(since), "one that comes bit by bit gets through"
        slow.throttle(None)
        while station.stream.broadcast.slow_viewers:
            await others[0].more(1)
        await slow.more(25)


async def test_a_viewer_that_vanishes_is_forgotten_and_slows_nobody() -> None:
    async with on_air(silent_s=5.0) as station, audience(station, 2) as watchers:
        gone, left = watchers
        for watcher in watchers:
            await watcher.more(5)
        await gone.vanish()
        since = asyncio.get_running_loop().time()
        while len(station.viewers) == 2:
            await left.more(1)
        assert station.stream.broadcast.viewers == 1
        assert np.diff(left.media(since)).max() == pytest.approx(0.04)


async def test_sound_alone_and_pictures_alone_may_be_watched() -> None:
    async with on_air() as station, Watcher(video=False) as ear, Watcher(sound=False) as eye:
        await station.watch(ear)
        await station.watch(eye)
        await ear.until(lambda: ear.sounds[25:] or None, 10)
        await eye.more(10)
        assert ear.pictures == []
        assert eye.sounds == []
    async with on_air(video=None) as station, Watcher() as watcher:
        answered = await station.viewers.answer("lobby", await watcher.offer())
        assert "m=video" in answered.sdp
        assert "a=inactive" in answered.sdp
        await watcher.take(answered.sdp)
        await watcher.until(lambda: watcher.sounds[25:] or None, 10)


async def test_the_bitrate_follows_nobody() -> None:
    async with on_air() as station, Watcher() as watcher:
        await station.watch(watcher)
        await watcher.more(60)
        assert station.engine.opened[0].bitrates == []


async def test_a_stream_rests_while_nobody_watches() -> None:
    async with on_air() as station, Watcher() as watcher:
        session = station.engine.opened[0]
        assert session.rested.is_set()
        name = await station.watch(watcher)
        await watcher.more(5)
        assert not session.rested.is_set()
        await station.viewers.end("lobby", name)
        assert session.rested.is_set()


@pytest.mark.parametrize("name", BAD)
async def test_a_bad_offer_leaves_nothing(name: str) -> None:
    async with on_air() as station:
        before, running = files(), tasks()
        with pytest.raises(OfferError):
            await station.viewers.answer("lobby", BAD[name])
        await asyncio.sleep(0)
        assert len(station.viewers) == len(station.stream.guests) == 0
        assert files() <= before
        assert tasks() == running


@pytest.mark.parametrize(
    "offer",
    [
        sdp(audio_section(direction="recvonly"), video_section(VP8)),
        sdp(audio_section(direction="sendonly")),
        sdp(audio_section(direction="inactive")),
    ],
)
async def test_an_offer_that_is_not_to_watch_is_refused(offer: str) -> None:
    async with on_air() as station:
        with pytest.raises(OfferError, match="accepted"):
            await station.viewers.answer("lobby", offer)
        assert len(station.stream.guests) == 0


async def test_there_is_room_for_so_many_and_again_when_one_has_gone() -> None:
    offer = sdp(audio_section(direction="recvonly"))
    async with on_air(per_stream=2, limit=3) as station:
        station.streams.open("hall", SessionOptions())
        first = await station.viewers.answer("lobby", offer)
        await station.viewers.answer("lobby", offer)
        before, running = files(), tasks()
        with pytest.raises(ViewersFullError, match="'lobby' has 2 viewers"):
            await station.viewers.answer("lobby", offer)
        assert files() == before
        assert tasks() == running
        await station.viewers.answer("hall", offer)
        with pytest.raises(ViewersFullError, match="the server has 3") as refusal:
            await station.viewers.answer("hall", offer)
        assert isinstance(refusal.value, ServerFullError)
        assert refusal.value.retry_after_s > 0
        await station.viewers.end("lobby", first.id)
        await station.viewers.answer("lobby", offer)


async def test_who_does_not_connect_is_forgotten() -> None:
    async with on_air(connect_s=0.2) as station:
        before = files()
        answered = await station.viewers.answer("lobby", sdp(audio_section(direction="recvonly")))
        async with asyncio.timeout(5):
            await station.viewers.empty()
        await asyncio.sleep(0)
        assert files() <= before
        with pytest.raises(ExchangeNotFoundError):
            await station.viewers.end("lobby", answered.id)


async def test_names_of_connections_hold_for_their_own_stream() -> None:
    async with on_air() as station:
        station.streams.open("hall", SessionOptions())
        offer = sdp(audio_section(direction="recvonly"))
        answered = await station.viewers.answer("lobby", offer)
        other = await station.viewers.answer("lobby", offer)
        assert answered.id != other.id
        assert len(answered.id) > 20
        with pytest.raises(ExchangeNotFoundError):
            await station.viewers.end("hall", answered.id)
        with pytest.raises(StreamNotFoundError):
            await station.viewers.answer("attic", offer)


async def test_viewers_leave_with_their_stream() -> None:
    async with on_air() as station, Watcher() as watcher:
        await station.watch(watcher)
        await watcher.more(5)
        await station.streams.end("lobby")
        assert station.engine.sessions == 0
        async with asyncio.timeout(10):
            await station.viewers.empty()
        await watcher.until(lambda: watcher.failed or None, 10)
