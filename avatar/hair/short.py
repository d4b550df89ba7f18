"""Short hair: a side part and a pixie, combed over from a parting, and a crop from the crown."""

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import unit
from avatar.body.noise import smoothstep
from avatar.body.surface import Surface, stack
from avatar.hair.comb import arcs, closing, on_skull, rim
from avatar.hair.combed import Parting, columns, combed
from avatar.hair.fringe import ended, hairline_strip
from avatar.hair.hairlines import hairline
from avatar.hair.parts import Wearer
from avatar.hair.ribbons import ribbons, sheet

Floats = NDArray[np.floating[Any]]
Triangles = NDArray[np.int32]

_COLUMNS: Final = 34
_STEPS: Final = 14
_AROUND: Final = 72


@dataclass(frozen=True, slots=True)
class Cut:
    """A short cut from a parting; lengths in metres on the reference head.

    Attributes:
        over: how hair lies on the side it is combed to. near: on the parting's own side.
        sides, nape: how far it hangs below the hairline beside and behind.
        frayed: steps of a strand at its end that thin out.
        locks: how many single locks lie on it. stand: how far their ends stand off.
    """

    over: Parting
    near: Parting
    sides: float
    nape: float
    frayed: int
    locks: int
    stand: float


_SIDE_OVER: Final = Parting(26.0, 60.0, 60.0, 0.0, 0.0085, 0.0145, 0.75, -0.95, 0.0, 0.06)
_SIDE_PART: Final = Cut(
    _SIDE_OVER,
    replace(_SIDE_OVER, full=0.0065, front=0.1),
    0.003, 0.004, 1, 32, 0.0018,
)  # fmt: skip
_PIXIE_OVER: Final = Parting(22.0, 50.0, 62.0, 0.034, 0.0090, 0.0150, 0.25, -0.60, 0.3, 0.20)
_PIXIE: Final = Cut(
    _PIXIE_OVER,
    replace(_PIXIE_OVER, below=0.008, full=0.0120),
    0.018, 0.018, 2, 84, 0.0090,
)  # fmt: skip


def pixie(wearer: Wearer) -> list[Surface]:
    """Short all over, with a fringe swept to one side."""
    return _cut(wearer, _PIXIE)


def side_part(wearer: Wearer) -> list[Surface]:
    """Short sides, and a top combed over from a parting."""
    return _cut(wearer, _SIDE_PART)


def crop(wearer: Wearer) -> list[Surface]:
    """A few millimetres all over, fading out at the sides and the nape."""
    azimuth = np.linspace(-180.0, 180.0, _AROUND)
    angle = np.abs(azimuth)
    front = smoothstep(70.0, 50.0, angle)
    beyond = -0.0015 * front
    line = hairline("crop")
    end = rim(wearer.skull, wearer.marks, line, azimuth, beyond)
    t = closing(_STEPS)[None]
    ways = arcs(np.tile(unit(np.array([0.05, 0.30, 0.95])), (_AROUND, 1)), end, t[0])
    high = smoothstep(0.15, 0.80, ways[..., 2])
    full = (0.0028 + 0.0040 * high) * np.sqrt(smoothstep(1.0, 0.86, t)) * wearer.length
    paths = on_skull(wearer.skull, ways, 0.0008 + full * wearer.marks.scale)
    rows, whole, _ = sheet(paths, wearer.skull.centre, mirrored=False, tips=0)
    rows[:, 9:11] *= [1.2, 5.6]
    # Hair this short stands off the scalp: it shines less than hair that lies.
    rows[:, 6:9] = rows[:, 3:6]
    rows[:, 11:] = 0.0
    rows, edge = ended(wearer, rows, _STEPS, 0.007)
    return [wearer.closed(rows, whole), wearer.frayed(*edge)]


def _cut(wearer: Wearer, cut: Cut) -> list[Surface]:
    centre = wearer.skull.centre
    closed, frayed, loose = [], [], []
    for side, parting in ((-1.0, cut.over), (1.0, cut.near)):
        place = columns(_COLUMNS)
        scaled = replace(parting, full=parting.full * wearer.length)
        paths = combed(wearer, scaled, side, place, _ends(wearer, cut, side, place), _STEPS)
        rows, whole, ends = sheet(paths, centre, mirrored=side < 0.0, tips=cut.frayed)
        closed.append((rows, whole))
        begin, edge = rows[_STEPS : 2 * _STEPS], paths[0]
        front = hairline_strip(wearer, begin, edge, edge, 0.008, side * 0.024)
        frayed += [(rows, ends), front]
        loose.append(
            ribbons(_locks(wearer, cut, paths), centre, wearer.rng, 0.006 + 0.6 * cut.stand)
        )
    for made, _ in (*closed, *frayed, *loose):
        made[:, 11] *= 0.6  # short ends are not bleached
    return [
        wearer.closed(*stack(closed)),
        wearer.frayed(*stack(frayed)),
        wearer.loose(*stack(loose)),
    ]


def _ends(wearer: Wearer, cut: Cut, side: float, place: Floats) -> Floats:
    """Return directions [n, 3] where strands end: sideburn, over the ear, nape."""
    azimuth = np.interp(place, [0.0, 0.12, 0.32, 0.48, 1.0], [79.0, 88.0, 106.0, 120.0, 180.0])
    back = smoothstep(108.0, 135.0, azimuth)
    beyond = (cut.sides + (cut.nape - cut.sides) * back) * wearer.length
    beyond = beyond + 0.0015 * np.sin(97.0 * place) * (0.4 + cut.stand / 0.006)
    return rim(wearer.skull, wearer.marks, hairline(wearer.who.hair.style), side * azimuth, beyond)


def _locks(wearer: Wearer, cut: Cut, paths: Floats) -> Floats:
    """Return single locks [k, 6, 3] along `paths`, their ends standing off."""
    rng, count = wearer.rng, cut.locks // 2
    chosen = paths[rng.integers(2, len(paths), count)]
    first = rng.integers(1, _STEPS - 7, count)
    parts = np.stack([path[begin : begin + 6] for path, begin in zip(chosen, first, strict=True)])
    t = np.linspace(0.0, 1.0, 6)[None, :, None]
    out = unit(parts - wearer.skull.centre)
    aside = unit(np.cross(out, np.gradient(parts, axis=1)))
    stand = 0.0006 + cut.stand * rng.random((count, 1, 1)) * t**1.5
    lean = 0.006 * rng.standard_normal((count, 1, 1)) * t**1.5
    return np.asarray(parts + out * stand + aside * lean, np.float32)
