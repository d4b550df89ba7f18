"""The output sound of one session on its media clock: what is said when, what was heard."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.speech import SPEECH_RATE, Phone, Word

FRAME: Final = SPEECH_RATE // 50  # 20 ms
FADE: Final = SPEECH_RATE // 100  # 10 ms


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a reply's sound.

    Attributes:
        turn: the reply it belongs to.
        samples: float32 [n], mono, 24 kHz.
        words, phones: times in seconds from the first sample.
        start: position of the first sample (samples at 24 kHz), set by the timeline.
        resumed: it is the rest of a segment that was held.
    """

    turn: int
    samples: NDArray[np.float32]
    words: tuple[Word, ...] = ()
    phones: tuple[Phone, ...] = ()
    start: int = 0
    resumed: bool = False

    @property
    def end(self) -> int:
        return self.start + len(self.samples)


class Timeline:
    """Schedules segments one after another and hands out frames of 20 ms.

    `position` is the media clock: samples handed out so far. A segment is never scheduled before
    `position + lead` (samples), because the pictures of what lies nearer have been drawn already.
    """

    def __init__(self, lead: int) -> None:
        self.lead = lead
        self.position = 0
        self._segments: list[Segment] = []
        self._held: list[Segment] | None = None
        self._fade: NDArray[np.float32] | None = None
        self._sent: dict[int, list[tuple[int, int]]] = {}  # by turn, spans of positions
        self._heard: list[tuple[int, str, int]] = []

    @property
    def held(self) -> bool:
        return self._held is not None

    @property
    def ahead(self) -> float:
        """Seconds of sound that wait to be sent."""
        scheduled = sum(min(len(s.samples), s.end - self.position) for s in self._segments)
        return (scheduled + sum(len(s.samples) for s in self._held or ())) / SPEECH_RATE

    def add(self, segment: Segment) -> Segment | None:
        """Schedule a segment after all others; return it as scheduled, or None while held."""
        if self._held is not None:
            self._held.append(segment)
            return None
        last = self._segments[-1].end if self._segments else 0
        placed = replace(segment, start=max(last, self.position + self.lead))
        self._segments.append(placed)
        for word in placed.words:
            self._heard.append((placed.turn, word.text, placed.start + _samples(word.end)))
        return placed

    def frame(self) -> NDArray[np.float32]:
        """Return the next 20 ms (float32 [480]) and move the clock on."""
        start, end = self.position, self.position + FRAME
        frame = np.zeros(FRAME, np.float32)
        for segment in self._segments:
            low, high = max(start, segment.start), min(end, segment.end)
            if low < high:
                frame[low - start : high - start] = segment.samples[
                    low - segment.start : high - segment.start
                ]
                self._note_sent(segment.turn, low, high)
        if self._fade is not None:
            frame[:FADE] += self._fade
            self._fade = None
        self.position = end
        self._segments = [s for s in self._segments if s.end > end]
        return frame

    def hold(self) -> None:
        """Fall silent within 10 ms; keep what was not sent, from the word that was cut on."""
        if self._held is not None:
            return
        cut = self.position
        self._fade = self._tail(cut)
        self._held = [_rest(segment, cut) for segment in self._segments]
        self._segments = []
        self._heard = [entry for entry in self._heard if entry[2] <= cut]

    def release(self) -> list[Segment]:
        """Go on with what was held; return it as scheduled."""
        held, self._held = self._held or [], None
        return [placed for segment in held if (placed := self.add(segment)) is not None]

    def drop(self) -> None:
        """Throw away all that was not sent, fading what sounds at this moment."""
        self.hold()
        self._held = None

    def pending(self, turn: int) -> bool:
        """Whether sound of `turn` waits to be sent."""
        return any(s.turn == turn for s in [*self._segments, *(self._held or ())])

    def sent(self, turn: int) -> int:
        """Samples of `turn` that were sent so far."""
        return sum(end - start for start, end in self._sent.get(turn, ()))

    def heard(self, turn: int, delay: int) -> tuple[int, list[str]]:
        """Return what the person has heard of `turn` when sound takes `delay` samples to the ear:
        milliseconds (never more than was sent) and the words that were heard to their end.
        """
        edge = self.position - delay
        spans = self._sent.get(turn, ())
        count = sum(max(0, min(end, edge) - start) for start, end in spans)
        words = [text for owner, text, end in self._heard if owner == turn and end <= edge]
        return count * 1000 // SPEECH_RATE, words

    def forget(self, turn: int) -> None:
        """Drop the records of turns up to `turn`."""
        self._sent = {owner: spans for owner, spans in self._sent.items() if owner > turn}
        self._heard = [entry for entry in self._heard if entry[0] > turn]

    def _note_sent(self, turn: int, start: int, end: int) -> None:
        spans = self._sent.setdefault(turn, [])
        if spans and spans[-1][1] == start:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))

    def _tail(self, cut: int) -> NDArray[np.float32] | None:
        for segment in self._segments:
            if segment.start < cut < segment.end:
                offset = cut - segment.start
                tail = np.zeros(FADE, np.float32)
                piece = segment.samples[offset : offset + FADE]
                ramp = np.linspace(1, 0, FADE, endpoint=False, dtype=np.float32)
                tail[: len(piece)] = piece * ramp[: len(piece)]
                return tail
        return None


def _rest(segment: Segment, cut: int) -> Segment:
    """Return what remains of `segment` at position `cut`, from the start of the word cut on."""
    if cut <= segment.start:
        return segment
    at = (cut - segment.start) / SPEECH_RATE
    offset = next((word.start for word in segment.words if word.start <= at < word.end), at)
    first = _samples(offset)
    samples = segment.samples[first:].copy()
    ramp = min(len(samples), FADE)
    samples[:ramp] *= np.linspace(0, 1, ramp, endpoint=False, dtype=np.float32)
    return Segment(
        segment.turn,
        samples,
        tuple(
            Word(w.text, w.start - offset, w.end - offset)
            for w in segment.words
            if w.start >= offset
        ),
        tuple(
            Phone(p.ipa, max(0.0, p.start - offset), p.end - offset, p.stress)
            for p in segment.phones
            if p.end > offset
        ),
        resumed=True,
    )


def _samples(seconds: float) -> int:
    return round(seconds * SPEECH_RATE)
