"""Somebody's own voice with the host's mouth: sound that is published goes out half a second later.

It is levelled, its mouth is heard in it (`pipeline.mouthing`), and it is put on the timeline piece
by piece, a little ahead, so that what comes late by less than that is not heard as a gap.
"""

import asyncio
from collections import deque
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from avatar.speech import SPEECH_RATE, Speech
from encoder.resample import Resampler
from pipeline.clock import Clock
from pipeline.contract import WIRE_RATE
from pipeline.events import SpokenThrough
from pipeline.floor import Floor
from pipeline.levelling import QUIET_DB, Leveller, level_db
from pipeline.mouthing import Ear, Mouthed, listening_lips
from pipeline.performance import Performance
from pipeline.stages.move import MoveStage
from pipeline.worker import Worker, WorkerBusyError

# Seconds of sound that are worked on at once: whole poses.
PIECE: Final = 0.24
# Seconds by which it lies ahead at first, and after a gap.
AHEAD: Final = 0.12
# Lying so far ahead it loses quiet pieces, and beyond the second bound any.
MUCH_AHEAD: Final = 0.5
MOST_AHEAD: Final = 0.8
# Seconds without sound after which nobody speaks any more; before the first sound it may be longer.
GONE: Final = 2.0
NEVER_CAME: Final = 20.0
_BACKLOG: Final = 50  # chunks of 20 ms
_POSE: Final = SPEECH_RATE // 25

Sound = NDArray[np.float32]


class SpeakingThrough:
    """One session's line from a microphone to the host's mouth. Runs on the event loop.

    Attributes:
        wanted: sound is taken from publishers; it is heard once the running line has ended.
    """

    def __init__(
        self, floor: Floor, performance: Performance, move: MoveStage, clock: Clock, worker: Worker
    ) -> None:
        self.wanted = False
        self._floor = floor
        self._performance = performance
        self._move = move
        self._clock = clock
        self._worker = worker
        self._live = False
        self._turn = 0
        self._chunks: deque[Sound] = deque(maxlen=_BACKLOG)
        self._filled = asyncio.Event()
        self._heard_at = 0.0
        self._came = False
        self._mouthpiece: _Mouthpiece | None = None

    def start(self, *, now: bool) -> None:
        """Take sound, from the end of the running line on, which `now` cuts. Idempotent."""
        if now:
            self._performance.hush()
        if self.wanted:
            return
        self.wanted, self._came = True, False
        self._performance.resting = True
        self._heard_at = self._clock.now()
        self._mouthpiece = _Mouthpiece()

    def stop(self, reason: Literal["asked", "silent"] = "asked") -> None:
        """Take no more; the programme goes on when what was taken has been heard."""
        if not self.wanted:
            return
        self.wanted = self._live = False
        self._chunks.clear()
        self._mouthpiece = None
        self._floor.tell(SpokenThrough(on=False, reason=reason))

    def hear(self, samples: Sound) -> None:
        """Take sound (float32 [n], 48 kHz); what exceeds a second is dropped, oldest first."""
        self._heard_at, self._came = self._clock.now(), True
        if self._live:
            self._chunks.append(samples)
            self._filled.set()

    def tick(self) -> None:
        """20 ms have passed: begin, notice that nobody speaks, or let the programme go on."""
        if not self.wanted:
            if self._performance.resting and not self._move.timeline.pending(self._turn):
                self._performance.resting = False
            return
        if not self._live and not self._floor.machine.answering:
            self._live, self._turn = True, self._floor.machine.reserve()
            self._floor.tell(SpokenThrough(on=True))
        if self._clock.now() - self._heard_at > (GONE if self._came else NEVER_CAME):
            self.stop("silent")

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            self._filled.clear()
            while self._taken() >= PIECE:
                await self._work(np.concatenate([self._chunks.popleft() for _ in self._enough()]))
            await self._filled.wait()

    def _taken(self) -> float:
        return sum(map(len, self._chunks)) / WIRE_RATE

    def _enough(self) -> range:
        """Return as many chunks as make a piece."""
        seconds = 0.0
        for number, chunk in enumerate(self._chunks, 1):
            seconds += len(chunk) / WIRE_RATE
            if seconds >= PIECE:
                return range(number)
        return range(len(self._chunks))

    async def _work(self, samples: Sound) -> None:
        mouthpiece = self._mouthpiece
        if mouthpiece is None:
            return
        try:
            made = await self._worker.run(mouthpiece, samples)
        except WorkerBusyError:
            return  # the machine is short of time: a gap
        # It may have been stopped meanwhile, or a client has had the host say something.
        wanted = mouthpiece is self._mouthpiece and not self._floor.machine.answering
        if made is not None and wanted:
            self._place(made)

    def _place(self, made: Mouthed) -> None:
        ahead = self._move.timeline.ahead
        speaks = level_db(made.speech.samples) > QUIET_DB
        if ahead > MOST_AHEAD or (ahead > MUCH_AHEAD and not speaks):
            return
        if not ahead:
            made = _later(made, round(AHEAD * SPEECH_RATE / _POSE))
        self._move.utter(self._turn, made, speaks=speaks)
        self._move.timeline.forget(self._turn)


class _Mouthpiece:
    """Levels what somebody says, and hears the mouth in it. Used on a worker."""

    def __init__(self) -> None:
        self._lower = Resampler(WIRE_RATE, SPEECH_RATE, "HQ")
        self._level = Leveller()
        self._ear = Ear(listening_lips())

    def __call__(self, samples: Sound) -> Mouthed | None:
        return self._ear.hear(Speech(self._level(self._lower.push(samples))))


def _later(made: Mouthed, poses: int) -> Mouthed:
    """Return speech after as many poses of silence."""
    silence = np.zeros(poses * _POSE, np.float32)
    mouth = made.mouth
    if mouth is not None:
        mouth = np.concatenate([np.repeat(mouth[:1], poses, axis=0), mouth])
    return Mouthed(Speech(np.concatenate([silence, made.speech.samples])), mouth)
