"""Complexion: the skin's colour with its pores, flush, freckles, lines and beard shade."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from avatar.body.features import Features
from avatar.body.noise import smoothstep, value_noise
from avatar.body.paint import Canvas
from avatar.spec import AvatarSpec
from avatar.spec.colour import RGB, linear

Floats = NDArray[np.floating[Any]]

# The brightest skin that still shows shape under the studio's lamps, linear.
_BRIGHTEST: Final = 0.60


def albedo(colour: str) -> RGB:
    """Return the linear reflectance painted for a skin colour.

    Filmic tone mapping makes dark colours more vivid, so dark skin is painted a little greyer;
    very light skin is held below white.
    """
    rgb = np.array(linear(colour), np.float64)
    grey = float(rgb @ (0.2126, 0.7152, 0.0722))
    share = 0.24 * (1.0 - float(smoothstep(0.03, 0.42, grey)))
    rgb = rgb * (1.0 - share) + grey * np.array([1.10, 0.97, 0.90]) * share
    rgb *= min(1.0, _BRIGHTEST / max(float(rgb.max()), 1e-3))
    r, g, b = rgb.tolist()
    return r, g, b


def darkness(colour: str) -> float:
    """Return how dark a skin colour is, 0 to 1."""
    return 1.0 - float(smoothstep(0.02, 0.45, np.array(linear(colour)) @ (0.2126, 0.7152, 0.0722)))


def lay_skin(canvas: Canvas, face: Features, who: AvatarSpec) -> Floats:
    """Paint the whole head; return its fine relief [h, w], about -1 to 1, for the gloss."""
    shape = canvas.points.shape[:2]
    canvas.colour *= np.array(albedo(who.skin.colour), np.float32)
    calm = _calm(canvas)
    for i, (scale, octaves, warm) in enumerate(((120.0, 3, 0.6), (34.0, 2, 1.0), (9.0, 2, 0.8))):
        noise = value_noise(shape, scale, who.seed + i, octaves)
        tint = np.array([0.010, 0.023, 0.025], np.float32) * warm
        canvas.colour *= 1.0 + (noise * calm)[..., None] * tint
    _zones(canvas, face, who)
    relief = _pores(canvas, face, who)
    lip = 0.5 * (_above(canvas, face.nose[1]) + _above(canvas, face.mouth[1])) + 0.004
    folds = np.clip(canvas.hollow, 0, 1) * (1.0 - 0.7 * canvas.spot(0.0, lip, 0.008, 0.009))
    canvas.multiply(folds, (0.79, 0.69, 0.66))
    canvas.multiply(np.clip(-canvas.hollow, 0, 1), (1.05, 1.04, 1.04))
    return relief


def _calm(canvas: Canvas) -> Floats:
    """Return how much detail the skin takes [h, w]: less down the neck, where it would streak."""
    bottom = canvas.bottom
    return 0.15 + 0.85 * smoothstep(bottom + 0.03, bottom + 0.11, canvas.points[..., 2])


def _zones(canvas: Canvas, face: Features, who: AvatarSpec) -> None:
    """Tint the zones of a face: sallow forehead and lids, ruddy middle, cooler jaw."""
    x = float(canvas.marks.eye[0])
    mouth = _above(canvas, face.mouth[1])
    nose = _above(canvas, face.nose[1])
    canvas.multiply(canvas.spot(0.0, 0.045, 0.045, 0.016), (1.01, 1.005, 0.95))
    canvas.multiply(canvas.spot(0.0, nose + 0.010, 0.010, 0.010) * 0.7, (1.02, 0.90, 0.88))
    canvas.multiply(canvas.spot(face.nose[0], nose + 0.004, 0.005, 0.006) * 0.5, (1.0, 0.89, 0.87))
    canvas.multiply(canvas.spot(0.0, mouth - 0.030, 0.016, 0.010) * 0.5, (1.01, 0.91, 0.90))
    canvas.multiply(canvas.spot(x - 0.004, -0.017, 0.012, 0.005) * 0.55, (0.91, 0.86, 0.88))
    canvas.multiply(canvas.spot(x - 0.014, -0.004, 0.005, 0.008) * 0.5, (0.88, 0.78, 0.77))
    canvas.multiply(canvas.spot(0.0, mouth - 0.013, 0.018, 0.004) * 0.5, (0.90, 0.84, 0.82))
    warm = 0.22 + 0.78 * who.skin.blush * (1.0 - 0.45 * darkness(who.skin.colour))
    canvas.multiply(canvas.spot(x + 0.014, -0.034, 0.017, 0.012) * warm, (1.02, 0.80, 0.80))
    canvas.multiply(canvas.spot(x + 0.022, -0.022, 0.015, 0.009) * 0.4 * warm, (1.02, 0.85, 0.84))


def _pores(canvas: Canvas, face: Features, who: AvatarSpec) -> Floats:
    """Darken pores and light the skin's relief from above."""
    shape = canvas.points.shape[:2]
    rng = np.random.default_rng(who.seed + 20)
    white = rng.standard_normal(shape).astype(np.float32)
    grain = ndimage.gaussian_filter(white, 0.9) - ndimage.gaussian_filter(white, 2.2)
    grain /= grain.std()
    cells = value_noise(shape, 4.5, who.seed + 21, 2)
    height = 0.6 * grain + 0.7 * cells
    relief = height - np.roll(height, 2, 0)
    relief /= relief.std()
    x, nose = float(canvas.marks.eye[0]), _above(canvas, face.nose[1])
    zone = 0.45 + 0.9 * canvas.spot(0.0, nose + 0.012, 0.016, 0.016)
    zone = zone + 0.7 * canvas.spot(x - 0.006, -0.036, 0.018, 0.016)
    zone = zone + 0.4 * canvas.spot(0.0, 0.040, 0.04, 0.015)
    zone = zone + 0.4 * canvas.spot(0.0, _above(canvas, face.chin) + 0.02, 0.02, 0.012)
    strength = (0.75 + 0.6 * who.skin.lines) * (1.0 + 0.3 * who.skin.stubble) * _calm(canvas)
    pits = smoothstep(0.9, 2.3, grain) * zone
    canvas.multiply(np.clip(pits * strength, 0, 1), (0.87, 0.80, 0.77))
    canvas.colour *= (1.0 + 0.017 * strength * relief * (0.6 + 0.5 * zone))[..., None]
    relief = relief * _calm(canvas)
    return np.asarray(np.clip(0.5 * relief - 0.5 * pits, -1.5, 1.5), np.float32)


def freckle(canvas: Canvas, who: AvatarSpec) -> None:
    """Scatter freckles over nose and cheeks, and a few spots that come with age."""
    rng = np.random.default_rng(who.seed + 30)
    x = float(canvas.marks.eye[0])
    chance = canvas.spot(x, -0.030, 0.022, 0.014) + 0.8 * canvas.spot(0.0, -0.028, 0.014, 0.016)
    chance = chance + 0.16 * canvas.spot(0.0, 0.02, 0.06, 0.06)
    # Few are faint; the more there are, the darker. Two sizes, and the spots of age.
    freckles, age = who.skin.freckles, who.skin.lines
    tone = 0.55 + 0.35 * freckles
    flakes = (
        (freckles**0.6, 0.0075, 1.5, 9.0, tone),
        (freckles**0.6, 0.0032, 2.5, 24.0, tone),
        (age, 0.00022, 3.4, 30.0, 0.4),
    )
    for amount, density, radius, weight, depth in flakes:
        if amount > 0.0:
            hit = rng.random(chance.shape) < density * amount * chance
            marks = np.where(hit, 0.4 + 0.6 * rng.random(chance.shape), 0.0).astype(np.float32)
            spots = np.clip(ndimage.gaussian_filter(marks, radius) * weight, 0.0, 1.0)
            canvas.multiply(spots * depth, (0.62, 0.42, 0.31))


def shade_beard(canvas: Canvas, face: Features, who: AvatarSpec) -> None:
    """Paint the shade of a shaven or stubbly beard: skin that is cooler, and short dark hairs."""
    if who.skin.stubble <= 0.0:
        return
    azimuth = np.degrees(np.abs(canvas.marks.azimuth(canvas.points)))
    wing, base = face.nose[1], face.mouth[1]
    angles = [0.0, 8.0, 18.0, 30.0, 44.0, 60.0, 70.0, 78.0]
    eye = float(canvas.marks.eye[2])
    heights = [wing - 0.005, wing - 0.006, wing - 0.012, base + 0.002, base + 0.004,
               base + 0.018, eye - 0.025, eye]  # fmt: skip
    line = np.interp(azimuth, angles, heights)
    z = canvas.points[..., 2]
    ragged = 0.003 * value_noise(z.shape, 26.0, who.seed + 40, 2)
    area = smoothstep(0.004, -0.006, z - line + ragged) * smoothstep(92.0, 80.0, azimuth)
    area = area * smoothstep(face.chin - 0.045, face.chin - 0.012, z + ragged)
    area = area * (1.0 - 0.55 * canvas.spot(face.mouth[0] + 0.014, _above(canvas, base) - 0.004,
                                            0.008, 0.010))  # fmt: skip
    rng = np.random.default_rng(who.seed + 41)
    white = ndimage.gaussian_filter(rng.standard_normal(z.shape).astype(np.float32), (1.1, 0.6))
    hairs = smoothstep(0.5, 1.9, white / white.std())
    amount = who.skin.stubble
    canvas.multiply(area * amount, (0.80, 0.83, 0.86))
    dark = np.array(linear(who.brows.colour)) * 0.6
    canvas.cover(np.clip(area * hairs * (0.15 + 0.75 * amount) * amount, 0, 0.85), dark)


def line_face(canvas: Canvas, face: Features, who: AvatarSpec) -> None:
    """Draw lines of age: a fold is dark, and the skin below it catches light."""
    amount = 0.12 + 0.88 * who.skin.lines
    folds: dict[int, list[tuple[list[float], int, int]]] = {2: [], 5: []}
    for weight, width, points in _folds(canvas, face):
        for side in (1.0, -1.0):
            flat = [value for x, z in points for value in canvas.pixel(side * x, z)]
            folds[2 if width <= 5 else 5].append((flat, round(255 * weight), width))
    for blur, lines in folds.items():
        dark = ndimage.gaussian_filter(canvas.strokes(lines), blur)
        light = np.roll(dark, -3 - blur, 0)
        canvas.multiply(np.clip(amount * dark * 1.15, 0, 1), (0.66, 0.50, 0.45))
        canvas.multiply(amount * light * 0.7, (1.12, 1.11, 1.10))


def _folds(
    canvas: Canvas, face: Features
) -> Sequence[tuple[float, int, Sequence[tuple[float, float]]]]:
    """Return strength, width in pixels and course of the lines of the left half of a face."""
    s, eye = canvas.marks.scale, float(canvas.marks.eye[2])
    mx, mz = face.mouth
    nx, nz = face.nose
    outer = float(face.upper.x[-1]), float(face.upper.z[-1])
    inner = float(face.lower.x[0]), float(face.lower.z[0])
    lower = float(face.lower.z.min())
    out = [
        (0.9, 9, _bent((nx + 0.004 * s, nz + 0.006 * s), (mx + 0.008 * s, mz + 0.003 * s), -0.10)),
        (0.45, 7, _bent((mx + 0.003 * s, mz - 0.004 * s), (mx + 0.003 * s, mz - 0.022 * s), 0.10)),
        (0.35, 8, _bent((inner[0] + 0.002, inner[1] - 0.008 * s), (outer[0] - 0.004 * s,
                        lower - 0.006 * s), 0.16)),
        (0.5, 4, _bent((inner[0] + 0.005, inner[1] - 0.005 * s), (outer[0], lower - 0.001), 0.18)),
        (0.35, 4, _bent((0.0055 * s, eye + 0.010 * s), (0.0062 * s, eye + 0.027 * s), 0.06)),
    ]  # fmt: skip
    for rise, strength in ((0.008, 0.5), (0.001, 0.6), (-0.007, 0.5)):
        start = outer[0] + 0.003 * s, outer[1] + 0.25 * rise
        out.append((strength, 3, _bent(start, (outer[0] + 0.016 * s, outer[1] + rise * s), 0.08)))
    for height, strength, bow in ((0.036, 0.35, 0.05), (0.046, 0.45, 0.06), (0.056, 0.35, 0.05)):
        start = 0.0, eye + (height - 0.002) * s
        out.append((strength, 4, _bent(start, (0.036 * s, eye + (height - 0.003) * s), -bow)))
    return out


def _bent(
    start: tuple[float, float], end: tuple[float, float], bend: float
) -> Sequence[tuple[float, float]]:
    """Return a curve of nine points that leaves the straight line by `bend` of its length."""
    t = np.linspace(0.0, 1.0, 9)
    x, z = (a + (b - a) * t for a, b in zip(start, end, strict=True))
    off = bend * np.sin(np.pi * t)
    x, z = x + off * (end[1] - start[1]), z - off * (end[0] - start[0])
    return list(zip(x.tolist(), z.tolist(), strict=True))


def _above(canvas: Canvas, height: float) -> float:
    """Return a height in metres as `Canvas.spot` takes it: above the eye, on the usual head."""
    return float((height - canvas.marks.eye[2]) / canvas.marks.scale)
