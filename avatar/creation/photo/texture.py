"""Carries the face of a photo into the texture of the head."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.interpolate import RBFInterpolator

from avatar.body.head_skin import SIZE, head_triangles, head_uv
from avatar.body.landmarks import Landmarks
from avatar.body.mesh import vertex_normals
from avatar.body.noise import smoothstep
from avatar.body.raster import attribute_map
from avatar.body.source import Body
from avatar.creation.photo.contours import BROWS, EYES, LIPS, MOUTH, NOSE, OVAL
from avatar.creation.photo.correspond import places
from avatar.creation.photo.face import FaceLandmarks
from avatar.creation.photo.fit import Fit
from avatar.creation.photo.person import (
    SIDE,
    Portrait,
    hair_mask,
    likeness,
    polygon,
)
from avatar.spec.colour import linear, to_display, to_linear
from motion.skeleton import FACE_NAMES

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]

# Light is evened out where it changes over more than this, in pixels of the texture.
_BROAD: Final = 44.0
# How much of the photo's broad shade, and of its broad tone, gives way to the skin's colour.
_SHADE, _TONE = 0.9, 0.7
# Width of folds and of the shadows about the nose, and how much of them is taken away.
_NARROW, _FOLDS = 10.0, 0.5
_MOST: Final = 0.94


def project_texture(
    context: Any,
    picture: Pixels,
    face: FaceLandmarks,
    fit: Fit,
    body: Body,
    portrait: Portrait,
    skin: str,
    seen: tuple[Floats, Floats],
) -> Pixels:
    """Return the photo's face as seen in the head's texture: uint8 [1024, 2048, 4].

    Args:
        context: of OpenGL, to paint in texture space.
        picture: the photo [h, w, 3]. face, fit, portrait: what was found in it.
        body: of the fitted identity, with its resting face.
        skin: the colour "#rrggbb" that broad shades are brought to.
        seen: the skin's and the hair's linear colours in the photo.

    Returns:
        sRGB, and how much of it covers the painted skin; first row at the head's bottom.
    """
    pixels, facing = _vertices_in_photo(face, fit, body)
    marks = Landmarks.of(body)
    chosen = head_triangles(body, marks)
    triangles = body.groups["body"].triangles[chosen]
    corners = body.vertices[triangles]
    attributes = np.concatenate([pixels[triangles], facing[triangles][..., None]], -1)
    radius = np.hypot(corners[..., 0], corners[..., 1] - marks.axis)
    uv = head_uv(body, marks, triangles)
    values, painted = attribute_map(context, uv, attributes, 1.0 - radius / 0.15, SIZE)
    light = _sampled(picture, values[..., :2])
    inside = _places(portrait, values[..., :2], seen)
    share = smoothstep(0.30, 0.62, values[..., 2]) * inside["face"] * painted
    plain = share * inside["skin"]
    even = _evened(light, plain, np.array(linear(skin), np.float32))
    share = ndimage.gaussian_filter(share, 3.0) * _MOST
    out = np.concatenate([to_display(even), share[..., None]], -1)
    return np.asarray(np.clip(out, 0.0, 1.0) * 255.0 + 0.5, np.uint8)


def _vertices_in_photo(face: FaceLandmarks, fit: Fit, body: Body) -> tuple[Floats, Floats]:
    """Return where each vertex appears [v, 2], and how much it faces the camera [v]."""
    doing = dict.fromkeys(FACE_NAMES, 0.0) | fit.actions
    resting = dict(fit.body.face)
    vertices = body.vertices.astype(np.float64)
    for i, name in enumerate(FACE_NAMES):
        if amount := doing[name] - resting.get(name, 0.0):
            vertices = vertices + amount * body.shapes[i]
    turn, shift = _rigid(places().on(vertices), fit.landmarks.astype(np.float64))
    rest = vertices @ turn + shift
    seen = fit.camera.project(rest)[:, :2]
    numbers = sorted({*OVAL, *EYES[0], *EYES[1], *LIPS, *MOUTH, *NOSE, *BROWS[0], *BROWS[1]})
    mine = places().on(np.concatenate([seen, np.zeros((len(seen), 1))], 1))[numbers, :2]
    off = face.points[numbers, :2] - mine
    # What the fit leaves is taken up by bending the picture, so that eyes and lips meet.
    bend = RBFInterpolator(mine, off, kernel="linear", smoothing=2.0, neighbors=40)
    near = body.weight_of("head", "neck", "jaw")[: len(seen)] > 0.01
    pixels = seen.copy()
    pixels[near] += bend(seen[near]).astype(np.float32)
    normals = vertex_normals(rest, body.groups["body"].triangles)
    toward = fit.camera.toward(rest)
    return pixels, np.asarray((normals * toward).sum(1), np.float32)


def _rigid(points: NDArray[Any], onto: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the rotation and shift that bring points [n, 3] nearest to others: Kabsch's."""
    a, b = points.mean(0), onto.mean(0)
    u, _, v = np.linalg.svd((points - a).T @ (onto - b))
    flip = np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ v))])
    turn = u @ flip @ v
    return turn, b - a @ turn


def _sampled(picture: Pixels, pixels: NDArray[Any]) -> Floats:
    light = to_linear(picture / np.float32(255.0))
    at = [pixels[..., 1] - 0.5, pixels[..., 0] - 0.5]
    channels = [
        ndimage.map_coordinates(light[..., i], at, order=1, mode="nearest") for i in range(3)
    ]
    return np.asarray(np.stack(channels, -1), np.float32)


def _places(
    portrait: Portrait, pixels: NDArray[Any], seen: tuple[Floats, Floats]
) -> dict[str, Floats]:
    """Return for each texel how much of the face's skin, and of the face at all, it shows."""
    points = portrait.points
    hair = hair_mask(portrait, *seen)
    brows = np.any([polygon(points[list(c)]) for c in BROWS], axis=0)
    eyes = np.any([polygon(points[list(c)]) for c in EYES], axis=0)
    lips, mouth = polygon(points[list(LIPS)]), polygon(points[list(MOUTH)])
    above = np.arange(SIDE)[:, None] < points[[105, 334], 1].mean()
    strange = hair | (above & (likeness(portrait.light, seen[0]) > 0.42) & ~brows)
    strange = ndimage.binary_dilation(strange, iterations=3)
    hidden = ndimage.binary_dilation(eyes, iterations=1) | ndimage.binary_dilation(mouth)
    face = ndimage.binary_erosion(portrait.face, iterations=3) & ~strange & ~hidden
    skin = face & ~ndimage.binary_dilation(brows | lips | eyes, iterations=3)
    at = portrait.region.inward(np.asarray(pixels, np.float32)) * SIDE - 0.5
    where = [at[..., 1], at[..., 0]]
    out = {}
    for name, mask, soft in (("face", face, 3.0), ("skin", skin, 1.0)):
        edge = smoothstep(0.45, 0.95, ndimage.gaussian_filter(mask.astype(np.float32), soft))
        out[name] = np.asarray(ndimage.map_coordinates(edge, where, order=1), np.float32)
    return out


def _evened(light: Floats, plain: Floats, target: Floats) -> Floats:
    """Bring broad shades and tones of bare skin to a colour; fine ones stay.

    Args:
        light: [h, w, 3]. plain: [h, w], where bare skin is. target: linear RGB [3].
    """
    weight = ndimage.gaussian_filter(plain, _BROAD) + 1e-4
    broad = np.stack(
        [ndimage.gaussian_filter(light[..., i] * plain, _BROAD) / weight for i in range(3)], -1
    )
    broad = np.where(weight[..., None] > 2e-3, broad, target)
    ratio = np.log(target + 1e-3) - np.log(broad + 1e-3)
    shade = ratio.mean(-1, keepdims=True)
    gain = np.exp(_SHADE * np.clip(shade, -1.0, 1.0) + _TONE * np.clip(ratio - shade, -0.4, 0.4))
    even = light * gain * _softened(light, plain, broad)
    # Highlights are the renderer's to make: bright spots are drawn in.
    luminance = even.mean(-1, keepdims=True) / float(target.mean())
    return np.asarray(even * (_compressed(luminance) / np.maximum(luminance, 1e-4)), np.float32)


def _softened(light: Floats, plain: Floats, broad: Floats) -> Floats:
    """Return the gain [h, w, 1] that weakens folds and shadows narrower than the broad ones."""
    weight = ndimage.gaussian_filter(plain, _NARROW) + 1e-4
    shade = ndimage.gaussian_filter(light.mean(-1) * plain, _NARROW) / weight
    ratio = np.clip(shade / np.maximum(broad.mean(-1), 1e-3), 0.3, 2.0)
    soft = ratio**-_FOLDS * plain + (1.0 - plain)
    return np.asarray(soft[..., None], np.float32)


def _compressed(luminance: Floats) -> Floats:
    return np.asarray(
        np.where(luminance > 1.1, 1.1 + 0.35 * (luminance - 1.1), luminance), np.float32
    )
