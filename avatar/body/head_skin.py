"""The head's texture: where it lies, the order it is painted in, the scalp, and the gloss."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from avatar.body.complexion import darkness, freckle, lay_skin, line_face, shade_beard
from avatar.body.features import Features, hollows
from avatar.body.landmarks import Landmarks, hairline_distance, outline_distance
from avatar.body.makeup import paint_brows, paint_eyes, paint_lips
from avatar.body.masks import vertex_mask
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


@dataclass(frozen=True, slots=True)
class BareHead:
    """A head with its skin alone: what every picture of it begins with.

    Attributes:
        canvas: with the skin painted. face: where its features lie. relief: of the skin [h, w].
    """

    canvas: Canvas
    face: Features
    relief: Floats


def bare_head(context: Any, body: Body, marks: Landmarks, who: AvatarSpec) -> BareHead:
    """Paint the skin; of `who` only `skin` and `seed` count."""
    canvas = _canvas(context, body, marks)
    face = Features.of(body, vertex_mask(body, "mpfb_lips.jpg"))
    relief = lay_skin(canvas, face, who)
    _flush(canvas, body)
    return BareHead(canvas, face, relief)


def paint_head(
    bare: BareHead, body: Body, who: AvatarSpec, photo: NDArray[np.uint8] | None = None
) -> NDArray[np.uint8]:
    """Paint the head's texture, uint8 [1024, 2048, 4]: square root of colour, and gloss.

    `bare` stays as it is. `photo`: a face to lay over the skin, see `avatar.body.photo_skin`.
    """
    canvas = replace(bare.canvas, colour=bare.canvas.colour.copy())
    face, relief = bare.face, bare.relief
    freckle(canvas, who)
    line_face(canvas, face, who)
    shade_beard(canvas, face, who)
    lips = paint_lips(canvas, body, who)
    scalp = _scalp(canvas, body, who)
    paint_brows(canvas, who)
    if photo is not None:
        lay_over(canvas, photo)
    paint_eyes(canvas, face, who)
    gloss = _gloss(canvas, relief, lips, who) * (1.0 - 0.8 * scalp)
    picture = np.concatenate([np.sqrt(np.clip(canvas.colour, 0, 1)), gloss[..., None]], -1)
    return np.asarray(np.clip(picture, 0.0, 1.0) * 255.0 + 0.5, np.uint8)


def _gloss(canvas: Canvas, relief: Floats, lips: Floats, who: AvatarSpec) -> Floats:
    """Return the gloss [h, w]: forehead and nose shine most, relief breaks it, lips as told."""
    gloss = 0.30 + 0.16 * canvas.spot(0.0, 0.03, 0.02, 0.05)
    gloss = gloss + 0.12 * canvas.spot(0.0, -0.02, 0.008, 0.02)
    gloss = (gloss + 0.13 * darkness(who.skin.colour)) * (1.0 + 0.30 * relief)
    shining = np.minimum(gloss, 0.54) * (1.0 - lips)
    return np.asarray(shining + lips * (0.42 + 0.55 * who.lips.gloss + 0.04 * relief), np.float32)


def _canvas(context: Any, body: Body, marks: Landmarks) -> Canvas:
    group = body.groups["body"]
    chosen = head_triangles(body, marks)
    triangles = group.triangles[chosen]
    corners = body.vertices[triangles]
    hollow = hollows(body)[triangles][..., None]
    attributes = np.concatenate([corners, group.uv[chosen], hollow], -1)
    # Of surfaces behind each other (the inside of the mouth) the outer one is painted.
    radius = np.hypot(corners[..., 0], corners[..., 1] - marks.axis)
    places, painted = attribute_map(
        context, head_uv(body, marks, triangles), attributes, 1.0 - radius / 0.15, SIZE
    )
    colour = np.ones((SIZE[1], SIZE[0], 3), np.float32)
    bottom, top = _bottom(marks), marks.top + 0.005
    # Folds of the coarse mesh are softened, as skin does.
    hollow = ndimage.gaussian_filter(places[..., 5], 2.0)
    # Towards the chest the head's skin becomes that of the limbs, which has none of this.
    hollow = hollow * smoothstep(bottom + 0.01, bottom + 0.06, places[..., 2])
    return Canvas(places[..., :3], places[..., 3:5], hollow, painted, colour, bottom, top, marks)


def _flush(canvas: Canvas, body: Body) -> None:
    """Warm the ears, darken the lids."""
    ears = canvas.package_mask(body.masks / "mpfb_ears.jpg")
    canvas.multiply(ndimage.gaussian_filter(ears, 6) * 0.5, (1.0, 0.89, 0.87))
    lids = canvas.package_mask(body.masks / "mpfb_eyelids.jpg")
    canvas.multiply(ndimage.gaussian_filter(lids, 3) * 0.6, (0.94, 0.82, 0.78))


def _scalp(canvas: Canvas, body: Body, who: AvatarSpec) -> Floats:
    """Colour the skin under the hair, with a soft line of fine hairs at its edge."""
    shape = canvas.points.shape[:2]
    above = outline_distance(canvas.marks, canvas.points, who.hair.style)
    # Between where hair begins and where it closes the scalp shows through.
    fading = above - hairline_distance(canvas.marks, canvas.points, who.hair.style)
    above = above + 0.0016 * value_noise(shape, 30.0, who.seed + 11, 2)
    ears = ndimage.gaussian_filter(canvas.package_mask(body.masks / "mpfb_ears.jpg"), 2)
    bare = 1.0 - smoothstep(0.25, 0.6, ears)
    # Hair that leaves the ears free shows its hairline, where these must not draw a line.
    fine = _fine_hairs(canvas, above, who) * (0.35 if covers_ears(who.hair.style) else 0.2)
    scalp = np.maximum(smoothstep(0.0, 1.0, (above + 0.004) / (0.012 + fading)), fine)
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
