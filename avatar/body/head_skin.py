"""The head's texture: skin, make-up, lips, brows and the scalp, as functions of position."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from avatar.body.landmarks import Landmarks, hairline_distance
from avatar.body.noise import smoothstep, value_noise
from avatar.body.paint import Canvas
from avatar.body.photo_skin import lay_over
from avatar.body.raster import attribute_map
from avatar.body.source import Body
from avatar.hair import covers_ears
from avatar.spec import AvatarSpec
from avatar.spec.colour import linear

Floats = NDArray[np.floating[Any]]

SIZE = (2048, 1024)

# Of the usual brow: strokes, and metres above the eye's centre.
_STROKES = 440
_HEIGHT, _ARCH, _HALF_WIDTH = 0.0166, 0.0052, 0.0030


def head_triangles(body: Body, marks: Landmarks) -> NDArray[np.bool_]:
    """Return which triangles of the body group the head's texture covers."""
    triangles = body.groups["body"].triangles
    corners = body.vertices[triangles]
    follows = body.weight_of("head", "neck")[triangles].max(1) > 0.02
    narrow = np.abs(corners[..., 0]).max(1) < 0.14
    return np.asarray(follows & narrow & (corners[..., 2].min(1) > _bottom(marks)))


def _bottom(marks: Landmarks) -> float:
    return float(marks.neck[2]) - 0.055 * marks.scale


def head_uv(body: Body, marks: Landmarks, triangles: NDArray[np.int32]) -> Floats:
    """Return cylinder coordinates [t, 3, 2] of the head; u may exceed 1 at the seam in the nape."""
    corners = body.vertices[triangles]
    u = 0.5 + marks.azimuth(corners) / (2.0 * np.pi)
    torn = np.ptp(u, axis=1) > 0.5
    u[torn] = np.where(u[torn] < 0.5, u[torn] + 1.0, u[torn])
    bottom, top = _bottom(marks), marks.top + 0.005
    v = (corners[..., 2] - bottom) / (top - bottom)
    return np.stack([u, v], -1).astype(np.float32)


def paint_head(
    context: Any,
    body: Body,
    marks: Landmarks,
    who: AvatarSpec,
    photo: NDArray[np.uint8] | None = None,
) -> NDArray[np.uint8]:
    """Paint the head's texture, uint8 [1024, 2048, 4]: square root of colour, and gloss.

    `photo`: a face to lay over the skin, see `avatar.body.photo_skin`.
    """
    canvas = _canvas(context, body, marks)
    _skin(canvas, who)
    _flush(canvas, body)
    lips = _lips(canvas, body, who)
    scalp = _scalp(canvas, body, who)
    _brows(canvas, who)
    if photo is not None:
        lay_over(canvas, photo)
    _eyelines(canvas, body)
    gloss = (
        0.30 + 0.16 * canvas.spot(0.0, 0.03, 0.02, 0.05) + 0.10 * canvas.spot(0, -0.02, 0.008, 0.02)
    )
    gloss = np.where(lips > 0.4, 0.80, gloss) * (1.0 - 0.8 * scalp)
    picture = np.concatenate([np.sqrt(np.clip(canvas.colour, 0, 1)), gloss[..., None]], -1)
    return np.asarray(np.clip(picture, 0.0, 1.0) * 255.0 + 0.5, np.uint8)


def _canvas(context: Any, body: Body, marks: Landmarks) -> Canvas:
    group = body.groups["body"]
    chosen = head_triangles(body, marks)
    triangles = group.triangles[chosen]
    corners = body.vertices[triangles]
    attributes = np.concatenate([corners, group.uv[chosen]], -1)
    # Of surfaces behind each other (the inside of the mouth) the outer one is painted.
    radius = np.hypot(corners[..., 0], corners[..., 1] - marks.axis)
    places, painted = attribute_map(
        context, head_uv(body, marks, triangles), attributes, 1.0 - radius / 0.15, SIZE
    )
    colour = np.ones((SIZE[1], SIZE[0], 3), np.float32)
    bottom, top = _bottom(marks), marks.top + 0.005
    return Canvas(places[..., :3], places[..., 3:5], painted, colour, bottom, top, marks)


def _skin(canvas: Canvas, who: AvatarSpec) -> None:
    shape = canvas.points.shape[:2]
    grain = np.zeros(shape, np.float32)
    for i, (scale, octaves) in enumerate(((90.0, 3), (14.0, 2), (3.0, 1))):
        grain += value_noise(shape, scale, who.seed + i, octaves)
    canvas.colour *= (
        np.array(linear(who.skin.colour), np.float32) * (1.0 + 0.013 * grain)[..., None]
    )
    redness = value_noise(shape, 40.0, who.seed + 7, 2)
    canvas.colour[..., 1:] *= (1.0 - 0.012 * redness)[..., None]


def _flush(canvas: Canvas, body: Body) -> None:
    """Warm the cheeks, nose, chin and ears, darken the lids."""
    x = float(canvas.marks.eye[0])
    canvas.multiply(canvas.spot(x + 0.012, -0.036, 0.018, 0.012) * 0.7, (1.02, 0.80, 0.80))
    canvas.multiply(canvas.spot(0.0, -0.042, 0.012, 0.012) * 0.55, (1.0, 0.85, 0.83))
    canvas.multiply(canvas.spot(0.0, -0.105, 0.016, 0.010) * 0.4, (1.0, 0.90, 0.90))
    canvas.multiply(canvas.spot(x, -0.014, 0.014, 0.005) * 0.25, (0.94, 0.89, 0.91))
    ears = canvas.package_mask(body.masks / "mpfb_ears.jpg")
    canvas.multiply(ndimage.gaussian_filter(ears, 6) * 0.6, (1.02, 0.80, 0.76))
    lids = canvas.package_mask(body.masks / "mpfb_eyelids.jpg")
    canvas.multiply(ndimage.gaussian_filter(lids, 3) * 0.7, (0.93, 0.79, 0.74))


def _lips(canvas: Canvas, body: Body, who: AvatarSpec) -> Floats:
    mask = canvas.package_mask(body.masks / "mpfb_lips.jpg")
    # Closing bridges the mouth line, where the mask has a gap one triangle wide.
    mask = ndimage.gaussian_filter(ndimage.grey_closing(mask, (11, 45)), 1.5)
    lips = smoothstep(0.2, 0.8, mask)
    lines = 1.0 + 0.03 * value_noise(canvas.points.shape[:2], 5.0, who.seed + 9, 2)
    canvas.cover(lips * 0.82, np.array(linear(who.lips.colour), np.float32) * lines[..., None])
    return lips


def _scalp(canvas: Canvas, body: Body, who: AvatarSpec) -> Floats:
    """Colour the skin under the hair, with a soft line of fine hairs at its edge."""
    shape = canvas.points.shape[:2]
    above = hairline_distance(canvas.marks, canvas.points, who.hair.style)
    above = above + 0.0016 * value_noise(shape, 30.0, who.seed + 11, 2)
    ears = ndimage.gaussian_filter(canvas.package_mask(body.masks / "mpfb_ears.jpg"), 2)
    bare = 1.0 - smoothstep(0.25, 0.6, ears)
    # Hair that leaves the ears free shows its hairline, where these must not draw a line.
    fine = _fine_hairs(canvas, above, who) * (0.7 if covers_ears(who.hair.style) else 0.2)
    scalp = np.maximum(smoothstep(-0.004, 0.008, above), fine)
    scalp = np.clip(scalp * bare, 0.0, 1.0)
    canvas.cover(scalp * 0.93, np.array(linear(who.hair.colour)) * 0.8)
    return np.asarray(scalp, np.float32)


def _fine_hairs(canvas: Canvas, above: Floats, who: AvatarSpec) -> Floats:
    rng = np.random.default_rng(who.seed + 8)
    places = np.argwhere((np.abs(above + 0.001) < 0.004) & canvas.painted)
    chosen = places[rng.choice(len(places), 2200)]
    lean = np.clip(-4.4 * (chosen[:, 1] / canvas.size[0] - 0.5), -1.2, 1.2)
    angle = np.pi / 2 + lean + 0.25 * rng.standard_normal(len(chosen))
    length = 10.0 + 14.0 * rng.random(len(chosen))
    ends = chosen[:, ::-1] + np.stack([np.cos(angle), np.sin(angle)], 1) * length[:, None]
    shade = (90 + 120 * rng.random(len(chosen))).astype(int)
    lines = [
        ([*map(float, start[::-1]), *map(float, end)], int(value), 2)
        for start, end, value in zip(chosen, ends, shade, strict=True)
    ]
    return canvas.strokes(lines)


def _brows(canvas: Canvas, who: AvatarSpec) -> None:
    marks, count = canvas.marks, round(_STROKES * who.brows.density)
    rng = np.random.default_rng(who.seed + 5)
    inner, outer = float(marks.eye[0]) - 0.0165, float(marks.eye[0]) + 0.026
    lines = []
    for side in (1.0, -1.0):
        along = rng.random(count) ** 0.9
        offset = 2.0 * rng.random(count) - 1.0
        arch = _ARCH * who.brows.arch * np.sin(np.pi * np.clip(along * 0.86 + 0.04, 0, 1) ** 1.25)
        drop = 0.0132 * np.clip(along - 0.62, 0, 1) ** 1.3
        half = (
            _HALF_WIDTH
            * who.brows.thickness
            * np.interp(along, [0, 0.18, 0.5, 1], [0.30, 0.9, 0.85, 0.12])
        )
        x = inner + (outer - inner) * along
        z = marks.eye[2] + marks.scale * (_HEIGHT * who.brows.height + arch - drop) + half * offset
        turn = np.interp(along, [0, 0.15, 0.5, 1], [64, 42, 15, -20]) - 16.0 * offset
        angle = np.radians(turn) + 0.12 * rng.standard_normal(count)
        length = 0.0062 * np.interp(along, [0, 0.2, 1], [0.8, 1.0, 0.8])
        length = length * (0.7 + 0.5 * rng.random(count))
        shade = (105 + 120 * rng.random(count)).astype(int)
        for i in range(count):
            start = canvas.pixel(side * float(x[i]), float(z[i]))
            end = canvas.pixel(
                side * float(x[i] + np.cos(angle[i]) * length[i]),
                float(z[i] + np.sin(angle[i]) * length[i]),
            )
            lines.append(([*start, *end], int(shade[i]), 2))
    hairs = canvas.strokes(lines)
    soft = ndimage.gaussian_filter(hairs, 5)
    canvas.cover(np.clip(hairs * 0.85 + soft * 0.75, 0.0, 0.94), linear(who.brows.colour))


def _eyelines(canvas: Canvas, body: Body) -> None:
    """Shade the upper lids and draw a line at the root of the upper lashes."""
    shadow, liner = [], []
    for side, name in ((1.0, "l"), (-1.0, "r")):
        used = np.unique(body.groups[f"helper-{name}-eyelashes-2"].triangles)
        points = body.vertices[used]
        centre = canvas.marks.eye * np.array([side, 1.0, 1.0], np.float32)
        distance = np.linalg.norm(points - centre, axis=1)
        root = points[distance < np.quantile(distance, 0.45)]
        pixels = np.array([canvas.pixel(float(p[0]), float(p[2])) for p in root])
        curve = np.polyfit(pixels[:, 0] - pixels[:, 0].mean(), pixels[:, 1], 4)
        x = np.linspace(pixels[:, 0].min(), pixels[:, 0].max(), 48)
        y = np.polyval(curve, x - pixels[:, 0].mean())
        liner.append((np.stack([x, y + 2.0], 1).ravel().tolist(), 255, 8))
        shadow.append((np.stack([x, y + 8.0], 1).ravel().tolist(), 255, 30))
    lids = np.clip(ndimage.gaussian_filter(canvas.strokes(shadow), 7), 0, 1)
    canvas.multiply(lids * 0.65, (0.70, 0.54, 0.48))
    canvas.cover(ndimage.gaussian_filter(canvas.strokes(liner), 0.8) * 0.8, (0.035, 0.022, 0.02))
