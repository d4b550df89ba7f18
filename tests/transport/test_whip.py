"""Publishers over real connections: the host hears them, one at a time, and looks at nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pipeline.contract import WIRE_RATE
from pipeline.options import SessionOptions
from tests.fakes.engine import FakeEngine, FakeSession
from tests.transport.offers import audio_section, sdp
from tests.transport.publishing import HUM, Speaker
from transport.errors import StreamTakenError
from transport.incoming import HeardSound
from transport.streams import Streams
from transport.whip import Publisher, Publishers

OFFER = sdp(audio_section(direction="sendonly"))


@dataclass
class Ear:
    """What a session heard, and the wait for it."""

    session: FakeSession
    parts: list[NDArray[np.float32]] = field(default_factory=list)
    came: asyncio.Event = field(default_factory=asyncio.Event)
    cleared: int = 0

    def __post_init__(self) -> None:
        self.session.hear = self._hear  # type: ignore[method-assign]
        self.session.clear_audio = self._clear  # type: ignore[method-assign]

    async def loud(self) -> None:
        """Wait until there was something to hear."""
        async with asyncio.timeout(15):
            while not any(np.abs(part).max() > 0.1 for part in self.parts):
                self.came.clear()
                await self.came.wait()

    def _hear(self, samples: NDArray[np.float32]) -> None:
        self.parts.append(samples)
        self.came.set()

    def _clear(self) -> None:
        self.cleared += 1


@dataclass
class Station:
    """A server with one stream, without HTTP."""

    streams: Streams
    publishers: Publishers
    ear: Ear

    async def publish(self, speaker: Speaker) -> Publisher:
        """Let `speaker` publish."""
        answered = await self.publishers.answer("lobby", await speaker.offer())
        await speaker.take(answered.sdp)
        publisher = self.publishers._serving.get(answered.id)
        assert publisher is not None
        return publisher


@asynccontextmanager
async def on_air(connect_s: float = 5.0, silent_s: float = 15.0) -> AsyncIterator[Station]:
    engine = FakeEngine()
    streams = Streams(engine)
    publishers = Publishers(streams, connect_timeout_s=connect_s, silent_timeout_s=silent_s)
    streams.open("lobby", SessionOptions())
    try:
        yield Station(streams, publishers, Ear(engine.opened[0]))
    finally:
        await publishers.close()
        await streams.close()
        assert engine.sessions == 0


async def test_the_host_hears_what_is_published() -> None:
    async with on_air() as station, Speaker() as speaker:
        await station.publish(speaker)
        speaker.microphone.speak(HUM)
        await station.ear.loud()
        assert all(part.dtype == np.float32 for part in station.ear.parts)
        await speaker.microphone.speak(HUM)
        heard = np.concatenate(station.ear.parts)
        spectrum = np.abs(np.fft.rfft(heard[-WIRE_RATE // 2 :]))
        assert np.argmax(spectrum) * 2 == pytest.approx(220, abs=4)


async def test_pictures_are_taken_and_dropped() -> None:
    async with on_air() as station, Speaker(video=True) as speaker:
        publisher = await station.publish(speaker)
        assert "m=video" in speaker.rtc.remoteDescription.sdp
        assert "a=inactive" not in speaker.rtc.remoteDescription.sdp
        speaker.microphone.speak(HUM)
        await speaker.microphone.speak(HUM)
        rtc = publisher._connection.rtc
        (video,) = (each for each in rtc.getTransceivers() if each.kind == "video")
        received = await video.receiver.getStats()
        packets = [each.packetsReceived for each in received.values() if each.type == "inbound-rtp"]
        assert packets[0] > 10, "they came"
        track: Any = video.receiver.track
        assert track._queue.empty(), "and were not decoded"


async def test_one_speaks_at_a_time_and_the_next_when_it_has_gone() -> None:
    async with on_air() as station, Speaker() as first, Speaker() as second:
        publisher = await station.publish(first)
        with pytest.raises(StreamTakenError, match="lobby"):
            await station.publishers.answer("lobby", OFFER)
        await station.publishers.end("lobby", publisher.id)
        assert station.ear.cleared == 1, "half a sentence is not answered"
        await station.publish(second)
        second.microphone.speak(HUM)
        await station.ear.loud()


async def test_two_who_come_together_are_one_and_a_refusal() -> None:
    async with on_air() as station:
        answers = await asyncio.gather(
            *(station.publishers.answer("lobby", OFFER) for _ in range(4)), return_exceptions=True
        )
        assert sum(isinstance(answer, StreamTakenError) for answer in answers) == 3
        assert len(station.publishers) == 1


async def test_who_vanishes_makes_room() -> None:
    async with on_air(silent_s=1.0) as station:
        async with Speaker() as speaker:
            await station.publish(speaker)
            speaker.microphone.speak(HUM)
            await station.ear.loud()
            await speaker.vanish()
        async with asyncio.timeout(10):
            await station.publishers.empty()
        async with Speaker() as speaker:
            await station.publish(speaker)


async def test_who_does_not_connect_makes_room() -> None:
    async with on_air(connect_s=0.2) as station:
        await station.publishers.answer("lobby", OFFER)
        async with asyncio.timeout(5):
            await station.publishers.empty()
        assert station.streams.get("lobby").publisher is None
        await station.publishers.answer("lobby", OFFER)


async def test_sound_that_cannot_be_heard_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: HeardSound, frame: object) -> None:
        raise RuntimeError(f"no use for {frame}")

    monkeypatch.setattr(HeardSound, "take", fail)
    async with on_air() as station, Speaker() as speaker:
        await station.publish(speaker)
        async with asyncio.timeout(10):
            await station.publishers.empty()
        assert station.streams.get("lobby").publisher is None


async def test_a_publisher_leaves_with_the_stream() -> None:
    async with on_air() as station, Speaker() as speaker:
        await station.publish(speaker)
        await station.streams.end("lobby")
        async with asyncio.timeout(10):
            await station.publishers.empty()
