"""hear: the person's sound becomes turns with a transcript, speculated on during each pause."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from encoder.hearing import HearingEvent, SpeechPaused, SpeechResumed, SpeechStopped
from encoder.recognizer import HEARING_RATE, Recognition, Recognizer, Transcript
from encoder.resample import Resampler
from encoder.turns import TurnDetector
from pipeline.channel import Channel, Envelope
from pipeline.clock import Clock
from pipeline.contract import WIRE_RATE
from pipeline.worker import Worker

BACKLOG = 50  # chunks of 20 ms: 1 s
PARTIAL_EVERY = 0.7  # seconds of new speech between two provisional decodes


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
        detector: of this session alone; touched only by the hearing worker, but for the setters.
        recognizer: shared; its calls run on `recognising`.
        happened: called on the event loop for each hearing event, in order.
        partial: called on the event loop for each provisional transcript.
    """

    def __init__(
        self,
        detector: TurnDetector,
        recognizer: Recognizer,
        languages: tuple[str, ...],
        hearing: Worker,
        recognising: Worker,
        clock: Clock,
        happened: Callable[[Heard], None],
        partial: Callable[[Transcript], None],
    ) -> None:
        self.detector = detector
        self.inbox: Channel[NDArray[np.float32]] = Channel(BACKLOG)
        self.dropped = 0
        self._recognizer = recognizer
        self._recognition: Recognition = recognizer.open(languages)
        self._hearing = hearing
        self._recognising = recognising
        self._clock = clock
        self._happened = happened
        self._partial = partial
        self._resampler = Resampler(WIRE_RATE, HEARING_RATE, "LQ")
        self._heard = 0
        self._pausing = False
        # Clock minus input time of the last second: its least is that of a chunk without delay.
        self._offsets: deque[float] = deque(maxlen=BACKLOG)
        self._decoding: asyncio.Task[None] | None = None
        self._decoded = 0

    def hear(self, samples: NDArray[np.float32]) -> None:
        """Take 48 kHz sound without waiting; drop the oldest when a second of it waits."""
        self.dropped += self.inbox.force(Envelope(1, samples))

    async def run(self) -> None:
        """Hear until cancelled."""
        try:
            while True:
                await self._step((await self.inbox.get()).payload)
        finally:
            await self.stop_partial()

    async def recognise(self, samples: NDArray[np.float32]) -> Transcript:
        """Recognise a finished utterance (float32 [n], 16 kHz)."""
        return await self._recognising.run(self._recognition.final, samples)

    def next_utterance(self, languages: tuple[str, ...]) -> None:
        """Begin a new utterance: nothing recognised so far binds it."""
        self._recognition = self._recognizer.open(languages)
        self._decoded = 0

    async def stop_partial(self) -> None:
        """Give up a provisional decode that has not begun; wait for one that has."""
        if self._decoding is not None:
            self._decoding.cancel()
            await asyncio.wait({self._decoding})
            self._decoding = None

    async def _step(self, samples: NDArray[np.float32]) -> None:
        events = await self._hearing.run(self._detect, samples)
        self._offsets.append(self._clock.now() - self._heard / WIRE_RATE)
        for event in events:
            self._pausing = isinstance(event, SpeechPaused) or (
                self._pausing and not isinstance(event, SpeechResumed | SpeechStopped)
            )
            self._happened(Heard(event, min(self._offsets) + event.at))
        self._maybe_partial()

    def _detect(self, samples: NDArray[np.float32]) -> list[HearingEvent]:
        narrow = self._resampler.push(samples)
        self._heard += len(samples)
        return self.detector.push(narrow)

    def _maybe_partial(self) -> None:
        if not self.detector.in_turn or self._pausing:
            return
        busy = self._decoding is not None and not self._decoding.done()
        heard = self.detector.heard()
        if busy or len(heard) - self._decoded < PARTIAL_EVERY * HEARING_RATE:
            return
        self._decoded = len(heard)
        self._decoding = asyncio.create_task(self._decode(heard), name="partial recognition")

    async def _decode(self, samples: NDArray[np.float32]) -> None:
        recognition = self._recognition
        transcript = await self._recognising.run(recognition.partial, samples)
        if recognition is self._recognition:
            self._partial(transcript)
