"""The eyeball's picture: iris with its fibres and rim, pupil, white with fine veins."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from scipy import ndimage

from avatar.body.noise import smoothstep, value_noise
from avatar.spec.colour import linear
from avatar.spec.identity import EyesSpec

Floats = NDArray[np.floating[Any]]

# Of the iris, as a share of the eyeball's radius.
EDGE: Final = 0.43
_ZOOM: Final = 0.6
_WHITE: Final = (0.65, 0.625, 0.595)


def eyeball_picture(eyes: EyesSpec, seed: int, size: int = 512) -> NDArray[np.uint8]:
    """Paint an eyeball seen from in front, planar, uint8 [size, size, 3]: the root of its colour.

    A place (x, y) of the unit ball's front lies at 0.5 + 0.6 * (x, y) of the picture.
    """
    y, x = (np.mgrid[0:size, 0:size] + 0.5) / size / _ZOOM - 0.5 / _ZOOM
    radius, angle = np.hypot(x, y), np.arctan2(y, x)
    inside = (1.0 - smoothstep(EDGE - 0.040, EDGE + 0.022, radius))[..., None]
    colour = _white(x, radius, seed) * (1.0 - inside) + _iris(radius, angle, eyes, seed) * inside
    return np.asarray(np.sqrt(np.clip(colour, 0, 1)) * 255.0 + 0.5, np.uint8)


def _iris(radius: Floats, angle: Floats, eyes: EyesSpec, seed: int) -> Floats:
    """Paint fibres that run outwards, a brighter frill round the pupil and a dark rim."""
    edge_of_pupil = EDGE * eyes.pupil
    t = np.clip((radius - edge_of_pupil) / (EDGE - edge_of_pupil), 0.0, 1.0)
    fibres = _fibres(t, angle, seed)
    outer, inner = (np.array(linear(colour)) for colour in (eyes.outer, eyes.inner))
    wavy = 0.34 + 0.05 * np.sin(angle * 9.0 + seed) + 0.03 * np.sin(angle * 23.0 + 2.0 * seed)
    share = smoothstep(wavy - 0.16, wavy + 0.30, t)[..., None]
    ring = inner * (1.0 - share) + outer * share
    ring = ring * (1.12 + 0.30 * np.exp(-(((t - wavy) / 0.10) ** 2)))[..., None]
    ring = ring * (1.0 + 0.24 * fibres * (0.35 + 0.65 * t))[..., None]
    ring = ring * (1.0 - 0.82 * smoothstep(0.74, 1.02, t))[..., None]
    ring = ring * (1.0 - 0.45 * (1.0 - smoothstep(0.0, 0.12, t)))[..., None]
    pupil = (1.0 - smoothstep(edge_of_pupil - 0.016, edge_of_pupil + 0.014, radius))[..., None]
    return np.asarray(ring * (1.0 - pupil) + 0.004 * pupil)


def _fibres(t: Floats, angle: Floats, seed: int) -> Floats:
    rng = np.random.default_rng(seed)
    total = np.zeros_like(t)
    for count in (17, 31, 53, 87, 131):
        swirl = 1.5 * np.sin(2.4 * t * rng.integers(1, 3) + 6.0 * rng.random())
        total += np.sin(angle * count + 6.0 * rng.random() + swirl) / count**0.3
    return np.asarray(total / total.std())


def _white(x: Floats, radius: Floats, seed: int) -> Floats:
    """Paint the white: pinker and veined towards the corners, darker at the iris's rim."""
    size = x.shape[0]
    corner = smoothstep(0.48, 0.98, np.abs(x))[..., None]
    white = np.array(_WHITE) * (1.0 - np.array([0.04, 0.19, 0.20]) * corner)
    white = white * (1.0 - 0.05 * value_noise((size, size), 40.0, seed, 2)[..., None] * corner)
    veins = _veins(size, seed)[..., None]
    veins = veins * smoothstep(0.5, 0.8, np.abs(x))[..., None]
    white = white * (1.0 - np.array([0.10, 0.34, 0.32]) * veins)
    halo = (1.0 - smoothstep(EDGE, EDGE + 0.10, radius))[..., None]
    return np.asarray(white * (1.0 - np.array([0.16, 0.14, 0.11]) * halo))


def _veins(size: int, seed: int) -> Floats:
    """Draw fine crooked veins that come from both corners, 0 to 1."""
    image = Image.new("L", (size, size), 0)
    draw = ImageDraw.Draw(image)
    rng = np.random.default_rng(seed + 1)
    for side in (0.0, 1.0):
        for _ in range(11):
            place = np.array([side, 0.5 + 0.22 * rng.standard_normal()])
            heading = (0.0 if side == 0.0 else np.pi) + 0.5 * rng.standard_normal()
            points = [place]
            for _step in range(14):
                heading += 0.35 * rng.standard_normal()
                place = place + 0.022 * np.array([np.cos(heading), np.sin(heading)])
                points.append(place)
            flat = (np.array(points) * size).ravel().tolist()
            draw.line(flat, fill=int(90 + 120 * rng.random()), width=1)
    return np.asarray(ndimage.gaussian_filter(np.asarray(image, np.float32) / 255.0, 0.9))
