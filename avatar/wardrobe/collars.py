"""Collars: a stand around the neck, a roll, and a fall laid over the garment."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from avatar.body.mesh import unit
from avatar.wardrobe.fitting import Fitting
from avatar.wardrobe.seams import Seam, edge_seam, ground, softened, strip
from avatar.wardrobe.tailor import Cloth, rim

Floats = NDArray[np.floating[Any]]

STAND_ROWS = 4
_FALL_ROWS = 7


def neck_seam(fit: Fitting, cloth: Cloth, gap: float, count: int = 130) -> Seam:
    """Return the neckline of unrimmed `cloth`, open in front by `gap` radians to each side."""
    top = fit.neck.base + 0.03 * fit.neck.axis
    closed = edge_seam(cloth, top, 240)
    return closed.between(np.abs(fit.neck.angle(closed.points)) > gap, count)


def collar(
    fit: Fitting,
    cloth: Cloth,
    seam: Seam,
    *,
    stand: ArrayLike,
    fall: ArrayLike,
    spread: ArrayLike = 0.0,
    lean: float = 0.25,
    roll: float = 0.0025,
    thickness: float = 0.0022,
    lift: tuple[float, float] = (0.0030, 0.0030),
    up: Floats | None = None,
    out: Floats | None = None,
    margin: float = 0.004,
) -> Cloth:
    """Return a collar sewn to `seam` of the unrimmed `cloth`.

    Args:
        stand, fall, spread: per point of the seam or one for all, metres: how high it stands,
            how far it falls from there, and how far the fall's end is moved along the seam
            (towards the seam's middle where positive).
        lean: of the stand towards the neck, as a share of its height.
        roll: radius at the fold. lift: of the fall over the cloth, at the fold and at its end.
        up, out: directions [n, 3] of stand and fall; without, along the neck and away from it.
        margin: how far the strip reaches under the cloth, metres.
    """
    count = len(seam.points)
    high, long, wide = (np.broadcast_to(v, count)[:, None] for v in (stand, fall, spread))
    high = np.minimum(high, _room(fit, seam.points)[:, None])
    radial = _radial(fit, seam.points)
    up = unit(fit.neck.axis - lean * radial) if up is None else up
    out = radial if out is None else out
    rows = [seam.points - margin * seam.away, *_stand(fit, seam, up, high)]
    if np.max(long) > 0.0:
        top = rows[-1]
        fold = ((0.7, 0.3), (0.9, 1.3), (0.3, 2.1))
        rows += [top + roll * (rise * up + reach * out) for rise, reach in fold]
        along = unit(np.gradient(seam.points, axis=0))
        along = along * np.sign(np.linspace(1.0, -1.0, count))[:, None]
        way = unit(0.35 * out - up) * long + along * wide
        rows += ground(cloth).laid(rows[-1], way, _FALL_ROWS, lift)
    made = rim(softened(strip(seam, rows, cloth), 2), thickness)
    return replace(made, edge=0.8 * made.edge)


def _room(fit: Fitting, points: Floats) -> Floats:
    """Return how high [n] a collar can stand under the chin, metres."""
    turn = np.clip(np.abs(fit.neck.angle(points)) - 0.7, 0.0, 1.0)
    return np.asarray(fit.neck.chin - 0.014 + 0.06 * turn - fit.neck.along(points))


def _stand(fit: Fitting, seam: Seam, up: Floats, high: Floats) -> list[Floats]:
    """Return rows up from the seam that keep clear of the neck."""
    rows = []
    for share in np.linspace(0.0, 1.0, STAND_ROWS):
        points = seam.points + share * high * up + 0.0012 * seam.normals
        short = np.maximum(0.0055 - fit.neck.away(points), 0.0) * (fit.neck.along(points) > 0.0)
        rows.append(points + short[:, None] * _radial(fit, points))
    return rows


def _radial(fit: Fitting, points: Floats) -> Floats:
    """Return the directions [n, 3] straight away from the neck's axis."""
    away = points - fit.neck.base
    return unit(away - (away @ fit.neck.axis)[:, None] * fit.neck.axis)
