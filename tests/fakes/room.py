"""A whole live session over fakes, under a virtual clock, and a person who talks to it."""

import asyncio
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.host import Host
from encoder.options import TurnOptions
from encoder.turns import TurnDetector
from motion.procedural import ProceduralMover
from pipeline.contract import FRAME_SAMPLES
from pipeline.looks import Looks
from pipeline.options import SessionOptions
from pipeline.session import LiveSession, Parts
from pipeline.voice_health import Speaker
from pipeline.worker import Worker
from tests.fakes.clock import VirtualClock
from tests.fakes.executor import InlineExecutor, SlowExecutor
from tests.fakes.hearing import FakeRecognizer, LoudnessVad
from tests.fakes.host import EchoHost
from tests.fakes.sink import RecordingSink
from tests.fakes.voice import CostlySpeaker, FakeVoice


class Room:
    """One session and its person.

    `lines`: what the recogniser hears in each utterance, in order; the last one for ever.
    `recognising_s`: how long one recognition takes. `voicing`: which share of the time it speaks
    the voice takes.
    """

    def __init__(
        self,
        *lines: str,
        options: SessionOptions | None = None,
        recognising_s: float = 0.0,
        voicing: float = 0.0,
    ) -> None:
        self.clock = VirtualClock()
        self._recognising_s = recognising_s
        self._voicing = voicing
        self.sink = RecordingSink()
        self.host = EchoHost(self.clock)
        self.voice = FakeVoice()
        self.lines = list(lines) or ["what is this"]
        self.utterances = 0
        self.ended = 0
        self.recognizer = FakeRecognizer(lambda _: self._line())
        self.session = LiveSession(
            options or SessionOptions(), self.sink, self._parts(), lambda _: self._end()
        )
        self._noise = np.random.default_rng(1)

    def _parts(self) -> Parts:
        workers = [Worker(name, 64, InlineExecutor()) for name in ("hear", "asr", "voice")]
        if self._recognising_s:
            slow = SlowExecutor(self.clock, self._recognising_s)
            workers[1] = Worker("asr", 64, slow)
        host: Host = self.host  # type: ignore[assignment]
        return Parts(
            clock=self.clock,
            host=host,
            recognizer=self.recognizer,
            hearing=workers[0],
            recognising=workers[1],
            detector=lambda _: TurnDetector(LoudnessVad(), TurnOptions()),
            speaker=lambda _name, _language, speed: (
                CostlySpeaker(self.voice, workers[2], speed, clock=self.clock, share=self._voicing)
                if self._voicing
                else Speaker(self.voice, workers[2], speed)
            ),
            mover=ProceduralMover(1),
            looks=Looks(Path("no such folder")),
            drawing=None,
        )

    async def open(self) -> None:
        self.session.start()
        await self.clock.run(0.1)

    async def speak(self, seconds: float) -> None:
        """The person speaks for a while."""
        self.utterances += 1
        await self._send(seconds, 0.2)

    async def silence(self, seconds: float) -> None:
        """The person is silent for a while."""
        await self._send(seconds, 0.0)

    async def close(self) -> None:
        closing = asyncio.create_task(self.session.close())
        await self.clock.run(2 * self._recognising_s)  # calls under way are waited for
        await closing
        await self.clock.settle()

    async def _send(self, seconds: float, loudness: float) -> None:
        for _ in range(round(seconds / 0.02)):
            self.session.hear(self._sound(loudness))
            await self.clock.run(0.02)

    def _sound(self, loudness: float) -> NDArray[np.float32]:
        return (loudness * self._noise.standard_normal(FRAME_SAMPLES)).astype(np.float32)

    def _line(self) -> str:
        index = min(max(self.utterances, 1), len(self.lines)) - 1
        return self.lines[index]

    def _end(self) -> None:
        self.ended += 1
