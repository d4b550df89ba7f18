"""Motion of any skeleton: what readers of foreign files give before it is brought to our rig."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motion.errors import MotionValueError
from motion.formats.timing import check_rate
from motion.rotations import conjugate, multiply, rotate

Array = NDArray[np.float32]
Up = Literal["y", "z"]

MOST_JOINTS: Final = 2048

# Our axes: x to the body's left, y to its back, z up. Files with y up have z to the front.
_TO_OURS: Final = {"y": ((0, 2, 1), (1.0, -1.0, 1.0)), "z": ((0, 1, 2), (1.0, 1.0, 1.0))}
_FROM_OURS: Final = {"y": ((0, 2, 1), (1.0, 1.0, -1.0)), "z": ((0, 1, 2), (1.0, 1.0, 1.0))}


@dataclass(frozen=True, slots=True)
class Skeleton:
    """Joints in a tree; at rest every joint's axes are those of the world.

    Attributes:
        names: of the J joints, each once.
        parents: index of each joint's parent, which comes before it; -1 for the first, the root.
        offsets: float32 [J, 3], metres in our axes, from each joint's parent at rest; of the
            root, where it rests.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    offsets: Array

    def __post_init__(self) -> None:
        joints = len(self.names)
        if not 1 <= joints <= MOST_JOINTS:
            raise MotionValueError(f"{joints} joints; accepted: 1 to {MOST_JOINTS}")
        if len(set(self.names)) != joints:
            twice = next(name for name in self.names if self.names.count(name) > 1)
            raise MotionValueError(f"two joints are called {twice!r}; accepted: each name once")
        sound = len(self.parents) == joints and self.parents[0] == -1
        if not sound or not all(0 <= p < j for j, p in enumerate(self.parents) if j):
            raise MotionValueError("parents do not come first; accepted: one root, then children")
        if self.offsets.shape != (joints, 3) or not np.isfinite(self.offsets).all():
            raise MotionValueError(
                f"offsets are {list(self.offsets.shape)}; accepted: finite [{joints}, 3]"
            )

    @property
    def rest(self) -> Array:
        """Where the joints rest, float32 [J, 3], metres."""
        return self.positions(np.tile([1.0, 0.0, 0.0, 0.0], (len(self.names), 1)), self.offsets[0])

    def world(self, rotations: ArrayLike) -> Array:
        """Return how the joints stand in the world, [..., J, 4], of local `rotations`."""
        local = np.asarray(rotations, np.float32)
        out = local.copy()
        for joint, parent in enumerate(self.parents[1:], start=1):
            out[..., joint, :] = multiply(out[..., parent, :], local[..., joint, :])
        return out

    def local(self, world: ArrayLike) -> Array:
        """Return the local rotations, [..., J, 4], of joints that stand so in the world."""
        stands = np.asarray(world, np.float32)
        parents = np.array(self.parents[1:], np.intp)
        out = stands.copy()
        out[..., 1:, :] = multiply(conjugate(stands[..., parents, :]), stands[..., 1:, :])
        return out

    def positions(self, world: ArrayLike, root: ArrayLike) -> Array:
        """Return where joints are, [..., J, 3], that stand so in the world [..., J, 4].

        Args:
            root: where the root is, [..., 3], metres.
        """
        stands = np.asarray(world, np.float32)
        parents = np.array(self.parents[1:], np.intp)
        steps = rotate(stands[..., parents, :], self.offsets[1:])
        out = np.empty((*stands.shape[:-1], 3), np.float32)
        out[..., 0, :] = root
        for joint, parent in enumerate(self.parents[1:], start=1):
            out[..., joint, :] = out[..., parent, :] + steps[..., joint - 1, :]
        return out


@dataclass(frozen=True, slots=True)
class SkeletalMotion:
    """A skeleton that moves, T frames at `fps` a second.

    Attributes:
        rotations: float32 [T, J, 4], unit quaternions, local.
        root: float32 [T, 3], metres in our axes, where the root is in the world.
    """

    skeleton: Skeleton
    rotations: Array
    root: Array
    fps: float

    def __post_init__(self) -> None:
        check_rate(self.fps)
        frames, joints = len(self.rotations), len(self.skeleton.names)
        for name, array, shape in (
            ("rotations", self.rotations, (frames, joints, 4)),
            ("root", self.root, (frames, 3)),
        ):
            if array.shape != shape or not np.isfinite(array).all():
                raise MotionValueError(
                    f"{name} are {list(array.shape)}; accepted: finite {list(shape)}"
                )

    @property
    def positions(self) -> Array:
        """Where the joints are in the world, float32 [T, J, 3], metres."""
        return self.skeleton.positions(self.skeleton.world(self.rotations), self.root)


def to_our_axes(vectors: ArrayLike, up: Up) -> Array:
    """Return vectors [..., 3], or quaternions [..., 4], of axes with `up` up in ours.

    "y": y up, z to the front, x to the left; "z": ours.

    Raises:
        MotionValueError: another axis.
    """
    return _turned(vectors, _TO_OURS, up)


def from_our_axes(vectors: ArrayLike, up: Up) -> Array:
    """Undo `to_our_axes`."""
    return _turned(vectors, _FROM_OURS, up)


_Axes = dict[str, tuple[tuple[int, int, int], tuple[float, float, float]]]


def _turned(vectors: ArrayLike, axes: _Axes, up: str) -> Array:
    v = np.asarray(vectors, np.float32)
    if up not in axes:
        raise MotionValueError(f"axis {up!r} is up; accepted: 'y', 'z'")
    order, signs = axes[up]
    out = v.copy()
    out[..., -3:] = v[..., -3:][..., order] * np.array(signs, np.float32)
    return out
