"""Curls: a full, lumpy body of hair under loose ringlets."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import unit
from avatar.body.noise import smoothstep
from avatar.body.surface import Surface
from avatar.hair.comb import arcs, between, edge_strands, on_skull, rim, stretch
from avatar.hair.hairlines import hairline
from avatar.hair.parts import Wearer
from avatar.hair.ribbons import ribbons, sheet

Floats = NDArray[np.floating[Any]]

_COLUMNS: Final = 72
_STEPS: Final = 13
_RINGLETS: Final = 150
_POINTS: Final = 12
_EDGE: Final = 40


def curls(wearer: Wearer) -> list[Surface]:
    """Curls to below the ears, wide at the sides."""
    rng = wearer.rng
    azimuth = np.linspace(-180.0, 180.0, _COLUMNS)
    shell = _shell(wearer, azimuth)
    rows, whole, frayed = sheet(shell, wearer.skull.centre, mirrored=False, tips=3)
    locks, strips = ribbons(_ringlets(wearer, shell), wearer.skull.centre, rng, 0.0085)
    for made in (rows, locks):
        made[:, 11] *= 0.7
    return [wearer.closed(rows, whole), wearer.frayed(rows, frayed), wearer.loose(locks, strips)]


def _shell(wearer: Wearer, azimuth: Floats) -> Floats:
    """Return the closed body of hair [n, s, 3], with the bumps of curls."""
    angle = np.abs(azimuth)
    aside = smoothstep(58.0, 80.0, angle)
    beyond = -0.002 + aside * (0.065 + 0.02 * np.sin(np.radians(angle))) * wearer.length
    # Over the ear the hairline steps up: the curls' lower edge runs on evenly.
    line = tuple((a, min(h, -0.012) if 80.0 < a < 115.0 else h) for a, h in hairline("curls"))
    end = rim(wearer.skull, wearer.marks, line, azimuth, beyond)
    ways = arcs(np.tile(np.array([0.0, 0.22, 0.97]), (len(azimuth), 1)), end, _STEPS)
    t = np.linspace(0.0, 1.0, _STEPS)[None]
    full = (0.028 + 0.009 * aside)[:, None] * wearer.marks.scale * wearer.length
    lift = 0.002 + full * np.sqrt(smoothstep(1.04, 0.62, t))
    lift = np.where(aside[:, None] > 0.5, np.maximum(lift, 0.012), lift)
    return on_skull(wearer.skull, ways, lift + _bumps(ways) * smoothstep(1.0, 0.85, t))


def _bumps(ways: Floats) -> Floats:
    """Return the relief of curls by direction [n, s], metres."""
    x, y, z = np.moveaxis(ways, -1, 0)
    wide = np.sin(13.0 * x + 4.0 * z) * np.sin(12.0 * y - 3.0 * x) * np.sin(14.0 * z + 5.0 * y)
    fine = np.sin(29.0 * x + 9.0 * y) * np.sin(27.0 * z - 8.0 * x) * np.sin(31.0 * y + 7.0 * z)
    return np.asarray(0.0085 * wide + 0.0050 * fine)


def _ringlets(wearer: Wearer, shell: Floats) -> Floats:
    """Return helices [k, 20, 3] that lie on `shell`."""
    rng = wearer.rng
    place = np.clip(0.5 + 0.26 * rng.standard_normal(_RINGLETS), 0.0, 0.999)
    begin = 0.10 + 0.80 * rng.random(_RINGLETS)
    long = 0.18 + 0.16 * rng.random(_RINGLETS)
    stems = stretch(
        between(shell, place * (len(shell) - 1)), begin, np.minimum(begin + long, 1.0), _POINTS
    )
    wide = 0.0050 + 0.0030 * rng.random((_RINGLETS, 1))
    turns = 1.6 + 0.9 * rng.random((_RINGLETS, 1))
    # Small curls stray over the forehead, where the hair would else end in a straight line.
    small = edge_strands(
        wearer.skull, wearer.marks, hairline("curls"), (0.014, 0.015), _POINTS, rng, _EDGE
    )
    stems = np.concatenate([stems, small])
    wide = np.concatenate([wide, 0.0022 + 0.0020 * rng.random((_EDGE, 1))])
    turns = np.concatenate([turns, 1.0 + 0.8 * rng.random((_EDGE, 1))])
    out = unit(stems - wearer.skull.centre)
    aside = unit(np.cross(out, np.gradient(stems, axis=1)))
    t = np.linspace(0.0, 1.0, _POINTS)[None]
    phase = 2 * np.pi * (rng.random((len(stems), 1)) + turns * t)
    wide = wide * (0.5 + 0.5 * t)
    round_ = np.cos(phase)[..., None] * aside + (0.6 + 0.6 * np.sin(phase))[..., None] * out
    return np.asarray(stems + out * 0.002 + wide[..., None] * round_, np.float32)
