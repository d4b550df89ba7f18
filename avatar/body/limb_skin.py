"""The skin of neck, arms, hands and legs: its place in a picture of its own, and that picture.

The picture's left half is the body package's whole texture space; its right half is one hand,
which both hands share: a hand is seen near, and the rest hardly.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from avatar.body.complexion import albedo, darkness
from avatar.body.hands import NAILS, Hand
from avatar.body.noise import smoothstep, value_noise
from avatar.body.raster import attribute_map
from avatar.body.source import Body
from avatar.body.textures import to_bytes
from avatar.spec import AvatarSpec
from avatar.spec.colour import linear

Floats = NDArray[np.floating[Any]]
Bytes = NDArray[np.uint8]

# Where the hands lie in the package's texture space: mirrored about a line, and how far from it.
_MIRROR: Final = 0.562
_NEAR: Final = (0.0065, 0.2025)
_LOW: Final = (0.0095, 0.1985)
_SIZE: Final = 512


def limb_uv(body: Body) -> Floats:
    """Return the places [t, 3, 2] of the corners of all the body's triangles in the picture."""
    group = body.groups["body"]
    uv = group.uv
    away = np.abs(uv[..., 0] - _MIRROR)
    weight = body.weight_of("wrist", "finger", "metacarpal", "lowerarm")
    on_hand = (
        (weight[group.triangles].mean(-1) > 0.5)
        & (away.mean(-1) < _NEAR[1])
        & (uv[..., 1].mean(-1) < _LOW[1])
    )
    across = (away - _NEAR[0]) / (_NEAR[1] - _NEAR[0])
    up = (uv[..., 1] - _LOW[0]) / (_LOW[1] - _LOW[0])
    hand = np.stack([0.5 + 0.5 * np.clip(across, 0.0, 1.0), np.clip(up, 0.0, 1.0)], -1)
    rest = np.stack([0.5 * uv[..., 0], uv[..., 1]], -1)
    return np.where(on_hand[..., None, None], hand, rest).astype(np.float32)


def limb_skin(context: Any, body: Body, who: AvatarSpec) -> Bytes:
    """Paint skin and nails, [512, 1024, 4]: root of colour, and gloss."""
    left = _plain(who, 0, 1.0)
    right = _hand(context, body, who, _plain(who, 5, 3.0))
    return to_bytes(np.concatenate([left, right], 1))


def _plain(who: AvatarSpec, more: int, fine: float) -> Floats:
    """Return bare skin, root of colour and gloss [512, 512, 4]."""
    shape, seed = (_SIZE, _SIZE), who.seed + 41 + more
    grain = 0.020 * value_noise(shape, 30.0 * fine, seed, 3)
    grain += 0.012 * value_noise(shape, 3.0 * fine, seed + 1, 2)
    colour = np.array(albedo(who.skin.colour), np.float32) * (1.0 + grain)[..., None]
    redness = 0.022 * value_noise(shape, 12.0 * fine, seed + 2, 2)
    colour[..., 1:] *= (1.0 - redness)[..., None]
    gloss = np.full((*shape, 1), 0.26, np.float32)
    return np.concatenate([np.sqrt(np.clip(colour, 0, 1)), gloss], -1)


def _hand(context: Any, body: Body, who: AvatarSpec, plain: Floats) -> Floats:
    """Paint one hand over bare skin."""
    fields = _fields(context, body)
    colour, gloss = plain[..., :3] ** 2, plain[..., 3]
    for mask, tint in _tints(fields, who):
        colour = colour * (1.0 + (np.array(tint, np.float32) - 1.0) * mask[..., None])
    nail, begin = _nails(body, fields[..., 2])
    around = np.clip(ndimage.gaussian_filter(nail, 2.0) * 2.0, 0.0, 1.0) * (1.0 - nail)
    colour = colour * (1.0 - around[..., None] * [0.06, 0.24, 0.24])
    share = (0.88 * nail)[..., None]
    colour = colour * (1.0 - share) + _nail_colour(who, begin) * share
    gloss = gloss + nail * (0.72 - gloss) + 0.05 * smoothstep(0.3, 0.9, fields[..., 3])
    return np.concatenate([np.sqrt(np.clip(colour, 0, 1)), gloss[..., None]], -1)


def _fields(context: Any, body: Body) -> Floats:
    """Return the fields of `Hand` for each place of the hand's half, [512, 512, 7]."""
    hand = Hand.of(body, "L")
    rows = np.zeros((len(body.vertices), 7), np.float32)
    columns = (*hand.along.T, hand.back, hand.finger, hand.tendon, hand.knuckle)
    rows[hand.vertices] = np.stack(columns, 1)
    known = np.zeros(len(body.vertices), bool)
    known[hand.vertices] = True
    group = body.groups["body"]
    chosen = known[group.triangles].all(1)
    uv = limb_uv(body)[chosen]
    # What is not of the hand's own patch lies in the other half.
    mine = uv[..., 0].min(1) >= 0.5
    uv = (uv[mine] - [0.5, 0.0]) * [2.0, 1.0]
    attributes = rows[group.triangles[chosen][mine]]
    depth = np.zeros(attributes.shape[:2], np.float32)
    return attribute_map(context, uv, attributes, depth, (_SIZE, _SIZE))[0]


def _tints(fields: Floats, who: AvatarSpec) -> list[tuple[Floats, tuple[float, float, float]]]:
    """Return masks [h, w] and what they tint by: palms, joints, creases, tendons, tips."""
    knuckle, middle, last = np.moveaxis(fields[..., :3], -1, 0)
    back, finger, tendon, away = np.moveaxis(fields[..., 3:], -1, 0)
    dark = darkness(who.skin.colour)
    over, under = smoothstep(-0.05, 0.55, back), smoothstep(0.25, -0.35, back)
    age = 0.7 + 0.6 * who.skin.lines
    light = 1.0 + 1.9 * dark * dark
    joints = np.exp(-((away / 0.0145) ** 2)) + finger * np.exp(-((middle / 0.006) ** 2))
    joints = joints + 0.7 * finger * np.exp(-((last / 0.005) ** 2))
    creases = finger * (_creases(middle, 0.0050, 0.0023) + 0.7 * _creases(last, 0.0030, 0.0021))
    folds = np.exp(-((middle / 0.0011) ** 2)) + np.exp(-((last / 0.0011) ** 2))
    folds = folds + np.exp(-(((knuckle - 0.017) / 0.0012) ** 2))
    on_hand = smoothstep(-0.002, -0.016, knuckle) * smoothstep(-0.085, -0.055, knuckle)
    ridge = np.exp(-((tendon / 0.0035) ** 2)) * on_hand * over
    beside = np.exp(-(((tendon - 0.0085) / 0.0040) ** 2)) * on_hand * over
    tips = finger * smoothstep(0.006, 0.018, last)
    return [
        (under, (light, 1.0 + 0.80 * (light - 1.0), 1.0 + 0.72 * (light - 1.0))),
        (under * (0.6 + 0.4 * tips), (1.0, 0.92, 0.91)),
        (np.clip(joints, 0, 1) * over, (1.0, 0.86, 0.85) if dark < 0.6 else (0.86, 0.80, 0.80)),
        (np.clip(age * creases, 0, 1) * over, (0.74, 0.62, 0.60)),
        (np.clip(finger * folds, 0, 1) * under, (0.80, 0.66, 0.64)),
        (ridge, (1.07, 1.06, 1.05)),
        (beside, (0.93, 0.90, 0.90)),
        (tips, (1.0, 0.93, 0.92)),
    ]


def _creases(along: Floats, reach: float, apart: float) -> Floats:
    """Return the fine lines [h, w] over a joint, where skin has room to bend."""
    wave = 0.5 + 0.5 * np.cos(2.0 * np.pi * along / apart)
    return np.asarray(np.exp(-((along / reach) ** 2)) * wave**3)


def _nails(body: Body, last: Floats) -> tuple[Floats, Floats]:
    """Return where nails are [h, w], and how far from root to edge of each, 0 to 1."""
    with Image.open(body.masks / NAILS) as file:
        image = np.asarray(file.convert("L"), np.float32) / 255.0
    y, x = (np.mgrid[0:_SIZE, 0:_SIZE] + 0.5) / _SIZE
    u = _MIRROR + _NEAR[0] + x * (_NEAR[1] - _NEAR[0])
    v = _LOW[0] + y * (_LOW[1] - _LOW[0])
    place = [(1.0 - v) * image.shape[0] - 0.5, u * image.shape[1] - 0.5]
    found = ndimage.map_coordinates(image, place, order=1, mode="nearest")
    nail = smoothstep(0.35, 0.65, ndimage.gaussian_filter(found, 0.8))
    along = np.zeros_like(last)
    labels, count = ndimage.label(nail > 0.5)
    for number in range(1, count + 1):
        mine = ndimage.binary_dilation(labels == number, iterations=2)
        low, high = np.quantile(last[labels == number], (0.02, 0.98))
        along[mine] = np.clip((last[mine] - low) / max(float(high - low), 1e-4), 0.0, 1.0)
    return np.asarray(nail), along


def _nail_colour(who: AvatarSpec, begin: Floats) -> Floats:
    """Return the colour of nails [h, w, 3]: paler at the root, and at the free edge."""
    base = np.array(linear(who.skin.nails), np.float32)
    pale = base + (np.array([0.86, 0.74, 0.66], np.float32) - base) * 0.45
    root = 0.5 * smoothstep(0.24, 0.10, begin) * (begin > 0.0)
    edge = smoothstep(0.86, 0.94, begin)
    bare = float(smoothstep(0.75, 0.45, (base.max() - base.min()) / max(float(base.max()), 1e-3)))
    share = (bare * np.clip(root + 0.8 * edge, 0.0, 1.0))[..., None]
    return np.asarray(base * (1.0 - share) + pale * share)
