"""Where things lie below the cache folder."""

from pathlib import Path


def avatar_folder(cache: Path) -> Path:
    """Return the folder of prepared avatars."""
    return cache / "avatars"


def body_folder(cache: Path) -> Path:
    """Return the folder of the body package's prebuilt tensors."""
    return cache / "anny"
