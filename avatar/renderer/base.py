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

        `at`: seconds, for what moves in the scene by itself.
        """

    def close(self, handle: Handle) -> None:
        """Free what `open` made."""
