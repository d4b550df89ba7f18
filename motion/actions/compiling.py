"""From a score to controls: every reach solved, both sides filled in."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from motion.actions.hands import axis_of, point_of
from motion.actions.score import Hand, Key, Reach, Score
from motion.bodies import BASE, Body
from motion.controls import (
    CONTROLS,
    LEFT_ARM,
    RIGHT_ARM,
    arm_vector,
    control_vector,
    to_rotations,
)
from motion.expressions import face_vector
from motion.inverse_kinematics import SOLVED, Goals, solve
from motion.kinematics import joint_transforms
from motion.limits import clamped
from motion.skeleton import joint_index

Vector = NDArray[np.float64]

_PREFERRED: Final = {"adduct": 35.0, "forward": 22.0, "inward": 12.0, "flex": 58.0}
_SIDED: Final = ("sway_x", "torso_tilt", "torso_turn", "head_tilt", "head_turn")
_TO_WORLD: Final = np.array([1.0, -1.0, 1.0])  # from (out, ahead, up) of a left hand


@dataclass(frozen=True, slots=True)
class Course:
    """A score as the body takes it.

    Attributes:
        shares: float64 [k], the times of the keys.
        poses: float64 [k, CONTROLS].
        flow: bool [k], which keys are passed without a stop.
        mask: float64 [CONTROLS], 1 for the controls of the arms in use.
        face: float64 [52].
        look: (start, end, turn, pitch), shares and degrees to the left and down; None without.
    """

    shares: Vector
    poses: Vector
    flow: NDArray[np.bool_]
    mask: Vector
    face: Vector
    look: tuple[float, float, float, float] | None


def compiled(score: Score, hand: Hand, body: Body = BASE) -> Course:
    """Return the course of a score whose main hand is `hand`, as the arms of `body` take it."""
    sign = 1.0 if hand == "left" else -1.0
    bodies = np.array([_body(key, sign) for key in score.keys])
    placed = [
        (row, side, found)
        for row, key in enumerate(score.keys)
        for side, found in _sides(key, hand)
    ]
    poses = bodies.copy()
    if placed:
        arms = _arms(placed, bodies, np.array([key.at for key in score.keys]), body)
        for (row, side, _), arm in zip(placed, arms, strict=True):
            poses[row, side] = arm
    mask = np.zeros(CONTROLS)
    for side, _ in _sides(score.keys[0], hand):
        mask[side] = 1.0
    look = score.look
    return Course(
        np.array([key.at for key in score.keys]),
        clamped(poses),
        np.array([key.flow for key in score.keys]),
        mask,
        face_vector(score.face),
        None if look is None else (look.start, look.end, sign * look.turn, look.pitch),
    )


def _body(key: Key, sign: float) -> Vector:
    return control_vector(
        {name: sign * value if name in _SIDED else value for name, value in key.body.items()}
    )


def _sides(key: Key, hand: Hand) -> list[tuple[slice, Reach]]:
    main, other = (LEFT_ARM, RIGHT_ARM) if hand == "left" else (RIGHT_ARM, LEFT_ARM)
    return [(side, r) for side, r in ((main, key.main), (other, key.other)) if r is not None]


def _arms(
    placed: list[tuple[int, slice, Reach]], bodies: Vector, shares: Vector, body: Body
) -> Vector:
    """Return the arm controls [n, len(ARM)] of reaches, each with the row of its body's pose.

    What ends the stroke is solved first and the others from there, so that an arm does not pass
    from one way of reaching to another on its way. Another body begins where the base body is.
    """
    goals = _goals(placed, bodies, BASE)
    apex = int(np.argmin(np.abs(shares - 1.0)))
    ends = {side.start: n for n, (row, side, _) in enumerate(placed) if row == apex}
    lead = [ends[side.start] for _, side, _ in placed]
    out = np.array([arm_vector(goal.shape) for _, _, goal in placed])
    out[:, : len(SOLVED)] = solve(goals, solve(goals.of(lead)))
    if body is not BASE:
        out[:, : len(SOLVED)] = solve(_goals(placed, bodies, body), out[:, : len(SOLVED)], body)
    return out


def _goals(placed: list[tuple[int, slice, Reach]], bodies: Vector, body: Body) -> Goals:
    count = len(placed)
    goals = Goals.none(count)
    leans = _Leans(bodies, body)
    shifts = _shifts(placed, body)
    for n, (row, side, goal) in enumerate(placed):
        turn, shift = leans.to_chest(row, goal, side == LEFT_ARM)
        goals.places[n] = turn @ (_TO_WORLD * (goal.place + shifts[n])) + shift
        goals.points[n] = point_of(goal.point, goal.shape, body)
        for i, (name, aim) in enumerate(((goal.axis, goal.fingers), ("palm", goal.palm))):
            goals.axes[n, i] = axis_of(name, goal.shape, body)
            if aim is not None:
                goals.directions[n, i] = turn @ (_TO_WORLD * _unit(aim))
                goals.weights[n, i] = (1.0, goal.palm_matters)[i]
        _make_square(goals.axes[n], goals.directions[n], goals.weights[n])
        goals.slack[n] = goal.slack
        near = {**_PREFERRED, **goal.near}
        goals.preferred[n] = [near.get(name, 0.0) for name in SOLVED]
    return goals


def _shifts(placed: list[tuple[int, slice, Reach]], body: Body) -> Vector:
    """Return how far each place is carried over to a body, (out, ahead, up) [n, 3].

    Hands that show the size of a thing go together, and so do hands that touch.
    """
    places = np.array([goal.place for _, _, goal in placed], np.float64)
    if body is BASE:
        return np.zeros_like(places)
    own = places.copy()
    for n, (row, side, goal) in enumerate(placed):
        own[n] += body.carried(places[n])
        for other, beside, with_ in placed:
            if row == other and side != beside and (apart := _apart(goal, with_)) is not None:
                middle = body.carried(places[n] - 0.5 * apart)
                far = float(np.linalg.norm(apart))
                closer = 0.5 * min(_CLOSER, far) / far if 0.0 < far < _TOUCHING else 0.0
                own[n] = places[n] + middle - closer * apart
    return np.asarray(own - places, np.float64)


def _apart(one: Reach, other: Reach) -> Vector | None:
    """Return the way to `one` from the other hand where both belong together, else None.

    Places are seen from each hand's own side; the way is seen from that of `one`.
    """
    apart = np.subtract(one.place, _ACROSS * other.place)
    if one.frame == other.frame == "world" or float(np.linalg.norm(apart)) < _TOUCHING:
        return np.asarray(apart, np.float64)
    return None


def _make_square(axes: Vector, directions: Vector, weights: Vector) -> None:
    """Turn the second direction so that it is to the first as the hand's own are, in place."""
    if weights.min() > 0.0:
        for pair in (axes, directions):
            pair[1] = _unit(pair[1] - (pair[1] @ pair[0]) * pair[0])


class _Leans:
    """What the body's own turns do to places, worked out once for all keys and only if needed."""

    def __init__(self, bodies: Vector, body: Body) -> None:
        self._bodies = bodies
        self._body = body
        self._placed: Vector | None = None

    def to_chest(self, row: int, goal: Reach, left: bool) -> tuple[Vector, Vector]:
        """Return the turn [3, 3] and shift [3] that bring a goal to the chest at rest.

        It is seen from the left: a right hand's is the mirror of a left one's.
        """
        if goal.frame == "chest":
            return np.eye(3), np.zeros(3)
        if self._placed is None:
            at_rest = joint_transforms(to_rotations(self._bodies), self._body.offsets)
            self._placed = at_rest.astype(np.float64)
        chest = self._rigid(row, "spine01")
        carried = np.linalg.inv(chest)
        if goal.frame == "head":
            carried = carried @ self._rigid(row, "head")
        if not left:
            carried = _MIRROR @ carried @ _MIRROR
        return np.asarray(carried[:3, :3], np.float64), np.asarray(carried[:3, 3], np.float64)

    def _rigid(self, row: int, joint: str) -> Vector:
        """Return how a joint has been moved from the rest pose, float64 [4, 4]."""
        assert self._placed is not None
        index = joint_index(joint)
        back = np.eye(4)
        back[:3, 3] = -self._body.positions[index]
        return np.asarray(self._placed[row, index] @ back, np.float64)


_ACROSS: Final = np.array([-1.0, 1.0, 1.0])
_TOUCHING: Final = 0.16  # metres between the places of hands that touch
# Metres by which they come nearer on a host: those of the base body leave room for any hand.
_CLOSER: Final = 0.018
_MIRROR: Final = np.diag([-1.0, 1.0, 1.0, 1.0])


def _unit(vector: Vector | tuple[float, ...]) -> Vector:
    values = np.asarray(vector, np.float64)
    return np.asarray(values / np.linalg.norm(values), np.float64)
