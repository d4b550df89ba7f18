"""A body of simple solids, to see whether hands go through it, and films of single actions."""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from motion.actions import ACTIONS, LEAD
from motion.actions.library import gesture
from motion.bodies import BASE, Body
from motion.controls import CONTROLS, to_rotations
from motion.kinematics import joint_transforms
from motion.pose import Pose
from motion.postures import POSTURES
from motion.skeleton import joint_index
from motion.speech import SpokenAction
from tests.motion.samples import hand_points

Floats = NDArray[np.float64]

READY: Final = POSTURES["speaking"].controls
RATE: Final = 50
AT: Final = 10.0

# Bars across the body: joint they move with, half width, depth of the axis, height, radius; metres
# in the rest pose. Their fronts are those of a dressed body of middle size, less a centimetre.
_BARS: Final = (
    ("root", 0.06, -0.03, 0.02, 0.09),
    ("spine04", 0.06, -0.035, 0.10, 0.095),
    ("spine03", 0.055, -0.045, 0.18, 0.1),
    ("spine02", 0.055, -0.065, 0.26, 0.1),
    ("spine01", 0.06, -0.075, 0.33, 0.1),
    ("spine01", 0.06, -0.065, 0.4, 0.09),
)
_NECK: Final = (np.array([0.0, -0.02, 0.47]), np.array([0.0, -0.05, 0.58]), 0.05)
_HEAD: Final = (np.array([0.0, -0.082, 0.69]), np.array([0.074, 0.098, 0.122]))


def controls_of(action: SpokenAction, times: Floats, start: Floats = READY) -> Floats:
    """Return the controls [n, CONTROLS] at times from the action's word, at `AT` seconds."""
    made = gesture(SpokenAction(action.action, AT, action.parameters), 0.0)
    assert made is not None
    return np.array([made.apply(start, AT + float(at)) for at in times])


@lru_cache(maxsize=128)
def film_of(name: str, *parameters: tuple[str, float | str]) -> tuple[Floats, Floats]:
    """Return the times from the word and the controls [n, CONTROLS] of a whole action."""
    phases = ACTIONS[name].phases
    begins = -LEAD - phases.prepare
    times = begins + np.arange(round(phases.whole * RATE) + 2) / RATE
    return times, controls_of(SpokenAction(name, 0.0, parameters), times)


def posed(controls: Floats) -> Pose:
    """Return the poses of controls [n, CONTROLS]."""
    assert controls.shape[-1] == CONTROLS
    rotations = to_rotations(controls)
    count = len(controls)
    return Pose(rotations, np.zeros((count, 3), np.float32), np.zeros((count, 52), np.float32))


def depth_in_body(controls: Floats, body: Body = BASE) -> Floats:
    """Return how deep [n] the bones of the hands get into torso, neck or head at most, metres."""
    pose = posed(controls)
    points = np.concatenate(hand_points(pose, body), -2).astype(np.float64)
    placed = joint_transforms(pose.rotations, body.offsets).astype(np.float64)
    depths = [_bar(placed, points, body, *bar) for bar in _BARS]
    local = _seen_from(placed, points, "neck01", body)
    ends = [_on(body, end) for end in _NECK[:2]]
    depths.append(_NECK[2] - _from_line(local, ends[0], ends[1]))
    local = _seen_from(placed, points, "head", body)
    eye = joint_index("eye.L")
    centre = _HEAD[0] + body.positions[eye] - BASE.positions[eye]
    scaled = (local - centre) / _HEAD[1]
    depths.append((1.0 - np.linalg.norm(scaled, axis=-1)) * 0.09)
    return np.asarray(np.max(depths, axis=(0, 2)), np.float64)


def _bar(
    placed: Floats,
    points: Floats,
    body: Body,
    joint: str,
    half: float,
    deep: float,
    high: float,
    radius: float,
) -> Floats:
    local = _seen_from(placed, points, joint, body)
    ends = [_on(body, np.array([side * half, deep, high])) for side in (-1.0, 1.0)]
    return radius - _from_line(local, *ends)


def _on(body: Body, place: Floats) -> Floats:
    """Return where a place inside the base body is inside another."""
    return np.asarray(place + body.carried(place) * [1.0, -1.0, 1.0], np.float64)


def _seen_from(placed: Floats, points: Floats, joint: str, body: Body) -> Floats:
    """Return points [n, m, 3] as they would be, had the joint not moved."""
    index = joint_index(joint)
    turn, place = placed[:, index, :3, :3], placed[:, index, :3, 3]
    moved = np.einsum("nji,nmj->nmi", turn, points - place[:, None])
    return np.asarray(moved + body.positions[index], np.float64)


def _from_line(points: Floats, start: Floats, end: Floats) -> Floats:
    along = end - start
    share = np.clip((points - start) @ along / (along @ along), 0.0, 1.0)
    return np.asarray(np.linalg.norm(points - start - share[..., None] * along, axis=-1))
