"""Teeth one by one along an arch, and the gums that hold them."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.masks import vertex_mask
from avatar.body.mesh import vertex_normals
from avatar.body.noise import smoothstep, value_noise
from avatar.body.source import Body
from avatar.body.surface import Surface, stack

Floats = NDArray[np.floating[Any]]

# Half a set from the middle outwards, for a mouth 50 mm wide: breadth and height of crowns, and
# how far their edges stay short of the front teeth's, metres (Ash and Nelson, 2003).
_UPPER: Final = ((8.5, 10.6, 0.0), (6.6, 9.3, 0.7), (7.6, 10.2, 0.1),
                 (7.0, 8.8, 0.9), (6.8, 8.0, 1.3), (9.5, 7.6, 1.6))  # fmt: skip
_LOWER: Final = ((5.3, 9.0, 0.1), (5.7, 9.2, 0.0), (6.8, 10.2, -0.3),
                 (7.0, 8.8, 0.4), (7.2, 8.4, 0.8), (10.5, 7.6, 1.0))  # fmt: skip
_MILLIMETRE: Final = 0.001
_USUAL_HALF_MOUTH: Final = 0.025
# Half axes of the arch, an ellipse, for the usual mouth.
_ARCH: Final = (0.0275, 0.036)
_ACROSS, _ALONG = 7, 9
# Where the gum begins, as a share of a crown's height.
_GUM: Final = 0.86


def teeth_surface(body: Body, jaw: str) -> Surface:
    """Build a row of teeth with its gum.

    `shade`: depth in the mouth, and how much the lip shades a place, both 0 to 1.

    Args:
        jaw: "upper" or "lower".
    """
    helper = np.unique(body.groups[f"helper-{jaw}-teeth"].triangles)
    points = body.vertices[helper]
    up = jaw == "upper"
    origin, scale = _seat(body, points, up)
    pieces = _crowns(_UPPER if up else _LOWER)
    local, triangles = stack([*pieces, _gum(_UPPER if up else _LOWER)])
    placed = np.empty((len(local), 3), np.float32)
    placed[:, 0] = local[:, 0]
    placed[:, 1] = local[:, 1]
    placed[:, 2] = local[:, 2] if up else -local[:, 2]
    placed = placed * np.float32(scale) + origin
    if not up:
        triangles = np.ascontiguousarray(triangles[:, ::-1])
    # A tooth is stiff: all of it follows one vertex of the package's teeth.
    anchor = local[:, 6:8] * scale + origin[:2]
    nearest = ((anchor[:, None] - points[None, :, :2]) ** 2).sum(-1).argmin(1)
    source = helper[nearest]
    return Surface(
        name=f"{jaw}-teeth",
        material="mouth",
        texture="teeth",
        positions=placed,
        normals=vertex_normals(placed, triangles),
        uv=local[:, 3:5].astype(np.float32),
        weights=body.weights[source],
        triangles=triangles,
        source=source,
        shade=np.stack([mouth_depth(body, placed), local[:, 5]], 1).astype(np.float32),
        occludes=False,
        values={"gloss": [0.28]},
    )


def _seat(body: Body, points: Floats, up: bool) -> tuple[NDArray[np.float32], float]:
    """Return where the edge of the front teeth stands [3], and the size of the arch.

    It follows the package's teeth `points` as long as they lie well behind the lips.
    """
    lips = body.vertices[vertex_mask(body, "mpfb_lips.jpg") > 0.5]
    middle = 0.5 * (lips.min(0) + lips.max(0))
    # The mask of the lips is not quite even; only what is more than that moves the teeth.
    middle[0] -= np.clip(middle[0], -0.0015, 0.0015)
    scale = float(np.clip(0.5 * np.ptp(lips[:, 0]) / _USUAL_HALF_MOUTH, 0.6, 1.4))
    ahead = float(points[:, 1].min()) + (-0.0006 if up else 0.0022)
    ahead = max(ahead, float(lips[:, 1].min()) + (0.011 if up else 0.0135) * scale)
    front = points[np.abs(points[:, 0]) < 0.008, 2]
    edge = float(front.min() if up else front.max()) - 0.0032
    edge = float(np.clip(edge - middle[2], -0.008 * scale, -0.003 * scale) + middle[2])
    return np.array([middle[0], ahead, edge], np.float32), scale


def mouth_depth(body: Body, points: Floats) -> Floats:
    """Return how deep points [n, 3] lie in the mouth, 0 at the front teeth to 1."""
    helper = np.unique(body.groups["helper-upper-teeth"].triangles)
    front = float(body.vertices[helper, 1].min())
    return np.asarray(np.clip((points[:, 1] - front) / 0.032, 0.0, 1.0), np.float32)


def _arch(length: Floats) -> tuple[Floats, Floats, Floats]:
    """Return x, y and the angle of the arch at arc lengths from its middle."""
    a, b = _ARCH
    turn = np.linspace(-1.5, 1.5, 601)
    x, y = a * np.sin(turn), b * (1.0 - np.cos(turn))
    run = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    run -= run[300]
    angle = np.arctan2(b * np.sin(turn), a * np.cos(turn))
    return (
        np.interp(length, run, x),
        np.interp(length, run, y),
        np.interp(length, run, angle),
    )


def _bounds(teeth: tuple[tuple[float, float, float], ...]) -> Floats:
    """Return arc lengths of the gaps between the teeth of one side, from 0 outwards, metres."""
    breadths = np.array([breadth for breadth, _, _ in teeth])
    return np.concatenate([[0.0], np.cumsum(breadths)]) * _MILLIMETRE


def _crowns(
    teeth: tuple[tuple[float, float, float], ...],
) -> list[tuple[Floats, NDArray[np.int32]]]:
    """Build crowns: rows x, y, z, u, v, shade, anchor x, anchor y; z rises from the edge."""
    bounds, out = _bounds(teeth), []
    for side in (1.0, -1.0):
        for number, (breadth, height, short) in enumerate(teeth):
            middle = side * 0.5 * (bounds[number] + bounds[number + 1])
            pointed = 1.0 if number == 2 else 0.0
            out.append(_crown(middle, breadth * _MILLIMETRE, height * _MILLIMETRE, short, pointed))
    return out


def _crown(
    middle: float, breadth: float, height: float, short: float, pointed: float
) -> tuple[Floats, NDArray[np.int32]]:
    s, t = np.meshgrid(
        np.linspace(-1.0, 1.0, _ACROSS), np.linspace(0.0, 1.0, _ALONG) ** 1.3, indexing="ij"
    )
    narrow = 1.0 - 0.20 * t**2 - 0.06 * (1.0 - smoothstep(0.0, 0.12, t))
    x0, y0, angle = _arch(np.array([middle]))
    across = 0.5 * 1.02 * breadth * narrow * s
    rounded = 0.0010 * np.abs(s) ** 3 + pointed * 0.0011 * np.abs(s) ** 1.5
    z = short * _MILLIMETRE + t * height + rounded * (1.0 - t) ** 2
    bulge = 0.0013 * (1.0 - 0.85 * s**2) * (0.35 + 0.65 * np.sin(np.pi * np.clip(t, 0, 1) ** 0.7))
    # The edge is a little thick: its first row lies behind.
    outwards = np.where(t == 0.0, -0.0016, bulge)
    z = np.where(t == 0.0, z + 0.0004, z)
    x = x0 + across * np.cos(angle) + outwards * np.sin(angle)
    y = y0 + across * np.sin(angle) - outwards * np.cos(angle)
    count = x.size
    rows = np.stack(
        [x.ravel(), y.ravel(), z.ravel(), 0.5 + 0.48 * s.ravel(), 0.02 + 0.70 * t.ravel(),
         0.75 * t.ravel() ** 2, np.full(count, x0[0]), np.full(count, y0[0])], 1
    )  # fmt: skip
    return rows, _sheet(_ACROSS, _ALONG)


def _gum(teeth: tuple[tuple[float, float, float], ...]) -> tuple[Floats, NDArray[np.int32]]:
    """Build the gum: it follows the necks of the teeth, lower between them."""
    bounds = _bounds(teeth)
    middles = 0.5 * (bounds[1:] + bounds[:-1])
    length = np.linspace(-bounds[-1], bounds[-1], 109)
    away = np.abs(length)
    necks = np.array([_GUM * height + short for _, height, short in teeth]) * _MILLIMETRE
    neck = np.interp(away, middles, necks)
    index = np.clip(np.searchsorted(bounds, away, side="right") - 1, 0, len(teeth) - 1)
    within = np.abs(away - middles[index]) / (0.5 * np.diff(bounds)[index])
    neck = neck - 0.0017 * np.clip(within, 0, 1) ** 3
    x0, y0, angle = _arch(length)
    steps = np.array([0.0, 0.12, 0.45, 1.0])
    outwards = np.array([0.0006, 0.0013, 0.0012, -0.0010])
    x = x0[:, None] + outwards * np.sin(angle)[:, None]
    y = y0[:, None] - outwards * np.cos(angle)[:, None]
    z = neck[:, None] + 0.010 * steps
    shape = z.shape
    columns = (
        x, y, z, np.broadcast_to((0.5 + length / 0.08)[:, None], shape),
        np.broadcast_to(0.80 + 0.18 * steps, shape),
        np.broadcast_to(0.55 + 0.35 * steps, shape),
        np.broadcast_to(x0[:, None], shape), np.broadcast_to(y0[:, None], shape),
    )  # fmt: skip
    return np.stack([column.ravel() for column in columns], 1), _sheet(*shape)


def _sheet(across: int, along: int) -> NDArray[np.int32]:
    i, j = np.meshgrid(np.arange(across - 1), np.arange(along - 1), indexing="ij")
    a, b = i * along + j, (i + 1) * along + j
    faces = np.stack([np.stack([a, b, a + 1], -1), np.stack([b, b + 1, a + 1], -1)], 2)
    return faces.reshape(-1, 3).astype(np.int32)


def teeth_picture(seed: int, size: int = 128) -> NDArray[np.uint8]:
    """Paint a tooth from its edge at v = 0 to v = 0.72, and gum above 0.78: the root of colour."""
    v, u = (np.mgrid[0:size, 0:size] + 0.5) / size
    side = np.abs(2.0 * u - 1.0)
    t = v / 0.72
    ivory = np.array([0.80, 0.745, 0.65]) * np.ones((size, size, 1))
    # The edge lets light through; the neck is warmer.
    ivory = ivory + (1.0 - smoothstep(0.0, 0.22, t))[..., None] * np.array([-0.06, -0.03, 0.02])
    ivory = ivory * (1.0 - smoothstep(0.55, 1.05, t)[..., None] * np.array([0.08, 0.15, 0.25]))
    ivory = ivory * (1.0 - 0.55 * smoothstep(0.74, 1.0, side))[..., None]
    grain = value_noise((size, size), 9.0, seed, 2)[..., None]
    ivory = ivory * (1.0 + 0.010 * grain)
    gum = np.array([0.46, 0.165, 0.155]) * (1.0 + 0.05 * grain)
    share = smoothstep(0.74, 0.78, v)[..., None]
    colour = ivory * (1.0 - share) + gum * share
    return np.asarray(np.sqrt(np.clip(colour, 0.0, 1.0)) * 255.0 + 0.5, np.uint8)


def tongue_picture(seed: int, size: int = 64) -> NDArray[np.uint8]:
    """Paint the tongue's rough upper side: the root of colour."""
    colour = np.array([0.40, 0.135, 0.125]) * (
        1.0 + 0.10 * value_noise((size, size), 3.0, seed, 2)[..., None]
    )
    return np.asarray(np.sqrt(np.clip(colour, 0.0, 1.0)) * 255.0 + 0.5, np.uint8)
