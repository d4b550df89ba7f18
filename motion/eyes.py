"""Eyes: where they look, how they get there, and when they blink.

Everything here is a function of time and a seed. Angles are degrees, positive to the body's left
and downwards, as the rig's axes have it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from motion.easing import plateau, rise
from motion.noise import cell_of, draw, spread
from motion.rest import REST_POSITIONS
from motion.skeleton import joint_index

_SACCADE: Final = 0.06  # seconds; a 10 degree saccade takes 0.05 (Bahill et al., 1975)
_FIXATION: Final = 0.95  # mean seconds between the small saccades of somebody who looks at you
_GLANCE: Final = 4.6  # one stretch in which the eyes may leave the listener once
BLINKS: Final = 15.0  # a minute, of somebody at ease
_BLINK_EVERY: Final = 3.4  # one stretch in which there may be a blink, at that rate
_BLINK_CLOSE: Final = 0.07  # seconds in which the lid falls; it rises more slowly
_BLINK_SHUT: Final = 0.03
_BLINK_OPEN: Final = 0.13
_EYE_TURN_LIMIT: Final = 28.0
_EYE_PITCH_LIMIT: Final = 20.0
LID_REACH: Final = 25.0  # degrees of eye turn at which an eyeLook coefficient is 1


@dataclass(frozen=True, slots=True)
class Gaze:
    """A direction from the head at rest: degrees to the left and downwards."""

    turn: float
    pitch: float


@dataclass(frozen=True, slots=True)
class Camera:
    """Where the person who is spoken to appears: metres before the eyes and below them.

    Below, because a half-body picture is framed from chest height.
    """

    distance: float = 2.5
    below: float = 0.2

    @property
    def gaze(self) -> Gaze:
        return Gaze(0.0, math.degrees(math.atan2(self.below, self.distance)))

    @property
    def vergence(self) -> float:
        """Degrees each eye turns inwards to meet the other on the camera."""
        half = (REST_POSITIONS[_LEFT_EYE, 0] - REST_POSITIONS[_RIGHT_EYE, 0]) / 2.0
        return math.degrees(math.atan2(float(half), self.distance))


_LEFT_EYE: Final = joint_index("eye.L")
_RIGHT_EYE: Final = joint_index("eye.R")


def flicker(seed: int, at: float) -> Gaze:
    """Return the small offset of the point being looked at: eye to eye to mouth, never still."""
    cell = cell_of(at, _FIXATION)
    start = (cell + 0.7 * draw(seed, 11, cell)) * _FIXATION
    share = rise(at, start, start + _SACCADE)
    before, after = _fixation(seed, cell - 1), _fixation(seed, cell)
    return Gaze(
        before.turn + share * (after.turn - before.turn),
        before.pitch + share * (after.pitch - before.pitch),
    )


def _fixation(seed: int, cell: int) -> Gaze:
    return Gaze(1.9 * spread(seed, 12, cell), 1.1 * spread(seed, 13, cell))


def glance(seed: int, at: float, share: float) -> Gaze:
    """Return an occasional short look away; `share` is how many stretches of 4.6 s have one."""
    cell = cell_of(at, _GLANCE)
    if draw(seed, 21, cell) >= share:
        return Gaze(0.0, 0.0)
    start = (cell + 0.1 + 0.5 * draw(seed, 22, cell)) * _GLANCE
    stay = 0.35 + 0.7 * draw(seed, 23, cell)
    weight = plateau(at, start, start + _SACCADE, start + stay, start + stay + _SACCADE)
    side = 1.0 if draw(seed, 24, cell) < 0.5 else -1.0
    turn = side * (7.0 + 7.0 * draw(seed, 25, cell))
    return Gaze(weight * turn, weight * (-3.0 + 8.0 * draw(seed, 26, cell)))


def blink(seed: int, at: float, extra: Sequence[float], per_minute: float = BLINKS) -> float:
    """Return how far the lids are closed, 0 to 1, with further blinks at the times `extra`.

    About `per_minute` blinks (8 to 30); the time between two is skewed, and one in eight is
    double.
    """
    opened = 1.0
    every = _BLINK_EVERY * BLINKS / per_minute
    cell = cell_of(at, every)
    for near in (cell - 1, cell):
        for start in _blinks(seed, near, every):
            opened *= 1.0 - _lid(at - start)
    for start in extra:
        opened *= 1.0 - _lid(at - start)
    return 1.0 - opened


def _blinks(seed: int, cell: int, every: float) -> tuple[float, ...]:
    # Only every other stretch may go without, so that nobody stares for long.
    if cell % 2 and draw(seed, 31, cell) > 0.64:
        return ()
    start = (cell + 0.85 * draw(seed, 32, cell)) * every
    if draw(seed, 33, cell) < 0.125:
        return start, start + 0.32
    return (start,)


def _lid(since: float) -> float:
    shut = _BLINK_CLOSE + _BLINK_SHUT
    return plateau(since, 0.0, _BLINK_CLOSE, shut, shut + _BLINK_OPEN)


def eye_angles(gaze: Gaze, head: Gaze, vergence: float) -> tuple[float, float, float]:
    """Return the eyes' turn (left eye, right eye) and pitch in the head, degrees.

    The head's own direction is taken off, so the look stays where it is while the head moves, as
    the vestibulo-ocular reflex has it.
    """
    turn = _soft_limit(gaze.turn - head.turn, _EYE_TURN_LIMIT)
    pitch = _soft_limit(gaze.pitch - head.pitch, _EYE_PITCH_LIMIT)
    return turn - vergence, turn + vergence, pitch


def look_coefficients(left: float, right: float, pitch: float) -> dict[str, float]:
    """Return the eyeLook coefficients, each in [0, 1], by which lids follow the eyes."""
    down, up = max(pitch, 0.0) / LID_REACH, max(-pitch, 0.0) / LID_REACH
    values = {
        "eyeLookDownLeft": down,
        "eyeLookDownRight": down,
        "eyeLookUpLeft": up,
        "eyeLookUpRight": up,
        "eyeLookOutLeft": max(left, 0.0) / LID_REACH,
        "eyeLookInLeft": max(-left, 0.0) / LID_REACH,
        "eyeLookInRight": max(right, 0.0) / LID_REACH,
        "eyeLookOutRight": max(-right, 0.0) / LID_REACH,
    }
    return {name: min(value, 1.0) for name, value in values.items()}


def _soft_limit(angle: float, limit: float) -> float:
    return limit * math.tanh(angle / limit)
