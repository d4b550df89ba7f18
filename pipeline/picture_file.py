"""Picture files, which say in their metadata that they show somebody artificial."""

import os
from pathlib import Path
from typing import Final

from PIL import Image, PngImagePlugin

from pipeline.errors import ConfigurationError
from pipeline.mp4 import AI_NOTICE

_KINDS: Final = (".png", ".jpg", ".jpeg")


def check_picture(path: Path) -> None:
    """Check, before work is done for it, that a picture can be written.

    Raises:
        ConfigurationError: its name is that of no picture, or its folder cannot be written.
    """
    if path.suffix.lower() not in _KINDS:
        raise ConfigurationError(f"{path}: accepted: a name that ends in {', '.join(_KINDS)}")
    there = path.exists()
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT))
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written: {error.strerror}") from error
    if not there:
        path.unlink()


def write_picture(picture: Image.Image, path: Path) -> None:
    """Write `picture` with the notice as its comment.

    Raises:
        ConfigurationError: the file cannot be written.
    """
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Comment", AI_NOTICE)
    try:
        if path.suffix.lower() == ".png":
            picture.save(path, pnginfo=notes)
        else:
            picture.save(path, quality=92, comment=AI_NOTICE)
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written: {error}") from error
