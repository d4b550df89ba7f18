"""Opens a photo a person handed in, and refuses what is none."""

import hashlib
import io
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

from avatar.errors import AvatarValueError

Pixels = NDArray[np.uint8]

FORMATS: Final = ("JPEG", "PNG", "WEBP")
MOST_BYTES: Final = 40_000_000
MOST_PIXELS: Final = 50_000_000
LEAST_SIDE: Final = 128
# Longer sides are reduced to this: a face then still has more pixels than its texture.
WORKING_SIDE: Final = 2048

_ACCEPTED: Final = "accepted: a JPEG, PNG or WebP picture of one person"
# Mean difference of the channels, of 255, below which a picture has no colours.
_LEAST_COLOUR: Final = 2.0


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture, upright: uint8 [h, w, 3], sRGB, and the SHA-256 (hex) of its file."""

    pixels: Pixels
    digest: str


def load_photo(source: Path | bytes) -> Photo:
    """Read a photo.

    Turned as its EXIF data says, brought to sRGB, transparency laid on grey, long sides reduced
    to `WORKING_SIDE`.

    Raises:
        AvatarValueError: no such file, not a picture of the `FORMATS`, broken, animated, larger
            than `MOST_BYTES` or `MOST_PIXELS`, smaller than `LEAST_SIDE`, or without colours.
    """
    data = source if isinstance(source, bytes) else _bytes_of(source)
    if len(data) > MOST_BYTES:
        raise AvatarValueError(f"photo: {len(data)} bytes; accepted: up to {MOST_BYTES}")
    pixels = np.asarray(_opened(data), np.uint8)
    if float(np.ptp(pixels.astype(np.int16), axis=2).mean()) < _LEAST_COLOUR:
        raise AvatarValueError("photo: it is grey; accepted: a picture in colour")
    return Photo(pixels, hashlib.sha256(data).hexdigest())


def _bytes_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise AvatarValueError(f"photo {str(path)!r}: {error.strerror}; {_ACCEPTED}") from error


def _opened(data: bytes) -> Image.Image:
    try:
        with warnings.catch_warnings():
            # The size is checked below, before any pixel is decoded.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(data), formats=FORMATS)
            _check_size(image)
            image.draft("RGB", (WORKING_SIDE, WORKING_SIDE))
            image.load()
    except Image.DecompressionBombError as error:
        most = f"accepted: up to {MOST_PIXELS // 1_000_000} million"
        raise AvatarValueError(f"photo: far too many pixels; {most}") from error
    except UnidentifiedImageError as error:
        raise AvatarValueError(f"photo: {_kind(data)}; {_ACCEPTED}") from error
    except (OSError, SyntaxError, ValueError) as error:
        if isinstance(error, AvatarValueError):
            raise
        raise AvatarValueError(f"photo: broken ({error}); {_ACCEPTED}") from error
    return _upright(image)


def _check_size(image: Image.Image) -> None:
    width, height = image.size
    if width * height > MOST_PIXELS:
        raise AvatarValueError(
            f"photo: {width} x {height} pixels; accepted: up to {MOST_PIXELS // 1_000_000} million"
        )
    if min(width, height) < LEAST_SIDE:
        raise AvatarValueError(
            f"photo: {width} x {height} pixels; accepted: sides of at least {LEAST_SIDE}"
        )
    if getattr(image, "n_frames", 1) > 1:
        raise AvatarValueError("photo: it is animated; accepted: a still picture")


def _upright(image: Image.Image) -> Image.Image:
    profile = image.info.get("icc_profile")
    turned = ImageOps.exif_transpose(image)
    turned.thumbnail((WORKING_SIDE, WORKING_SIDE), Image.Resampling.LANCZOS)
    if turned.mode in ("RGBA", "LA", "PA") or "transparency" in turned.info:
        layer = turned.convert("RGBA")
        turned = Image.new("RGBA", layer.size, (128, 128, 128, 255))
        turned.alpha_composite(layer)
    turned = turned.convert("RGB")
    if profile and image.mode in ("RGB", "RGBA"):
        turned = _in_srgb(turned, profile)
    return turned


def _in_srgb(image: Image.Image, profile: bytes) -> Image.Image:
    """Convert from a colour profile; a profile that cannot be used is passed over."""
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        target = ImageCms.createProfile("sRGB")
        converted = ImageCms.profileToProfile(image, source, target)
    except (OSError, ImageCms.PyCMSError):
        return image
    return converted if converted is not None else image


def _kind(data: bytes) -> str:
    """Say what a file that cannot be opened seems to be."""
    known = ((b"%PDF", "a PDF"), (b"GIF8", "a GIF"), (b"BM", "a BMP"), (b"II*", "a TIFF"))
    for start, name in known:
        if data.startswith(start):
            return name
    return "an empty file" if not data else "not a picture, or a broken one"
