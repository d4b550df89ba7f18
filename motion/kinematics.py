"""Forward kinematics: from local rotations to where every joint stands.

A joint's rest frame has the axes of the world, so its local rotation composes with its parent's
without a change of basis: G_j = G_parent * translate(offset_j) * R_j, where offset_j leads from
the parent's to the joint's rest position.
"""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motion.errors import MotionValueError
from motion.rotations import to_matrix
from motion.skeleton import JOINT_PARENTS

Array = NDArray[np.float32]

PARENTS: Final = np.array(JOINT_PARENTS)


def _levels() -> tuple[NDArray[np.intp], ...]:
    """Group the joints by depth, so that one product serves every joint of a depth."""
    depths = np.zeros(len(PARENTS), int)
    for joint, parent in enumerate(JOINT_PARENTS):
        depths[joint] = 0 if parent < 0 else depths[parent] + 1
    return tuple(np.flatnonzero(depths == depth) for depth in range(depths.max() + 1))


_LEVELS: Final = _levels()


def rest_offsets(positions: ArrayLike) -> Array:
    """Turn rest positions in the world [..., J, 3] into offsets from each joint's parent.

    The root's offset is its own position.
    """
    p = _joints(positions, "positions")
    offsets = p - p[..., PARENTS, :]
    offsets[..., 0, :] = p[..., 0, :]
    return offsets


def joint_transforms(
    rotations: ArrayLike, offsets: ArrayLike, translation: ArrayLike | None = None
) -> Array:
    """Return where every joint stands and how it is turned, in the world.

    Args:
        rotations: unit quaternions [..., J, 4], local, as in `Pose`.
        offsets: [..., J, 3] metres, as `rest_offsets` gives them; broadcast over leading axes.
        translation: [..., 3] metres the root is moved by; none when omitted.

    Returns:
        float32 [..., J, 4, 4]; the last row of each is (0, 0, 0, 1).
    """
    turns = to_matrix(rotations)
    if turns.shape[-3] != len(PARENTS):
        raise MotionValueError(f"{turns.shape[-3]} joints; accepted: {len(PARENTS)}")
    steps = _joints(offsets, "offsets")
    lead = np.broadcast_shapes(turns.shape[:-3], steps.shape[:-2])
    out = np.zeros((*lead, len(PARENTS), 4, 4), np.float32)
    out[..., :3, :3] = turns
    out[..., :3, 3] = steps
    out[..., 3, 3] = 1.0
    if translation is not None:
        out[..., 0, :3, 3] += np.asarray(translation, np.float32)
    for joints in _LEVELS[1:]:
        out[..., joints, :, :] = out[..., PARENTS[joints], :, :] @ out[..., joints, :, :]
    return out


def joint_positions(
    rotations: ArrayLike, offsets: ArrayLike, translation: ArrayLike | None = None
) -> Array:
    """Return the world positions [..., J, 3] in metres; arguments as for `joint_transforms`."""
    return joint_transforms(rotations, offsets, translation)[..., :3, 3]


def skinning_transforms(transforms: ArrayLike, positions: ArrayLike) -> Array:
    """Return what moves rest vertices: joint transforms [..., J, 4, 4] less the rest positions.

    Args:
        transforms: as `joint_transforms` returns them.
        positions: rest positions in the world [..., J, 3], metres.
    """
    out = np.array(transforms, np.float32)
    turned = out[..., :3, :3] @ _joints(positions, "positions")[..., None]
    out[..., :3, 3] -= turned[..., 0]
    return out


def _joints(values: ArrayLike, name: str) -> Array:
    array = np.asarray(values, np.float32)
    if array.ndim < 2 or array.shape[-2:] != (len(PARENTS), 3):
        raise MotionValueError(
            f"{name} are {list(array.shape)}; accepted: [..., {len(PARENTS)}, 3]"
        )
    return array
