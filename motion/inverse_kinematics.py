"""Inverse kinematics of an arm: the controls that bring a point of the hand to a place.

Damped least squares (Wampler, 1986; Nakamura and Hanafusa, 1986) over the seven controls of
shoulder, elbow and wrist. Where the hand is comes first, how it is turned second, and of all the
poses that do both the one nearest to a preferred one is taken, which keeps elbows low and the
answer smooth in its goal. Controls never leave `motion.limits`.
"""

from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from motion.bodies import BASE, Body
from motion.controls import ARM, left_arm_turns
from motion.limits import ARM_LIMITS
from motion.skeleton import JOINT_INDEX

Vector = NDArray[np.float64]

SOLVED: Final = ARM[: ARM.index("index")]
"""The controls of an arm that place the hand, in the order of `ARM`; fingers follow."""

_FIXED: Final = 2  # shrug and reach are given, not sought
_FREE: Final = len(SOLVED) - _FIXED
_CHAIN: Final = (
    "clavicle.L", "shoulder01.L", "upperarm01.L", "upperarm02.L", "lowerarm01.L", "lowerarm02.L",
    "wrist.L",
)  # fmt: skip
_BONES: Final = (("upperarm01.L", "lowerarm01.L"), ("lowerarm01.L", "wrist.L"))
_STEPS: Final = 60
_LONGEST: Final = 0.6  # radians a control may move in a step
_STILL: Final = 1e-4  # radians of a step after which no other is made
_GAIN: Final = 1e-5  # share of the error below which a step is the last
_STIFF: Final = 1e4  # damping at which no step is left to try
_NEARNESS: Final = 0.004  # metres that weigh as much as
_TURNING: Final = 0.12  # radians of the hand's turn, or as
# as many radians of a control away from where it is preferred.
_EASE: Final = np.radians([110.0, 130.0, 110.0, 150.0, 110.0, 70.0, 45.0])


@dataclass(frozen=True, slots=True)
class Goals:
    """Where left hands shall be, n at once; a right hand is the mirror of one.

    Places and directions are seen from the chest, as it stands in the rest pose: x to the body's
    left, y to its back, z up, metres from the root.

    Attributes:
        places: float64 [n, 3].
        points: float64 [n, 3], the point of the hand that goes there, metres from the wrist as
            the hand is turned in the rest pose.
        axes: float64 [n, 2, 3], two directions of the hand as it is turned in the rest pose.
        directions: float64 [n, 2, 3], where they shall point.
        weights: float64 [n, 2], how much each matters; 0 not at all.
        slack: float64 [n], metres off its place that a hand accepts for the sake of the rest;
            0 for a hand that has to be there.
        preferred: float64 [n, len(SOLVED)], degrees. The first two, of the clavicle, are kept.
    """

    places: Vector
    points: Vector
    axes: Vector
    directions: Vector
    weights: Vector
    slack: Vector
    preferred: Vector

    @classmethod
    def none(cls, count: int) -> Self:
        """Return `count` goals that ask for nothing yet."""
        wide = len(SOLVED)
        shapes = ((3,), (3,), (2, 3), (2, 3), (2,), (), (wide,))
        return cls(*(np.zeros((count, *shape)) for shape in shapes))

    def of(self, rows: list[int]) -> Self:
        """Return the goals of some rows, in that order."""
        return type(self)(*(getattr(self, name)[rows] for name in self.__slots__))


def solve(goals: Goals, start: Vector | None = None, body: Body = BASE) -> Vector:
    """Return the controls of each arm, float64 [n, len(SOLVED)], degrees within their limits.

    `start`: controls [n, len(SOLVED)] the search begins at, the preferred ones when omitted. Of
    two ways to reach a place it finds the nearer one. `body`: whose arms they are.
    """
    rest = _chain(body)
    preferred = np.radians(np.clip(goals.preferred, _LOWEST, _HIGHEST))
    goals = replace(goals, places=_brought_near(goals, preferred, rest))
    angles = preferred.copy()
    if start is not None:
        angles[:, _FIXED:] = np.clip(np.radians(start[:, _FIXED:]), _FREE_LOW, _FREE_HIGH)
    residual, slope = _errors(goals, angles, preferred, rest)
    damping = np.full(len(angles), 0.1)
    for _ in range(_STEPS):
        move = _least_squares(residual, slope, damping, angles[:, _FIXED:])
        longest = np.abs(move).max(1, keepdims=True)
        move *= np.minimum(1.0, _LONGEST / np.maximum(longest, 1e-12))
        tried = angles.copy()
        tried[:, _FIXED:] = np.clip(tried[:, _FIXED:] + move, _FREE_LOW, _FREE_HIGH)
        found, steeper = _errors(goals, tried, preferred, rest)
        # Levenberg's rule (Marquardt, 1963): what is no better is tried again with shorter steps.
        before, after = (residual**2).sum(1), (found**2).sum(1)
        better = after < before
        going = np.where(better, longest[:, 0] > _STILL, damping < _STIFF)
        going &= ~better | (after < (1.0 - _GAIN) * before)
        angles[better], residual[better] = tried[better], found[better]
        slope[better] = steeper[better]
        damping *= np.where(better, 0.3, 6.0)
        if not going.any():
            break
    return np.degrees(angles)


def _brought_near(goals: Goals, preferred: Vector, rest: Vector) -> Vector:
    """Return the places, those out of reach brought to just within it: [n, 3].

    The last twentieth of the reach is shared among all that lies beyond, so that a goal may
    leave the reach without a jump.
    """
    _, _, _, origins = _forward(preferred, rest)
    arm = sum(np.linalg.norm(rest[_CHAIN.index(b)] - rest[_CHAIN.index(a)]) for a, b in _BONES)
    shoulders = origins[:, _SHOULDER]
    way = goals.places - shoulders
    far = np.linalg.norm(way, axis=1, keepdims=True)
    reach = 0.985 * (float(arm) + np.linalg.norm(goals.points, axis=1, keepdims=True))
    sure = 0.95 * reach
    over = np.maximum(far - sure, 0.0)
    room = reach - sure
    kept = np.minimum(far, sure) + room * over / (room + over)
    return np.asarray(shoulders + way * kept / np.maximum(far, 1e-9), np.float64)


def reached(controls: Vector, points: Vector, body: Body = BASE) -> tuple[Vector, Vector]:
    """Return where points [n, 3] of left hands stand [n, 3] and how the hands are turned [n, 3, 3].

    `controls`: float64 [n, len(SOLVED)], degrees.
    """
    wrist, turn, _, _ = _forward(np.radians(controls), _chain(body))
    return wrist + np.einsum("nij,nj->ni", turn, points), turn


def _least_squares(residual: Vector, slope: Vector, damping: Vector, now: Vector) -> Vector:
    """Return the damped step [n, free]; what would leave its range goes to its end, the others
    make up for it.
    """
    square = np.einsum("nri,nrj->nij", slope, slope) + damping[:, None, None] * np.eye(_FREE)
    pull = -np.einsum("nri,nr->ni", slope, residual)
    down, up = _FREE_LOW - now, _FREE_HIGH - now
    held, move = np.zeros(now.shape, bool), np.zeros_like(now)
    for _ in range(_FREE):
        free = ~held
        kept = square * (free[:, :, None] & free[:, None, :])
        kept[:, range(_FREE), range(_FREE)] += held
        known = np.where(held, move, 0.0)
        right = np.where(held, move, pull - np.einsum("nij,nj->ni", square, known))
        move = np.linalg.solve(kept, right[..., None])[..., 0]
        out = free & ((move < down) | (move > up))
        if not out.any():
            break
        held |= out
        move = np.clip(move, down, up)
    return np.asarray(move, np.float64)


def _errors(goals: Goals, angles: Vector, preferred: Vector, rest: Vector) -> tuple[Vector, Vector]:
    """Return what is wrong [n, rows] and how it changes with the free controls [n, rows, free]."""
    wrist, turn, axes, origins = _forward(angles, rest)
    place = wrist + np.einsum("nij,nj->ni", turn, goals.points)
    pointed = np.einsum("nij,nkj->nki", turn, goals.axes)
    moved = _cross(axes, place[:, None] - origins)  # [n, turns, 3]
    swung = _cross(axes[:, :, None], pointed[:, None])  # [n, turns, 2, 3]
    count = len(angles)
    near = _NEARNESS + goals.slack[:, None]
    rate = np.concatenate([moved / near[..., None], _swing_rows(swung, goals.weights)], 2)
    slope = np.einsum("ntr,ct->nrc", rate, _SHARES)[:, :, _FIXED:]
    off = goals.weights[..., None] * (pointed - goals.directions) / _TURNING
    rows = np.concatenate([(place - goals.places) / near, off.reshape(count, 6)], 1)
    ease = (angles - preferred)[:, _FIXED:] / _EASE
    held = np.broadcast_to(np.diag(1.0 / _EASE), (count, _FREE, _FREE))
    return np.concatenate([rows, ease], 1), np.concatenate([slope, held], 1)


def _swing_rows(swung: Vector, weights: Vector) -> Vector:
    rows = weights[:, None, :, None] * swung / _TURNING
    return np.asarray(rows.reshape(*swung.shape[:2], 6), np.float64)


def _forward(angles: Vector, rest: Vector) -> tuple[Vector, Vector, Vector, Vector]:
    """Return wrists [n, 3], how they are turned, and each turn's axis and origin [n, turns, 3]."""
    count = len(angles)
    turned = (angles @ _SHARES)[..., None, None]
    turns = np.eye(3) + np.sin(turned) * _K + (1.0 - np.cos(turned)) * _KK
    frame = np.broadcast_to(np.eye(3), (count, 3, 3))
    place = np.broadcast_to(rest[0], (count, 3))
    axes = np.empty((count, len(_JOINTS), 3))
    origins = np.empty_like(axes)
    at = 0
    for number, joint in enumerate(_JOINTS):
        if at < joint:
            place = place + frame @ (rest[joint] - rest[at])
            at = joint
        axes[:, number], origins[:, number] = frame @ _AXES[number], place
        frame = frame @ turns[:, number]
    return np.asarray(place, np.float64), np.asarray(frame, np.float64), axes, origins


def _cross(a: Vector, b: Vector) -> Vector:
    """Return the cross products of the last axes; `np.cross` takes four times as long."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        out[..., i] = a[..., j] * b[..., k] - a[..., k] * b[..., j]
    return out


def _chain(body: Body) -> Vector:
    """Return where the joints of the arm stand at rest, [chain, 3]."""
    return np.array([body.positions[JOINT_INDEX[name]] for name in _CHAIN], np.float64)


def _table() -> tuple[list[int], Vector, Vector]:
    """Return of each turn of the chain its joint, axis [turns, 3] and shares [controls, turns]."""
    listed = [
        (number, axis, shares)
        for number, joint in enumerate(_CHAIN)
        for axis, shares in left_arm_turns().get(joint, [])
    ]
    shares = np.zeros((len(SOLVED), len(listed)))
    for column, (_, _, given) in enumerate(listed):
        for name, share in given.items():
            if name in SOLVED:
                shares[SOLVED.index(name), column] = share
    return [joint for joint, _, _ in listed], np.array([axis for _, axis, _ in listed]), shares


_JOINTS, _AXES, _SHARES = _table()
_SHOULDER: Final = _JOINTS.index(_CHAIN.index("upperarm01.L"))
_K: Final = np.array([[[0, -z, y], [z, 0, -x], [-y, x, 0]] for x, y, z in _AXES])
_KK: Final = _K @ _K
_LOWEST, _HIGHEST = np.array([ARM_LIMITS[name] for name in SOLVED], np.float64).T
_FREE_LOW, _FREE_HIGH = np.radians(_LOWEST[_FIXED:]), np.radians(_HIGHEST[_FIXED:])
