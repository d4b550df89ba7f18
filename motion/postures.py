"""Base postures: how the body stands while idle, listening, thinking and speaking.

Angles were chosen so that the hands stay before the body, inside a half-body picture, and at
least a hand's width apart.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from motion.controls import LEFT_ARM, RIGHT_ARM, Arm, arm, arm_vector, control_vector
from motion.easing import plateau
from motion.expressions import face_vector
from motion.noise import cell_of, draw
from motion.speech import Posture

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Base:
    """A base posture.

    Attributes:
        controls: float64 [CONTROLS].
        face: float64 [52], added to the emotion's.
        glances: share of stretches of 4.6 s in which the eyes leave the listener once.
        away: degrees (turn, pitch) the gaze rests at, relative to the listener.
        nods: nods a minute.
    """

    controls: Vector
    face: Vector
    glances: float
    away: tuple[float, float] = (0.0, 0.0)
    nods: float = 0.0


_LOW: Final = arm(
    adduct=29,
    forward=2,
    inward=20,
    flex=47,
    supinate=5,
    wrist_flex=4,
    curl=38,
    index=30,
    pinky=42,
    thumb=8,
    spread=-8,
)
_READY: Final = arm(
    adduct=31,
    forward=5,
    inward=13,
    flex=64,
    supinate=30,
    wrist_flex=-10,
    curl=26,
    index=17,
    pinky=32,
    thumb=6,
    spread=-5,
)


def _base(
    left: Arm,
    right: Arm,
    body: dict[str, float],
    face: dict[str, float],
    **life: float,
) -> Base:
    controls = control_vector(body)
    controls[LEFT_ARM], controls[RIGHT_ARM] = arm_vector(left), arm_vector(right)
    away = (life.pop("away_turn", 0.0), life.pop("away_pitch", 0.0))
    return Base(controls, face_vector(face), life["glances"], away, life.get("nods", 0.0))


POSTURES: Final[dict[Posture, Base]] = {
    "idle": _base(
        arm(_LOW, flex=45),
        arm(_LOW, flex=50, supinate=9),
        {"torso_turn": 3.0, "head_turn": -3.0, "head_pitch": 4.0, "head_tilt": 1.0},
        {},
        glances=0.5,
    ),
    "listening": _base(
        arm(_LOW, flex=46),
        arm(_LOW, inward=20),
        {"torso_pitch": 3.0, "head_pitch": 2.5, "head_tilt": 4.5, "head_turn": 1.5},
        {"browInnerUp": 0.14, "browOuterUpLeft": 0.06, "browOuterUpRight": 0.06},
        glances=0.12,
        nods=8.0,
    ),
    "thinking": _base(
        arm(_LOW, flex=45),
        arm(_LOW, flex=62, inward=18, supinate=16, curl=44),
        {"torso_turn": 2.0, "head_pitch": -2.0, "head_tilt": -4.0, "head_turn": 6.0},
        {
            "browInnerUp": 0.2,
            "browDownLeft": 0.12,
            "browDownRight": 0.06,
            "eyeSquintLeft": 0.12,
            "eyeSquintRight": 0.12,
            "mouthPressLeft": 0.14,
            "mouthPressRight": 0.14,
        },
        glances=0.0,
        away_turn=14.0,
        away_pitch=-16.0,
    ),
    "speaking": _base(
        arm(_READY, flex=53, inward=14, supinate=14, wrist_flex=-2, curl=30),
        arm(_READY),
        {"torso_pitch": 1.0, "head_pitch": 3.5},
        {"browInnerUp": 0.04},
        glances=0.4,
    ),
}


def _change(side: Arm, body: dict[str, float]) -> Vector:
    controls = control_vector(body)
    controls[LEFT_ARM] = controls[RIGHT_ARM] = arm_vector(side)
    return controls


# The other is no mirror of the one: elbows come nearer, but hands must not meet.
_OPEN: Final = _change(
    arm(adduct=-5, inward=-5, supinate=8, reach=-3, curl=-4, spread=2),
    {"torso_pitch": -1.5, "head_pitch": 0.8},
)
_CLOSED: Final = _change(
    arm(adduct=4, inward=-5, supinate=-6, reach=2, curl=5), {"torso_pitch": 2.0, "head_pitch": -0.8}
)


def opened(openness: float) -> Vector:
    """Return what a style's openness, -1 to 1, adds to every posture: float64 [CONTROLS]."""
    return np.asarray(openness * _OPEN if openness >= 0.0 else -openness * _CLOSED, np.float64)


_NOD_CELL: Final = 2.2
_NOD: Final = 4.5  # degrees


def nod(seed: int, at: float, per_minute: float) -> float:
    """Return the pitch in degrees of an attentive listener's nods, now and then twice."""
    if per_minute <= 0.0:
        return 0.0
    cell = cell_of(at, _NOD_CELL)
    if draw(seed, 41, cell) > per_minute * _NOD_CELL / 60.0:
        return 0.0
    start = (cell + 0.15 * draw(seed, 42, cell)) * _NOD_CELL
    size = _NOD * (0.6 + 0.4 * draw(seed, 43, cell))
    pitch = size * _dip(at - start)
    if draw(seed, 44, cell) < 0.5:
        pitch += 0.7 * size * _dip(at - start - 0.62)
    return pitch


def _dip(since: float) -> float:
    return plateau(since, 0.0, 0.3, 0.34, 0.85)
