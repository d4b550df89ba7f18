"""`RenderStudio`: candidates drawn by the real renderer."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset
from avatar.body.workshop import Workshop
from avatar.editing.partmap import PartMap
from avatar.renderer.base import Handle, Size
from avatar.renderer.opengl import OpenGLRenderer
from avatar.renderer.planes import to_rgb
from avatar.spec import AvatarSpec, SceneSpec
from motion.pose import Pose

Pictures = tuple[NDArray[np.uint8], NDArray[np.uint8]]

# By then every card and caption has come to rest, seconds.
_SETTLED: Final = 8.0
_KEPT_ASSETS: Final = 6
# Pictures kept: of one instruction all, and those that several start from. 0.5 MB each.
_KEPT_PICTURES: Final = 96


class RenderStudio:
    """Draws with `OpenGLRenderer`; a `Studio`. All calls come from the thread that made it.

    Avatars and pictures are kept by what can be seen of an identity (`AvatarSpec.digest`), so that
    another background or origin needs no new avatar.

    Args:
        renderer: a patient one, of which this draws only with avatars it makes.
        workshop: makes avatars in the renderer's context.
    """

    def __init__(self, renderer: OpenGLRenderer, workshop: Workshop) -> None:
        self._renderer = renderer
        self._workshop = workshop
        with renderer.context:
            self._maps = PartMap(renderer.context)
        self._made: OrderedDict[str, tuple[AvatarSpec, AvatarAsset]] = OrderedDict()
        self._drawn: OrderedDict[Hashable, Pictures] = OrderedDict()
        self._open: Handle | None = None
        self.builds = 0

    def draw(self, spec: AvatarSpec, scene: SceneSpec, pose: Pose, size: Size) -> Pictures:
        """Draw one picture; see `Studio`."""
        moved = tuple(array.tobytes() for array in (pose.rotations, pose.translation, pose.face))
        key = spec.digest(), scene, moved, size
        if key not in self._drawn:
            self._drawn[key] = self._draw(spec, scene, pose, size)
            if len(self._drawn) > _KEPT_PICTURES:
                self._drawn.popitem(last=False)
        self._drawn.move_to_end(key)
        return self._drawn[key]

    def release(self) -> None:
        """Free what was opened; the renderer stays the caller's."""
        if self._open is not None:
            self._renderer.close(self._open)
        with self._renderer.context:
            self._maps.release()

    def _draw(self, spec: AvatarSpec, scene: SceneSpec, pose: Pose, size: Size) -> Pictures:
        spec, asset = self._avatar(spec)
        # A host opened anew shares what the last one of the same identity still holds.
        handle = self._renderer.open(spec, scene, size, asset=asset)
        if self._open is not None:
            self._renderer.close(self._open)
        self._open = handle
        batch = Pose(pose.rotations[None], pose.translation[None], pose.face[None])
        rgb = to_rgb(self._renderer.draw([handle], batch, _SETTLED)[0].planes)
        with self._renderer.context:
            parts = self._maps.draw(asset, scene.framing, pose, size)
        return rgb, parts

    def _avatar(self, spec: AvatarSpec) -> tuple[AvatarSpec, AvatarAsset]:
        """Return the avatar of an identity with the specification it was made from."""
        digest = spec.digest()
        if digest not in self._made:
            with self._renderer.context:
                self._made[digest] = spec, self._workshop.build(spec)
            self.builds += 1
            if len(self._made) > _KEPT_ASSETS:
                self._made.popitem(last=False)
        self._made.move_to_end(digest)
        return self._made[digest]
