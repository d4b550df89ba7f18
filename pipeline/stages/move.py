"""move: speech is given its place in time, and the body moves to it."""

import asyncio
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray
from soxr import resample

from agents.clause import Clause
from agents.tools import ToolCall
from avatar.speech import SPEECH_RATE
from motion.actions import ACTIONS, LEAD
from motion.audio import AUDIO_RATE
from motion.errors import MotionValueError
from motion.mover import Mover
from motion.pose import POSES_PER_SECOND, Pose
from motion.speech import Posture, SpokenAction, SpokenPassage, SpokenPhone
from motion.style import StyleSpec
from pipeline.acting import word_of
from pipeline.channel import Envelope
from pipeline.errors import ConfigurationError
from pipeline.mouthing import Mouthed
from pipeline.silence import quiet_ends
from pipeline.stages.base import Failed, Stage
from pipeline.stages.speak import Spoken
from pipeline.stages.think import End
from pipeline.timeline import Segment, Timeline

# Speech made further ahead than this waits in the channels, and so the voice waits.
LONGEST_AHEAD = 6.0


class MoveStage(Stage[Spoken | ToolCall | End]):
    """Puts speech on the timeline and tells the mover about it.

    Speech of a turn waits in the inbox until `admit(turn)`, since a reply may be prepared before
    it is known that the person has finished.

    Args:
        placed: called when speech of a turn gets its place (and again with its rest after a hold).
        called: called when the host has asked for a function, once its turn is admitted.
        ended: called when all speech of a turn has been placed.
    """

    def __init__(
        self,
        mover: Mover,
        timeline: Timeline,
        placed: Callable[[int, Spoken], None],
        called: Callable[[int, ToolCall], None],
        ended: Callable[[int], None],
        failed: Failed,
    ) -> None:
        super().__init__("move", 8, failed)
        self.timeline = timeline
        self._mover = mover
        self._placed = placed
        self._called = called
        self._ended = ended
        self.waiting = 0  # the newest turn whose speech waited for its admission
        self._admitted = 0
        self._pause: float | None = None  # before the first sound of the admitted turn
        self._trimmed = 0
        self._posed = 0.0
        self._admission = asyncio.Event()
        self._room = asyncio.Event()

    def admit(self, turn: int, pause: float | None = None) -> None:
        """Let the speech of `turn` be heard. With a `pause` so many seconds of silence lie between
        the sound before and its own, its voice's silence counted, which is left out at its end.
        """
        self._admitted = turn
        self._pause = pause
        self._trimmed = 0 if pause is None else turn
        self._admission.set()

    async def work(self, envelope: Envelope[Spoken | ToolCall | End]) -> None:
        turn, payload = envelope.turn, envelope.payload
        if self._admitted != turn:
            self.waiting = turn
        while self._admitted != turn:
            self._admission.clear()
            await self._admission.wait()
        if isinstance(payload, End):
            if turn > self._over:
                if turn == self._trimmed:
                    self.timeline.trim(turn)
                self._ended(turn)
            return
        if isinstance(payload, ToolCall):
            if turn > self._over:
                self._called(turn, payload)
            return
        while self.timeline.ahead > LONGEST_AHEAD:
            self._room.clear()
            await self._room.wait()
        if turn > self._over:
            self._place(turn, payload)

    def utter(self, turn: int, made: Mouthed, *, speaks: bool) -> None:
        """Put sound that no stage has made on the timeline; the body talks where it `speaks`."""
        placed = self.timeline.add(Segment(turn, made.speech.samples, mouth=made.mouth))
        if placed is not None and speaks:
            self._mover.passage(passage_of(placed, sound=self._mover.hears))

    def frame(self) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        """Return the next 20 ms of sound (float32 [480], 24 kHz); the media clock moves on."""
        frame = self.timeline.frame()
        if self.timeline.ahead <= LONGEST_AHEAD:
            self._room.set()
        return frame

    def pose(self) -> Pose:
        """Return the pose that belongs to the sound `timeline.lead` after the next frame."""
        self._posed = self._next_pose()
        return self._mover.pose(self._posed)

    def posture(self, posture: Posture) -> None:
        self._mover.posture(posture, self._next_pose())

    def restyle(self, style: StyleSpec) -> None:
        """Move in another manner from the next pose on."""
        self._mover.restyle(style)

    def act(self, action: str, parameters: Mapping[str, str | float]) -> None:
        """Make a gesture now, beside whatever is said.

        Raises:
            ConfigurationError: there is no such action, or it takes no such parameters.
        """
        known = ACTIONS.get(action)
        if known is None:
            raise ConfigurationError(f"action is {action!r:.60}; accepted: {', '.join(ACTIONS)}")
        try:
            known.check(parameters)
        except MotionValueError as error:
            raise ConfigurationError(str(error)) from error
        start = self._next_pose()
        stroke = start + LEAD + known.phases.prepare
        made = SpokenAction(action, stroke, tuple(parameters.items()))
        self._mover.passage(SpokenPassage(start, stroke, (), "en", actions=(made,), intensity=0.0))

    def hold(self) -> None:
        """Fall silent, keep the rest."""
        self.timeline.hold()
        self._mover.cut(self._next_pose())

    def release(self) -> None:
        """Go on with the rest."""
        for segment in self.timeline.release():
            self._mover.passage(passage_of(segment, sound=self._mover.hears))

    def drop(self) -> None:
        """Fall silent, forget the rest."""
        self.timeline.drop()
        self._mover.cut(self._next_pose())

    def _next_pose(self) -> float:
        # A lead that has shrunk must not lead back.
        return max(self._posed, (self.timeline.position + self.timeline.lead) / SPEECH_RATE)

    def _place(self, turn: int, spoken: Spoken) -> None:
        if len(spoken.speech.samples):
            gap = self._gap(spoken.speech.samples)
            placed = self.timeline.add(segment_of(turn, spoken, spoken.clause), gap)
            if placed is not None:
                self._mover.passage(passage_of(placed, sound=self._mover.hears))
        self._placed(turn, spoken)

    def _gap(self, samples: NDArray[np.float32]) -> int:
        """Return how many samples of silence the first sound of a turn needs before it."""
        pause, self._pause = self._pause, None
        if pause is None:
            return 0
        return max(0, round(pause * SPEECH_RATE) - quiet_ends(samples)[0])


def segment_of(turn: int, made: Mouthed | Spoken, clause: Clause) -> Segment:
    """Return speech as the timeline takes it."""
    speech = made.speech
    return Segment(turn, speech.samples, speech.words, speech.phones, clause, mouth=made.mouth)


def passage_of(segment: Segment, *, sound: bool = False) -> SpokenPassage:
    """Return what the mover needs to know of a placed segment, with its `sound` where wished."""
    start, clause = segment.start / SPEECH_RATE, segment.clause
    return SpokenPassage(
        start=start,
        end=segment.end / SPEECH_RATE,
        phones=tuple(
            SpokenPhone(p.ipa, start + p.start, start + p.end, p.stress) for p in segment.phones
        ),
        language=clause.language if clause else "en",
        emotion=(clause and clause.emotion) or "neutral",
        actions=_actions(segment),
        loudness=() if segment.phones else _loudness(segment),
        mouth=segment.mouth,
        intensity=clause.intensity if clause else 0.0,
        sound=resample(segment.samples, SPEECH_RATE, AUDIO_RATE) if sound else None,
    )


def _actions(segment: Segment) -> tuple[SpokenAction, ...]:
    """Return the clause's action on its anchor word, when that word is in this segment.

    The rest of a segment that was held has none: the gesture was made, or the moment has gone.
    """
    action = segment.clause.action if segment.clause else None
    if action is None or segment.resumed:
        return ()
    word = word_of(action.anchor, segment.words)
    if word is None:
        return ()
    at = segment.start / SPEECH_RATE + word.start
    return (SpokenAction(action.id, at, action.parameters),)


def _loudness(segment: Segment) -> tuple[float, ...]:
    hop = SPEECH_RATE // POSES_PER_SECOND
    count = -(-len(segment.samples) // hop)
    padded = np.zeros(count * hop, np.float32)
    padded[: len(segment.samples)] = segment.samples
    rms = np.sqrt(np.mean(padded.reshape(count, hop) ** 2, axis=1))
    return tuple(float(value) for value in np.clip(rms, 0, 1))
