"""The skeleton of SMPL-X (Pavlakos et al., 2019): the names of its 55 joints, and a nominal rest.

Its own rest positions come with the body model, whose licence forbids passing them on; ours are a
grown person's to the centimetre, in a T-pose with the palms down. Motion is carried over by how
joints stand in the world, so the difference only turns limbs by a few degrees; whoever holds the
model gives its joints instead and has them exactly.
"""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motion.errors import MotionValueError
from motion.formats.skeletal import Skeleton, to_our_axes

Array = NDArray[np.float32]

BODY_JOINTS: Final = 22
_BODY: Final = (
    # Name, parent, millimetres from the pelvis: x to the left, y to the back, z up.
    ("pelvis", "", (0, 0, 0)),
    ("left_hip", "pelvis", (60, 0, -90)),
    ("right_hip", "pelvis", (-60, 0, -90)),
    ("spine1", "pelvis", (0, 20, 120)),
    ("left_knee", "left_hip", (83, -36, -507)),
    ("right_knee", "right_hip", (-83, -36, -507)),
    ("spine2", "spine1", (0, 10, 250)),
    ("left_ankle", "left_knee", (118, -11, -908)),
    ("right_ankle", "right_knee", (-118, -11, -908)),
    ("spine3", "spine2", (0, 0, 310)),
    ("left_foot", "left_ankle", (130, -156, -960)),
    ("right_foot", "right_ankle", (-130, -156, -960)),
    ("neck", "spine3", (0, -10, 530)),
    ("left_collar", "spine3", (80, -10, 430)),
    ("right_collar", "spine3", (-80, -10, 430)),
    ("head", "neck", (0, -50, 610)),
    ("left_shoulder", "left_collar", (170, 0, 460)),
    ("right_shoulder", "right_collar", (-170, 0, 460)),
    ("left_elbow", "left_shoulder", (430, 0, 460)),
    ("right_elbow", "right_shoulder", (-430, 0, 460)),
    ("left_wrist", "left_elbow", (680, 0, 460)),
    ("right_wrist", "right_elbow", (-680, 0, 460)),
    ("jaw", "head", (0, -60, 600)),
    ("left_eye", "head", (30, -130, 680)),
    ("right_eye", "head", (-30, -130, 680)),
)
# First joints and lengths from one to the next; fingers point to the side, thumbs half forward.
_FINGERS: Final = (
    ("index", (780, -30, 460), (30, 25), (1.0, 0.0, 0.0)),
    ("middle", (785, -5, 460), (30, 25), (1.0, 0.0, 0.0)),
    ("pinky", (755, 40, 455), (20, 20), (1.0, 0.0, 0.0)),
    ("ring", (775, 20, 460), (30, 25), (1.0, 0.0, 0.0)),
    ("thumb", (705, -30, 450), (35, 30), (0.7, -0.7, -0.14)),
)


def _joints() -> tuple[tuple[str, str, tuple[float, ...]], ...]:
    """All joints in the order of the model: body, jaw, eyes, left hand, right hand."""
    rows: list[tuple[str, str, tuple[float, ...]]] = list(_BODY)
    for side, mirror in (("left", 1.0), ("right", -1.0)):
        for finger, first, lengths, along in _FINGERS:
            at, before = np.array(first, float), f"{side}_wrist"
            for number, length in enumerate((0, *lengths), start=1):
                at = at + length * np.array(along)
                name = f"{side}_{finger}{number}"
                rows.append((name, before, tuple(at * [mirror, 1.0, 1.0])))
                before = name
    return tuple(rows)


_ROWS: Final = _joints()

SMPLX_NAMES: Final[tuple[str, ...]] = tuple(row[0] for row in _ROWS)
"""The 55 joints in the order of `poses`; the first 22 are the body's, alike in SMPL and SMPL-H."""

SMPLX_INDEX: Final[dict[str, int]] = {name: index for index, name in enumerate(SMPLX_NAMES)}

SMPLX_PARENTS: Final[tuple[int, ...]] = tuple(SMPLX_INDEX.get(row[1], -1) for row in _ROWS)

SMPLX_REST: Final[Array] = np.array([row[2] for row in _ROWS], np.float32) / 1000.0
"""Nominal rest positions in our axes, float32 [55, 3], metres, the pelvis at the origin."""


def smplx_skeleton(joints: ArrayLike | None = None) -> Skeleton:
    """Return the skeleton of SMPL-X, with nominal offsets or those of a body model.

    Args:
        joints: the model's rest joints [55 or more, 3] in its own axes (y up, z to the front),
            metres, as its joint regressor gives them.

    Raises:
        MotionValueError: `joints` has another shape or is not finite.
    """
    rest = SMPLX_REST
    if joints is not None:
        given = np.asarray(joints, np.float32)
        if given.ndim != 2 or given.shape[1] != 3 or len(given) < len(SMPLX_NAMES):
            raise MotionValueError(f"joints are {list(given.shape)}; accepted: [55, 3]")
        rest = to_our_axes(given[: len(SMPLX_NAMES)], "y")
    offsets = rest.copy()
    offsets[1:] -= rest[np.array(SMPLX_PARENTS[1:])]
    return Skeleton(SMPLX_NAMES, SMPLX_PARENTS, offsets)
