"""Curls: a round, uneven cloud of hair under loose ringlets."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import unit
from avatar.body.noise import smoothstep
from avatar.body.surface import Surface, stack
from avatar.hair.comb import arcs, between, closing, on_skull, rim
from avatar.hair.fringe import hairline_strip
from avatar.hair.hairlines import hairline
from avatar.hair.parts import Wearer
from avatar.hair.ribbons import ROW, across_of, ribbons, sheet
from avatar.hair.ringlets import CURLS
from avatar.hair.texture import CLOSED, TILE

Floats = NDArray[np.floating[Any]]
Triangles = NDArray[np.int32]
Mesh = tuple[Floats, Triangles]

_COLUMNS: Final = 84
_STEPS: Final = 17
# Metres of hair that one picture of curls spans.
_SPAN: Final = 0.115
_POINTS: Final = 4
_LYING: Final = 120
_STANDING: Final = 210
_FRINGE: Final = 44


def curls(wearer: Wearer) -> list[Surface]:
    """Curls to below the ears, a round cloud."""
    centre = wearer.skull.centre
    azimuth = np.linspace(-180.0, 180.0, _COLUMNS)
    shell = _shell(wearer, azimuth)
    rows, whole, frayed = sheet(shell, centre, mirrored=False, tips=1, u=_across(shell))
    rows[:, 12] = np.clip(110.0 * _bumps(unit(rows[:, :3] - centre)), -1.0, 1.0)
    strands = rows.reshape(-1, _STEPS, ROW)
    strands[..., 10] = _along(shell)
    edge = hairline_strip(wearer, strands[:, -3], shell[:, -2], shell[:, -1], 0.006, None)
    front = np.abs(azimuth[:-1]) < 74.0
    edge = edge[0], edge[1].reshape(_COLUMNS - 1, -1, 3)[front].reshape(-1, 3)
    locks = stack([_lying(wearer, shell), _standing(wearer, shell), _fringe(wearer, shell)])
    for made in (rows, locks[0]):
        made[:, 11] *= 0.7
    return [
        wearer.closed(rows, whole),
        wearer.frayed(*stack([(rows, frayed), edge])),
        wearer.loose(*locks),
    ]


def _shell(wearer: Wearer, azimuth: Floats) -> Floats:
    """Return the closed body of hair [n, s, 3], with the bumps of curls."""
    scale, length = wearer.marks.scale, wearer.length
    aside = smoothstep(56.0, 76.0, np.abs(azimuth))[:, None]
    t = closing(_STEPS)
    crown = np.tile(np.array([0.0, 0.22, 0.97]), (len(azimuth), 1))
    uneven = 0.002 * np.sin(np.radians(azimuth) * 13.0) + 0.0015 * np.sin(np.radians(azimuth) * 29)
    line = rim(wearer.skull, wearer.marks, hairline("curls"), azimuth, -0.004 + uneven)
    front = arcs(crown, line, t)
    full = (0.028 + 0.012 * np.abs(front[..., 0])) * length * scale
    front = on_skull(
        wearer.skull,
        front,
        0.001 + (full + _bumps(front)) * np.sqrt(smoothstep(1.01, 0.72, t)),
    )
    # At the sides and behind it hangs free, round below the ears.
    around = np.radians(azimuth)
    low = np.radians(133.0 + 4.0 * np.cos(around) + 3.0 * np.sin(9.0 * around)) * length**0.4
    ends = [np.sin(around) * np.sin(low), -np.cos(around) * np.sin(low), np.cos(low)]
    ways = arcs(crown, np.stack(ends, 1), np.linspace(0.0, 1.0, _STEPS))
    lift = (0.028 + 0.020 * np.abs(ways[..., 0])) * length * scale
    reach = np.maximum(wearer.skull.radius(ways) + lift, 0.112 * scale * length**0.5)
    u = np.linspace(0.0, 1.0, _STEPS)
    reach = (reach + 1.2 * _bumps(ways)) * (1.0 - 0.26 * smoothstep(0.66, 1.02, u) ** 1.5)
    side = wearer.skull.centre + ways * reach[..., None]
    return np.asarray(front + aside[..., None] * (side - front), np.float32)


def _across(shell: Floats) -> Floats:
    """Return u [n] of the columns of `shell`."""
    return across_of(shell) * TILE / _SPAN


def _along(shell: Floats) -> Floats:
    """Return v [n, s] by length, such that the step before the last is at `CLOSED`."""
    gaps = np.linalg.norm(np.diff(shell, axis=1), axis=2).mean(0)
    v = np.concatenate([[0.0], np.cumsum(gaps)]) / _SPAN
    v = v - v[-2] + CLOSED
    v[-1] = 0.995
    return np.tile(v, (len(shell), 1))


def _bumps(ways: Floats) -> Floats:
    """Return the relief of curls by direction [...], metres."""
    x, y, z = np.moveaxis(ways, -1, 0)
    wide = np.sin(9.0 * x + 4.0 * z) * np.sin(9.0 * y - 3.0 * x) * np.sin(10.0 * z + 5.0 * y)
    fine = np.sin(19.0 * x + 9.0 * y) * np.sin(18.0 * z - 8.0 * x) + 0.6 * np.sin(24.0 * y + 7 * z)
    return np.asarray(0.0060 * wide + 0.0024 * fine)


def _single(rows: Floats) -> Floats:
    """Give each ribbon of `rows` [k * s * 2, 13] one whole curl of the picture."""
    shaped = rows.reshape(-1, _POINTS, 2, ROW)
    curl = np.arange(len(shaped)) % CURLS
    shaped[..., 9] = (curl[:, None, None] + np.array([0.0, 1.0])) / CURLS
    shaped[..., 10] = np.linspace(CLOSED + 0.02, 0.985, _POINTS)[None, :, None]
    return rows


def _begin(
    wearer: Wearer, shell: Floats, places: Floats, share: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return points on `shell`, directions away from the head, and down along it, [k, 3]."""
    strand = between(shell, places * (len(shell) - 1))
    at = share * (strand.shape[1] - 2)
    low, rows = at.astype(int), np.arange(len(strand))
    step = strand[rows, low + 1] - strand[rows, low]
    point = strand[rows, low] + (at - low)[:, None] * step
    return point, unit(point - wearer.skull.centre), unit(step)


def _lying(wearer: Wearer, shell: Floats) -> Mesh:
    """Return ringlets that lie on the cloud, their ends off it."""
    rng = wearer.rng
    places = np.clip(0.5 + 0.13 * rng.standard_normal(_LYING), 0.0, 0.999)
    point, out, down = _begin(wearer, shell, places, 0.12 + 0.72 * rng.random(_LYING))
    aside = unit(np.cross(out, down))
    way = unit(down + 0.7 * rng.standard_normal((_LYING, 1)) * aside)
    paths = _bent(point - 0.001 * out, way, out, 0.030 + 0.014 * rng.random(_LYING), 0.005)
    rows, faces = ribbons(paths, wearer.skull.centre, rng, 0.022)
    return _single(rows), faces


def _standing(wearer: Wearer, shell: Floats) -> Mesh:
    """Return ringlets that stand off the outline, facing the camera."""
    rng = wearer.rng
    # Most of them where the outline is, seen from in front or a little aside.
    aside = np.where(rng.random(_STANDING) < 0.5, -1.0, 1.0) * rng.uniform(0.10, 0.36, _STANDING)
    places = 0.5 + aside
    point, out, down = _begin(wearer, shell, places, 0.04 + 0.92 * rng.random(_STANDING))
    turn = rng.uniform(-0.6, 0.6, _STANDING)
    view = np.stack([np.sin(turn), -np.cos(turn), np.zeros(_STANDING)], 1)
    flat = unit(out - (out * view).sum(1, keepdims=True) * view)
    way = unit(0.22 * flat + down + rng.uniform(-0.8, 0.8, (_STANDING, 1)) * np.cross(view, flat))
    paths = _bent(point - 0.007 * out, way, flat, 0.030 + 0.010 * rng.random(_STANDING), 0.004)
    rows, faces = ribbons(paths, paths.mean(1, keepdims=True) - 1.0 * view[:, None], rng, 0.024)
    rows.reshape(_STANDING, -1, ROW)[..., 3:6] = out[:, None]
    return _single(rows), faces


def _fringe(wearer: Wearer, shell: Floats) -> Mesh:
    """Return small ringlets that fall over the hairline."""
    rng = wearer.rng
    places = 0.5 + np.linspace(-0.19, 0.19, _FRINGE) + 0.006 * rng.standard_normal(_FRINGE)
    point, out, down = _begin(wearer, shell, places, 0.74 + 0.24 * rng.random(_FRINGE))
    aside = unit(np.cross(out, down))
    way = unit(down + 0.45 * rng.standard_normal((_FRINGE, 1)) * aside)
    paths = _bent(point, way, out, 0.018 + 0.012 * rng.random(_FRINGE), 0.002)
    away = paths - wearer.skull.centre
    ways = unit(away)
    least = wearer.skull.radius(ways) + 0.0025
    height = np.maximum(np.linalg.norm(away, axis=-1), least)
    paths = wearer.skull.centre + ways * height[..., None]
    rows, faces = ribbons(paths, wearer.skull.centre, rng, 0.015)
    return _single(rows), faces


def _bent(start: Floats, way: Floats, out: Floats, long: Floats, stand: float) -> Floats:
    """Return paths [k, 4, 3] from `start` along `way`, their ends `stand` metres further `out`."""
    t = np.linspace(0.0, 1.0, _POINTS)[None, :, None]
    along = start[:, None] + way[:, None] * long[:, None, None] * t
    return np.asarray(along + out[:, None] * stand * t**1.5, np.float32)
