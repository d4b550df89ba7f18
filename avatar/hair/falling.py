"""Hair that falls from a parting: long, in waves, and to the chin."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import unit
from avatar.body.noise import smoothstep
from avatar.body.surface import Surface, stack
from avatar.hair.parts import Wearer
from avatar.hair.ribbons import ribbons, sheet
from avatar.hair.strands import FRONT, NAPE, OVER, Fall, Roots, strand_paths

Floats = NDArray[np.floating[Any]]
Triangles = NDArray[np.int32]

_COLUMNS: Final = 56
_COLUMNS_A_LOCK: Final = 4.0
_LOCKS: Final = 72
# Fine strands along the parting's two front edges, over the forehead.
_FINE: Final = 28
_TIPS: Final = 4
_SHORT_TIPS: Final = 2
# Hair that ends higher than this, metres above the eye, is short.
_SHORT: Final = -0.16
# Locks come loose from the sheets at this step of a strand, above the ears.
_LOOSE_FROM: Final = 6

_LONG: Final = Fall(length=-0.240, wave=0.0065, turns=1.05, body=0.20, inward=0.20)
_WAVES: Final = Fall(length=-0.265, wave=0.0125, turns=2.1, body=0.34, inward=0.02)
_BOB: Final = Fall(length=-0.128, wave=0.0015, turns=0.6, body=0.05, inward=0.15)


def long(wearer: Wearer) -> list[Surface]:
    """Straight to the shoulders, tips turned in."""
    return _fallen(wearer, _LONG)


def waves(wearer: Wearer) -> list[Surface]:
    """Past the shoulders in wide waves."""
    return _fallen(wearer, _WAVES)


def bob(wearer: Wearer) -> list[Surface]:
    """To the chin, tips turned in."""
    return _fallen(wearer, _BOB)


def _fallen(wearer: Wearer, style: Fall) -> list[Surface]:
    below_ear = style.length + 0.03
    fall = Fall(below_ear * wearer.length - 0.03, style.wave, style.turns, style.body, style.inward)
    centre = wearer.skull.centre
    halves = [_half(wearer, fall, side) for side in (1.0, -1.0)]
    locks = stack(
        [
            ribbons(_lock_paths(wearer, fall), centre, wearer.rng),
            ribbons(_edge_paths(wearer, fall), centre, wearer.rng, 0.005),
        ]
    )
    return [
        wearer.closed(*stack([(rows, whole) for rows, whole, _ in halves])),
        wearer.frayed(*stack([(rows, frayed) for rows, _, frayed in halves])),
        wearer.loose(*locks),
    ]


def _half(wearer: Wearer, fall: Fall, side: float) -> tuple[Floats, Triangles, Triangles]:
    """Return the rows, closed and frayed triangles of one side of the parting."""
    tips = _TIPS if fall.length < _SHORT else _SHORT_TIPS
    paths = _sheet_paths(wearer, fall, side)
    rows, whole, frayed = sheet(paths, wearer.skull.centre, mirrored=side < 0.0, tips=tips)
    # Where both sides meet their highlights must agree: strands start along the parting.
    parting = np.repeat(unit(np.gradient(paths[:, 0], axis=0)), paths.shape[1], axis=0)
    share = smoothstep(0.0, 0.16, rows[:, 11])[:, None]
    rows[:, 6:9] = unit(parting * (1.0 - share) + rows[:, 6:9] * share)
    return rows, whole, frayed


def _lock_phase(along: Floats, side: Floats | float) -> Floats:
    """Return the phase of the wave of strands from `along`, so that neighbours wave together."""
    return np.asarray(0.8 * np.sin(along / 9.0) + 0.5 * np.sin(along / 23.0) + 0.4 * side)


def _sheet_paths(wearer: Wearer, fall: Fall, side: float) -> Floats:
    """Return one side's strands [56, 22, 3] from forehead to nape, gathered into locks."""
    column = np.arange(_COLUMNS)
    lock = column / _COLUMNS_A_LOCK
    along = np.linspace(FRONT, NAPE, _COLUMNS)
    roots = Roots(
        along=along,
        side=np.full(_COLUMNS, side),
        spread=np.full(_COLUMNS, -0.0015),
        lift=np.full(_COLUMNS, 0.0060),
        length=fall.length + 0.004 * np.sin(2.3 * column) + 0.006 * np.sin(1.1 * lock),
        phase=_lock_phase(along, side),
    )
    paths = _eased(strand_paths(wearer.skull, wearer.marks, roots, fall), fall)
    paths = wearer.shoulders.drape(paths, 0.007)
    for _ in range(4):
        paths[1:-1, OVER:] += 0.25 * np.diff(paths[:, OVER:], n=2, axis=0)
    t = np.linspace(0.0, 1.0, paths.shape[1])
    out = unit(paths - np.array([0.0, wearer.marks.axis, 0.0]))
    groove = np.abs(np.sin(np.pi * lock))[:, None] * smoothstep(0.05, 0.6, t)[None]
    depth = (0.0034 * groove - 0.003)[..., None] * smoothstep(0.0, 0.3, t)[:, None]
    return np.asarray(paths + out * depth)


def _lock_paths(wearer: Wearer, fall: Fall) -> Floats:
    """Return the loose part of locks [72, s, 3], just above the sheets; half are in front."""
    rng = wearer.rng
    front = rng.random(_LOCKS) < 0.45
    along = np.where(
        front, FRONT - 4 - 40 * rng.random(_LOCKS) ** 1.5, 52 - 150 * rng.random(_LOCKS)
    )
    side = np.where(rng.random(_LOCKS) > 0.45, -1.0, 1.0)
    roots = Roots(
        along=along,
        side=side,
        spread=0.0008 + 0.008 * np.abs(rng.standard_normal(_LOCKS)),
        lift=0.0064 + 0.0003 * rng.standard_normal(_LOCKS),
        length=fall.length - 0.006 + 0.006 * rng.standard_normal(_LOCKS),
        phase=_lock_phase(along, side) + 0.25 * rng.standard_normal(_LOCKS),
    )
    paths = _eased(strand_paths(wearer.skull, wearer.marks, roots, fall), fall)
    return wearer.shoulders.drape(paths, 0.008)[:, _LOOSE_FROM:]


def _edge_paths(wearer: Wearer, fall: Fall) -> Floats:
    """Return fine strands [28, 11, 3] that stray from the front edge of the sheets."""
    rng = wearer.rng
    along = FRONT + 2.5 - 5.0 * rng.random(_FINE)
    side = np.where(np.arange(_FINE) % 2 == 0, 1.0, -1.0)
    roots = Roots(
        along=along,
        side=side,
        spread=0.001 + 0.006 * rng.random(_FINE),
        lift=0.0058 + 0.0010 * rng.random(_FINE),
        length=np.full(_FINE, fall.length),
        phase=_lock_phase(along, side),
    )
    return strand_paths(wearer.skull, wearer.marks, roots, fall)[:, 1:12]


def _eased(paths: Floats, fall: Fall) -> Floats:
    """Return `paths` [n, 22, 3] without the bend at the ear that shows where hair is short."""
    if fall.length < _SHORT:
        return paths
    out = paths.copy()
    for _ in range(10):
        middle = 0.25 * out[:, OVER - 4 : -2] + 0.25 * out[:, OVER - 2 :]
        out[:, OVER - 3 : -1] = 0.5 * out[:, OVER - 3 : -1] + middle
    return out
