"""Curls: a full, lumpy body of hair under loose ringlets."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import unit
from avatar.body.noise import smoothstep
from avatar.body.surface import Surface, stack
from avatar.hair.comb import arcs, between, closing, on_skull, rim, stretch
from avatar.hair.fringe import hairline_strip
from avatar.hair.hairlines import hairline
from avatar.hair.parts import Wearer
from avatar.hair.ribbons import ROW, ribbons, sheet
from avatar.hair.texture import CLOSED

Floats = NDArray[np.floating[Any]]

_COLUMNS: Final = 84
_STEPS: Final = 14
_RINGLETS: Final = 180
_POINTS: Final = 9


def curls(wearer: Wearer) -> list[Surface]:
    """Curls to below the ears, wide at the sides."""
    centre = wearer.skull.centre
    shell = _shell(wearer, np.linspace(-180.0, 180.0, _COLUMNS))
    rows, whole, frayed = sheet(shell, centre, mirrored=False, tips=1)
    rows[:, 12] = np.clip(rows[:, 12] + 60.0 * _bumps(unit(rows[:, :3] - centre)), -1.0, 1.0)
    # Curls wind more often along the hair than straight strands vary.
    rows[:, 10] = np.where(rows[:, 10] < CLOSED, CLOSED + 2.0 * (rows[:, 10] - CLOSED), rows[:, 10])
    strands = rows.reshape(-1, _STEPS, ROW)
    edge = hairline_strip(wearer, strands[:, -3], shell[:, -2], shell[:, -1], 0.004, 0.010)
    front = np.abs(np.linspace(-180.0, 180.0, _COLUMNS)[:-1]) < 74.0
    edge = edge[0], edge[1].reshape(_COLUMNS - 1, -1, 3)[front].reshape(-1, 3)
    locks = ribbons(_ringlets(wearer, shell), centre, wearer.rng, 0.011)
    for made in (rows, locks[0]):
        made[:, 11] *= 0.7
    return [
        wearer.closed(rows, whole),
        wearer.frayed(*stack([(rows, frayed), edge])),
        wearer.loose(*locks),
    ]


def _shell(wearer: Wearer, azimuth: Floats) -> Floats:
    """Return the closed body of hair [n, s, 3], with the bumps of curls."""
    angle = np.abs(azimuth)
    aside = smoothstep(58.0, 80.0, angle)
    beyond = -0.002 + aside * (0.065 + 0.02 * np.sin(np.radians(angle))) * wearer.length
    # The hairline steps up over the ear and falls to the nape: the curls' lower edge is even.
    line = tuple((a, -0.014 if a > 80.0 else h) for a, h in hairline("curls"))
    end = rim(wearer.skull, wearer.marks, line, azimuth, beyond)
    t = closing(_STEPS)[None]
    ways = arcs(np.tile(np.array([0.0, 0.22, 0.97]), (len(azimuth), 1)), end, t[0])
    full = (0.027 + 0.012 * aside)[:, None] * wearer.marks.scale * wearer.length
    lift = 0.001 + full * np.sqrt(smoothstep(1.02, 0.70, t))
    # Below the ears it hangs free of the neck.
    hanging = (0.012 + 0.026 * smoothstep(0.80, 1.0, t)) * aside[:, None]
    lift = np.maximum(lift, hanging * wearer.marks.scale)
    return on_skull(wearer.skull, ways, lift + _bumps(ways) * smoothstep(1.0, 0.85, t))


def _bumps(ways: Floats) -> Floats:
    """Return the relief of curls by direction [...], metres."""
    x, y, z = np.moveaxis(ways, -1, 0)
    wide = np.sin(9.0 * x + 4.0 * z) * np.sin(9.0 * y - 3.0 * x) * np.sin(10.0 * z + 5.0 * y)
    fine = np.sin(23.0 * x + 9.0 * y) * np.sin(22.0 * z - 8.0 * x) * np.sin(24.0 * y + 7.0 * z)
    return np.asarray(0.0065 * wide + 0.0025 * fine)


def _ringlets(wearer: Wearer, shell: Floats) -> Floats:
    """Return helices [k, 9, 3] that lie on `shell`, most of them in front and at the outline."""
    rng, count = wearer.rng, _RINGLETS
    ahead = rng.random(count) < 0.5
    place = np.where(ahead, 0.5 + 0.19 * rng.standard_normal(count), rng.random(count))
    place = np.clip(place, 0.0, 0.999)
    begin = 0.22 + 0.66 * rng.random(count)
    end = np.minimum(begin + 0.14 + 0.14 * rng.random(count), 1.0)
    stems = stretch(between(shell, place * (len(shell) - 1)), begin, end, _POINTS)
    out = unit(stems - wearer.skull.centre)
    aside = unit(np.cross(out, np.gradient(stems, axis=1)))
    t = np.linspace(0.0, 1.0, _POINTS)[None]
    phase = 2 * np.pi * (rng.random((count, 1)) + (1.1 + 0.5 * rng.random((count, 1))) * t)
    wide = (0.0045 + 0.0030 * rng.random((count, 1))) * (0.5 + 0.5 * t)
    round_ = np.cos(phase)[..., None] * aside + (0.7 + 0.6 * np.sin(phase))[..., None] * out
    return np.asarray(stems + out * 0.001 + wide[..., None] * round_, np.float32)
