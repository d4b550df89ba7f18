"""Short hair that grows from the crown or a parting: pixie, side part, crop and curls."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import unit
from avatar.body.noise import smoothstep
from avatar.body.surface import Surface, stack
from avatar.hair.comb import STEPS, arcs, between, edge_strands, grooves, on_skull, rim, stretch
from avatar.hair.hairlines import hairline
from avatar.hair.parts import Wearer
from avatar.hair.ribbons import ribbons, sheet

Floats = NDArray[np.floating[Any]]

_COLUMNS: Final = 168
_TIPS: Final = 4
_EDGE: Final = 150


@dataclass(frozen=True, slots=True)
class Cut:
    """A short cut; lengths in metres on the reference head.

    Attributes:
        crown: where hair grows from, direction [3] from the head's centre.
        parting: whether it grows from a line that runs from the crown to the forehead.
        sweep: how far the fringe is combed aside, degrees.
        fringe: how far it hangs below the hairline in front; sides, nape: likewise there.
        top, flank: how far it stands off the head on top and at the sides.
        relief: depth between locks.
        locks: how many cards lie on it; card: their width.
    """

    crown: tuple[float, float, float]
    parting: bool
    sweep: float
    fringe: float
    sides: float
    nape: float
    top: float
    flank: float
    relief: float
    locks: int
    card: float


_PIXIE: Final = Cut(
    (-0.22, 0.30, 0.93), False, 34.0, 0.030, 0.010, 0.012, 0.021, 0.011, 0.0050, 260, 0.010
)
_SIDE_PART: Final = Cut(
    (0.26, 0.38, 0.89), True, 0.0, 0.003, 0.003, 0.004, 0.022, 0.006, 0.0040, 230, 0.010
)
_CROP: Final = Cut(
    (0.05, 0.36, 0.93), False, 6.0, 0.004, 0.002, 0.002, 0.010, 0.0035, 0.0022, 260, 0.006
)


def pixie(wearer: Wearer) -> list[Surface]:
    """Short all over, with a fringe swept to one side."""
    return _cut(wearer, _PIXIE)


def side_part(wearer: Wearer) -> list[Surface]:
    """Short sides, and a top combed over from a parting."""
    return _cut(wearer, _SIDE_PART)


def crop(wearer: Wearer) -> list[Surface]:
    """A few millimetres at the sides, little more on top."""
    return _cut(wearer, _CROP)


def _cut(wearer: Wearer, cut: Cut) -> list[Surface]:
    azimuth = np.linspace(-180.0, 180.0, _COLUMNS)
    ways = _ways(wearer, cut, azimuth)
    lift = _lift(wearer, cut, ways)
    relief = cut.relief * grooves(_COLUMNS, 3.3, wearer.rng) * _middle(STEPS)
    shell = on_skull(wearer.skull, ways, lift + relief)
    rows, whole, frayed = sheet(shell, wearer.skull.centre, mirrored=False, tips=_TIPS)
    cards = _cards(wearer, cut, on_skull(wearer.skull, ways, lift + cut.relief + 0.0006))
    locks, strips = ribbons(cards, wearer.skull.centre, wearer.rng, cut.card)
    if cut.fringe < 0.010:
        fine = ribbons(_edge(wearer), wearer.skull.centre, wearer.rng, 0.0042)
        locks, strips = stack([(locks, strips), fine])
    for made in (rows, locks):
        made[:, 11] *= 0.6  # short ends are not bleached
    return [
        wearer.closed(rows, whole),
        wearer.frayed(rows, frayed),
        wearer.loose(locks, strips),
    ]


def _ways(wearer: Wearer, cut: Cut, azimuth: Floats) -> Floats:
    """Return directions [n, s, 3] from crown or parting to the ends of the hair."""
    angle = np.abs(azimuth)
    front, back = smoothstep(62.0, 34.0, angle), smoothstep(104.0, 130.0, angle)
    beyond = cut.fringe * front + cut.nape * back + cut.sides * (1.0 - front - back)
    # The fringe is longest where it is swept to, and its ends are uneven.
    slant = 1.0 + 0.5 * np.sin(np.radians(azimuth + 10.0)) * np.sign(cut.sweep)
    uneven = 0.0022 * np.sin(azimuth * 1.7) + 0.0014 * np.sin(azimuth * 0.61 + 1.0)
    beyond = beyond * np.where(front > 0.0, slant, 1.0) * wearer.length + uneven * (0.4 + front)
    line = hairline(wearer.who.hair.style)
    end = rim(wearer.skull, wearer.marks, line, azimuth, beyond)
    crown = np.array(cut.crown, np.float32)
    start = np.tile(crown, (len(azimuth), 1))
    if cut.parting:
        return _from_parting(wearer, azimuth, end, crown)
    ways = arcs(start, end)
    t = np.linspace(0.0, 1.0, STEPS)
    turn = (
        np.radians(cut.sweep) * np.sin(np.pi * t)[None] ** 1.2 * smoothstep(95, 40, angle)[:, None]
    )
    return _turned(ways, -turn)


def _turned(ways: Floats, angle: Floats) -> Floats:
    """Return `ways` [n, s, 3] turned about the vertical by `angle` [n, s] radians."""
    cos, sin = np.cos(angle), np.sin(angle)
    x, y = ways[..., 0], ways[..., 1]
    return np.stack([cos * x - sin * y, sin * x + cos * y, ways[..., 2]], -1).astype(np.float32)


def _from_parting(wearer: Wearer, azimuth: Floats, end: Floats, crown: Floats) -> Floats:
    """Comb hair from a line between `crown` and the hairline at 24 degrees to both sides."""
    line = hairline(wearer.who.hair.style)
    parting = 24.0
    tip = rim(wearer.skull, wearer.marks, line, np.array([parting]), np.array([0.0]))[0]
    along = arcs(crown[None], tip[None], 40)[0]
    # Hair at the forehead starts at the parting's end, hair behind the ears at the crown.
    from_parting = np.abs((azimuth - parting + 180.0) % 360.0 - 180.0)
    place = smoothstep(115.0, 0.0, from_parting) * 39.0
    low = np.clip(place.astype(int), 0, 38)
    share = (place - low)[:, None]
    start = along[low] * (1.0 - share) + along[low + 1] * share
    return arcs(unit(start), end)


def _middle(steps: int) -> Floats:
    """Return 0 at both ends of a strand and 1 between, [1, steps]."""
    t = np.linspace(0.0, 1.0, steps)
    return np.asarray(smoothstep(0.0, 0.25, t) * smoothstep(1.0, 0.85, t))[None]


def _lift(wearer: Wearer, cut: Cut, ways: Floats) -> Floats:
    """Return how far the hair stands off the skull [n, s]: full on top, close at the ends."""
    t = np.linspace(0.0, 1.0, ways.shape[1])[None]
    high = smoothstep(0.25, 0.85, ways[..., 2])
    full = (cut.flank + (cut.top - cut.flank) * high) * wearer.marks.scale
    if cut.parting:
        # Combed up from the parting, highest over the forehead; flat on the parting's own side.
        over = smoothstep(0.34, 0.10, ways[..., 0])
        front = smoothstep(0.2, 0.8, -ways[..., 1]) * over
        full = full * (0.32 + 0.68 * over) * (1.0 + 0.2 * front)
        full = full * (0.30 + 0.70 * smoothstep(0.0, 0.22, t))
    settle = 0.10 + 0.90 * smoothstep(1.0, 0.66, t)
    return np.asarray(0.0015 + full * settle * wearer.length)


def _edge(wearer: Wearer) -> Floats:
    """Return the fine strands [k, 8, 3] at the forehead of hair without a fringe."""
    line = hairline(wearer.who.hair.style)
    return edge_strands(wearer.skull, wearer.marks, line, (0.012, 0.0095), 8, wearer.rng, _EDGE)


def _cards(wearer: Wearer, cut: Cut, shell: Floats) -> Floats:
    """Return the paths of loose locks [k, 8, 3] along `shell` [n, s, 3], ends standing off."""
    rng, count = wearer.rng, cut.locks
    # More of them in front, where they are seen.
    spread = np.clip(0.5 + 0.22 * rng.standard_normal(count), 0.0, 0.999)
    chosen = between(shell, spread * (len(shell) - 1))
    begin = 0.02 + 0.76 * rng.random(count) ** 0.8
    end = np.minimum(begin + 0.28 + 0.25 * rng.random(count), 1.0)
    paths = stretch(chosen, begin, end, 8)
    out = unit(paths - wearer.skull.centre)
    t = np.linspace(0.0, 1.0, 8)[None, :, None]
    stand = (0.0035 * np.abs(rng.standard_normal((count, 1, 1)))) * t**2 * (0.3 + cut.top / 0.030)
    aside = unit(np.cross(out, np.gradient(paths, axis=1)))
    lean = 0.004 * rng.standard_normal((count, 1, 1)) * t**1.5 * (cut.top / 0.021)
    return np.asarray(paths + out * stand + aside * lean, np.float32)
