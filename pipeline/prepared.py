"""What is built here rather than fetched: the figures, and a still picture of each."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image

from avatar.body.measures import measured
from avatar.body.prepare import asset_path, prepare
from avatar.errors import AvatarError
from avatar.renderer.base import Renderer, Size
from avatar.renderer.planes import to_rgb
from avatar.spec import AvatarSpec, SceneSpec
from motion.bodies import BASE, FRONTS, Body
from motion.errors import MotionValueError
from motion.pose import Pose
from motion.procedural import ProceduralMover
from pipeline.assets import Progress
from pipeline.errors import AssetError
from pipeline.folders import avatar_folder, body_folder
from pipeline.library import avatars

Step = Callable[[str, float], None]

_STEPS = 100
STILL_SIZE: Final = Size(540, 720)
_STILL_QUALITY: Final = 84
_STILL_AT: Final = 2.0  # seconds into standing idle


def is_prepared(spec: AvatarSpec, cache: Path) -> bool:
    """Return whether the figure of `spec` has been built in `cache`."""
    return asset_path(spec, avatar_folder(cache)).is_file()


def still_path(spec: AvatarSpec, cache: Path) -> Path:
    """Return where the still picture (JPEG) of `spec` is kept under `cache`."""
    return asset_path(spec, avatar_folder(cache)).with_suffix(".jpg")


def body_of(spec: AvatarSpec, cache: Path) -> Body:
    """Return the proportions of an identity's figure; the base body while it is not built.

    Raises:
        AssetError: its file cannot be measured; the message says why.
    """
    return _body(asset_path(spec, avatar_folder(cache))) if is_prepared(spec, cache) else BASE


@lru_cache(maxsize=32)
def _body(path: Path) -> Body:
    try:
        found = measured(path, FRONTS)
        return Body(found.joints, found.fronts, found.chin, found.face)
    except (AvatarError, MotionValueError) as error:
        raise AssetError(f"{path.name} cannot be moved: {error}") from error


def prepare_avatars(
    cache: Path, names: Sequence[str] | None = None, progress: Progress | None = None
) -> None:
    """Build what is missing: the body package's tensors (a minute, once), figures and stills.

    `names`: of identities in the library of `cache`; None is all of them.

    Raises:
        AssetError: one cannot be built; the message says why.
        ConfigurationError: there is no identity of such a name.
    """
    library = avatars(cache)
    specs = [library.get(name) for name in (library.names if names is None else names)]
    for spec in specs:
        prepare_figure(spec, cache, _reporter(spec.name, progress))
    without = [spec for spec in specs if not still_path(spec, cache).is_file()]
    if without:
        _draw_stills(without, cache, progress)


def prepare_figure(spec: AvatarSpec, cache: Path, step: Step | None = None) -> None:
    """Build the figure of `spec` in `cache` where it is not there yet: ten seconds, once.

    `step`: called with what is being done and the share done, 0 to 1.

    Raises:
        AssetError: it cannot be built; the message says why.
    """
    if is_prepared(spec, cache):
        return
    try:
        prepare(spec, avatar_folder(cache), body_folder(cache), step)
    except AvatarError as error:
        raise AssetError(f"avatar {spec.name!r} cannot be prepared: {error}") from error


def _draw_stills(specs: Sequence[AvatarSpec], cache: Path, progress: Progress | None) -> None:
    from avatar.renderer.opengl import OpenGLRenderer  # only here is anything drawn

    try:
        renderer = OpenGLRenderer(avatar_folder(cache), body_folder(cache), patient=True)
        for number, spec in enumerate(specs, 1):
            path = still_path(spec, cache)
            unfinished = path.with_suffix(".part")
            unfinished.write_bytes(still(renderer, spec))
            unfinished.replace(path)
            if progress is not None:
                progress("stills", number, len(specs))
        renderer.release()
    except (AvatarError, OSError) as error:
        raise AssetError(f"no still picture can be made: {error}") from error


def still(renderer: Renderer, spec: AvatarSpec) -> bytes:
    """Return a still picture of an identity as JPEG: half body, in the plain studio."""
    handle = renderer.open(spec, SceneSpec(mark=False), STILL_SIZE)
    pose = ProceduralMover(1).pose(_STILL_AT)
    batch = Pose(pose.rotations[None], pose.translation[None], pose.face[None])
    planes = renderer.draw([handle], batch, 0.0)[0].planes
    picture = Image.fromarray(to_rgb(planes))
    renderer.close(handle)
    out = BytesIO()
    picture.save(out, "JPEG", quality=_STILL_QUALITY)
    return out.getvalue()


def _reporter(name: str, progress: Progress | None) -> Step:
    def report(what: str, share: float) -> None:
        if progress is not None:
            progress(f"avatar {name}: {what}", round(share * _STEPS), _STEPS)

    return report
