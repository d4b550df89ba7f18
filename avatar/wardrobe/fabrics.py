"""Fabrics and patterns: one texture holds the weave and the pattern of a tile of cloth."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from avatar.body.textures import to_bytes
from avatar.spec.identity import AvatarSpec

Floats = NDArray[np.floating[Any]]
Draw = Callable[[Floats, Floats, int], Floats]

# Edge of a tile, millimetres: every period below divides it.
_TILE: Final = 128.0
_SIZE: Final = 512
# How much light grazes off each fabric, 0 to 1.
SHEENS: Final = {
    "cotton": 0.14, "twill": 0.10, "denim": 0.07, "silk": 0.60, "knit": 0.10, "linen": 0.10,
    "leather": 0.50,
}  # fmt: skip
REPEATS: Final = 1000.0 / _TILE


def fabric_name(fabric: str, pattern: str) -> str:
    """Return the name of the texture that holds both."""
    return f"{fabric}-{pattern}"


def fabric_textures(who: AvatarSpec) -> dict[str, NDArray[np.uint8]]:
    """Draw the textures of an outfit by name, each [512, 512, 2]: 0.128 m of cloth.

    The first channel is the weave's brightness, 0.5 on average; the second the share of the
    second colour. Every fabric worn is there plain, too, for trims, and "rib" for ribbing.
    """
    pairs = {("cotton", "plain"), ("rib", "plain")}
    for piece in who.outfit:
        pairs |= {(piece.fabric, "plain"), (piece.fabric, piece.pattern)}
    return {fabric_name(*pair): tile(*pair, who.seed + 30) for pair in sorted(pairs)}


def tile(fabric: str, pattern: str, seed: int) -> NDArray[np.uint8]:
    """Draw one tile, uint8 [512, 512, 2]; v grows with the row."""
    y, x = (np.mgrid[0:_SIZE, 0:_SIZE].astype(np.float32) + 0.5) * (_TILE / _SIZE)
    relief = _WEAVES[fabric](x, y, seed)
    share = _PATTERNS[pattern](x, y, seed + 1)
    if fabric == "denim":
        share = np.clip(share + 0.10 + 0.07 * _grain(seed + 2, 3.0, 0.8), 0.0, 1.0)
    return to_bytes(np.stack([0.5 + relief - relief.mean(), share], -1).astype(np.float32))


def _grain(seed: int, along_y: float, along_x: float) -> Floats:
    """Return noise of unit deviation that tiles, blurred by so many texels."""
    noise = np.random.default_rng(seed).standard_normal((_SIZE, _SIZE)).astype(np.float32)
    blurred = ndimage.gaussian_filter(noise, (along_y, along_x), mode="wrap")
    return np.asarray(blurred / blurred.std(), np.float32)


def _threads(seed: int, coarse: float) -> Floats:
    return np.asarray(_grain(seed, 14.0, coarse) + _grain(seed + 7, coarse, 14.0))


def _wave(values: Floats, period: float) -> Floats:
    return np.asarray(np.sin(2.0 * np.pi * values / period))


def _cotton(x: Floats, y: Floats, seed: int) -> Floats:
    return np.asarray(0.025 * _wave(x, 1.0) * _wave(y, 1.0) + 0.010 * _threads(seed, 0.9))


def _twill(x: Floats, y: Floats, seed: int) -> Floats:
    return 0.075 * _wave(x + y, 2.0) + 0.03 * _grain(seed, 1.2, 1.2)


def _denim(x: Floats, y: Floats, seed: int) -> Floats:
    relief = 0.05 * _grain(seed, 9.0, 0.9) + 0.05 * _grain(seed + 3, 1.0, 1.0)
    return np.asarray(0.10 * _wave(x + y, 1.6) + relief)


def _silk(_x: Floats, _y: Floats, seed: int) -> Floats:
    return np.asarray(0.008 * _grain(seed, 30.0, 0.7))


def _knit(x: Floats, y: Floats, seed: int) -> Floats:
    across = np.abs((x / 4.0) % 1.0 - 0.5)
    stitch = np.cos(2.0 * np.pi * (y / 3.2 + 1.1 * across))
    groove = np.cos(4.0 * np.pi * across)
    return np.asarray(0.11 * stitch - 0.09 * groove + 0.03 * _grain(seed, 1.5, 1.5))


def _rib(x: Floats, y: Floats, seed: int) -> Floats:
    ridge = np.cos(2.0 * np.pi * x / 4.0)
    fine = 0.03 * _wave(y, 2.0) * (ridge > 0.0) + 0.02 * _grain(seed, 2.0, 1.0)
    return np.asarray(0.17 * ridge + fine)


def _linen(_x: Floats, _y: Floats, seed: int) -> Floats:
    return np.asarray(0.055 * _threads(seed, 1.1) + 0.02 * _threads(seed + 20, 2.5))


def _leather(_x: Floats, _y: Floats, seed: int) -> Floats:
    pebbles = np.abs(_grain(seed, 4.0, 4.0)) + 0.6 * np.abs(_grain(seed + 1, 2.2, 2.2))
    return np.asarray(0.14 * np.tanh(2.0 * pebbles) + 0.01 * _grain(seed + 2, 20.0, 20.0))


_WEAVES: Final[dict[str, Draw]] = {
    "cotton": _cotton, "twill": _twill, "denim": _denim, "silk": _silk, "knit": _knit,
    "rib": _rib, "linen": _linen, "leather": _leather,
}  # fmt: skip


def _inside(distance: Floats) -> Floats:
    """Return 1 where `distance`, millimetres, is negative, with an edge of one texel."""
    return np.asarray(np.clip(0.5 - distance * _SIZE / _TILE, 0.0, 1.0))


def _line(values: Floats, period: float, width: float) -> Floats:
    """Return lines `width` wide, one each `period`."""
    return _inside(np.abs((values / period) % 1.0 - 0.5) * period - 0.5 * width)


def _none(x: Floats, _y: Floats, _seed: int) -> Floats:
    return np.zeros_like(x)


def _stripes(_x: Floats, y: Floats, _seed: int) -> Floats:
    return _line(y, _TILE / 6.0, 8.5)


def _pinstripes(x: Floats, _y: Floats, _seed: int) -> Floats:
    return 0.75 * _line(x, 16.0, 1.3)


def _checks(x: Floats, y: Floats, _seed: int) -> Floats:
    return 0.5 * (_line(x, 16.0, 8.0) + _line(y, 16.0, 8.0))


def _dots(x: Floats, y: Floats, _seed: int) -> Floats:
    share = np.zeros_like(x)
    for shift in (0.0, 0.5):
        a, b = ((v / 16.0 + shift) % 1.0 - 0.5 for v in (x, y))
        share = np.maximum(share, _inside(np.hypot(a, b) * 16.0 - 2.6))
    return share


def _floral(x: Floats, y: Floats, seed: int) -> Floats:
    """Scatter flowers of five petals and small leaves, none nearer to another than 20 mm."""
    rng = np.random.default_rng(seed)
    share = np.zeros_like(x)
    placed: list[Floats] = []
    for _ in range(400):
        centre = rng.random(2) * _TILE
        away = [np.hypot(*((centre - other + 64.0) % _TILE - 64.0)) for other in placed]
        if len(placed) < 26 and (not away or min(away) > 19.0):
            placed.append(centre)
            dx, dy = (v % _TILE - 64.0 for v in (x - centre[0] + 64.0, y - centre[1] + 64.0))
            share = np.maximum(share, _flower(dx, dy, 5.0 + 3.0 * rng.random(), 7 * rng.random()))
    return share


def _flower(dx: Floats, dy: Floats, size: float, turn: float) -> Floats:
    radius, angle = np.hypot(dx, dy), np.arctan2(dy, dx) + turn
    petals = _inside(radius - size * (0.62 + 0.38 * np.abs(np.cos(2.5 * angle))))
    heart = _inside(radius - 0.24 * size)
    leaf = np.zeros_like(dx)
    for way in (0.9, 3.6):
        a = dx * np.cos(way + turn) + dy * np.sin(way + turn) - 1.65 * size
        b = -dx * np.sin(way + turn) + dy * np.cos(way + turn)
        leaf = np.maximum(leaf, _inside(np.hypot(a / 0.75, b / 0.28) - size))
    return np.asarray(np.maximum(petals * (0.95 - 0.7 * heart), 0.5 * leaf))


def _herringbone(x: Floats, y: Floats, _seed: int) -> Floats:
    zigzag = np.abs((x / 16.0) % 1.0 - 0.5) * 16.0
    return np.asarray(0.5 + 0.5 * np.clip(1.6 * _wave(y + zigzag, 4.0), -1.0, 1.0))


_PATTERNS: Final[dict[str, Draw]] = {
    "plain": _none, "stripes": _stripes, "pinstripes": _pinstripes, "checks": _checks,
    "dots": _dots, "floral": _floral, "herringbone": _herringbone,
}  # fmt: skip
