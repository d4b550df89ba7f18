"""Gestures: an action on the media clock, from preparation to retraction."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from motion.actions.compiling import Course
from motion.actions.phases import LEAD, Phases
from motion.controls import CONTROLS, LEFT_ARM, RIGHT_ARM, arm_vector
from motion.easing import minimum_jerk, plateau, quintic

Vector = NDArray[np.float64]

_GAZE_EDGE: Final = 0.08
_BRAKE: Final = 0.2  # seconds in which a released hand leaves the path it was on
_SLOPE: Final = 1e-4
_SEEN: Final = 0.2  # seconds a stroke's end is held at least
OVERLAP: Final = 0.4  # seconds in which one gesture passes into the next


def _arc() -> Vector:
    """Return what bends the way of a hand outwards and ahead, as arms swing: [CONTROLS].

    It also keeps hands apart that come from where they rested side by side.
    """
    swing = arm_vector({"inward": -8.0, "forward": 4.0})
    out = np.zeros(CONTROLS)
    out[LEFT_ARM] = out[RIGHT_ARM] = swing
    return out


_ARC: Final = _arc()


class Gesture:
    """An action on the media clock: what it makes of the controls, the face and the gaze."""

    def __init__(
        self,
        course: Course,
        phases: Phases,
        anchor: float,
        earliest: float,
        own: Course | None = None,
        *,
        exact: bool = False,
    ) -> None:
        """`anchor`: when its word is spoken; nothing shows before `earliest` (seconds).

        `own`: the same course as another body's arms take it, see `fit`. `exact`: see
        `Action.exact`.

        `start`, `stroke` and `end` are when its preparation, its stroke and nothing more begin.
        """
        begins = anchor - LEAD
        begins += max(0.0, earliest - (begins - phases.prepare))
        self.exact = exact
        self.start = begins - phases.prepare
        self.stroke = begins
        self._times = [begins + phases.seconds(float(share)) for share in course.shares]
        self._shown = begins + phases.seconds(1.0)
        self._fade = self._times[-1]
        self._retract = phases.retract
        self.end = self._fade + phases.retract
        self._speeds = _speeds(np.array(self._times), course.poses, course.flow)
        self._course = course
        self._fitted: tuple[Vector, Vector] | None = None
        if own is not None:
            change = own.poses - course.poses
            self._fitted = change, _speeds(np.array(self._times), change, course.flow)
        self._look = course.look and (
            begins + phases.seconds(course.look[0]),
            begins + phases.seconds(course.look[1]),
        )
        self._released: tuple[float, float, float, float] | None = None

    def release(self, at: float, within: float) -> None:
        """Let go at `at`: from there on the hands come back, in `within` seconds, smoothly.

        Does nothing when the action has not begun (it then never does) or would end sooner anyway.
        """
        if at >= self.end or (self._released is not None and at >= self._released[0]):
            return
        if at + within >= self.end and at >= self._fade:
            return
        weight = self.weight(at)
        slope = (self.weight(at + _SLOPE) - self.weight(at - _SLOPE)) / (2.0 * _SLOPE)
        self._released = (at, within, weight, slope)
        self.end = at + within

    def give_way(self, at: float, now: float) -> float:
        """Hold shorter for a gesture that should begin at `at`; return when it may (seconds).

        What is meant is seen for a moment first, hands come back no faster than ever, and nothing
        changes before `now`.
        """
        let_go = max(at + OVERLAP - self._retract, self._shown + _SEEN, now)
        if let_go + self._retract < self.end:
            self.release(let_go, self._retract)
        return max(self.end - OVERLAP, now)

    def weight(self, at: float) -> float:
        """Return how far the action has the body, 0 to 1."""
        if self._released is not None and at >= self._released[0]:
            began, within, weight, slope = self._released
            share = (at - began) / within
            if share >= 1.0:
                return 0.0
            return max(0.0, quintic(share, weight, 0.0, slope * within, 0.0))
        return plateau(at, self.start, self._times[0], self._fade, self._fade + self._retract)

    def apply(self, controls: Vector, at: float) -> Vector:
        """Return the controls with the action laid over: its arms replace, its body adds."""
        weight = self.weight(at)
        if weight == 0.0:
            return controls
        pose, mask = self._at(self._played(at)), self._course.mask
        replaced = mask * (pose - controls) + (1.0 - mask) * pose
        arc = 4.0 * weight * (1.0 - weight) * mask * _ARC
        return np.asarray(controls + weight * replaced + arc, np.float64)

    def hold(self, controls: Vector, at: float) -> Vector:
        """Return the controls of a body that makes the action itself, its arms brought right."""
        weight = self.weight(at) * self._course.mask
        if not weight.any():
            return controls
        return np.asarray(controls + weight * (self._at(self._played(at)) - controls), np.float64)

    def fit(self, change: Vector, at: float) -> Vector:
        """Return what is to be added to controls for another body's arms, float64 [CONTROLS].

        `change`: what gestures before this one add. It comes and goes with the action, so arms
        that no action has move as they did.
        """
        weight = self.weight(at) * self._course.mask
        if self._fitted is None or not weight.any():
            return np.asarray((1.0 - weight) * change, np.float64)
        own = self._between(self._played(at), *self._fitted)
        return np.asarray(change + weight * (own - change), np.float64)

    def face(self, at: float) -> Vector:
        """Return coefficients float64 [52] to be added."""
        return np.asarray(self.weight(at) * self._course.face, np.float64)

    def gaze(self, at: float) -> tuple[float, float, float]:
        """Return (weight, turn, pitch) of where the action makes the eyes look."""
        if self._look is None or self._course.look is None:
            return 0.0, 0.0, 0.0
        start, end = self._look
        weight = plateau(at, start, start + _GAZE_EDGE, end, end + _GAZE_EDGE)
        return weight * self._kept(at), *self._course.look[2:]

    def _kept(self, at: float) -> float:
        """Return how much of the gaze a release leaves."""
        if self._released is None:
            return 1.0
        return 1.0 - minimum_jerk((at - self._released[0]) / _GAZE_EDGE)

    def _played(self, at: float) -> float:
        """Return the time on the action's own path: a released hand comes to a stop on it."""
        if self._released is None or at <= self._released[0]:
            return at
        began = self._released[0]
        share = min((at - began) / _BRAKE, 1.0)
        # Its speed falls from 1 to 0 as (1 - s)^2 (1 + 2 s), the integral of which this is.
        return began + _BRAKE * (share - share**3 + 0.5 * share**4)

    def _at(self, at: float) -> Vector:
        return self._between(at, self._course.poses, self._speeds)

    def _between(self, at: float, poses: Vector, speeds: Vector) -> Vector:
        """Return what is passed at a time on the way through keys [k, CONTROLS]."""
        times = self._times
        if at <= times[0]:
            return np.asarray(poses[0], np.float64)
        for i in range(1, len(times)):
            if at < times[i]:
                seconds = times[i] - times[i - 1]
                first, second = seconds * speeds[i - 1], seconds * speeds[i]
                share = (at - times[i - 1]) / seconds
                path = quintic(share, poses[i - 1], poses[i], first, second)
                return np.asarray(path, np.float64)
        return np.asarray(poses[-1], np.float64)


def _speeds(times: Vector, poses: Vector, flow: NDArray[np.bool_]) -> Vector:
    """Return the speeds [k, CONTROLS] at the keys: none but where the body passes through.

    There each control goes on at the harmonic mean of the slopes on both sides, and stops where it
    turns back (Fritsch and Butland, 1984), so no path leads beyond its keys.
    """
    out = np.zeros_like(poses)
    slopes = np.diff(poses, axis=0) / np.diff(times)[:, None]
    for i in np.flatnonzero(flow[1:-1]) + 1:
        before, after = slopes[i - 1], slopes[i]
        on = before * after > 0.0
        whole = np.where(on, before + after, 1.0)
        out[i] = np.where(on, 2.0 * before * after / whole, 0.0)
    return out
