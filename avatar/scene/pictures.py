"""Pictures from files: opened with care, cut to cover a frame, and as the renderer wants them."""

from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter, ImageOps, UnidentifiedImageError

from avatar.errors import AvatarError, AvatarValueError

FORMATS: Final = ("JPEG", "PNG", "WEBP")
MOST_PIXELS: Final = 50_000_000
_STORED: Final = "asset:"
# The widest blur, as a share of the picture's shorter side.
_BLUR: Final = 0.035

# Rows: Y', Cb, Cr of R'G'B', limited range of 8 bits (ITU-R BT.709).
_MATRIX: Final = np.array(
    [
        [0.2126 * 219, 0.7152 * 219, 0.0722 * 219],
        [-0.2126 / 1.8556 * 224, -0.7152 / 1.8556 * 224, (1 - 0.0722) / 1.8556 * 224],
        [(1 - 0.2126) / 1.5748 * 224, -0.7152 / 1.5748 * 224, -0.0722 / 1.5748 * 224],
    ],
    np.float32,
) / np.float32(255.0)
_OFFSET: Final = np.array([16.0, 128.0, 128.0], np.float32)


def located(source: str) -> Path:
    """Return the file of a `Source`.

    Raises:
        AvatarValueError: there is no such file, or no stored asset of that name.
    """
    if not source.startswith(_STORED):
        if not Path(source).is_file():
            raise AvatarValueError(f"source {source!r}; accepted: a file that exists")
        return Path(source)
    folder = Path(str(resources.files("avatar.scene"))) / "data"
    stored = {path.stem: path for path in folder.iterdir() if path.suffix == ".jpg"}
    name = source.removeprefix(_STORED)
    if name not in stored:
        raise AvatarValueError(f"source {source!r}; accepted: asset: and {sorted(stored)}")
    return stored[name]


def check(source: str) -> None:
    """Look at a picture's head without decoding it.

    Raises:
        AvatarValueError: no such file, not a JPEG, PNG or WebP, or too large.
    """
    _opened(source).close()


def decoded(source: str) -> Image.Image:
    """Return a picture as RGBA, turned upright.

    Raises:
        AvatarValueError: as `check`.
        AvatarError: its data is broken.
    """
    with _opened(source) as picture:
        try:
            return ImageOps.exif_transpose(picture).convert("RGBA")
        except (OSError, ValueError, SyntaxError) as error:
            raise AvatarError(f"picture {source!r} cannot be decoded: {error}") from error


def covering(source: str, blur: float, size: tuple[int, int]) -> NDArray[np.uint8]:
    """Return a picture cut so that it covers `size` (width, height): Y', Cb, Cr, 0, bottom first.

    Raises:
        AvatarValueError, AvatarError: as `decoded`.
    """
    picture = ImageOps.fit(decoded(source).convert("RGB"), size, Image.Resampling.LANCZOS)
    if blur:
        picture = picture.filter(ImageFilter.GaussianBlur(blur * _BLUR * min(size)))
    texels = np.zeros((size[1], size[0], 4), np.uint8)
    texels[..., :3] = np.rint(encoded(np.asarray(picture)[::-1]))
    return texels


def encoded(rgb: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
    """Return R'G'B' [..., 3] of 0 to 255 as Y', Cb, Cr in 8-bit limited range, not rounded."""
    out = rgb.astype(np.float32) @ _MATRIX.T
    out += _OFFSET
    return out


def _opened(source: str) -> Image.Image:
    path = located(source)
    try:
        picture = Image.open(path, formats=FORMATS)
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError) as error:
        raise AvatarValueError(
            f"picture {source!r} ({error}); accepted: {', '.join(FORMATS)}"
        ) from error
    if picture.width * picture.height > MOST_PIXELS:
        size = f"{picture.width}x{picture.height}"
        picture.close()
        raise AvatarValueError(f"picture {source!r} {size}; accepted: up to {MOST_PIXELS} pixels")
    return picture
