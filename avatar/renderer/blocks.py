"""What changes for every picture of a figure, packed for the shaders: the `Session` blocks."""

from collections.abc import Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Placed:
    """One figure of a batch before its camera.

    Attributes:
        joints: float32 [104, 3], rest positions in metres.
        view: float32 [4, 4], view-projection, row-major.
        viewer: float32 [3], the camera's position.
    """

    joints: Floats
    view: Floats
    viewer: Floats


def session_rows(placed: Sequence[Placed], poses: Pose) -> Floats:
    """Return the blocks of a batch, float32 [B, `SESSION_BYTES` / 16, 4].

    Args:
        placed: B figures.
        poses: [B, ...].
    """
    joints = np.stack([each.joints for each in placed])
    transforms = joint_transforms(poses.rotations, rest_offsets(joints), poses.translation)
    rows = np.zeros((len(placed), _ROWS, 4), np.float32)
    skinning = skinning_transforms(transforms, joints)[..., :3, :]
    rows[:, :_FACE_ROW] = skinning.reshape(len(placed), _FACE_ROW, 4)
    rows[:, _FACE_ROW:_VIEW_ROW, 0] = poses.face
    for row, each in zip(rows, placed, strict=True):
        row[_VIEW_ROW:_CAMERA_ROW] = each.view.T
        row[_CAMERA_ROW, :3] = each.viewer
    rows[:, _ARMS_ROW:] = arms(transforms[..., :3, 3])
    return rows


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
    """Uniform buffers for the blocks of a batch: one upload a batch, two buffers in turn.

    The driver may still read the batch before while the next is written.
    """

    def __init__(self, context: Any) -> None:
        self._context = context
        step = int(context.info["GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT"])
        self._stride = -(-SESSION_BYTES // step) * step
        self._buffers: list[Any] = [None, None]
        self._turn = 0

    def write(self, rows: Floats) -> None:
        """Upload the blocks [B, ...] of `session_rows`."""
        self._turn ^= 1
        padded = np.zeros((len(rows), self._stride), np.uint8)
        padded[:, :SESSION_BYTES] = rows.reshape(len(rows), -1).view(np.uint8)
        buffer = self._buffers[self._turn]
        if buffer is None or buffer.size < padded.nbytes:
            if buffer is not None:
                buffer.release()
            buffer = self._context.buffer(reserve=padded.nbytes, dynamic=True)
            self._buffers[self._turn] = buffer
        buffer.write(padded)

    def bind(self, index: int) -> None:
        """Make the block of batch item `index` the one that shaders read."""
        self._buffers[self._turn].bind_to_uniform_block(
            0, offset=index * self._stride, size=SESSION_BYTES
        )

    def release(self) -> None:
        """Free the buffers."""
        for buffer in self._buffers:
            if buffer is not None:
                buffer.release()
        self._buffers = [None, None]
