"""What a session remembers of an utterance of the person and of a reply to it."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from encoder.recognizer import Transcript
from pipeline.options import Modality


@dataclass(slots=True)
class Speculation:
    """A reply prepared during a pause, in case the pause is the end of the turn.

    Attributes:
        turn: the number its work carries.
        at: second of input at which the pause began.
        transcript: the recognition under way.
    """

    turn: int
    at: float
    transcript: asyncio.Task[Transcript]
    asked: bool = False


@dataclass(slots=True)
class Utterance:
    """What the person is saying. `shown`: stable text the client has been told."""

    item_id: str
    started: float
    shown: str = ""
    speaking: bool = True
    confirmed: bool = False
    speculation: Speculation | None = None


@dataclass(slots=True)
class Reply:
    """A reply that has begun.

    Attributes:
        text: of all clauses whose speech has been placed.
        made: all of it has been placed.
        sounding: its first sample has been handed out.
        begins: position on the timeline of its first sample, once that is placed.
        calls: functions it has asked for.
        samples: of all speech that has been placed, 24 kHz.
        heard: the words that were, once it is over.
    """

    turn: int
    response_id: str
    item_id: str
    question: str
    text: str = ""
    made: bool = False
    sounding: bool = False
    begins: int | None = None
    modality: Modality = "audio"
    metadata: Mapping[str, str] = field(default_factory=dict)
    calls: int = 0
    samples: int = 0
    heard: str = ""


@dataclass(slots=True)
class TurnClock:
    """When what happened in the newest turns: seconds after the person stopped speaking."""

    limit: int = 8
    _ended: dict[int, float] = field(default_factory=dict)
    _marks: dict[int, dict[str, float]] = field(default_factory=dict)

    def begin(self, turn: int, speech_ended: float) -> None:
        self._ended[turn] = speech_ended
        self._marks.setdefault(turn, {})
        for old in sorted(self._ended)[: -self.limit]:
            del self._ended[old]
            self._marks.pop(old, None)

    def mark(self, turn: int, name: str, now: float) -> None:
        """Note the first time `name` happened in `turn`."""
        if turn in self._ended:
            self._marks[turn].setdefault(name, round(now - self._ended[turn], 4))

    def timings(self, turn: int) -> dict[str, float]:
        return dict(self._marks.get(turn, {}))
