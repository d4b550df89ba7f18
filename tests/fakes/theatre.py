"""A theatre under a virtual clock: lines take as long as their words, and nothing is drawn."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from agents.show.line import Line
from pipeline.clock import Clock
from pipeline.contract import FRAME_SAMPLES, WIRE_RATE, SessionSink, SoundFrame
from pipeline.errors import ConfigurationError, ServerFullError
from pipeline.events import SpokenThrough
from pipeline.options import SessionOptions
from pipeline.programme import Programme

PAUSE_S: Final = 0.25
_LOUD: Final = np.full(FRAME_SAMPLES, 8000, np.int16)


@dataclass(frozen=True, slots=True)
class Heard:
    """What was heard of a line, and when it began and ended by the clock."""

    line: Line
    began: float
    ended: float
    whole: bool
    text: str


class FakePerformer:
    """A `pipeline.rooms.theatre.Performer` that prepares one line while another is heard.

    `seconds`: how long a line takes. A text with "unspeakable" in it fails.
    """

    def __init__(
        self,
        clock: Clock,
        options: SessionOptions,
        monitor: SessionSink,
        seconds: Callable[[Line], float],
    ) -> None:
        self.options = options
        self.monitor = monitor
        self.heard: list[Heard] = []
        self.muted = self.spoken_through = False
        self.card: str | None = None
        self.shown: dict[str, object] = {}
        self._clock = clock
        self._seconds = seconds
        self._programme: Programme | None = None
        self._running: Line | None = None
        self._owner: Programme | None = None
        self._prepared: Line | None = None
        self._began = 0.0
        self._dry = False
        self._cut = asyncio.Event()
        self._woken = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name="fake performer")

    @property
    def id(self) -> str:
        return "sess_fake"

    @property
    def position(self) -> int:
        return round(self._clock.now() * WIRE_RATE)

    @property
    def running(self) -> Line | None:
        """The line that is heard now."""
        return self._running

    def perform(self, programme: Programme | None) -> None:
        self._withdraw("cancelled")
        self._programme = programme
        self._dry = False
        self._woken.set()

    def wake(self) -> None:
        self._withdraw("withdrawn")
        self._dry = False
        self._woken.set()

    def hush(self) -> None:
        self._end(whole=False)
        self._cut.set()
        self.wake()

    def mute(self, muted: bool) -> None:
        self.muted = muted

    def show(self, changes: Mapping[str, object]) -> None:
        self.shown = dict(changes)

    def hold_card(self, text: str | None) -> None:
        self.card = text

    def speak_through(self, on: bool, *, now: bool = False) -> None:
        if on and now:
            self.hush()
        self.spoken_through = on
        self.monitor.event(SpokenThrough(on))

    def update(self, options: SessionOptions) -> None:
        if options.voice == "nobody":
            raise ConfigurationError("voice is 'nobody'; accepted: tone")
        self.options = options

    async def close(self) -> None:
        """End, as a session does."""
        self._end(whole=False)
        self._withdraw("cancelled")
        self._programme = None
        self._task.cancel()
        await asyncio.wait({self._task})

    async def _run(self) -> None:
        while True:
            if self._running is None and not self._begin():
                self._woken.clear()
                await self._woken.wait()
                continue
            self._cut.clear()
            await self._sound()
            await self._clock.sleep_until(self._clock.now() + PAUSE_S)

    async def _sound(self) -> None:
        line = self._running
        if line is None:
            return
        self._prepare()
        until = self._began + self._seconds(line) / self.options.speed
        while self._running is line and self._clock.now() < until:
            self.monitor.sound(SoundFrame(_LOUD, self.position))
            await self._clock.sleep_until(min(until, self._clock.now() + 1.0))
            self._prepare()
        if self._running is line:
            self._end(whole=True)

    def _begin(self) -> bool:
        self._prepare()
        line, self._prepared = self._prepared, None
        if line is None or self._programme is None:
            return False
        self._running, self._owner = line, self._programme
        self._began = self._clock.now()
        self._owner.began(line, self.position)
        return True

    def _prepare(self) -> None:
        while self._prepared is None and self._programme is not None and not self._dry:
            line = self._programme.next_line()
            if line is None:
                self._dry = True
            elif "unspeakable" in line.text:
                self._programme.dropped(line, "failed", "the voice broke")
            else:
                self._prepared = line

    def _end(self, *, whole: bool) -> None:
        line, self._running = self._running, None
        if line is None or self._owner is None:
            return
        now = self._clock.now()
        text = line.text if whole else line.text[: len(line.text) // 2]
        self.heard.append(Heard(line, self._began, now, whole, text))
        self._owner.ended(line, text, whole=whole)

    def _withdraw(self, why: str) -> None:
        line, self._prepared = self._prepared, None
        if line is not None and self._programme is not None:
            self._programme.dropped(line, "withdrawn" if why == "withdrawn" else "cancelled")


class FakeTheatre:
    """A `pipeline.rooms.theatre.Theatre`. `seats`: sessions at a time."""

    def __init__(
        self, clock: Clock, seconds: Callable[[Line], float] | None = None, seats: int = 4
    ) -> None:
        self.seats = seats
        self.opened: list[FakePerformer] = []
        self.stages: dict[str, FakePerformer] = {}
        self.recordings: dict[str, str] = {}
        self.viewers = 0
        self._clock = clock
        self._seconds = seconds or (lambda line: 1.0 + 0.06 * len(line.text))
        self._ended: dict[str, Callable[[str], None]] = {}

    async def open(
        self,
        name: str,
        options: SessionOptions,
        monitor: SessionSink,
        ended: Callable[[str], None],
    ) -> FakePerformer:
        if len(self.stages) >= self.seats:
            raise ServerFullError(self.seats)
        performer = FakePerformer(self._clock, options, monitor, self._seconds)
        self.opened.append(performer)
        self.stages[name] = performer
        self._ended[name] = ended
        return performer

    async def close(self, name: str) -> None:
        performer = self.stages.pop(name, None)
        if performer is not None:
            await performer.close()

    async def break_down(self, name: str) -> None:
        """The session ends by itself."""
        performer = self.stages.pop(name)
        await performer.close()
        self._ended[name]("its session broke")

    def watching(self, name: str) -> int:
        return self.viewers if name in self.stages else 0

    async def begin_recording(self, name: str) -> str:
        self.recordings[name] = f"{name}-1"
        return self.recordings[name]

    async def end_recording(self, name: str) -> None:
        self.recordings.pop(name, None)

    def recording(self, name: str) -> str | None:
        return self.recordings.get(name)
