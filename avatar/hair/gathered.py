"""Hair combed back from the whole hairline: a bun on top, and a ponytail."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import unit
from avatar.body.noise import smoothstep
from avatar.body.surface import Surface, stack
from avatar.hair.comb import arcs, closing, grooves, on_skull, rim
from avatar.hair.fringe import ended
from avatar.hair.hairlines import hairline
from avatar.hair.parts import Wearer
from avatar.hair.ribbons import ribbons, sheet

Floats = NDArray[np.floating[Any]]
Triangles = NDArray[np.int32]
Mesh = tuple[Floats, Triangles]

_COLUMNS: Final = 68
_STEPS: Final = 15
_BUN: Final = unit(np.array([0.0, 0.52, 0.85]))
_TAIL: Final = unit(np.array([0.05, 0.86, 0.52]))


def bun(wearer: Wearer) -> list[Surface]:
    """Combed up into a bun that shows above the head."""
    closed, edge, locks = _combed(wearer, _BUN)
    return [
        wearer.closed(*stack([closed, _knot(wearer)])),
        wearer.frayed(*edge),
        wearer.loose(*locks),
    ]


def ponytail(wearer: Wearer) -> list[Surface]:
    """Combed back into a tail that falls in front of one shoulder."""
    closed, edge, locks = _combed(wearer, _TAIL)
    paths = _tail_paths(wearer)
    tail, full, ends = sheet(paths, paths.mean((0, 1)), mirrored=False, tips=2)
    tail[:, 3:6] = _round_normals(paths)
    return [
        wearer.closed(*stack([closed, (tail, full)])),
        wearer.frayed(*stack([edge, (tail, ends)])),
        wearer.loose(*locks),
    ]


def _combed(wearer: Wearer, pole: Floats) -> tuple[Mesh, Mesh, Mesh]:
    """Return hair combed to `pole`, its soft edge at the hairline, strands before the ears."""
    azimuth = np.linspace(-180.0, 180.0, _COLUMNS)
    # Hair at the nape ends a little higher, where the neck folds when the head bends back.
    beyond = -0.001 - 0.008 * smoothstep(120.0, 150.0, np.abs(azimuth))
    # In front it closes further up: single strands lead there over a scalp that shows.
    front = smoothstep(72.0, 50.0, np.abs(azimuth))
    beyond = beyond - 0.005 * front
    end = rim(wearer.skull, wearer.marks, hairline("bun"), azimuth, beyond)
    t = closing(_STEPS)[None]
    ways = arcs(np.tile(pole, (_COLUMNS, 1)), end, t[0])
    # Fullest over forehead and crown, close at the sides, tight where it is gathered.
    high = smoothstep(0.0, 0.7, ways[..., 2])
    full = (0.0085 + 0.0080 * high) * wearer.marks.scale
    full = full * smoothstep(1.0, 0.60, t) ** 0.75 * (0.5 + 0.5 * smoothstep(0.0, 0.3, t))
    relief = 0.0016 * grooves(_COLUMNS, 2.3, wearer.rng) * smoothstep(1.0, 0.8, t)
    shell = on_skull(wearer.skull, ways, 0.0008 + full + relief)
    rows, whole, _ = sheet(shell, wearer.skull.centre, mirrored=False, tips=0)
    rows, edge = ended(wearer, rows, _STEPS, 0.002 + 0.006 * front)
    locks = ribbons(_temples(wearer), wearer.skull.centre, wearer.rng, 0.006)
    for made in (rows, edge[0], locks[0]):
        made[:, 11] = 0.4 * (1.0 - made[:, 11])  # roots lie at the hairline
    return (rows, whole), edge, locks


def _temples(wearer: Wearer) -> Floats:
    """Return strands [10, 10, 3] that hang from the temples in front of the ears."""
    rng = wearer.rng
    side = np.where(np.arange(10) % 2 == 0, 1.0, -1.0)
    azimuth = side * (62.0 + 12.0 * rng.random(10))
    start = rim(wearer.skull, wearer.marks, hairline("bun"), azimuth, np.full(10, -0.006))
    end = rim(
        wearer.skull, wearer.marks, hairline("bun"), side * 78.0, 0.03 + 0.05 * rng.random(10)
    )
    t = np.linspace(0.0, 1.0, 10)[None]
    ways = arcs(start, end, t[0])
    return on_skull(wearer.skull, ways, 0.0035 + 0.006 * np.sin(np.pi * t) + 0.0 * ways[..., 0])


def _frame(pole: Floats) -> tuple[Floats, Floats]:
    """Return two directions at right angles to `pole` and to each other."""
    aside = np.asarray(unit(np.cross(np.array([0.0, 0.0, 1.0]), pole)))
    return aside, np.asarray(unit(np.cross(pole, aside)))


def _knot(wearer: Wearer) -> tuple[Floats, Triangles]:
    """Return the bun: strands wound about its axis over a flattened ball."""
    size = 0.043 * wearer.marks.scale * (0.75 + 0.25 * wearer.length)
    centre = on_skull(wearer.skull, _BUN[None], np.array([0.55 * size]))[0]
    aside, ahead = _frame(_BUN)
    turns = np.linspace(0.0, 2.0 * np.pi, 29)[:, None]
    t = np.linspace(0.0, 1.0, 11)[None]
    polar, around = np.pi * (0.02 + 0.88 * t), turns + 2.2 * t
    bumps = 1.0 + 0.09 * np.abs(np.sin(4.0 * turns + 0.0 * t)) - 0.05
    flat, high = np.sin(polar) * bumps, 0.86 * np.cos(polar) * bumps
    paths = centre + size * (
        (flat * np.cos(around))[..., None] * aside
        + (flat * np.sin(around))[..., None] * ahead
        + high[..., None] * _BUN
    )
    rows, whole, _ = sheet(paths, centre, mirrored=False, tips=0)
    rows[:, 11] = 0.2
    return rows, whole


def _tail_paths(wearer: Wearer) -> Floats:
    """Return the strands of the tail [19, 18, 3] around a stem that falls to one side."""
    skull, scale = wearer.skull, wearer.marks.scale
    root = on_skull(skull, _TAIL[None], np.array([0.012]))[0]
    t = np.linspace(0.0, 1.0, 18)
    drop = 0.30 * wearer.length * scale
    away = 0.044 * smoothstep(0.0, 0.25, t) - 0.030 * smoothstep(0.25, 0.9, t)
    aside = 0.085 * smoothstep(0.1, 0.75, t)
    fall = 0.022 * np.sin(np.pi * np.clip(t / 0.3, 0, 1)) - drop * np.clip(t - 0.08, 0, 1) ** 1.15
    stem = root + np.stack([aside * scale, away * scale, fall], -1)
    wide = scale * np.interp(t, [0.0, 0.06, 0.3, 0.65, 1.0], [0.010, 0.014, 0.034, 0.036, 0.012])
    turn = np.linspace(0.0, 2.0 * np.pi, 19)[:, None]
    groove = 1.0 + 0.10 * np.abs(np.sin(3.5 * turn))
    wave = 0.006 * np.sin(2 * np.pi * 1.3 * t)[None] * smoothstep(0.2, 0.7, t)
    across = wide[None] * groove * np.cos(turn) + wave
    deep = 0.75 * wide[None] * groove * np.sin(turn)
    back = unit(np.cross(np.gradient(stem, axis=0), np.array([1.0, 0.0, 0.0])))
    sideways = np.array([1.0, 0.0, 0.0])
    paths = stem[None] + across[..., None] * sideways + deep[..., None] * back[None]
    return wearer.shoulders.clear(paths, 0.007, 5)


def _round_normals(paths: Floats) -> Floats:
    """Return normals that face away from the tail's stem, [n * s, 3]."""
    return np.asarray(unit(paths - paths.mean(0, keepdims=True)).reshape(-1, 3), np.float32)
