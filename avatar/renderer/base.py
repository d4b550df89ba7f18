"""The contract of a renderer: it hears nothing, it gets poses and returns pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NewType, Protocol

import numpy as np
from numpy.typing import NDArray

from avatar.spec import AvatarSpec, SceneSpec
from motion.pose import Pose

Handle = NewType("Handle", int)


@dataclass(frozen=True, slots=True)
class Size:
    """Picture size in pixels; both even, 64 to 4096."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Picture:
    """A yuv420p picture (BT.709, limited range), planes stacked as PyAV and I420 hold them.

    Attributes:
        planes: uint8 [height * 3 // 2, width]: Y, then U, then V, contiguous. The array may be
            reused by the renderer after two further `draw` calls: encode or copy it before.
    """

    planes: NDArray[np.uint8]
    size: Size


class Renderer(Protocol):
    """Draws avatars. All calls come from the one thread that created it.

    `quality`: 0 is the best; up to `levels - 1`, each cheaper than the one before.
    """

    @property
    def levels(self) -> int: ...

    @property
    def quality(self) -> int: ...

    @quality.setter
    def quality(self, level: int) -> None: ...

    def open(self, spec: AvatarSpec, scene: SceneSpec, size: Size) -> Handle:
        """Prepare an avatar in a scene. Clothed from the first picture on."""

    def draw(self, handles: Sequence[Handle], poses: Pose, at: float) -> list[Picture]:
        """Draw B = len(handles) sessions in one pass; `poses` has one leading axis B.

        Picture i is of pose i: it is drawn, converted and read back when this returns.

        Args:
            handles: open sessions, each at most once.
            poses: [B, ...].
            at: seconds, for what moves in the scene by itself.

        Raises:
            AvatarValueError: when a handle is not open, or `poses` is not a batch of B.
            AvatarError: when the graphics context was lost; every call after fails alike, and
                a new renderer is needed.
        """

    def update(self, handle: Handle, scene: SceneSpec) -> None:
        """Put an open avatar into another scene, from the next picture on.

        Raises:
            AvatarValueError: when the handle is not open.
        """

    def close(self, handle: Handle) -> None:
        """Free what `open` made.

        Raises:
            AvatarValueError: when the handle is not open.
        """
