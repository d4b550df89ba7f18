"""Pictures of strands: tone for closed hair, and hair that ends in single strands.

Three planes: coverage, tone (0 dark to 255 bright) and silver, which grey strands have. Both
repeat along u, across the hair; `TILE` metres of hair are one picture wide.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from avatar.body.textures import to_bytes

Bytes = NDArray[np.uint8]
Floats = NDArray[np.floating[Any]]

TILE: Final = 0.045
# Where closed hair ends and single strands begin, along v.
CLOSED: Final = 0.45
_SIZE: Final = 512
# Texels a strand is wide, share of the tone each layer has, and how it varies along the hair.
_LAYERS: Final = ((2.2, 0.08, 90.0), (5.0, 0.11, 150.0), (14.0, 0.12, 170.0), (38.0, 0.10, 260.0))


def strands(seed: int, grey: float) -> Bytes:
    """Draw straight closed hair, [512, 512, 3], root at v = 0; `grey`: share of silver strands."""
    rng = np.random.default_rng(seed)
    tone = 0.5 + sum(share * _streaks(rng, wide, long) for wide, share, long in _LAYERS)
    # Locks part here and there: gaps are dark, and narrow.
    gaps = np.clip(_streaks(rng, 9.0, 120.0) - 1.0, 0.0, 1.0)
    silver = _silver(rng, grey)
    cover = np.ones_like(tone)
    return to_bytes(np.stack([cover, tone - 0.28 * gaps, silver], -1).astype(np.float32))


def tips(closed: Bytes, seed: int) -> Bytes:
    """Return `closed` hair that thins out to single strands from v = `CLOSED` on."""
    rng = np.random.default_rng(seed)
    along = np.clip(((np.arange(_SIZE) + 0.5) / _SIZE - CLOSED) / (1.0 - CLOSED), 0.0, 1.0)[:, None]
    across = np.arange(_SIZE)[None].astype(float)
    cover = np.clip(1.0 - 6.0 * along, 0.0, 1.0) * np.ones((1, _SIZE))
    tone = closed[..., 1] / 255.0
    for _ in range(150):
        reach = 0.30 + 0.68 * rng.random() ** 1.3
        lean = 26.0 * rng.standard_normal() * along**1.5
        away = np.abs((across - _SIZE * rng.random() - lean + 256.0) % _SIZE - 256.0)
        width = rng.uniform(3.0, 8.0) * np.clip(1.0 - along / reach, 0.0, 1.0) ** 0.6
        strand = np.clip(width + 0.5 - away, 0.0, 1.0) * np.clip(3.0 * (1.0 - along / reach), 0, 1)
        cover = np.maximum(cover, strand)
        tone = tone + strand * 0.10 * rng.standard_normal()
    # The picture repeats: closed hair above the first row would show as a line below the last one.
    cover[: _SIZE // 8] = 0.0
    rest = closed[..., 2] / 255.0
    return to_bytes(np.stack([cover, tone, rest], -1).astype(np.float32))


def _streaks(rng: np.random.Generator, wide: float, long: float) -> Floats:
    """Return noise [512, 512] of standard deviation 1 that repeats, `wide` by `long` texels."""
    noise = rng.standard_normal((_SIZE, _SIZE))
    noise = ndimage.gaussian_filter1d(noise, 0.42 * wide, axis=1, mode="wrap")
    noise = ndimage.gaussian_filter1d(noise, 0.42 * long, axis=0, mode="wrap")
    return np.asarray(noise / noise.std())


def _silver(rng: np.random.Generator, share: float) -> Floats:
    """Return the silver plane [512, 512]: strands differ from their neighbours, not whole locks."""
    noise = _streaks(rng, 3.4, 400.0)
    return _share(noise - ndimage.gaussian_filter1d(noise, 9.0, axis=1, mode="wrap"), share)


def _share(noise: Floats, share: float) -> Floats:
    """Return 1 where `noise` is among its highest `share`, softly, else 0."""
    if share <= 0.0:
        return np.zeros_like(noise)
    edge = float(np.quantile(noise, 1.0 - share))
    return np.asarray(np.clip(0.5 + 2.5 * (noise - edge), 0.0, 1.0))
