"""Hand shapes as finger controls, and where the points and directions of a shaped hand lie."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from motion.bodies import BASE, Body
from motion.controls import CONTROLS, LEFT_ARM, arm_vector, to_rotations
from motion.errors import MotionValueError
from motion.kinematics import joint_transforms
from motion.skeleton import joint_index

Vector = NDArray[np.float64]
Shape = Mapping[str, float]

_TIP: Final = 0.018  # metres of a finger beyond its last joint
_PALM: Final = (0.078, 0.016)  # metres from the wrist along the fingers, and out of the palm

RELAXED: Final[Shape] = {"index": 16, "middle": 24, "ring": 29, "pinky": 32, "thumb": 6}
OPEN: Final[Shape] = {
    "index": 0, "middle": 6, "ring": 9, "pinky": 7, "thumb": 0, "spread": 5, "oppose": -12,
}  # fmt: skip  # fmt: skip
FLAT: Final[Shape] = {
    "index": -10, "middle": -10, "ring": -9, "pinky": -9, "thumb": 4, "spread": -6,
    "oppose": -26,
}  # fmt: skip
SPLAYED: Final[Shape] = {"curl": -2, "thumb": -14, "spread": 14}
CUPPED: Final[Shape] = {
    "index": 26, "middle": 28, "ring": 31, "pinky": 34, "thumb": 8, "oppose": 34, "spread": 2,
}  # fmt: skip
FIST: Final[Shape] = {"curl": 84, "thumb": 34, "oppose": 38}
POINTING: Final[Shape] = {
    "index": -2, "middle": 80, "ring": 84, "pinky": 84, "thumb": 30, "oppose": 36,
}  # fmt: skip
THUMB_OUT: Final[Shape] = {"curl": 86, "thumb": -18}
PINCH: Final[Shape] = {
    "index": 38, "middle": 30, "ring": 34, "pinky": 36, "thumb": 10, "oppose": 50,
}  # fmt: skip
RING: Final[Shape] = {
    "index": 40, "middle": 12, "ring": 8, "pinky": 3, "thumb": 10, "oppose": 50, "spread": 8,
}  # fmt: skip
FINGER_HEART: Final[Shape] = {
    "index": 40, "middle": 84, "ring": 86, "pinky": 86, "thumb": 6, "oppose": 44,
}  # fmt: skip
PHONE: Final[Shape] = {
    "index": 84, "middle": 86, "ring": 84, "pinky": 2, "thumb": -20, "spread": -8,
}  # fmt: skip
GRIP: Final[Shape] = {
    "index": 46, "middle": 50, "ring": 54, "pinky": 58, "thumb": 12, "oppose": 50,
}  # fmt: skip
VICTORY: Final[Shape] = {
    "index": 0, "middle": 0, "ring": 82, "pinky": 84, "thumb": 34, "oppose": 44, "spread": 14,
}  # fmt: skip


def counted(number: int) -> Shape:
    """Return a hand that shows a number from 1 to 5."""
    names = ("index", "middle", "ring", "pinky")
    fingers = {name: 0.0 if i < number else 84.0 for i, name in enumerate(names)}
    if number == 5:
        return {**fingers, "thumb": -12.0, "spread": 10.0}
    return {**fingers, "thumb": 34.0, "oppose": 46.0, "spread": 8.0 if number > 1 else 0.0}


def pinched(gap: float) -> Shape:
    """Return a hand whose thumb and index are `gap` metres apart, tip to tip, the others curled."""
    share = float(np.interp(gap, _GAPS, np.linspace(0.0, 1.0, len(_GAPS))))
    return _opened(share)


def _opened(share: float) -> dict[str, float]:
    index, thumb, oppose = (a + share * (b - a) for a, b in ((38, -6), (10, -16), (50, 30)))
    fingers = {"index": index, "thumb": thumb, "oppose": oppose}
    return {**fingers, "middle": 72.0, "ring": 78.0, "pinky": 80.0}


def axis_of(name: str, shape: Shape, body: Body = BASE) -> Vector:
    """Return a direction of a left hand as it is turned in the rest pose: float64 [3], unit.

    `name`: fingers (wrist to middle knuckle), palm (out of it), across (to the thumb's side),
    index (knuckle to tip of the index), thumb (its last joint to its tip).
    """
    return np.array(_laid(name, tuple(sorted(shape.items())), body)[1])


def point_of(name: str, shape: Shape, body: Body = BASE) -> Vector:
    """Return a point of a left hand from its wrist, turned as in the rest pose: metres [3].

    `name`: wrist, palm, knuckles, index, middle, thumb (tips), pinch (between index and thumb).
    """
    return np.array(_laid(name, tuple(sorted(shape.items())), body)[0])


@lru_cache(maxsize=512)
def _laid(
    name: str, shape: tuple[tuple[str, float], ...], body: Body
) -> tuple[tuple[float, ...], ...]:
    controls = np.zeros(CONTROLS)
    controls[LEFT_ARM] = arm_vector(dict(shape))
    placed = joint_transforms(to_rotations(controls), body.offsets).astype(np.float64)
    wrist = placed[joint_index("wrist.L"), :3, 3]
    index, index_along = _tip(placed, 2, body)
    thumb, thumb_along = _tip(placed, 1, body)
    middle, _ = _tip(placed, 3, body)
    along, out = _hand(body)
    large = float(np.linalg.norm(_rest("finger3-1.L", body) - _rest("wrist.L", body)) / _LENGTH)
    knuckles = placed[joint_index("finger3-1.L"), :3, 3]
    points = {
        "wrist": wrist, "palm": wrist + large * _PALM[0] * along + large * _PALM[1] * out,
        "knuckles": knuckles, "index": index, "thumb": thumb, "middle": middle,
        "pinch": 0.5 * (index + thumb),
    }  # fmt: skip
    index_from = placed[joint_index("finger2-1.L"), :3, 3]
    axes = {
        "fingers": along, "palm": out, "across": np.cross(out, along),
        "index": _unit(index - index_from), "thumb": thumb_along,
    }  # fmt: skip
    if name not in points and name not in axes:
        raise MotionValueError(f"{name!r} is nothing of a hand; accepted: {[*points, *axes]}")
    point, axis = points.get(name, wrist) - wrist, axes.get(name, index_along)
    return tuple(map(float, point)), tuple(map(float, axis))


def _tip(placed: Vector, finger: int, body: Body) -> tuple[Vector, Vector]:
    """Return where a fingertip of the left hand is and where it points."""
    before, last = (joint_index(f"finger{finger}-{part}.L") for part in (2, 3))
    along = placed[last, :3, :3] @ _unit(body.positions[last] - body.positions[before])
    return np.asarray(placed[last, :3, 3] + _TIP * along, np.float64), along


def _unit(vector: NDArray[Any]) -> Vector:
    return np.asarray(vector / np.linalg.norm(vector), np.float64)


def _rest(name: str, body: Body) -> Vector:
    return np.asarray(body.positions[joint_index(name)], np.float64)


def _hand(body: Body) -> tuple[Vector, Vector]:
    """Return where the fingers of the left hand point at rest, and the palm faces."""
    along = _unit(_rest("finger3-1.L", body) - _rest("wrist.L", body))
    across = _rest("finger2-1.L", body) - _rest("finger5-1.L", body)
    return along, _unit(np.cross(along, across))


_LENGTH: Final = float(np.linalg.norm(_rest("finger3-1.L", BASE) - _rest("wrist.L", BASE)))
_GAPS: Final = np.array(
    [
        np.linalg.norm(point_of("index", shape) - point_of("thumb", shape))
        for shape in (_opened(share) for share in np.linspace(0.0, 1.0, 23))
    ]
)
WIDEST_PINCH: Final = float(_GAPS[-1])
