"""The holding card: a picture that stands in for the host when nothing of it may be shown."""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageOps

from avatar.errors import AvatarError, AvatarValueError
from avatar.renderer.base import Size
from avatar.scene.layout import safe_area
from avatar.scene.pictures import decoded, encoded
from avatar.scene.text import balanced, fitted, font, legible

TOP: Final = (38, 35, 31)
FOOT: Final = (18, 17, 15)
ACCENT: Final = (99, 203, 182)
INK: Final = (243, 239, 232)
_LINES: Final = 6
_TEXT: Final = 0.068  # of the shorter side
_BAR: Final = 0.09


def holding_planes(text: str, size: Size, logo: str | None = None) -> NDArray[np.uint8]:
    """Return a card over the whole picture as `avatar.renderer.Picture.planes` are.

    Args:
        text: in the middle, at most six lines; what cannot be drawn of it is left out.
        logo: a picture above the text; one that cannot be read is left out too: the card must come.
    """
    picture = _ground(size)
    draw = ImageDraw.Draw(picture)
    short, safe = min(size.width, size.height), safe_area(size)
    pixels = max(round(_TEXT * short), 8)
    leading = 1.4 * pixels
    lines = _broken(legible(text, strict=False), pixels, safe.width * 0.9)
    middle = safe.top + safe.height * 0.5
    top = middle - 0.5 * leading * len(lines)
    for row, line in enumerate(lines):
        place = (size.width / 2.0, top + leading * (row + 0.5) + 0.36 * pixels)
        draw.text(place, line, INK, font("Bold", pixels), anchor="ms")
    bar, thick = _BAR * short, max(round(0.008 * short), 2)
    rule = top - 0.9 * pixels
    left = (size.width - bar) / 2.0
    draw.rounded_rectangle((left, rule - thick, left + bar, rule), thick / 2.0, ACCENT)
    _lay_logo(picture, logo, round(rule - 1.2 * pixels), safe.width, round(0.2 * short))
    return to_planes(np.asarray(picture))


def covering_planes(size: Size) -> NDArray[np.uint8]:
    """Return the card's ground in one colour, made in no time, as `Picture.planes` are."""
    luma, *chroma = np.rint(encoded(np.array([[TOP, FOOT]], np.uint8))[0].mean(axis=0))
    planes = np.full((size.height * 3 // 2, size.width), luma, np.uint8)
    flat, quarter = planes.reshape(-1), size.width * size.height // 4
    flat[-2 * quarter : -quarter], flat[-quarter:] = chroma
    return planes


def to_planes(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return R'G'B' uint8 [height, width, 3] as yuv420p planes uint8 [height * 3 // 2, width]."""
    height, width, _ = rgb.shape
    coded = encoded(rgb)
    quarter = coded[..., 1:].reshape(height // 2, 2, width // 2, 2, 2).mean(axis=(1, 3))
    parts = (coded[..., 0], quarter[..., 0], quarter[..., 1])
    flat = np.concatenate([np.rint(part).astype(np.uint8).ravel() for part in parts])
    return flat.reshape(height * 3 // 2, width)


def _ground(size: Size) -> Image.Image:
    share = np.linspace(0.0, 1.0, size.height, dtype=np.float32)[:, None, None]
    rows = np.array(TOP, np.float32) * (1.0 - share) + np.array(FOOT, np.float32) * share
    return Image.fromarray(np.rint(np.repeat(rows, size.width, axis=1)).astype(np.uint8), "RGB")


def _broken(text: str, pixels: int, width: float) -> list[str]:
    lines = balanced(text, "Bold", pixels, width)
    return lines if len(lines) <= _LINES else fitted(text, "Bold", pixels, width, _LINES)


def _lay_logo(picture: Image.Image, source: str | None, foot: int, width: int, tall: int) -> None:
    if source is None or foot < tall:
        return
    try:
        logo = ImageOps.contain(decoded(source), (width // 2, tall), Image.Resampling.LANCZOS)
    except (AvatarError, AvatarValueError):
        return
    place = ((picture.width - logo.width) // 2, foot - logo.height)
    picture.paste(logo, place, logo if logo.mode == "RGBA" else None)
