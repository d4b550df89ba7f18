"""Takes colours from a portrait: skin, hair, irises, lips, brows, clothes."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from avatar.creation.photo.contours import BROWS, EYES, LIPS, MOUTH
from avatar.creation.photo.person import SIDE, Portrait, likeness, polygon
from avatar.spec.colour import written

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

# Middles of patches of bare skin: cheeks, the brow's middle, beside the nose.
_SKIN_PATCHES: Final = (50, 280, 205, 425, 101, 330, 36, 266, 151, 108, 337)
# What white of an eye looks like in neutral light; bounds of the correction.
_SCLERA: Final = np.array([1.03, 1.0, 0.97], np.float32)
_MOST_CORRECTION: Final = 0.08
# Hair is seen brighter than its own colour, for it shines.
_SHINE: Final = 0.65
# Skin lies within these: linear luminance; and by luminance the most that red may be of green,
# and green of blue (measured skins: the darker, the redder).
_SKIN_RANGE: Final = (0.03, 0.62)
_SKIN_LIGHT: Final = (0.05, 0.15, 0.45)
_MOST_RED, _MOST_YELLOW = (3.0, 2.6, 1.75), (2.2, 2.0, 1.6)


@dataclass(frozen=True, slots=True)
class Colours:
    """Colours as "#rrggbb"; `cloth` is "" where no clothes are seen.

    Attributes:
        skin_seen, hair_seen: linear RGB as in the portrait, for finding more of it.
        hair_share: share of the hair's usual place where there is some.
    """

    skin: str
    hair: str
    iris_outer: str
    iris_inner: str
    lips: str
    brows: str
    cloth: str
    skin_seen: Floats
    hair_seen: Floats
    hair_share: float


def take_colours(portrait: Portrait) -> Colours:
    """Sample the colours of a portrait, in the light's own tint taken off."""
    skin = _skin(portrait)
    gain = _correction(portrait)
    hair, share = _hair(portrait, skin)
    outer, inner = _iris(portrait)
    lips = _median(portrait, polygon(portrait.points[list(LIPS)]) & ~_mouth(portrait))
    brows = np.concatenate([_of_brow(portrait, contour) for contour in BROWS])
    cloth = _cloth(portrait, skin)
    return Colours(
        skin=_written(_like_skin(skin * gain)),
        hair=_written(hair * gain * _SHINE),
        iris_outer=_written(outer * gain),
        iris_inner=_written(inner * gain),
        lips=_written(lips * gain),
        brows=_written(np.percentile(brows, 20, axis=0) * gain),
        cloth="" if cloth is None else _written(cloth * gain),
        skin_seen=skin,
        hair_seen=hair,
        hair_share=share,
    )


def _median(portrait: Portrait, mask: Mask) -> Floats:
    return np.asarray(np.median(portrait.light[mask], axis=0), np.float32)


def _skin(portrait: Portrait) -> Floats:
    """Return the median over the patches, without the darkest and the brightest of them."""
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    radius = 0.05 * portrait.height
    patches = []
    for number in _SKIN_PATCHES:
        px, py = portrait.points[number]
        inside = (x - px) ** 2 + (y - py) ** 2 < radius**2
        if inside.any():
            patches.append(_median(portrait, inside))
    order = np.argsort([p.sum() for p in patches])
    kept = [patches[i] for i in order[2:-3]] or patches
    return np.asarray(np.median(kept, axis=0), np.float32)


def _correction(portrait: Portrait) -> Floats:
    """Return the gain [3] that makes the whites of the eyes white, within limits."""
    whites, sizes = [], []
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    for contour, iris in zip(EYES, portrait.irises, strict=True):
        radius = float(np.linalg.norm(iris[1:] - iris[0], axis=1).mean())
        sizes.append(radius * portrait.region.side / SIDE)
        outside = (x - iris[0, 0]) ** 2 + (y - iris[0, 1]) ** 2 > (1.25 * radius) ** 2
        eye = ndimage.binary_erosion(polygon(portrait.points[list(contour)])) & outside
        if eye.sum() >= 12:
            values = portrait.light[eye]
            bright = values.sum(1) >= np.percentile(values.sum(1), 60)
            whites.append(np.median(values[bright], axis=0))
    if not whites:
        return np.ones(3, np.float32)
    white = np.mean(whites, axis=0)
    # Never all of it, and none in a small photo: there the lids tint the white of an eye.
    trust = 0.5 * float(np.clip((np.mean(sizes) - 4.0) / 8.0, 0.0, 1.0))
    gain = (_SCLERA * white.mean() / np.maximum(white, 1e-3)) ** trust
    return np.asarray(np.clip(gain, 1.0 - _MOST_CORRECTION, 1.0 + _MOST_CORRECTION), np.float32)


def _hair(portrait: Portrait, skin: Floats) -> tuple[Floats, float]:
    """Return the colour above the hairline, and how much of that place is not skin."""
    top = portrait.points[10]
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    width = 0.36 * portrait.height
    band = (np.abs(x - top[0]) < width) & (y < top[1] + 0.02 * portrait.height)
    band &= y > top[1] - 0.38 * portrait.height
    band &= portrait.person
    if not band.any():
        return skin * 0.6, 0.0
    values = portrait.light[band]
    other = likeness(values, skin) > 0.28
    share = float(other.mean())
    chosen = values[other] if other.any() else values
    shade = chosen.sum(1)
    middle = (shade > np.percentile(shade, 15)) & (shade < np.percentile(shade, 85))
    return np.asarray(np.median(chosen[middle], axis=0), np.float32), share


def _iris(portrait: Portrait) -> tuple[Floats, Floats]:
    """Return the colours of the iris's rim and of its inside, without pupil and highlight."""
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    rims: list[Floats] = []
    insides: list[Floats] = []
    for contour, iris in zip(EYES, portrait.irises, strict=True):
        radius = max(float(np.linalg.norm(iris[1:] - iris[0], axis=1).mean()), 1.5)
        share = np.sqrt((x - iris[0, 0]) ** 2 + (y - iris[0, 1]) ** 2) / radius
        eye = polygon(portrait.points[list(contour)])
        values = portrait.light[eye & (share > 0.4) & (share < 0.95)]
        if len(values):
            shade = values.sum(1)
            for low, high, out in ((15, 45, rims), (55, 85, insides)):
                between = (shade >= np.percentile(shade, low)) & (
                    shade <= np.percentile(shade, high)
                )
                out.append(np.median(values[between], axis=0))
    if not rims or not insides:
        usual = np.array([0.06, 0.03, 0.015], np.float32)
        return usual, usual * 2.5
    inside = np.mean(insides, axis=0)
    return (
        np.asarray(np.minimum(np.mean(rims, axis=0), inside), np.float32),
        np.asarray(inside, np.float32),
    )


def _mouth(portrait: Portrait) -> Mask:
    return np.asarray(ndimage.binary_dilation(polygon(portrait.points[list(MOUTH)])), bool)


def _of_brow(portrait: Portrait, contour: tuple[int, ...]) -> Floats:
    return np.asarray(portrait.light[polygon(portrait.points[list(contour)])])


def _cloth(portrait: Portrait, skin: Floats) -> Floats | None:
    """Return the commonest colour of the person below the neck, None where none is seen."""
    start = int(portrait.points[152, 1] + 0.55 * portrait.height)
    below = portrait.person.copy()
    below[:start] = False
    values = portrait.light[below]
    values = values[likeness(values, skin) > 0.25]
    if len(values) < 200:
        return None
    cells = np.minimum((np.sqrt(values) * 8).astype(int), 7) @ np.array([64, 8, 1])
    common = np.bincount(cells).argmax()
    return np.asarray(np.median(values[cells == common], axis=0), np.float32)


def _written(colour: NDArray[Any]) -> str:
    return written([float(value) for value in colour])


def _like_skin(colour: NDArray[Any]) -> NDArray[Any]:
    """Return the nearest colour that skin has; the same luminance where that is possible."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    luminance = float(np.clip(colour @ weights, *_SKIN_RANGE))
    red, green, blue = (float(v) for v in np.maximum(colour, 1e-4))
    red = green * min(red / green, float(np.interp(luminance, _SKIN_LIGHT, _MOST_RED)))
    blue = green / min(green / blue, float(np.interp(luminance, _SKIN_LIGHT, _MOST_YELLOW)))
    bounded = np.array([red, green, blue])
    return bounded * (luminance / float(bounded @ weights))
