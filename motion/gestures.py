"""Gestures: an action written as keyframes, and its play on the media clock."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from motion.controls import CONTROLS, LEFT_ARM, RIGHT_ARM, Arm, arm_vector, control_vector
from motion.easing import minimum_jerk, plateau
from motion.expressions import face_vector

Vector = NDArray[np.float64]

PREPARE: Final = 0.45  # seconds from where the hands were to where the stroke starts
_RETRACT: Final = 0.65
_GAZE_EDGE: Final = 0.08


@dataclass(frozen=True, slots=True)
class Key:
    """Where arms (controls by name) and body are, `at` seconds from the anchor."""

    at: float
    left: Arm | None = None
    right: Arm | None = None
    body: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Score:
    """An action written out.

    Attributes:
        keys: in order of time; the first starts the stroke.
        gaze: (start, end, turn, pitch): seconds from the anchor, degrees to the left and down.
        face: coefficients added while the action lasts.
    """

    keys: tuple[Key, ...]
    gaze: tuple[float, float, float, float] | None = None
    face: Mapping[str, float] = field(default_factory=dict)


class Gesture:
    """An action on the media clock: what it makes of the controls, the face and the gaze."""

    def __init__(self, score: Score, anchor: float, earliest: float) -> None:
        first = score.keys[0]
        late = max(0.0, earliest - (anchor + first.at - PREPARE))
        self._times = [anchor + late + key.at for key in score.keys]
        self.start, self.end = self._times[0] - PREPARE, self._times[-1] + _RETRACT
        self._poses = np.array([_pose(key) for key in score.keys])
        self._mask = np.zeros(CONTROLS)
        self._mask[LEFT_ARM] = float(first.left is not None)
        self._mask[RIGHT_ARM] = float(first.right is not None)
        self._face = face_vector(score.face)
        self._gaze = score.gaze
        self._anchor = anchor + late

    def weight(self, at: float) -> float:
        """Return how far the action has the body, 0 to 1."""
        return plateau(at, self.start, self._times[0], self._times[-1], self.end)

    def apply(self, controls: Vector, at: float) -> Vector:
        """Return the controls with the action laid over: its arms replace, its body adds."""
        weight = self.weight(at)
        if weight == 0.0:
            return controls
        pose = self._at(at)
        replaced = self._mask * (pose - controls) + (1.0 - self._mask) * pose
        return np.asarray(controls + weight * replaced, np.float64)

    def face(self, at: float) -> Vector:
        """Return coefficients float64 [52] to be added."""
        return np.asarray(self.weight(at) * self._face, np.float64)

    def gaze(self, at: float) -> tuple[float, float, float]:
        """Return (weight, turn, pitch) of where the action makes the eyes look."""
        if self._gaze is None:
            return 0.0, 0.0, 0.0
        start, end, turn, pitch = self._gaze
        start, end = self._anchor + start, self._anchor + end
        return plateau(at, start, start + _GAZE_EDGE, end, end + _GAZE_EDGE), turn, pitch

    def _at(self, at: float) -> Vector:
        times = self._times
        if at <= times[0]:
            return np.asarray(self._poses[0], np.float64)
        for i in range(1, len(times)):
            if at < times[i]:
                share = minimum_jerk((at - times[i - 1]) / (times[i] - times[i - 1]))
                step = self._poses[i] - self._poses[i - 1]
                return np.asarray(self._poses[i - 1] + share * step, np.float64)
        return np.asarray(self._poses[-1], np.float64)


def _pose(key: Key) -> Vector:
    controls = control_vector(key.body)
    for side, arm in ((LEFT_ARM, key.left), (RIGHT_ARM, key.right)):
        if arm is not None:
            controls[side] = arm_vector(arm)
    return controls
