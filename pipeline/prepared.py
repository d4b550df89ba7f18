"""What is built here rather than fetched: the figures, from the body package."""

from collections.abc import Callable, Sequence
from pathlib import Path

from avatar.body.prepare import asset_path, prepare
from avatar.errors import AvatarError
from avatar.spec import HOSTS, ready
from pipeline.assets import Progress
from pipeline.errors import AssetError
from pipeline.folders import avatar_folder, body_folder

_STEPS = 100


def unprepared(cache: Path, names: Sequence[str] = HOSTS) -> list[str]:
    """Return the avatars that have not been built in `cache` yet."""
    return [n for n in names if not asset_path(ready(n), avatar_folder(cache)).exists()]


def prepare_avatars(
    cache: Path, names: Sequence[str] = HOSTS, progress: Progress | None = None
) -> None:
    """Build what is missing: the body package's tensors (a minute, once) and each figure.

    Raises:
        AssetError: one cannot be built; the message says why.
    """
    for name in unprepared(cache, names):
        step = _reporter(name, progress)
        try:
            prepare(ready(name), avatar_folder(cache), body_folder(cache), step)
        except AvatarError as error:
            raise AssetError(f"avatar {name!r} cannot be prepared: {error}") from error


def _reporter(name: str, progress: Progress | None) -> Callable[[str, float], None]:
    def report(what: str, share: float) -> None:
        if progress is not None:
            progress(f"avatar {name}: {what}", round(share * _STEPS), _STEPS)

    return report
