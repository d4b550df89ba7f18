"""Builds an avatar once and keeps it as a file, so that opening it needs neither torch nor anny."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from avatar.body.asset import AvatarAsset, load_asset, save_asset
from avatar.renderer.context import create_context
from avatar.spec import AvatarSpec

# Raise it whenever the code of avatar/body changes what it builds.
VERSION: Final = 15

# Folder beside the prepared avatars for face pictures taken from photos.
FACES: Final = "faces"

Progress = Callable[[str, float], None]


def asset_path(spec: AvatarSpec, cache: Path) -> Path:
    """Return where the prepared avatar of `spec` is kept under `cache`."""
    return cache / f"{spec.name}-{VERSION}-{spec.digest()}.safetensors"


def prepare(
    spec: AvatarSpec, cache: Path, anny_cache: Path, progress: Progress | None = None
) -> AvatarAsset:
    """Return the prepared avatar of `spec`, building it first where `cache` lacks it.

    Args:
        spec: who.
        cache: folder of prepared avatars; made when missing.
        anny_cache: folder of the body package's prebuilt tensors; needed only to build.
        progress: called with what is being done and the share done, 0 to 1.

    Raises:
        AvatarError: when the file is broken or the body package cannot be used.
    """
    path = asset_path(spec, cache)
    if path.exists():
        return load_asset(path)
    # These take seconds to import, and are rarely needed.
    from avatar.body.levels import with_levels
    from avatar.body.workshop import Workshop

    context = create_context()
    try:
        asset = Workshop(context, anny_cache, cache / FACES).build(spec, progress)
        asset = with_levels(context, asset)
    finally:
        context.release()
    save_asset(asset, path)
    return asset
