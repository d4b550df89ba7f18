"""What changes for every picture of a figure, packed for the shaders: the `Session` blocks."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.renderer import light
from motion.kinematics import joint_transforms, rest_offsets, skinning_transforms
from motion.pose import Pose
from motion.skeleton import joint_index

Floats = NDArray[np.float32]

JOINTS: Final = 104
FACE: Final = 52
# Forearm and hand of each side, as capsules: from, to, and the radius as a share of the length.
CAPSULES: Final = tuple(
    (joint_index(f"{start}.{side}"), joint_index(f"{end}.{side}"), share)
    for side in ("L", "R")
    for start, end, share in (("lowerarm01", "wrist", 0.20), ("wrist", "finger3-2", 0.36))
)
_FACE_ROW: Final = 3 * JOINTS
_VIEW_ROW: Final = _FACE_ROW + FACE
_CAMERA_ROW: Final = _VIEW_ROW + 4
_ARMS_ROW: Final = _CAMERA_ROW + 1
_ROWS: Final = _ARMS_ROW + 2 * len(CAPSULES)
# std140, as `shaders/deform.glsl` declares it.
SESSION_BYTES: Final = 16 * _ROWS


def session_rows(joints: Sequence[Floats], poses: Pose) -> Floats:
    """Return the blocks of a batch, float32 [B, `SESSION_BYTES` / 16, 4], without cameras.

    Args:
        joints: for each of B figures float32 [104, 3], rest positions in metres.
        poses: [B, ...].
    """
    rest = np.stack(joints)
    transforms = joint_transforms(poses.rotations, rest_offsets(rest), poses.translation)
    rows = np.zeros((len(rest), _ROWS, 4), np.float32)
    skinning = skinning_transforms(transforms, rest)[..., :3, :]
    rows[:, :_FACE_ROW] = skinning.reshape(len(rest), _FACE_ROW, 4)
    rows[:, _FACE_ROW:_VIEW_ROW, 0] = poses.face
    rows[:, _ARMS_ROW:] = arms(transforms[..., :3, 3])
    return rows


def set_camera(rows: Floats, view: Floats, viewer: Floats) -> None:
    """Put a camera into one figure's block: view-projection [4, 4], row-major, and position [3]."""
    rows[_VIEW_ROW:_CAMERA_ROW] = view.T
    rows[_CAMERA_ROW, :3] = viewer


def arms(joints: Floats) -> Floats:
    """Return the capsules that throw shadow, float32 [B, 2 * capsules, 4].

    Each takes two rows in metres, seen along the key light (across, up, towards the lamp): its
    first end and radius; the way to its other end and 1 / length squared across the light.

    Args:
        joints: posed positions [B, 104, 3].
    """
    seen = joints @ light.KEY_AXES.T
    out = np.zeros((len(joints), len(CAPSULES), 2, 4), np.float32)
    for index, (start, end, share) in enumerate(CAPSULES):
        way = seen[:, end] - seen[:, start]
        out[:, index, 0, :3] = seen[:, start]
        out[:, index, 0, 3] = share * np.linalg.norm(way, axis=-1)
        out[:, index, 1, :3] = way
        out[:, index, 1, 3] = 1.0 / np.maximum((way[:, :2] ** 2).sum(-1), 1e-6)
    return out.reshape(len(joints), -1, 4)


class SessionBlocks:
    """One uniform buffer for the blocks of a batch, in two copies that take turns.

    The driver may still read the batch before while the next is written.
    """

    def __init__(self, context: Any) -> None:
        self._context = context
        step = int(context.info["GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT"])
        self._stride = -(-SESSION_BYTES // step) * step
        self._buffers = [context.buffer(reserve=4 * self._stride, dynamic=True) for _ in range(2)]

    def begin(self, count: int) -> None:
        """Start a batch of `count` figures in the copy that was not used last."""
        self._buffers.reverse()
        if self._buffers[0].size < count * self._stride:
            self._buffers[0].release()
            self._buffers[0] = self._context.buffer(reserve=count * self._stride, dynamic=True)

    def use(self, index: int, rows: Floats) -> None:
        """Upload the block of batch item `index`, and make it the one that shaders read."""
        offset = index * self._stride
        self._buffers[0].write(np.ascontiguousarray(rows), offset=offset)
        self._buffers[0].bind_to_uniform_block(0, offset=offset, size=SESSION_BYTES)

    def release(self) -> None:
        """Free the buffers."""
        for buffer in self._buffers:
            buffer.release()
