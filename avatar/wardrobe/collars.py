"""Collars: drafted flat around the neckline, then stood up, rolled and laid on the garment."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import ndimage

from avatar.body.mesh import unit, vertex_normals
from avatar.wardrobe.chart import Chart
from avatar.wardrobe.cords import on_cloth
from avatar.wardrobe.fitting import Fitting, Rule
from avatar.wardrobe.neck import flat
from avatar.wardrobe.seams import Seam, edge_seam, following, grid_faces
from avatar.wardrobe.sewing import trimmed
from avatar.wardrobe.tailor import Cloth, rim

Floats = NDArray[np.floating[Any]]

_FALL: Final = (0.2, 0.4, 0.6, 0.8, 0.93, 1.0)
# How high the first row starts inside the garment, and how far from the skin a stand keeps, metres.
_INSIDE: Final = -0.006
_CLEAR: Final = 0.0065


def neckline(fit: Fitting, shell: Cloth, rules: Sequence[Rule], count: int) -> Seam:
    """Return the edge that `rules` cut around the neck, on the shell's base, from front to front.

    It begins and ends in the middle of the front, on the wearer's left.
    """
    cloth = trimmed(shell, rules)
    top = fit.neck.base + 0.03 * fit.neck.axis
    ring = edge_seam(replace(cloth, positions=cloth.base), np.asarray(top), 2 * count, rounds=8)
    start = int(np.abs(fit.neck.angle(ring.points)).argmin())
    rows = np.concatenate([ring.points, ring.normals, ring.away], 1)
    rows = np.roll(rows, -start, 0)
    rows = np.concatenate([rows, rows[:1]])
    if rows[3, 0] < 0.0:
        rows = rows[::-1]
    return _resampled(rows, count)


def lapped(seam: Seam, lap: int) -> Seam:
    """Return a closed neckline whose left end goes on under its right one by `lap` points."""
    rows = np.concatenate([seam.points, seam.normals, seam.away], 1)
    return _resampled(np.concatenate([rows[-lap - 1 : -1], rows]), len(rows))


def open_seam(seam: Seam, chosen: NDArray[np.bool_], count: int) -> Seam:
    """Return the stretch of a seam from the first to the last point where `chosen` [n] holds."""
    index = np.flatnonzero(chosen)
    part = slice(index[0], index[-1] + 1)
    return _resampled(np.concatenate([seam.points, seam.normals, seam.away], 1)[part], count)


def _resampled(rows: Floats, count: int) -> Seam:
    way = np.linalg.norm(np.diff(rows[:, :3], axis=0), axis=1)
    place = np.concatenate([[0.0], np.cumsum(way + 1e-9)])
    rows = np.stack([np.interp(np.linspace(0.0, place[-1], count), place, c) for c in rows.T], 1)
    return Seam(rows[:, :3], unit(rows[:, 3:6]), unit(rows[:, 6:]), closed=False)


def charted(shell: Cloth, corners: Floats) -> Sequence[tuple[float, float]]:
    """Return where on a chart places seen from in front lie."""
    base = on_cloth(replace(shell, positions=shell.base), corners, 0.0)
    return [(float(x), float(h)) for x, h in flat(base)]


def outline(
    fit: Fitting,
    chart: Chart,
    seam: Seam,
    width: ArrayLike,
    corners: Sequence[tuple[float, float]],
    turn: float,
) -> Floats:
    """Draft a collar's outer edge [n, 2], one place for each point of its seam.

    Args:
        width: from the seam, metres, where no corner rules.
        corners: of the wearer's left half, on the chart, from the front: the right half mirrors
            them. Without any, the edge keeps its width.
        turn: angle about the neck from which the width holds, radians.
    """
    inner = flat(seam.points)
    wide = np.broadcast_to(width, len(inner))[:, None]
    edge = inner + chart.outwards(inner) * wide
    edge = ndimage.gaussian_filter1d(edge, 1.5, axis=0, mode="nearest")
    if not corners:
        return np.asarray(edge)
    angle = np.abs(fit.neck.angle(seam.points))
    for way, sign in ((1, 1.0), (-1, -1.0)):
        half, near = edge[::way], angle[::way] < turn
        count = max(int(near.argmin()), 2 * len(corners))
        points = [np.array([sign * x, h]) for x, h in corners]
        half[:count] = _cornered(points, half[count], half[count + 1] - half[count], count)
    return np.asarray(edge)


def _cornered(corners: list[Floats], end: Floats, way: Floats, count: int) -> Floats:
    """Return `count` places from corner to corner and on, in a bow, to `end` along `way`."""
    each = 4
    rows = [
        a + np.linspace(0.0, 1.0, each, endpoint=False)[:, None] * (b - a)
        for a, b in pairwise(corners)
    ]
    last = corners[-1]
    control = end - unit(way) * 0.45 * float(np.linalg.norm(end - last))
    t = np.linspace(0.0, 1.0, count - each * len(rows), endpoint=False)[:, None]
    bow = (1.0 - t) ** 2 * last + 2.0 * t * (1.0 - t) * control + t**2 * end
    return np.concatenate([*rows, bow])


def collar(
    fit: Fitting,
    chart: Chart,
    seam: Seam,
    edge: Floats,
    *,
    stand: ArrayLike,
    lean: ArrayLike = 0.25,
    roll: ArrayLike = 0.0025,
    thickness: float = 0.0022,
    lift: tuple[float, float] = (0.0035, 0.0030),
    puff: ArrayLike = 0.0,
    snug: ArrayLike = 0.0,
) -> Cloth:
    """Return a collar that stands at `seam` and falls to the drafted `edge` [n, 2].

    Args:
        stand: how high it stands before it falls, metres, per point of the seam or one for all.
        lean: of the stand towards the neck, as a share of its height.
        roll: radius at the fold. lift: of the fall over the cloth, at the fold and at its end.
        puff: how far it stands off between them. snug: see `upright`.
    """
    inner = flat(seam.points)
    foot, normals, weights = _foot(chart, inner)
    standing = upright(fit, foot, stand, lean, snug)
    radial = radially(fit, foot)
    round_ = np.broadcast_to(roll, len(inner))[:, None]
    top = standing[-1]
    up = unit(fit.neck.axis + 0.6 * normals)
    folded = [top + round_ * (rise * up + out * radial) for rise, out in ((0.8, 0.5), (0.6, 1.7))]
    end, end_normals, _ = chart.at(edge)
    end = end + lift[1] * end_normals
    rows, blends = [*standing, *folded], _rising(chart, standing, weights)
    blends += [blends[-1]] * len(folded)
    for share in _FALL:
        ground, out, _ = chart.at(inner + share * (edge - inner))
        point = folded[-1] + share * (end - folded[-1])
        least = lift[0] + share * (lift[1] - lift[0])
        least = least + np.broadcast_to(puff, len(inner)) * np.sin(np.pi * (0.2 + 0.8 * share))
        short = np.clip(least - ((point - ground) * out).sum(1), 0.0, 0.02)
        short = np.maximum(short, _even(short[:, None], 2.0)[:, 0])
        rows.append(point + short[:, None] * out)
        # It moves as what it really lies on does, which is not what it was drafted on.
        blends.append(following(chart.cloth, rows[-1]))
    made = rim(_sheet(rows, blends, radial), thickness, len(inner))
    return replace(made, edge=0.8 * made.edge)


def band(
    fit: Fitting,
    chart: Chart,
    seam: Seam,
    high: ArrayLike,
    *,
    thickness: float,
    lean: ArrayLike = 0.25,
    snug: ArrayLike = 0.0,
) -> tuple[Cloth, Floats]:
    """Return a collar that only stands, and its upper edge [n, 3]; see `collar`."""
    foot, normals, weights = _foot(chart, flat(seam.points))
    rows = upright(fit, foot + 0.0012 * normals, high, lean, snug)
    blends = _rising(chart, rows, weights)
    made = rim(_sheet(rows, blends, radially(fit, foot)), thickness, len(foot))
    return replace(made, edge=0.8 * made.edge), rows[-1]


def _foot(chart: Chart, line: Floats) -> tuple[Floats, Floats, Floats]:
    """Return `Chart.at` along a seam, with none of the unevenness of the cloth's triangles."""
    foot, normals, weights = chart.at(line)
    return _even(foot, 1.5), unit(_even(normals, 2.0)), weights


def _rising(chart: Chart, rows: Sequence[Floats], weights: Floats) -> list[Floats]:
    """Return the weights [n, 104] of each of a stand's rows: higher up more as of what is near."""
    shares = np.linspace(-1.0, len(rows) - 2.0, len(rows)).clip(0.0) / (len(rows) - 2.0)
    return [
        weights + float(share) * (following(chart.cloth, row) - weights)
        for share, row in zip(shares, rows, strict=True)
    ]


def _even(rows: Floats, sigma: float) -> Floats:
    """Smooth rows [n, k] along n; the ends stay where they are."""
    more = int(3.0 * sigma)
    wide = np.pad(rows, ((more, more), (0, 0)), mode="reflect", reflect_type="odd")
    return np.asarray(ndimage.gaussian_filter1d(wide, sigma, axis=0)[more:-more])


def upright(
    fit: Fitting, foot: Floats, high: ArrayLike, lean: ArrayLike, snug: ArrayLike = 0.0
) -> list[Floats]:
    """Return rows up from `foot` [n, 3] that keep clear of the neck and under the chin.

    `snug`: 1 closes the upper edge around the neck.
    """
    tall = np.minimum(np.broadcast_to(np.asarray(high, np.float64), len(foot)), _room(fit, foot))
    bent = np.broadcast_to(np.asarray(lean, np.float64), len(foot))[:, None]
    up = unit(fit.neck.axis - bent * radially(fit, foot))
    rows = []
    for share in (0.0, 0.35, 0.7, 1.0):
        points = foot + (share * tall if share else np.full_like(tall, _INSIDE))[:, None] * up
        away = fit.neck.away(points) - _CLEAR
        move = np.maximum(-away, 0.0) - np.asarray(snug) * share * np.clip(away - 0.001, 0.0, 0.02)
        move = ndimage.gaussian_filter1d(move, 2.0, mode="nearest")
        rows.append(points + move[:, None] * radially(fit, points))
    return rows


def _room(fit: Fitting, points: Floats) -> Floats:
    """Return how high [n] a collar can stand under the chin, metres."""
    turn = np.clip(np.abs(fit.neck.angle(points)) - 0.7, 0.0, 1.0)
    room = fit.neck.chin - 0.014 + 0.06 * turn - fit.neck.along(points)
    return np.asarray(np.maximum(room, 0.010))


def radially(fit: Fitting, points: Floats) -> Floats:
    """Return the directions [n, 3] straight away from the neck's axis."""
    away = points - fit.neck.base
    return unit(away - (away @ fit.neck.axis)[:, None] * fit.neck.axis)


def _sheet(rows: Sequence[Floats], weights: Sequence[Floats], outwards: Floats) -> Cloth:
    """Return cloth spanned by lines of points [n, 3] from the neck outwards, its outside out."""
    grid = np.stack(rows)
    count, width = grid.shape[:2]
    points = grid.reshape(-1, 3).astype(np.float32)
    faces = grid_faces(count, width)
    normals = vertex_normals(points, faces)
    # What was folded over faces away from the neck, or up.
    if (normals[-width:] * (outwards + np.array([0.0, 0.0, 1.0]))).sum() < 0.0:
        faces, normals = faces[:, ::-1], -normals
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(grid[-1], axis=0), axis=1))])
    steps = np.linalg.norm(np.diff(grid, axis=0), axis=2).mean(1)
    down = np.concatenate([[0.0], np.cumsum(steps)])
    uv = np.stack(np.broadcast_arrays(along[None, :], down[:, None]), -1).reshape(-1, 2)
    blend = np.concatenate(weights).astype(np.float32)
    flat_edge = np.zeros(len(points), np.float32)
    return Cloth(points, normals, blend, uv.astype(np.float32), points, flat_edge, faces)
