"""The contract of what draws candidates."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from avatar.editing.atoms import PART_INDEX
from avatar.editing.measure import lab
from avatar.renderer.base import Size
from avatar.spec import AvatarSpec, SceneSpec
from motion.pose import Pose


class Studio(Protocol):
    """Draws a host in a scene, and says what each pixel shows."""

    def draw(
        self, spec: AvatarSpec, scene: SceneSpec, pose: Pose, size: Size
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Return the picture, sRGB uint8 [height, width, 3], and uint8 [height, width], the index
        in `avatar.editing.atoms.PARTS` of what each pixel shows.

        `pose` has no leading axes. Equal arguments give equal pictures.
        """


@dataclass(frozen=True)
class Shot:
    """One drawn picture: `rgb` uint8 [h, w, 3], `parts` uint8 [h, w]."""

    rgb: NDArray[np.uint8]
    parts: NDArray[np.uint8]

    @cached_property
    def lab(self) -> NDArray[np.float32]:
        """CIELAB [h, w, 3]."""
        return lab(self.rgb)

    def mask(self, *names: str) -> NDArray[np.bool_]:
        """Return which pixels [h, w] show one of these parts."""
        return np.isin(self.parts, [PART_INDEX[name] for name in names])
