"""The output sound of one session on its media clock: what is said when, what was heard."""

from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.clause import Clause
from avatar.speech import SPEECH_RATE, Phone, Word
from pipeline.silence import quiet_ends

FRAME: Final = SPEECH_RATE // 50  # 20 ms
FADE: Final = SPEECH_RATE // 100  # 10 ms
TAIL: Final = SPEECH_RATE // 25  # 40 ms of a sound that fades
_POSES: Final = 25  # of a mouth in a second


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a reply's sound.

    Attributes:
        turn: the reply it belongs to.
        samples: float32 [n], mono, 24 kHz.
        words, phones: times in seconds from the first sample.
        clause: what it speaks.
        start: position of the first sample (samples at 24 kHz), set by the timeline.
        resumed: it is the rest of a segment that was held.
        mouth: float32 [T, parts + contacts], 25 a second, heard in the sound of a voice that gives
            no phones.
    """

    turn: int
    samples: NDArray[np.float32]
    words: tuple[Word, ...] = ()
    phones: tuple[Phone, ...] = ()
    clause: Clause | None = None
    start: int = 0
    resumed: bool = False
    mouth: NDArray[np.float32] | None = field(default=None, compare=False, repr=False)

    @property
    def end(self) -> int:
        return self.start + len(self.samples)


class Timeline:
    """Schedules segments one after another and hands out frames of 20 ms.

    `position` is the media clock: samples handed out so far. A segment is never scheduled before
    `position + lead`, because the pictures of what lies nearer have been asked for already. What
    was handed out is on the wire only `lag` samples later: a hold cuts there.
    """

    def __init__(self, lead: int, lag: int = 0) -> None:
        self.lead = lead
        self.lag = lag
        self.position = 0
        self._end = 0  # of the newest sound that was scheduled
        self._segments: list[Segment] = []
        self._held: list[Segment] | None = None
        self._spans: dict[int, list[tuple[int, int]]] = {}  # handed out, by turn
        self._words: list[tuple[int, str, int]] = []  # turn, text, where it ends

    @property
    def held(self) -> bool:
        return self._held is not None

    @property
    def ahead(self) -> float:
        """Seconds of sound that wait to be handed out."""
        scheduled = sum(max(0, s.end - max(s.start, self.position)) for s in self._segments)
        return (scheduled + sum(len(s.samples) for s in self._held or ())) / SPEECH_RATE

    @property
    def ahead_end(self) -> int:
        """Position at which what is scheduled ends."""
        return self._segments[-1].end if self._segments else self.position

    def add(self, segment: Segment, gap: int = 0) -> Segment | None:
        """Schedule a segment after all others, at least `gap` samples after the end of the newest;
        return it as scheduled, or None while held.
        """
        if self._held is not None:
            self._held.append(segment)
            return None
        placed = replace(segment, start=max(self._end + gap, self.position + self.lead))
        self._segments.append(placed)
        self._end = placed.end
        for word in placed.words:
            self._words.append((placed.turn, word.text, placed.start + _samples(word.end)))
        return placed

    def trim(self, turn: int) -> None:
        """Leave the silence out at the end of `turn`, of which nothing more will come."""
        if self._held is not None or not self._segments or self._segments[-1].turn != turn:
            return
        last = self._segments[-1]
        # What has been handed out stays; so does the tail of a sound that fades.
        kept = len(last.samples) - quiet_ends(last.samples)[1] + TAIL
        kept = max(kept, self.position - last.start)
        if 0 < kept < len(last.samples):
            self._segments[-1] = replace(last, samples=last.samples[:kept])
            self._end = self._segments[-1].end

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
                self._note(segment.turn, low, high)
        self.position = end
        self._segments = [s for s in self._segments if s.end > end - self.lag]
        return frame

    def hold(self) -> None:
        """Stop; keep what is not on the wire yet, from the word that was cut on."""
        if self._held is not None:
            return
        cut = max(0, self.position - self.lag)
        self._held = [_rest(segment, cut) for segment in self._segments if segment.end > cut]
        self._segments = []
        self._end = min(self._end, cut)
        self._words = [word for word in self._words if word[2] <= cut]
        self._spans = {
            turn: [(low, min(high, cut)) for low, high in spans if low < cut]
            for turn, spans in self._spans.items()
        }

    def release(self) -> list[Segment]:
        """Go on with what was held; return it as scheduled."""
        held, self._held = self._held or [], None
        return [placed for segment in held if (placed := self.add(segment)) is not None]

    def drop(self) -> None:
        """Stop and throw away all that is not on the wire yet."""
        self.hold()
        self._held = None

    def pending(self, turn: int) -> bool:
        """Whether sound of `turn` is not on the wire yet."""
        return any(s.turn == turn for s in [*self._segments, *(self._held or ())])

    def spoke(self, turn: int) -> bool:
        """Whether any sound of `turn` has been handed out."""
        return bool(self._spans.get(turn))

    def sent(self, turn: int) -> int:
        """Samples of `turn` that went to the wire so far."""
        return self._count(turn, self.position - self.lag)

    def heard(self, turn: int, delay: int) -> tuple[int, list[str]]:
        """Return what the person has heard of `turn` when sound on the wire takes `delay` samples
        to the ear: milliseconds (never more than was sent), and the words heard to their end.
        """
        edge = self.position - self.lag - delay
        return self._count(turn, edge) * 1000 // SPEECH_RATE, self._words_to(turn, edge)

    def words_within(self, turn: int, samples: int) -> list[str]:
        """Return the words that ended within the first `samples` of `turn` that were sent."""
        edge, left = 0, samples
        for low, high in self._spans.get(turn, ()):
            edge = min(high, low + left)
            left -= edge - low
            if left <= 0:
                break
        return self._words_to(turn, edge)

    def forget(self, turn: int) -> None:
        """Drop the records of turns up to `turn`."""
        self._spans = {owner: spans for owner, spans in self._spans.items() if owner > turn}
        self._words = [word for word in self._words if word[0] > turn]

    def _words_to(self, turn: int, edge: int) -> list[str]:
        return [text for owner, text, end in self._words if owner == turn and end <= edge]

    def _count(self, turn: int, edge: int) -> int:
        return sum(max(0, min(high, edge) - low) for low, high in self._spans.get(turn, ()))

    def _note(self, turn: int, low: int, high: int) -> None:
        spans = self._spans.setdefault(turn, [])
        if spans and spans[-1][1] == low:
            spans[-1] = (spans[-1][0], high)
        else:
            spans.append((low, high))


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
        segment.clause,
        resumed=True,
        # The nearest row: half a pose early or late is not seen.
        mouth=None if segment.mouth is None else segment.mouth[round(offset * _POSES) :],
    )


def _samples(seconds: float) -> int:
    return round(seconds * SPEECH_RATE)
