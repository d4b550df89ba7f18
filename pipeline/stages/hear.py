"""hear: the person's sound becomes turns with a transcript."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from encoder.hearing import HearingEvent, SpeechPaused, SpeechResumed, SpeechStarted, SpeechStopped
from encoder.recognizer import HEARING_RATE, Recognition, Recognizer, Transcript
from encoder.resample import Resampler
from encoder.turns import TurnDetector
from pipeline.channel import Channel, Envelope
from pipeline.clock import Clock
from pipeline.contract import FRAME_SAMPLES, WIRE_RATE
from pipeline.stages.base import StageError
from pipeline.worker import Worker, WorkerBusyError

BACKLOG: Final = 50  # chunks of 20 ms: 1 s
# Seconds of new speech between two provisional decodes, and how much they grow for each second of
# the utterance: the one under way when the person stops delays the decode that counts, and takes
# the longer the more was said. So there are few, and none in a short question.
PARTIAL_EVERY: Final = 1.2
PARTIAL_GROWTH: Final = 0.25
LONGEST_MANUAL: Final = 28 * HEARING_RATE
# Seconds after which a microphone that sends nothing counts as silent.
STOPPED_AFTER: Final = 0.3
SILENCE: Final = np.zeros(FRAME_SAMPLES, np.float32)

Sound = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Commit:
    """End the person's turn."""


@dataclass(frozen=True, slots=True)
class Clear:
    """Forget sound that has not become a turn."""


@dataclass(frozen=True, slots=True)
class Replace:
    """Forget as `Clear` does, and take turns in another way from now on."""

    detector: TurnDetector
    manual: bool


@dataclass(frozen=True, slots=True)
class Then:
    """Call back on the event loop."""

    call: Callable[[], None]


# Orders travel with the sound, so that each applies to what came before it and to no more.
Order = Commit | Clear | Replace | Then


@dataclass(frozen=True, slots=True)
class Heard:
    """A hearing event, and when (on the session's clock) the sound it is about was received.

    `received`: clock seconds at which input second `event.at` arrived.
    """

    event: HearingEvent
    received: float


class HearStage:
    """Resamples, detects turns, recognises. Blocking parts run on the two workers.

    Args:
        detector: of this session alone; only the hearing worker feeds it.
        recognizer: shared; its calls run on `recognising`.
        happened: called on the event loop for each hearing event, in order.
        partial: called on the event loop for each provisional transcript.
        cleared: called on the event loop when what was heard so far has been forgotten.
        manual: no turns are detected; `commit` makes one of what was heard since the last.
    """

    def __init__(
        self,
        detector: TurnDetector,
        recognizer: Recognizer,
        hearing: Worker,
        recognising: Worker,
        clock: Clock,
        happened: Callable[[Heard], None],
        partial: Callable[[Transcript], None],
        cleared: Callable[[], None],
        *,
        manual: bool,
    ) -> None:
        self.inbox: Channel[Sound | Order] = Channel(BACKLOG)
        self.dropped = 0
        self._detector = detector
        self._manual = manual
        self._recognizer = recognizer
        self._recognition: Recognition = recognizer.open()
        self._hearing = hearing
        self._recognising = recognising
        self._clock = clock
        self._happened = happened
        self._partial = partial
        self._cleared = cleared
        self._resampler = Resampler(WIRE_RATE, HEARING_RATE, "LQ")
        self._heard = 0
        self._since = 0.0  # seconds of input before the detector's first
        self._arrived = clock.now()
        self._kept = np.zeros(0, np.float32)  # what a manual turn consists of
        self._pausing = False
        # Clock minus input time of the last second: its least is that of a chunk without delay.
        self._offsets: deque[float] = deque(maxlen=BACKLOG)
        self._decoding: asyncio.Task[None] | None = None
        self._decoded = 0

    def hear(self, samples: Sound) -> None:
        """Take 48 kHz sound without waiting; drop the oldest when a second of it waits."""
        now = self._clock.now()
        if now - self._arrived > STOPPED_AFTER:
            self._offsets.clear()  # what comes after a gap has times of its own
        self._arrived = now
        self.dropped += self._put(samples)

    @property
    def ahead(self) -> float:
        """Seconds of sound that wait to be heard."""
        return self.inbox.count(lambda one: 0 if isinstance(one, Order) else len(one)) / WIRE_RATE

    async def heard(self) -> None:
        """Wait until something has been taken out of the inbox."""
        await self.inbox.drained()

    def tick(self) -> None:
        """Notice, every 20 ms, that the microphone has stopped in mid-speech: that is silence."""
        if self._detector.in_turn and self._clock.now() - self._arrived > STOPPED_AFTER:
            self._put(SILENCE)

    def order(self, order: Order) -> None:
        """Have `order` obeyed once the sound before it has been heard."""
        self._put(order)

    def set_text(self, text: str, language: str, at: float | None = None) -> None:
        """Tell the detector what was recognised, to judge how finished it reads."""
        self._detector.set_text(text, language, None if at is None else at - self._since)

    def set_speaking(self, speaking: bool) -> None:
        """Tell the detector that our own voice begins or ends."""
        self._detector.set_speaking(speaking)

    async def run(self) -> None:
        """Hear until cancelled."""
        try:
            while True:
                await self._step((await self.inbox.get()).payload)
        finally:
            if self._decoding is not None:
                self._decoding.cancel()
                await asyncio.wait({self._decoding})

    async def recognise(self, samples: Sound) -> Transcript:
        """Recognise a finished utterance (float32 [n], 16 kHz)."""
        return await self._recognising.run(self._recognition.final, samples)

    def next_utterance(self, languages: tuple[str, ...]) -> None:
        """Begin a new utterance: nothing recognised so far binds it."""
        self._recognition = self._recognizer.open(languages)
        self._decoded = 0

    def _put(self, payload: Sound | Order) -> int:
        return self.inbox.force(Envelope(1, payload), spare=lambda one: isinstance(one, Order))

    async def _step(self, payload: Sound | Order) -> None:
        if isinstance(payload, Order):
            self._obey(payload)
            return
        try:
            events = await self._hearing.run(self._detect, payload)
        except WorkerBusyError:
            self.dropped += 1
            return
        self._offsets.append(self._clock.now() - self._heard / WIRE_RATE)
        for event in events:
            self._report(event)
        self._maybe_partial()

    def _detect(self, samples: Sound) -> list[HearingEvent]:
        narrow = self._resampler.push(samples)
        self._heard += len(samples)
        if self._manual:
            self._kept = np.concatenate([self._kept, narrow])[-LONGEST_MANUAL:]
            return []
        return self._placed(self._detector.push(narrow))

    def _placed(self, events: list[HearingEvent]) -> list[HearingEvent]:
        """Count the detector's times from the beginning of the session."""
        return [replace(event, at=event.at + self._since) for event in events]

    def _report(self, event: HearingEvent) -> None:
        self._pausing = isinstance(event, SpeechPaused) or (
            self._pausing and not isinstance(event, SpeechResumed | SpeechStopped)
        )
        latest = self._clock.now() - self._heard / WIRE_RATE
        self._happened(Heard(event, min(self._offsets, default=latest) + event.at))

    def _obey(self, order: Order) -> None:
        if isinstance(order, Commit):
            for event in self._commit():
                self._report(event)
            return
        if isinstance(order, Then):
            order.call()
            return
        if isinstance(order, Replace):
            self._detector, self._manual = order.detector, order.manual
            self._since = self._heard / WIRE_RATE
        self._detector.clear()
        self._kept = self._kept[:0]
        self._pausing = False
        self._cleared()

    def _commit(self) -> list[HearingEvent]:
        if not self._manual:
            return self._placed(self._detector.stop())
        samples, self._kept = self._kept, self._kept[:0]
        if not len(samples):
            return []
        at = self._heard / WIRE_RATE
        start = at - len(samples) / HEARING_RATE
        return [SpeechStarted(start), SpeechStopped(at, samples)]

    def _maybe_partial(self) -> None:
        if self._manual or not self._detector.in_turn or self._pausing:
            return
        busy = self._decoding is not None and not self._decoding.done()
        heard = self._detector.heard()
        wait = PARTIAL_EVERY * HEARING_RATE + PARTIAL_GROWTH * len(heard)
        if busy or len(heard) - self._decoded < wait:
            return
        self._decoded = len(heard)
        self._decoding = asyncio.create_task(self._decode(heard), name="partial recognition")

    async def _decode(self, samples: Sound) -> None:
        recognition = self._recognition
        # A provisional decode is a courtesy: when it fails, the final one tells.
        with suppress(*StageError):
            transcript = await self._recognising.run(recognition.partial, samples)
            if recognition is self._recognition:
                self._partial(transcript)
