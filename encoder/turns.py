"""Where a person's turn begins, pauses and ends."""

from collections import deque

import numpy as np
from numpy.typing import NDArray

from encoder.activity import WINDOW, VoiceActivity
from encoder.ending import EndOfTurn, TextEndOfTurn
from encoder.errors import EncoderValueError
from encoder.hearing import (
    HearingEvent,
    SpeechConfirmed,
    SpeechPaused,
    SpeechResumed,
    SpeechStarted,
    SpeechStopped,
)
from encoder.options import TurnOptions
from encoder.recognizer import HEARING_RATE
from encoder.tail import AudioTail

RESUMING_WINDOWS = 2
"""Windows of speech that end a pause: one alone is a click or a breath."""


class TurnDetector:
    """Turns 16 kHz samples into hearing events: one signal, one thread, no clock but the samples.

    Events of one turn come in this order, with times that never fall:
    SpeechStarted, SpeechConfirmed or not, then SpeechPaused and SpeechResumed in alternation (only
    after SpeechConfirmed), then SpeechStopped. They do not depend on how the input is chunked. The
    samples of a SpeechPaused and of a SpeechStopped that follows it at the same `at` are equal, so
    what was recognised in the pause stands. Memory is bounded by `options.maximum_turn`.

    `activity` is owned by the detector. `ending` is asked whenever a text arrives.
    """

    def __init__(
        self,
        activity: VoiceActivity,
        options: TurnOptions | None = None,
        ending: EndOfTurn | None = None,
    ) -> None:
        self.options = options or TurnOptions()
        self._activity = activity
        self._ending = ending or TextEndOfTurn()
        self._rest = np.zeros(0, np.float32)
        self._tail = AudioTail()
        self._count = 0
        self._grace_until = 0
        self._floor = 0
        self._rest_state()

    @property
    def at(self) -> float:
        """Seconds of input heard so far, in whole windows."""
        return self._seconds(self._count)

    @property
    def in_turn(self) -> bool:
        """Whether a turn has started and not stopped."""
        return self._in_turn

    @property
    def kept(self) -> float:
        """Seconds of audio held in memory."""
        return self._seconds(len(self._tail))

    def push(self, samples: NDArray[np.float32]) -> list[HearingEvent]:
        """Hear float32 [n] at 16 kHz, n >= 0, and return the events that follow from it."""
        if samples.dtype != np.float32 or samples.ndim != 1:
            raise EncoderValueError(
                f"{samples.dtype} samples of shape {samples.shape}: accepted is float32 [n]"
            )
        heard = np.concatenate([self._rest, samples])
        whole = heard.size // WINDOW * WINDOW
        self._rest = heard[whole:]
        events: list[HearingEvent] = []
        for start in range(0, whole, WINDOW):
            self._step(heard[start : start + WINDOW], events)
        return events

    def heard(self) -> NDArray[np.float32]:
        """Return the turn so far with its prefix, float32 [n]; nothing outside a turn."""
        end = self._count if self._in_turn else self._first
        return self._tail.between(self._first, end)

    def set_text(self, text: str, language: str, at: float | None = None) -> None:
        """Take the newest transcript of this turn, to judge how finished it reads.

        Text that came while the person spoke may lack the last words, so it can lengthen the wait
        but not shorten it. `at`: the time of the SpeechPaused whose samples were recognised; the
        text is dropped when that pause is over. None: the text belongs to this moment.
        """
        if not self._in_turn or (at is not None and not self._pausing_at(at)):
            return
        if not text.strip():
            return
        silence = self._ending.silence(text, language)
        if not self._paused:
            silence = max(silence, self.options.unknown_silence)
        self._silence = self._ticks(
            min(max(silence, self.options.minimum_silence), self.options.maximum_silence)
        )

    def set_speaking(self, speaking: bool) -> None:
        """Say that the avatar's voice begins or ends: for a moment it takes more to interrupt."""
        grace = self._ticks(self.options.barge_in_grace) if speaking else 0
        self._grace_until = self._count + grace

    def stop(self) -> list[HearingEvent]:
        """End the turn now, as when the client commits or the microphone goes away."""
        events: list[HearingEvent] = []
        if self._in_turn:
            self._end(events)
        return events

    def clear(self) -> None:
        """Forget the turn without an event, and all audio before this moment."""
        self._floor = self._count
        self._rest_state()

    def _rest_state(self) -> None:
        self._in_turn = self._confirmed = self._paused = False
        self._onset = self._first = self._voiced_end = self._count
        self._run = 0
        self._active: deque[float] = deque(maxlen=self._ticks(self.options.confirm_unsure))
        self._silence = self._ticks(self.options.unknown_silence)

    def _step(self, window: NDArray[np.float32], events: list[HearingEvent]) -> None:
        probability = self._activity.probability(window)
        self._tail.append(window)
        self._count += 1
        if self._in_turn:
            self._follow(probability, events)
        else:
            self._await(probability, events)
        keep = self._first if self._in_turn else self._prefix_start(self._count - self._run)
        self._tail.drop_before(keep)

    def _await(self, probability: float, events: list[HearingEvent]) -> None:
        options = self.options
        in_grace = self._count <= self._grace_until
        enter = options.barge_in_enter if in_grace else options.enter
        threshold = options.leave if self._run else enter
        if probability < threshold:
            self._run = 0
            self._active.clear()
            return
        self._run += 1
        self._active.append(probability)
        if self._run >= self._ticks(options.minimum_speech):
            self._begin(events)

    def _begin(self, events: list[HearingEvent]) -> None:
        self._onset = self._count - self._run
        self._first = self._prefix_start(self._onset)
        self._voiced_end = self._count
        self._in_turn = True
        self._run = 0
        events.append(SpeechStarted(self._seconds(self._onset)))
        self._confirm(events)

    def _follow(self, probability: float, events: list[HearingEvent]) -> None:
        options = self.options
        if self._paused:
            self._follow_pause(probability, events)
        elif probability >= options.leave:
            self._voiced_end = self._count
            self._active.append(probability)
            self._confirm(events)
        silence = self._count - self._voiced_end
        if self._confirmed and not self._paused and silence >= self._ticks(options.pause):
            self._paused = True
            self._run = 0
            at = self._seconds(self._voiced_end)
            events.append(SpeechPaused(at, self._utterance()))
        if self._over(silence):
            self._end(events)

    def _follow_pause(self, probability: float, events: list[HearingEvent]) -> None:
        self._run = self._run + 1 if probability >= self.options.enter else 0
        if self._run < RESUMING_WINDOWS:
            return
        self._paused = False
        self._voiced_end = self._count
        self._silence = self._ticks(self.options.unknown_silence)
        events.append(SpeechResumed(self._seconds(self._count - self._run)))

    def _confirm(self, events: list[HearingEvent]) -> None:
        options = self.options
        recent = list(self._active)
        if self._confirmed or len(recent) < self._ticks(options.confirm_speech):
            return
        sure = min(recent[-2:]) >= options.sure
        long = len(recent) >= self._ticks(options.confirm_unsure)
        if sure or (long and sum(recent) / len(recent) >= options.enter):
            self._confirmed = True
            events.append(SpeechConfirmed(self._seconds(self._count)))

    def _over(self, silence: int) -> bool:
        options = self.options
        length = self._count - self._onset
        if length >= self._ticks(options.maximum_turn):
            return True
        if not self._confirmed:
            given_up = length >= self._ticks(options.unconfirmed_turn)
            return given_up or silence >= self._ticks(options.false_start)
        return self._paused and not self._run and silence >= self._silence

    def _end(self, events: list[HearingEvent]) -> None:
        samples = self._utterance()
        at = self._seconds(self._voiced_end)
        events.append(SpeechStopped(at, samples, self._confirmed))
        if self._confirmed:
            # The next turn must not hear the end of this one again in its prefix.
            self._floor = self._utterance_end()
        self._rest_state()

    def _utterance(self) -> NDArray[np.float32]:
        return self._tail.between(self._first, self._utterance_end())

    def _utterance_end(self) -> int:
        return min(self._count, self._voiced_end + self._ticks(self.options.pause))

    def _prefix_start(self, onset: int) -> int:
        return max(onset - self._ticks(self.options.prefix), self._floor, 0)

    def _pausing_at(self, at: float) -> bool:
        return self._paused and abs(at - self._seconds(self._voiced_end)) < WINDOW / HEARING_RATE

    @staticmethod
    def _ticks(seconds: float) -> int:
        return max(1, round(seconds * HEARING_RATE / WINDOW)) if seconds else 0

    @staticmethod
    def _seconds(windows: int) -> float:
        return windows * WINDOW / HEARING_RATE
