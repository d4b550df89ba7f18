"""Lips, the painted edges of the eyes, and brows."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from avatar.body.complexion import darkness
from avatar.body.features import Features
from avatar.body.lids import LidEdge
from avatar.body.noise import smoothstep, value_noise
from avatar.body.paint import Canvas
from avatar.body.source import Body
from avatar.spec import AvatarSpec
from avatar.spec.colour import linear

Floats = NDArray[np.floating[Any]]

# Pixels from the edge of an upper lid to its fold.
_CREASE: Final = 14.0
# Of the usual brow: strokes, and metres above the eye's centre.
_STROKES: Final = 700
_HEIGHT, _ARCH, _HALF_WIDTH = 0.0166, 0.0052, 0.0032


def paint_lips(canvas: Canvas, body: Body, who: AvatarSpec) -> Floats:
    """Paint the lips, finely creased and softer at their border; return where they are [h, w]."""
    mask = canvas.package_mask(body.masks / "mpfb_lips.jpg")
    # Closing bridges the mouth line, where the mask has a gap one triangle wide.
    mask = ndimage.gaussian_filter(ndimage.grey_closing(mask, (11, 45)), 1.8)
    lips = smoothstep(0.15, 0.85, mask)
    height, width = lips.shape
    creases = value_noise((height // 16, width), 4.0, who.seed + 9, 2)
    creases = ndimage.zoom(creases, (height / creases.shape[0], 1.0), order=1, mode="grid-wrap")
    shade = 1.0 + 0.045 * creases - 0.10 * np.clip(canvas.hollow, 0, 1)
    rim = lips * (1.0 - smoothstep(0.5, 1.0, mask))
    colour = np.array(linear(who.lips.colour), np.float32) * shade[..., None]
    canvas.cover(lips * (0.80 + 0.12 * who.skin.makeup), colour)
    canvas.multiply(rim * (0.35 + 0.5 * who.skin.makeup), (0.86, 0.76, 0.76))
    return lips


def paint_eyes(canvas: Canvas, face: Features, who: AvatarSpec) -> None:
    """Shade the upper lids, and draw the roots of the lashes and the pink inner corners."""
    makeup = who.skin.makeup
    upper = [_along(canvas, face.upper, side, 2.0) for side in (1.0, -1.0)]
    lifted = [_along(canvas, face.upper, side, 8.0) for side in (1.0, -1.0)]
    lower = [_along(canvas, face.lower, side, -2.5) for side in (1.0, -1.0)]
    lids = ndimage.gaussian_filter(canvas.strokes([(line, 255, 30) for line in lifted]), 7)
    canvas.multiply(np.clip(lids, 0, 1) * (0.10 + 0.60 * makeup), (0.74, 0.60, 0.55))
    folds = [_along(canvas, face.upper, side, _CREASE) for side in (1.0, -1.0)]
    crease = ndimage.gaussian_filter(canvas.strokes([(line, 255, 5) for line in folds]), 1.5)
    canvas.multiply(np.clip(1.6 * crease, 0, 1) * 0.55, (0.62, 0.47, 0.43))
    root = canvas.strokes([(line, 255, round(3 + 8 * makeup)) for line in upper])
    dark = (0.035, 0.022, 0.02)
    canvas.cover(ndimage.gaussian_filter(root, 0.8) * (0.30 + 0.70 * makeup), dark)
    below = canvas.strokes([(line, 255, 4) for line in lower])
    canvas.multiply(
        ndimage.gaussian_filter(below, 1.2) * (0.20 + 0.65 * makeup), (0.52, 0.38, 0.35)
    )
    inner = float(face.lower.x[0]) - 0.0012
    above = (float(face.lower.z[0]) - canvas.marks.eye[2]) / canvas.marks.scale
    pink = np.array((0.50, 0.20, 0.17)) * (1.0 - 0.65 * darkness(who.skin.colour))
    canvas.cover(canvas.spot(inner, float(above), 0.0020, 0.0016) * 0.55, pink)


def _along(canvas: Canvas, edge: LidEdge, side: float, lift: float) -> list[float]:
    """Return the pixels of a lid's edge, moved up by `lift` of them.

    Lashes reach past the outer corner of the eye, where nothing is drawn.
    """
    course = zip(edge.x[1:-4], edge.z[1:-4], strict=True)
    points = [canvas.pixel(side * float(x), float(z)) for x, z in course]
    return [value for column, row in points for value in (column, row + lift)]


def paint_brows(canvas: Canvas, who: AvatarSpec) -> None:
    """Draw brows hair by hair: fine and upright at the nose, lying down towards the temple."""
    marks, count = canvas.marks, round(_STROKES * who.brows.density)
    rng = np.random.default_rng(who.seed + 5)
    inner, outer = float(marks.eye[0]) - 0.0165, float(marks.eye[0]) + 0.026
    lines = []
    for side in (1.0, -1.0):
        along = rng.random(count) ** 0.88
        offset = 2.0 * rng.random(count) - 1.0
        arch = _ARCH * who.brows.arch * np.sin(np.pi * np.clip(along * 0.86 + 0.04, 0, 1) ** 1.25)
        drop = 0.0132 * np.clip(along - 0.62, 0, 1) ** 1.3
        width = np.interp(along, [0, 0.18, 0.5, 1], [0.50, 0.9, 0.85, 0.12])
        half = _HALF_WIDTH * who.brows.thickness * width
        x = inner + (outer - inner) * along
        x = x + 0.0022 * (rng.random(count) - 0.4) * np.clip(1.0 - 4.0 * along, 0, 1)
        z = marks.eye[2] + marks.scale * (_HEIGHT * who.brows.height + arch - drop) + half * offset
        turn = np.interp(along, [0, 0.15, 0.5, 1], [70, 42, 15, -20]) - 16.0 * offset
        angle = np.radians(turn) + 0.12 * rng.standard_normal(count)
        length = 0.0062 * np.interp(along, [0, 0.2, 1], [0.7, 1.0, 0.8])
        length = length * (0.6 + 0.5 * rng.random(count)) * who.brows.thickness**0.4
        shade = np.interp(along, [0, 0.25], [0.70, 1.0]) * (100 + 130 * rng.random(count))
        for i in range(count):
            start = canvas.pixel(side * float(x[i]), float(z[i]))
            end = canvas.pixel(
                side * float(x[i] + np.cos(angle[i]) * length[i]),
                float(z[i] + np.sin(angle[i]) * length[i]),
            )
            lines.append(([*start, *end], int(shade[i]), 2 if i % 3 else 1))
    hairs = canvas.strokes(lines)
    soft = ndimage.gaussian_filter(hairs, 5)
    canvas.cover(np.clip(hairs * 0.75 + soft * 0.95, 0.0, 0.92), linear(who.brows.colour))
