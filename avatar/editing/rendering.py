"""`RenderStudio`: candidates drawn by the real renderer."""

from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset, save_asset
from avatar.body.prepare import asset_path
from avatar.editing.partmap import PartMap
from avatar.renderer.base import Handle, Size
from avatar.renderer.context import create_context
from avatar.renderer.opengl import OpenGLRenderer
from avatar.renderer.planes import to_rgb
from avatar.spec import AvatarSpec, SceneSpec
from motion.pose import Pose

Builder = Callable[[AvatarSpec], AvatarAsset]

# By then every card and caption has come to rest, seconds.
_SETTLED: Final = 8.0
_KEPT_ASSETS: Final = 6


class RenderStudio:
    """Draws with `OpenGLRenderer`; a `Studio`. All calls come from the thread that made it.

    Args:
        build: prepares an identity. It should reuse what did not change from one to the next.
        anny_cache: folder of the body package's tensors.
    """

    def __init__(self, build: Builder, anny_cache: Path) -> None:
        self._build = build
        self._folder = TemporaryDirectory(prefix="vivant-edit-")
        self._renderer = OpenGLRenderer(Path(self._folder.name), anny_cache, patient=True)
        self._context = create_context()
        self._maps = PartMap(self._context)
        self._assets: OrderedDict[str, AvatarAsset] = OrderedDict()
        self._open: Handle | None = None

    def draw(
        self, spec: AvatarSpec, scene: SceneSpec, pose: Pose, size: Size
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Draw one picture; see `Studio`."""
        asset = self._asset(spec)
        # A host opened anew shares what the last one of the same identity still holds.
        handle = self._renderer.open(spec, scene, size)
        if self._open is not None:
            self._renderer.close(self._open)
        self._open = handle
        batch = Pose(pose.rotations[None], pose.translation[None], pose.face[None])
        picture = self._renderer.draw([handle], batch, _SETTLED)[0]
        rgb = to_rgb(picture.planes)
        with self._context:
            parts = self._maps.draw(asset, scene.framing, pose, size)
        return rgb, parts

    def release(self) -> None:
        """Free both contexts and the folder."""
        self._renderer.release()
        with self._context:
            self._maps.release()
        self._context.release()
        self._folder.cleanup()

    def _asset(self, spec: AvatarSpec) -> AvatarAsset:
        """Prepare an identity and lay it where the renderer looks; the last few are kept."""
        digest = spec.digest()
        if digest not in self._assets:
            asset = self._build(spec)
            save_asset(asset, asset_path(spec, Path(self._folder.name)))
            self._assets[digest] = asset
        self._assets.move_to_end(digest)
        while len(self._assets) > _KEPT_ASSETS:
            gone, _ = self._assets.popitem(last=False)
            for path in Path(self._folder.name).glob(f"*{gone}*"):
                path.unlink()
        return self._assets[digest]
