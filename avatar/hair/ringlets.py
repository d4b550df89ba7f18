"""Pictures of ringlets, planes as in `texture`: curls over each other, and side by side.

Each curl is a bundle of hairs wound to a helix, seen from its side: the half that is nearer is
bright, and lies over the half behind it.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from avatar.body.textures import to_bytes
from avatar.hair.texture import CLOSED

Bytes = NDArray[np.uint8]
Floats = NDArray[np.floating[Any]]

# Single curls side by side in the picture of loose ones.
CURLS: Final = 6
_SIZE: Final = 512
# Drawn this much larger.
_FINE: Final = 2
_HAIRS: Final = 9
_CLOSED_CURLS: Final = 330


class _Sheet:
    """What is drawn on: coverage, tone and silver, repeating along both sides."""

    def __init__(self, tone: int) -> None:
        side = _SIZE * _FINE
        self.cover = Image.new("L", (side, side), 0)
        self.tone = Image.new("L", (side, side), tone)
        self.silver = Image.new("L", (side, side), 0)
        self._images = self.cover, self.tone, self.silver
        self._brushes = [ImageDraw.Draw(image) for image in self._images]

    def line(self, points: Floats, tone: float, silver: bool, width: float) -> None:
        """Draw a line through `points` [n, 2] in texels, again on the far side where it leaves."""
        side, values = float(_SIZE), (255, int(255 * tone), 255 * int(silver))
        low, high = points.min(0), points.max(0)
        for x in _copies(low[0], high[0], side):
            for y in _copies(low[1], high[1], side):
                place = [tuple(p) for p in ((points + np.array([x, y])) * _FINE).tolist()]
                for brush, value in zip(self._brushes, values, strict=True):
                    brush.line(place, fill=value, width=round(width * _FINE), joint="curve")

    def planes(self) -> Floats:
        """Return coverage, tone and silver, [512, 512, 3], 0 to 1."""
        small = [image.resize((_SIZE, _SIZE), Image.Resampling.BOX) for image in self._images]
        return np.stack([np.asarray(image, np.float32) for image in small], -1) / 255.0


def closed_ringlets(seed: int, grey: float) -> Bytes:
    """Draw hair that is all curls, [512, 512, 3]; `grey`: share of silver strands."""
    rng = np.random.default_rng(seed)
    sheet = _Sheet(20)
    for depth in np.linspace(0.0, 1.0, _CLOSED_CURLS):
        angle = 0.75 * rng.standard_normal()
        size = rng.uniform(17.0, 28.0)
        line = _helix(rng, size, rng.uniform(1.2, 2.2))
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        placed = line[:, :2] @ turn + _SIZE * rng.random(2)
        _curl(sheet, rng, placed, line[:, 2], grey, 0.12 + 0.40 * depth, 0.72 * size)
    planes = sheet.planes()
    planes[..., 0] = 1.0
    return to_bytes(planes)


def loose_ringlets(seed: int, grey: float) -> Bytes:
    """Draw `CURLS` curls side by side, each hanging from v = `CLOSED` to the lower edge."""
    rng = np.random.default_rng(seed)
    sheet = _Sheet(110)
    top, wide = CLOSED * _SIZE, _SIZE / CURLS
    for column in range(CURLS):
        for aside, size, ends in ((-0.18, 19.0, 0.82), (0.20, 17.0, 0.70), (0.02, 25.0, 1.0)):
            line = _helix(rng, size, rng.uniform(2.3, 3.2))
            down = line[:, 1] / line[-1, 1]
            line[:, 0] *= 1.0 - 0.35 * down
            line[:, 1] = top + 8.0 + (_SIZE - top - 40.0) * ends * rng.uniform(0.86, 1.0) * down
            line[:, 0] += wide * (column + 0.5 + aside * (1.0 - 0.4 * down))
            _curl(sheet, rng, line[:, :2], line[:, 2], grey, 0.42 + 0.10 * rng.random(), 0.8 * size)
    planes = sheet.planes()
    # Where it goes on from closed hair it is closed.
    planes[round(top) - 60 : round(top) + 2, :, 0] = 1.0
    return to_bytes(planes)


def _helix(rng: np.random.Generator, radius: float, turns: float) -> Floats:
    """Return a helix along y seen from its side: x, y in texels and nearness -1 to 1, [n, 3]."""
    phase = np.linspace(0.0, 2.0 * np.pi * turns, round(18 * turns))
    start = 2.0 * np.pi * rng.random()
    uneven = 1.0 + 0.12 * np.sin(0.7 * phase + start)
    y = radius * 2.0 * phase / (2.0 * np.pi)
    return np.stack([radius * uneven * np.sin(phase + start), y, np.cos(phase + start)], 1)


def _curl(
    sheet: _Sheet,
    rng: np.random.Generator,
    line: Floats,
    near: Floats,
    grey: float,
    tone: float,
    wide: float,
) -> None:
    """Draw one curl: a bundle of hairs about `line` [n, 2], first the half that is behind."""
    along = np.gradient(line, axis=0)
    normal = np.stack([-along[:, 1], along[:, 0]], 1)
    normal = normal / (np.linalg.norm(normal, axis=1, keepdims=True) + 1e-6)
    thin = np.interp(np.linspace(0.0, 1.0, len(line)), [0.0, 0.2, 0.7, 1.0], [0.7, 1.0, 0.9, 0.4])
    offsets = np.linspace(-0.5, 0.5, _HAIRS)
    own = 0.09 * rng.standard_normal(_HAIRS) - 0.16 * np.abs(2.0 * offsets) ** 2
    silver = rng.random(_HAIRS) < grey
    for front in (False, True):
        shown = near >= -0.15 if front else near <= 0.15
        for i in np.argsort(own):
            hair = line + (offsets[i] * wide * thin)[:, None] * normal
            for first in np.flatnonzero(shown[:-1] & shown[1:]):
                lit = tone + 0.32 * float(near[first]) + own[i]
                shown_tone = float(np.clip(lit, 0.03, 1.0))
                sheet.line(hair[first : first + 2], shown_tone, bool(silver[i]), wide / 5.0)


def _copies(low: float, high: float, side: float) -> list[float]:
    """Return by how much to move what reaches from `low` to `high` so that it repeats."""
    return [shift for shift in (-side, 0.0, side) if high + shift > -8.0 and low + shift < side + 8]
