"""`StreamingMover`: a body whose speech is moved by StreamingTalk and whose rest is by rule.

While the host speaks the network makes the body, 0.4 s at a time; face, gaze, blinks and breath
are laid over it as in the rule-based mover. While nothing is said the rule-based body idles,
listens and thinks, which costs no evaluation; inertia carries the body over whenever the one
takes over from the other, and what was really shown is what the network goes on from.
"""

import math
from collections import deque
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from motion.actions import Gesture
from motion.breath import breath
from motion.controls import CONTROL_INDEX
from motion.eyes import Camera
from motion.pose import POSES_PER_SECOND
from motion.procedural import SOON, ProceduralMover
from motion.speech import SpokenPassage
from motion.streaming.conditions import POSTURE_INDEX, Conditions, style_vector
from motion.streaming.representation import BODY_DIM, body_of, controls_of
from motion.streaming.schedule import Schedule
from motion.streaming.smoothing import DELAY
from motion.streaming.stream import BodyState
from motion.streaming.telling import READY, WAIT, SoundTrack, action_labels, speaking_poses
from motion.style import NATURAL, StyleSpec

Vector = NDArray[np.float64]
Array = NDArray[np.float32]

_STEP: Final = 1.0 / POSES_PER_SECOND
_WAKE: Final = READY + 0.25  # seconds before words at which the network takes over
_SLEEP: Final = WAIT + 0.9  # seconds after words at which it has finished
_AHEAD: Final = 5  # poses of sound looked at behind the chunk being made
_DUE: Final = 7  # poses left at which the next chunk is asked for
_BREATH: Final = CONTROL_INDEX["breath"]


class GestureSource(Protocol):
    """Where chunks come from: at once, or from a worker that serves many bodies."""

    @property
    def schedule(self) -> Schedule: ...

    def open(self, body: Array, seed: int) -> BodyState:
        """Return the state of a body that stands still, float32 [D]."""

    def restart(self, state: BodyState, shown: Array) -> None:
        """Go on from poses [anchored, D] that were shown."""

    def ask(self, state: BodyState, conditions: Conditions) -> None:
        """Have the next chunk of a body made; one at a time."""

    def take(self, state: BodyState) -> Array | None:
        """Return the chunk asked for, float32 [chunk, D]; None while it is not made."""


@dataclass(slots=True)
class _Run:
    """A stretch of speech moved by the network, on a grid of poses 1/25 s apart.

    Attributes:
        origin: time of grid place 0, the last pose shown before (seconds).
        made: controls float64 [n, BODY_DIM] of the places from `first` on.
        asked: the place with which the network begins its next chunk; what it makes of it comes
            `DELAY` places later.
        handed: the actions the network was told of in time to make them itself.
    """

    origin: float
    made: Vector
    first: int = 0
    asked: int = 1
    handed: list[Gesture] = field(default_factory=list)

    @property
    def end(self) -> int:
        """The place after the last one made."""
        return self.first + len(self.made)

    def place(self, at: float) -> float:
        """Return where a time lies on the grid."""
        return (at - self.origin) * POSES_PER_SECOND

    def covers(self, at: float) -> bool:
        """Say whether a time is made, between two places at least."""
        return self.first - 1e-6 <= self.place(at) <= self.end - 1 + 1e-6

    def body(self, at: float) -> Vector:
        """Return the body at a time; beyond the ends it goes on for one place, then is held."""
        place = min(max(self.place(at) - self.first, 0.0), float(len(self.made)))
        low = min(int(place), max(len(self.made) - 2, 0))
        high = min(low + 1, len(self.made) - 1)
        step = self.made[high] - self.made[low]
        return np.asarray(self.made[low] + (place - low) * step, np.float64)

    def add(self, chunk: Array, kept: int) -> None:
        """Add the chunk asked for last, and forget all but the last `kept` places."""
        already = self.end - (self.asked - len(chunk) - DELAY)
        made = np.concatenate([self.made, chunk[already:]])
        self.first += max(0, len(made) - kept)
        self.made = made[-kept:]


class StreamingMover(ProceduralMover):
    """Moves one body by what it hears. See `motion.mover.Mover` for the contract.

    Passages need their `sound`; one without is moved to by rule.

    Args:
        seed: of noise and chance.
        source: of chunks.
        camera, style: as for `ProceduralMover`.
        acting: whether the network makes actions that are known in time; otherwise, and where one
            comes too late for it, their keyframes are laid over what it makes.
    """

    def __init__(
        self,
        seed: int,
        source: GestureSource,
        camera: Camera | None = None,
        style: StyleSpec = NATURAL,
        *,
        acting: bool = True,
    ) -> None:
        self._source = source
        self._acting = acting
        self._track = SoundTrack()
        self._run: _Run | None = None
        self._leads = False
        self._busy = False
        self._state = source.open(np.zeros(BODY_DIM, np.float32), seed)
        self._shown: deque[Array] = deque(maxlen=source.schedule.anchored)
        super().__init__(seed, camera, style)

    @property
    def hears(self) -> bool:
        """Whether passages should come with their sound: it is what they are moved to."""
        return True

    @property
    def leads(self) -> bool:
        """Whether the body is the network's at the last pose."""
        return self._leads

    def passage(self, passage: SpokenPassage) -> None:
        """Add scheduled speech. See `ProceduralMover.passage`."""
        super().passage(passage)
        if passage.sound is not None:
            self._track.add(passage.start, passage.sound)

    def cut(self, at: float) -> None:
        """Forget all speech after `at` and ease to listening within 0.3 s."""
        super().cut(at)
        self._track.cut(at)

    def controls(self, at: float) -> tuple[Vector, Vector]:
        """Return the pose at `at` as controls and face. See `ProceduralMover.controls`."""
        if math.isfinite(at):
            self._advance(at)
        controls, face = super().controls(at)
        self._shown.append(body_of(controls))
        return controls, face

    def _body(self, at: float, silent: float) -> Vector:
        run = self._run
        if run is None or not self._leads:
            return super()._body(at, silent)
        controls = controls_of(run.body(at))
        controls[_BREATH] = breath(at)
        for gesture in self._gestures():
            if not any(gesture is handed for handed in run.handed):
                controls = gesture.apply(controls, at)
            elif gesture.exact:
                # Three is three and twenty centimetres are twenty: the network comes only near.
                controls = gesture.hold(controls, at)
        return controls

    def _advance(self, at: float) -> None:
        """Have chunks made, and let the network have the body where it has made one."""
        self._receive()
        self._track.forget(at - self._source.schedule.anchored * _STEP - 1.0)
        if not self._wanted(at):
            self._hand_over(at, lead=False)
            self._run = None
            return
        if self._run is None:
            if self._busy or not self._shown:
                return
            self._begin()
        run = self._run
        assert run is not None
        while not self._busy and run.end - run.place(at) <= _DUE:
            self._ask(run)
            self._receive()
        # What is not made in time is not waited for.
        self._hand_over(at, lead=run.end > 1 and run.covers(at))

    def _wanted(self, at: float) -> bool:
        """Say whether there is speech to move to. A passage without sound is left to the rules."""
        return (
            any(
                known.start - _WAKE <= at < known.end + _SLEEP and known.cut_at > at
                for known in self._passages
            )
            and self._track.end > at - _SLEEP
        )

    def _begin(self) -> None:
        """Start a run at the pose shown last, on what was shown before it."""
        shown = list(self._shown)
        padded = [shown[0]] * (self._source.schedule.anchored - len(shown)) + shown
        self._source.restart(self._state, np.array(padded, np.float32))
        self._run = _Run(self._last, shown[-1][None].astype(np.float64))

    def _ask(self, run: _Run) -> None:
        schedule = self._source.schedule
        # The first slots are half made already: what is new in them is only hinted at.
        begins = run.origin + (run.asked + schedule.slots // 2 * schedule.chunk) * _STEP
        if self._acting:
            run.handed += [
                made
                for _, made in self.acts
                if made.start >= begins and not any(made is one for one in run.handed)
            ]
        places = np.arange(run.asked - schedule.anchored, run.asked + schedule.active)
        times = np.asarray(run.origin + places * _STEP, np.float64)
        self._source.ask(self._state, self._told(run, times))
        run.asked += schedule.chunk
        self._busy = True

    def _receive(self) -> None:
        if not self._busy:
            return
        chunk = self._source.take(self._state)
        if chunk is None:
            return
        self._busy = False
        if self._run is not None:
            self._run.add(chunk, self._source.schedule.window)

    def _told(self, run: _Run, times: Vector) -> Conditions:
        """Return the conditions at `times` (seconds) of a window."""
        schedule = self._source.schedule
        acts = [act for act in self.acts if any(act[1] is one for one in run.handed)]
        action, since, parameters = action_labels(acts, times, self._style.usual_hand)
        begins = float(times[schedule.anchored])
        spans = [(known.start, min(known.end, known.cut_at)) for known in self._passages]
        speaking = speaking_poses(spans, times)
        posture = np.where(speaking, POSTURE_INDEX["speaking"], POSTURE_INDEX[self._posture])
        heard = math.floor((self._track.end - times[0]) * POSES_PER_SECOND)
        least = schedule.anchored + schedule.chunk + _AHEAD
        return Conditions(
            audio=torch.from_numpy(self._track.frames(float(times[0]), len(times)))[None],
            known=torch.tensor([min(max(heard, least), schedule.window)]),
            action=torch.from_numpy(action)[None],
            since=torch.from_numpy(since.astype(np.float32))[None],
            parameters=torch.from_numpy(parameters)[None],
            posture=torch.from_numpy(posture.astype(np.int64))[None],
            style=torch.from_numpy(style_vector(self._manner(begins)))[None],
            heard=torch.ones(1),
        )

    def _hand_over(self, at: float, *, lead: bool) -> None:
        """Give the body to the network or take it back; the difference fades."""
        if lead == self._leads:
            return
        cut = any(known.cut_at <= at for known in self._passages)
        old = self._around(at)
        self._leads = lead
        self._inertia.change(at, old, self._around(at), SOON if cut else self._leisure)
