"""The small textures: lashes and weave."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from avatar.body.noise import smoothstep, value_noise

Floats = NDArray[np.floating[Any]]
Bytes = NDArray[np.uint8]


def to_bytes(image: Floats) -> Bytes:
    """Turn values 0 to 1 into bytes."""
    return np.asarray(np.clip(image, 0.0, 1.0) * 255.0 + 0.5, np.uint8)


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
