"""Curls: a full, lumpy body of hair under loose ringlets."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import unit
from avatar.body.noise import smoothstep
from avatar.body.surface import Surface, stack
from avatar.hair.comb import arcs, between, closing, on_skull, rim, stretch
from avatar.hair.fringe import hairline_strip
from avatar.hair.hairlines import Line, hairline
from avatar.hair.parts import Wearer
from avatar.hair.ribbons import ROW, ribbons, sheet
from avatar.hair.texture import CLOSED

Floats = NDArray[np.floating[Any]]

_COLUMNS: Final = 84
_STEPS: Final = 14
_DOWN: Final = 5
_SMALL: Final = 110
_LARGE: Final = 64
_POINTS: Final = 9


def curls(wearer: Wearer) -> list[Surface]:
    """Curls to below the ears, wide at the sides."""
    centre = wearer.skull.centre
    shell = _shell(wearer, np.linspace(-180.0, 180.0, _COLUMNS))
    rows, whole, frayed = sheet(shell, centre, mirrored=False, tips=1)
    rows[:, 12] = np.clip(rows[:, 12] + 80.0 * _bumps(unit(rows[:, :3] - centre)), -1.0, 1.0)
    # Curls wind more often along the hair than straight strands vary.
    rows[:, 10] = np.where(rows[:, 10] < CLOSED, CLOSED + 2.0 * (rows[:, 10] - CLOSED), rows[:, 10])
    strands = rows.reshape(-1, _STEPS, ROW)
    edge = hairline_strip(wearer, strands[:, -3], shell[:, -2], shell[:, -1], 0.004, 0.010)
    front = np.abs(np.linspace(-180.0, 180.0, _COLUMNS)[:-1]) < 74.0
    edge = edge[0], edge[1].reshape(_COLUMNS - 1, -1, 3)[front].reshape(-1, 3)
    small = ribbons(_small(wearer, shell), centre, wearer.rng, 0.010)
    large = ribbons(_large(wearer, shell), centre, wearer.rng, 0.015)
    locks = stack([small, large])
    for made in (rows, locks[0]):
        made[:, 11] *= 0.7
    return [
        wearer.closed(rows, whole),
        wearer.frayed(*stack([(rows, frayed), edge])),
        wearer.loose(*locks),
    ]


def _shell(wearer: Wearer, azimuth: Floats) -> Floats:
    """Return the closed body of hair [n, s, 3], with the bumps of curls."""
    aside = smoothstep(56.0, 76.0, np.abs(azimuth))[:, None]
    front, ways = _over(wearer, azimuth, hairline("curls"), -0.002, _STEPS)
    bumps = _bumps(ways) * smoothstep(0.05, 0.3, np.linspace(0.0, 1.0, _STEPS))
    front += ways * (bumps * smoothstep(1.0, 0.85, closing(_STEPS)))[..., None]
    # At the sides and behind it goes over the head to the ears, and hangs from there.
    level = ((0.0, -0.004), (180.0, -0.004))
    top, ways = _over(wearer, azimuth, level, 0.0, _STEPS - _DOWN, close=False)
    top += ways * bumps[:, : _STEPS - _DOWN, None]
    side = np.concatenate([top, _below(wearer, top[:, -1], azimuth)], 1)
    return np.asarray(front + aside[..., None] * (side - front), np.float32)


def _over(
    wearer: Wearer, azimuth: Floats, line: Line, beyond: float, steps: int, *, close: bool = True
) -> tuple[Floats, Floats]:
    """Return points and directions [n, steps, 3] from the crown to `line`, on it if `close`."""
    end = rim(wearer.skull, wearer.marks, line, azimuth, np.full(len(azimuth), beyond))
    t = closing(steps) if close else np.linspace(0.0, 1.0, steps)
    ways = arcs(np.tile(np.array([0.0, 0.22, 0.97]), (len(azimuth), 1)), end, t)
    full = (0.027 + 0.014 * np.abs(ways[..., 0])) * wearer.marks.scale * wearer.length
    settled = np.sqrt(smoothstep(1.02, 0.70, t)) if close else 1.0
    return on_skull(wearer.skull, ways, 0.001 + full * settled), ways


def _below(wearer: Wearer, start: Floats, azimuth: Floats) -> Floats:
    """Return the part [n, 5, 3] below the ears: round, turned in towards the neck."""
    u = np.linspace(0.0, 1.0, _DOWN + 1)[None, 1:]
    middle = np.array([0.0, wearer.marks.axis])
    away = start[:, None, :2] - middle
    drop = (0.092 - 0.012 * np.cos(np.radians(azimuth)))[:, None] * wearer.length
    lumps = np.sin(np.radians(azimuth) * 11.0)[:, None]
    wide = (1.0 + 0.10 * np.sin(np.pi * u) - 0.26 * u**2) * (1.0 + 0.05 * lumps * u)
    place = middle + away * wide[..., None]
    height = start[:, 2:] - drop * (1.0 + 0.06 * lumps) * u * wearer.marks.scale
    return np.concatenate([place, height[..., None]], -1)


def _bumps(ways: Floats) -> Floats:
    """Return the relief of curls by direction [...], metres."""
    x, y, z = np.moveaxis(ways, -1, 0)
    wide = np.sin(9.0 * x + 4.0 * z) * np.sin(9.0 * y - 3.0 * x) * np.sin(10.0 * z + 5.0 * y)
    fine = np.sin(23.0 * x + 9.0 * y) * np.sin(22.0 * z - 8.0 * x) * np.sin(24.0 * y + 7.0 * z)
    return np.asarray(0.0065 * wide + 0.0025 * fine)


def _small(wearer: Wearer, shell: Floats) -> Floats:
    """Return small helices [110, 9, 3] over forehead and crown."""
    rng = wearer.rng
    place = np.clip(0.5 + 0.17 * rng.standard_normal(_SMALL), 0.0, 0.999)
    begin = 0.22 + 0.66 * rng.random(_SMALL)
    end = np.minimum(begin + 0.14 + 0.14 * rng.random(_SMALL), 1.0)
    return _wound(wearer, shell, place, (begin, end), 0.0055)


def _large(wearer: Wearer, shell: Floats) -> Floats:
    """Return wide helices [64, 9, 3] at the sides and behind, some past the lower edge."""
    rng = wearer.rng
    aside = np.where(rng.random(_LARGE) < 0.5, -1.0, 1.0) * (0.20 + 0.30 * rng.random(_LARGE))
    begin = 0.15 + 0.60 * rng.random(_LARGE)
    end = np.minimum(begin + 0.26 + 0.16 * rng.random(_LARGE), 1.0)
    return _wound(wearer, shell, np.clip(0.5 + aside, 0.0, 0.999), (begin, end), 0.0085)


def _wound(
    wearer: Wearer, shell: Floats, place: Floats, part: tuple[Floats, Floats], radius: float
) -> Floats:
    """Return helices [k, 9, 3] about `part` of the strands of `shell` at `place` [k]."""
    rng, count = wearer.rng, len(place)
    stems = stretch(between(shell, place * (len(shell) - 1)), *part, _POINTS)
    out = unit(stems - wearer.skull.centre)
    aside = unit(np.cross(out, np.gradient(stems, axis=1)))
    t = np.linspace(0.0, 1.0, _POINTS)[None]
    phase = 2 * np.pi * (rng.random((count, 1)) + (1.1 + 0.5 * rng.random((count, 1))) * t)
    wide = radius * (0.75 + 0.5 * rng.random((count, 1))) * (0.5 + 0.5 * t)
    round_ = np.cos(phase)[..., None] * aside + (0.9 + 0.6 * np.sin(phase))[..., None] * out
    return np.asarray(stems + out * 0.002 + wide[..., None] * round_, np.float32)
