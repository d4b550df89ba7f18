"""`Pictures`: product pictures, as files of a folder."""

import os
import re
import shutil
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, UnidentifiedImageError

from pipeline.errors import ConfigurationError, StoreError

MOST_BYTES: Final = 8 * 1024 * 1024
MOST_PIXELS: Final = 40_000_000
FORMATS: Final = {"JPEG": "jpg", "PNG": "png", "WEBP": "webp"}
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_.-]{0,80}")
ACCEPTED: Final = "JPEG, PNG or WebP, at most 8 MB and 40 million pixels"


class Pictures:
    """A folder for each shop; names come from ids, never from who sends a picture. Blocks.

    Args:
        folder: made where it is missing.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, shop_id: str, name: str) -> Path:
        """Return where a picture lies, or would.

        Raises:
            ConfigurationError: the name is none of a picture.
        """
        if not _NAME.fullmatch(name) or not _NAME.fullmatch(shop_id):
            raise ConfigurationError(
                f"a picture is named {name[:60]!r}; accepted: 1 to 80 of a-z, 0-9, ., - and _"
            )
        return self._folder / shop_id / name

    def read(self, shop_id: str, name: str) -> bytes | None:
        """Return a picture, None where there is none."""
        try:
            return self.path(shop_id, name).read_bytes()
        except (FileNotFoundError, ConfigurationError):
            return None

    def write(self, shop_id: str, stem: str, picture: bytes) -> str:
        """Keep a picture under a name that begins with `stem`; return the name.

        Raises:
            ConfigurationError: it is no picture of an accepted kind or size.
            StoreError: the disk does not take it.
        """
        name = f"{stem}.{_suffix(picture)}"
        path = self.path(shop_id, name)
        new = path.with_name(f".{name}.new")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with new.open("wb") as file:
                file.write(picture)
                file.flush()
                os.fsync(file.fileno())
            new.replace(path)
        except OSError as error:
            raise StoreError(f"the picture cannot be kept: {error.strerror}") from error
        return name

    def remove_shop(self, shop_id: str) -> None:
        """Delete the pictures of a shop."""
        shutil.rmtree(self.path(shop_id, "x").parent, ignore_errors=True)


def _suffix(picture: bytes) -> str:
    if len(picture) > MOST_BYTES:
        raise ConfigurationError(f"the picture has {len(picture)} bytes; accepted: {ACCEPTED}")
    try:
        with Image.open(BytesIO(picture), formats=tuple(FORMATS)) as opened:
            width, height = opened.size
            kind = opened.format or ""
            if width * height > MOST_PIXELS:
                raise ConfigurationError(
                    f"the picture has {width}x{height} pixels; accepted: {ACCEPTED}"
                )
            opened.load()
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError) as error:
        if isinstance(error, ConfigurationError):
            raise
        raise ConfigurationError(f"the picture cannot be read; accepted: {ACCEPTED}") from error
    return FORMATS[kind]
