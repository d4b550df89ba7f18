"""A face taken from a photo, laid over the painted skin of the head."""

import hashlib
import io
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from avatar.body.paint import Canvas
from avatar.errors import AvatarError
from avatar.spec.colour import to_linear

Pixels = NDArray[np.uint8]

SHAPE: Final = (1024, 2048, 4)


def face_path(folder: Path, digest: str) -> Path:
    """Return where the face picture of that SHA-256 (`SkinSpec.texture`) is kept."""
    return folder / f"{digest}.png"


def save_face(picture: Pixels, folder: Path) -> str:
    """Store a face picture, sRGB and share, first row at the head's bottom; return its SHA-256."""
    if picture.shape != SHAPE or picture.dtype != np.uint8:
        raise AvatarError(f"face picture: {picture.dtype} {picture.shape}; accepted: uint8 {SHAPE}")
    content = io.BytesIO()
    Image.fromarray(picture[::-1]).save(content, "PNG", optimize=False)
    digest = hashlib.sha256(content.getvalue()).hexdigest()
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"{digest}.part"
    unfinished.write_bytes(content.getvalue())
    unfinished.replace(face_path(folder, digest))
    return digest


def load_face(folder: Path, digest: str) -> Pixels:
    """Read what `save_face` stored.

    Raises:
        AvatarError: it is missing or not what its name says.
    """
    path = face_path(folder, digest)
    try:
        content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != digest:
            raise AvatarError(f"the face picture {path} is not what its name says")
        with Image.open(io.BytesIO(content), formats=("PNG",)) as image:
            picture: Pixels = np.asarray(image.convert("RGBA"), np.uint8)[::-1]
    except (OSError, UnidentifiedImageError) as error:
        raise AvatarError(f"the face picture {path} cannot be read: {error}") from error
    return picture


def lay_over(canvas: Canvas, picture: Pixels) -> None:
    """Cover the canvas with a face picture uint8 [h, w, 4] of its size, where it has a share."""
    share = picture.astype(np.float32) / 255.0
    mask: NDArray[Any] = share[..., 3]
    canvas.cover(mask, to_linear(share[..., :3]))
