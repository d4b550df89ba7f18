"""`ProceduralMover`: a body that idles, listens, thinks and speaks, by rule and by chance.

The plan (posture, passages, gestures) is a function of time; at the instants it changes, inertia
carries the body over. So poses depend on what was said and when, not on how often they were asked
for, and nothing grows with time.
"""

import math
from dataclasses import dataclass
from typing import Final, get_args

import numpy as np
from numpy.typing import NDArray

from motion.actions import Gesture
from motion.bodies import BASE, Body
from motion.breath import Sway
from motion.choreography import Choreography
from motion.controls import CONTROL_INDEX, CONTROLS, to_rotations, to_translation
from motion.errors import MotionValueError
from motion.expressions import BROW_RAISE, TAIL, Feeling, bearing_at, brows, emotion_at, with_mouth
from motion.eyes import Camera, Gaze, blink, eye_angles, flicker, glance, look_coefficients
from motion.inertia import STEP, Inertia
from motion.limits import clamped
from motion.lips.track import ANTICIPATION, mouth
from motion.pose import Pose
from motion.postures import POSTURES, nod, opened
from motion.skeleton import FACE_INDEX, FACE_NAMES
from motion.speech import Posture, SpokenAction, SpokenPassage
from motion.style import NATURAL, StyleSpec

Vector = NDArray[np.float64]

# The state that inertia carries: controls, face, and the gaze as turn and pitch.
_FACE: Final = slice(CONTROLS, CONTROLS + len(FACE_NAMES))
_GAZE: Final = slice(_FACE.stop, _FACE.stop + 2)
_STATE: Final = _FACE.stop + 2

_MOUTH_SECONDS: Final = 0.15
_GAZE_SECONDS: Final = 0.12
_CHANGE_SECONDS: Final = 0.6  # in which a natural body takes another posture
_KEPT: Final = 0.1  # seconds a passage is kept after it shows no more
_CUT: Final = 0.3  # seconds in which all that was cut is over

_EYES: Final = [CONTROL_INDEX[f"eye_{name}"] for name in ("turn_left", "turn_right", "pitch")]
_BLINKS: Final = [FACE_INDEX["eyeBlinkLeft"], FACE_INDEX["eyeBlinkRight"]]
_WIDE: Final = [FACE_INDEX["eyeWideLeft"], FACE_INDEX["eyeWideRight"]]
_HEAD_PITCH: Final = CONTROL_INDEX["head_pitch"]
_TURNS: Final = [CONTROL_INDEX["head_turn"], CONTROL_INDEX["torso_turn"]]
_PITCHES: Final = [CONTROL_INDEX["head_pitch"], CONTROL_INDEX["torso_pitch"]]


@dataclass(frozen=True, slots=True)
class _Change:
    """A posture to take at a time; `cut` also drops the speech that was known when it was made."""

    at: float
    posture: Posture
    cut: bool = False


class ProceduralMover:
    """Moves one body by layers: posture, sway, breath, gestures, beats, face, lips, gaze, blinks.

    Deterministic for a seed and a style. See `motion.mover.Mover` for the contract.
    """

    def __init__(self, seed: int, camera: Camera | None = None, style: StyleSpec = NATURAL) -> None:
        """`camera`: where the person spoken to appears to be; `style`: how it moves."""
        self._seed = seed
        self._camera = camera or Camera()
        self._build = BASE
        self._take(style)
        self._posture: Posture = "idle"
        self._passages: list[Choreography] = []
        self._released: list[Gesture] = []
        self._changes: list[_Change] = []
        self._last = -math.inf
        self._inertia = Inertia(_STATE)

    @property
    def hears(self) -> bool:
        """Whether passages should come with their sound: rules need none."""
        return False

    def passage(self, passage: SpokenPassage) -> None:
        """Add scheduled speech.

        Lips that should have started to move already catch up within 0.15 s.

        Raises:
            MotionValueError: when start or end is not a finite number, end comes before start, or
                the intensity lies outside [0, 1].
        """
        if not 0.0 <= passage.intensity <= 1.0:
            raise MotionValueError(f"intensity {passage.intensity}; accepted: 0 to 1")
        if not (math.isfinite(passage.start) and passage.start <= passage.end < math.inf):
            raise MotionValueError(
                f"passage from {passage.start} to {passage.end}; accepted: finite, start <= end"
            )
        if passage.end < self._last:
            return
        added = Choreography(
            passage, self._seed, self._last, self._passages, self._style, self._build
        )
        late = passage.start - ANTICIPATION < self._last
        old = self._around(self._last) if late else None
        self._passages.append(added)
        self._passages.sort(key=lambda known: known.start)
        if old is not None:
            self._inertia.change(self._last, old, self._around(self._last), SOON)

    def posture(self, posture: Posture, at: float) -> None:
        """Ease into a posture from `at` on; later changes that were still to come are dropped.

        Raises:
            MotionValueError: when the posture is unknown or `at` is not finite.
        """
        if posture not in get_args(Posture):
            raise MotionValueError(
                f"unknown posture {posture!r}; accepted: {', '.join(get_args(Posture))}"
            )
        self._add(_Change(_finite(at), posture))

    def restyle(self, style: StyleSpec) -> None:
        """Move in another style from the next pose on; strokes that have begun are finished."""
        old = self._around(self._last) if math.isfinite(self._last) else None
        self._take(style)
        before = -math.inf
        for known in self._passages:
            known.plan(self._last, before, style)
            before = max(before, known.last_beat)
        if old is not None:
            self._inertia.change(self._last, old, self._around(self._last), self._leisure)

    def cut(self, at: float) -> None:
        """Forget all speech after `at` and ease to listening within 0.3 s.

        Raises:
            MotionValueError: when `at` is not finite.
        """
        self._add(_Change(_finite(at), "listening", cut=True))
        for known in self._passages:
            known.cut_at = min(known.cut_at, at)

    def pose(self, at: float) -> Pose:
        """Return the pose at `at` (no leading axes).

        Raises:
            MotionValueError: when `at` is not finite or lies before the last pose.
        """
        controls, face = self.controls(at)
        controls = clamped(controls + self._fit(at))
        return Pose(to_rotations(controls), to_translation(controls), face.astype(np.float32))

    def embody(self, body: Body) -> None:
        """Have the actions of speech that comes from now on made by the arms of `body`.

        `controls` and all that is learnt stay those of the base body; only poses differ.
        """
        self._build = body

    @property
    def acts(self) -> list[tuple[SpokenAction, Gesture]]:
        """Return the actions of the speech that is known, and how they are played."""
        return [act for known in self._passages for act in known.acts]

    def controls(self, at: float) -> tuple[Vector, Vector]:
        """Return the pose at `at` as controls float64 [CONTROLS] and face float64 [52].

        Raises:
            MotionValueError: when `at` is not finite or lies before the last pose.
        """
        if _finite(at) < self._last:
            raise MotionValueError(f"pose at {at} after one at {self._last}; accepted: no earlier")
        while self._changes and self._changes[0].at <= at:
            self._change(self._changes.pop(0))
        self._last = at
        self._passages = [known for known in self._passages if known.until + _KEPT > at]
        self._released = [gesture for gesture in self._released if gesture.end + _KEPT > at]
        return self._finish(self._plan(at) + self._inertia(at))

    def _felt(self) -> list[Feeling]:
        return [known.feeling for known in self._passages]

    def _manner(self, at: float) -> StyleSpec:
        """Return the style at a time, coloured by what is felt in the speech around it."""
        felt = [one for one in self._felt() if one.start <= at < one.end + TAIL]
        return self._style.felt(felt[-1].emotion, felt[-1].intensity) if felt else self._style

    def _take(self, style: StyleSpec) -> None:
        self._style = style
        self._sway = Sway(self._seed, style)
        self._opened = opened(style.openness)
        self._leisure = _seconds(_CHANGE_SECONDS / style.tempo)

    def _add(self, change: _Change) -> None:
        self._changes = [c for c in self._changes if c.at < change.at or c.cut]
        self._changes.append(change)
        self._changes.sort(key=lambda c: c.at)

    def _change(self, change: _Change) -> None:
        at = max(change.at, self._last) if math.isfinite(self._last) else change.at
        old = self._around(at)
        self._posture = change.posture
        if change.cut:
            self._release(at, [known for known in self._passages if known.cut_at <= change.at])
            self._passages = [known for known in self._passages if known.cut_at > change.at]
        self._inertia.change(at, old, self._around(at), SOON if change.cut else self._leisure)

    def _release(self, at: float, cut: list[Choreography]) -> None:
        """Let the hands come back from what they were at when speech was cut."""
        held = [gesture for known in cut for gesture in known.gestures if gesture.start < at]
        for gesture in (*self._released, *held):
            gesture.release(at, _CUT)
        self._released += held

    def _gestures(self) -> list[Gesture]:
        spoken = [gesture for known in self._passages for gesture in known.gestures]
        return self._released + spoken

    def _fit(self, at: float) -> Vector:
        """Return what a pose needs for the hands of this body to be where the base body's are."""
        change = np.zeros(CONTROLS)
        for gesture in self._gestures():
            change = gesture.fit(change, at)
        return change

    def _around(self, at: float) -> tuple[Vector, Vector]:
        """Return the plan just before `at` and at it."""
        return self._plan(at - STEP), self._plan(at)

    def _plan(self, at: float) -> Vector:
        """Return what the body should do at `at`: float64 [state]."""
        base, speaking = POSTURES[self._posture], POSTURES["speaking"]
        silent = 1.0
        for known in self._passages:
            silent *= 1.0 - known.speaking(at)
        state = np.empty(_STATE)
        state[:CONTROLS] = self._body(at, silent)
        state[_FACE] = self._face(at, speaking.face + silent * (base.face - speaking.face))
        glances = speaking.glances + silent * (base.glances - speaking.glances)
        glances *= self._style.glances
        state[_GAZE] = self._gaze(at, glances, (silent * base.away[0], silent * base.away[1]))
        return state

    def _body(self, at: float, silent: float) -> Vector:
        """Return the body's controls, eyes left out; `silent`: 0 while speaking to 1."""
        base, speaking = POSTURES[self._posture], POSTURES["speaking"]
        controls = speaking.controls + silent * (base.controls - speaking.controls)
        controls = controls + self._sway(at) + self._opened
        controls += bearing_at(at, self._felt(), self._style.expression)
        nods = self._style.nods * base.nods
        controls[_HEAD_PITCH] += silent * self._style.head * nod(self._seed, at, nods)
        for known in self._passages:
            controls += known.strokes(at)
        for gesture in self._gestures():
            controls = gesture.apply(controls, at)
        return controls

    def _face(self, at: float, posture: Vector) -> Vector:
        face = posture + emotion_at(at, self._felt(), self._style.smile, self._style.expression)
        blinks: list[float] = []
        for known in self._passages:
            blinks.extend(known.blinks)
            # In the room that is left, so that brows which are up do not stop short.
            face = face + brows(at, known.raises) * BROW_RAISE * (1.0 - np.minimum(face, 1.0))
        for gesture in self._gestures():
            face = face + gesture.face(at)
        if self._passages:
            face = with_mouth(face, mouth([known.lips for known in self._passages], at))
        closed = blink(self._seed, at, blinks, self._style.blinks)
        face[_BLINKS] = closed
        face[_WIDE] *= 1.0 - closed
        return face

    def _gaze(self, at: float, glances: float, away: tuple[float, float]) -> tuple[float, float]:
        aim, small = self._camera.gaze, flicker(self._seed, at)
        look = glance(self._seed, at, glances)
        turn, pitch = away[0] + look.turn, away[1] + look.pitch
        for gesture in self._gestures():
            weight, gesture_turn, gesture_pitch = gesture.gaze(at)
            turn += weight * (gesture_turn - turn)
            pitch += weight * (gesture_pitch - pitch)
        return aim.turn + turn + small.turn, aim.pitch + pitch + small.pitch

    def _finish(self, state: Vector) -> tuple[Vector, Vector]:
        """Part a state in controls and face: the eyes find their target from where the head is."""
        controls, face = clamped(state[:CONTROLS]), np.clip(state[_FACE], 0.0, 1.0)
        turn, pitch = float(state[_GAZE.start]), float(state[_GAZE.start + 1])
        head = Gaze(float(controls[_TURNS].sum()), float(controls[_PITCHES].sum()))
        eyes = eye_angles(Gaze(turn, pitch), head, self._camera.vergence)
        controls[_EYES] = eyes
        for name, value in look_coefficients(*eyes).items():
            face[FACE_INDEX[name]] = value
        return controls, face


def _seconds(body: float) -> Vector:
    """Return the time in which each value of the state takes up a change of plan."""
    out = np.full(_STATE, body)
    for name, index in FACE_INDEX.items():
        if name.startswith(("mouth", "jaw", "tongue")):
            out[_FACE.start + index] = _MOUTH_SECONDS
    out[_GAZE] = _GAZE_SECONDS
    return out


SOON: Final = _seconds(0.3)


def _finite(at: float) -> float:
    if not math.isfinite(at):
        raise MotionValueError(f"time {at}; accepted: a finite number of seconds")
    return at
