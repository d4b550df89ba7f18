"""Hearing put together: detector and recogniser over a recording, in its own time."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from encoder.hearing import HearingEvent, SpeechPaused, SpeechStarted, SpeechStopped
from encoder.recognizer import Recognition, Recognizer, Transcript
from encoder.turns import TurnDetector

CHUNK = 320
QUIET = 3.0
"""Seconds of silence after the recording, so that its last turn ends."""


@dataclass
class Listener:
    """Recognises every pause, and tells the detector `delay` seconds of audio later."""

    detector: TurnDetector
    recognizer: Recognizer
    delay: float = 0.3
    turns: list[Transcript] = field(default_factory=list)
    ended: list[float] = field(default_factory=list)
    _recognition: Recognition | None = None
    _waiting: list[tuple[float, float, Transcript]] = field(default_factory=list)
    _last: Transcript | None = None

    def listen(self, samples: NDArray[np.float32]) -> None:
        """Hear a whole recording, float32 [n] at 16 kHz."""
        heard = np.concatenate([samples, np.zeros(round(QUIET * 16_000), np.float32)])
        for start in range(0, heard.size, CHUNK):
            self._tell(start / 16_000)
            for event in self.detector.push(heard[start : start + CHUNK]):
                self._take(event, start / 16_000)

    def _tell(self, now: float) -> None:
        while self._waiting and self._waiting[0][0] <= now:
            _, at, transcript = self._waiting.pop(0)
            self.detector.set_text(transcript.text, transcript.language, at)

    def _take(self, event: HearingEvent, now: float) -> None:
        if isinstance(event, SpeechStarted):
            self._recognition = self.recognizer.open()
        elif isinstance(event, SpeechPaused):
            assert self._recognition is not None
            self._last = self._recognition.final(event.samples)
            self._waiting.append((now + self.delay, event.at, self._last))
        elif isinstance(event, SpeechStopped) and event.confirmed:
            assert self._last is not None
            if self._last.speech:
                self.turns.append(self._last)
                self.ended.append(self.detector.at - event.at)
