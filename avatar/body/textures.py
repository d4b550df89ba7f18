"""The small textures: body skin, iris, lashes, teeth, weave, and strands of hair."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from avatar.body.complexion import albedo
from avatar.body.noise import smoothstep, value_noise
from avatar.spec import AvatarSpec
from avatar.spec.colour import linear

Floats = NDArray[np.floating[Any]]
Bytes = NDArray[np.uint8]


def to_bytes(image: Floats) -> Bytes:
    """Turn values 0 to 1 into bytes."""
    return np.asarray(np.clip(image, 0.0, 1.0) * 255.0 + 0.5, np.uint8)


def body_skin(masks: Path, who: AvatarSpec, size: int = 1024) -> Bytes:
    """Paint skin and nails in the body package's texture space: root of colour, and gloss."""
    shape = (size, size)
    grain = 0.020 * value_noise(shape, 60.0, who.seed + 41, 3)
    grain += 0.012 * value_noise(shape, 6.0, who.seed + 42, 2)
    colour = np.array(albedo(who.skin.colour), np.float32) * (1.0 + grain)[..., None]
    redness = 0.022 * value_noise(shape, 24.0, who.seed + 43, 2)
    colour[..., 1:] *= (1.0 - redness)[..., None]
    with Image.open(masks / "mpfb_fingernails.jpg") as file:
        scaled = file.convert("L").resize(shape, Image.Resampling.BOX)
    nails = np.asarray(scaled, np.float32)[::-1] / 255.0
    share = 0.8 * nails[..., None]
    colour = colour * (1.0 - share) + np.array(linear(who.skin.nails), np.float32) * share
    gloss = 0.26 + 0.6 * nails
    return to_bytes(np.concatenate([np.sqrt(np.clip(colour, 0, 1)), gloss[..., None]], -1))


def lashes(seed: int, makeup: float = 0.6, size: int = 512) -> Bytes:
    """Draw lashes, coverage [size, size, 1]: the upper row's root at v = 0.5, the lower's at 0.

    `makeup`, 0 to 1, makes them longer and thicker, and draws the line at their roots.
    """
    grow = 0.55 + 0.5 * makeup
    image = Image.new("L", (size * 2, size * 2), 0)
    draw = ImageDraw.Draw(image)
    rng = np.random.default_rng(seed)
    rows = ((0.5, round(95 + 80 * makeup), 0.92, 6 + 5 * makeup), (0.0, 60, 0.5, 3 + 3 * makeup))
    for base, count, reach, width in rows:
        start = base * size * 2
        for _ in range(count):
            x = rng.random() * size * 2
            lean = (x / size / 2 - 0.5) * 70 + 14 * rng.standard_normal()
            length = reach * grow * (0.65 + 0.35 * rng.random()) * size
            for step in range(14):
                a, b = step / 14, (step + 1) / 14
                ends = [x + lean * a * a, start + length * a, x + lean * b * b, start + length * b]
                draw.line(ends, fill=235, width=max(1, int(width * (1 - a) + 1.2)))
    draw.rectangle([0, size, size * 2, size + round(10 + 26 * makeup)], fill=255)
    small = np.asarray(image.resize((size, size), Image.Resampling.BOX), np.float32) / 255.0
    # There are none at the inner corner of the eye.
    return to_bytes((small * smoothstep(0.10, 0.30, np.arange(size) / size))[..., None])


def weave(kind: str, seed: int, size: int = 256) -> Bytes:
    """Draw a fabric's fine relief as brightness [size, size, 1], 0.5 on average."""
    y, x = np.mgrid[0:size, 0:size]
    if kind == "twill":
        relief = 0.6 * np.sin((x + y) * 2 * np.pi / 16) + 0.25 * np.sin((x - y) * 2 * np.pi / 64)
    else:
        relief = 0.4 * np.sin(x * 2 * np.pi / 16) * np.sin(y * 2 * np.pi / 16)
    grain = (0.4 if kind == "twill" else 0.15) * value_noise((size, size), 4.0, seed, 2)
    return to_bytes((0.5 + 0.13 * (relief + grain))[..., None].astype(np.float32))


def strands(seed: int, *, columns: int = 4, size: int = 512, per_column: int = 34) -> Bytes:
    """Draw strips of hair side by side in u, root at v = 0: coverage and tone [size, size, 2]."""
    rng = np.random.default_rng(seed)
    scale = 2
    cover = Image.new("L", (size * scale, size * scale), 0)
    tone = Image.new("L", (size * scale, size * scale), 110)
    brushes = ImageDraw.Draw(cover), ImageDraw.Draw(tone)
    strip = size * scale / columns
    for column in range(columns):
        middle = (column + 0.5) * strip
        for _ in range(per_column):
            x = column * strip + strip * (0.06 + 0.88 * rng.random())
            length = size * scale * np.clip(1.04 - 0.18 * abs(rng.standard_normal()), 0.45, 1.05)
            width = int(rng.integers(5, 11))
            wave = 8.0 * rng.standard_normal(), 6.0 * rng.random()
            value = int(np.clip(128 + 42 * rng.standard_normal(), 20, 250))
            _strand(brushes, x, middle, length, width, wave, value)
    planes = [
        np.asarray(image.resize((size, size), Image.Resampling.BOX), np.float32) / 255.0
        for image in (cover, tone)
    ]
    # Loose locks fade in where they leave the closed sheets.
    planes[0] = planes[0] * smoothstep(0.0, 0.2, (np.arange(size) + 0.5) / size)[:, None]
    planes[1] = planes[1] + 0.05 * value_noise((1, size), 1.5, seed + 3)
    return to_bytes(np.stack(planes, -1))


def tips(strands_image: Bytes, seed: int) -> Bytes:
    """Return `strands_image` closed down to v = 0.45 and fraying out from there."""
    size = strands_image.shape[0]
    rng = np.random.default_rng(seed)
    widths = rng.integers(3, 9, size)
    strand = np.repeat(np.arange(size), widths)[:size]
    reach = (0.62 + 0.36 * rng.random((1, size)) ** 0.8)[:, strand]
    v = ((np.arange(size) + 0.5) / size)[:, None]
    cover = 1.0 - smoothstep(0.0, 1.0, (v - reach + 0.10) / 0.10)
    # The picture repeats: closed hair above the first row would show as a line below the last one.
    cover = cover * (v > 0.2)
    shade = rng.random((1, size))[:, strand] - 0.5
    tone = strands_image[..., 1] / 255.0 + 0.12 * shade
    return to_bytes(np.stack([cover, tone], -1).astype(np.float32))


def _strand(
    brushes: Sequence[ImageDraw.ImageDraw],
    x: float,
    middle: float,
    length: float,
    width: int,
    wave: tuple[float, float],
    value: int,
) -> None:
    t = np.linspace(0.0, 1.0, 25)
    across = x + wave[0] * np.sin(3 * t + wave[1]) * t + 0.30 * (middle - x) * t * t
    points = list(zip(across.tolist(), (t * length).tolist(), strict=True))
    for i in range(24):
        thickness = max(1, round(width * (1.0 - t[i] ** 3)))
        brushes[0].line([points[i], points[i + 1]], fill=255, width=thickness)
        brushes[1].line([points[i], points[i + 1]], fill=value, width=thickness + 2)
