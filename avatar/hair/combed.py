"""Hair laid from a parting over both sides of the head, its front edge along the hairline."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import unit
from avatar.body.noise import smoothstep
from avatar.hair.comb import arcs, on_skull, rim
from avatar.hair.hairlines import hairline
from avatar.hair.parts import Wearer

Floats = NDArray[np.floating[Any]]

# Columns of one side as shares of the way from the hairline in front to the nape. The first ones
# lie close together: there the hair rises from the forehead.
EDGE: Final = (0.0, 0.012, 0.030, 0.060, 0.110)
# How high those first columns stand, share of the full lift.
_RISE: Final = (0.02, 0.26, 0.52, 0.78, 1.0)


@dataclass(frozen=True, slots=True)
class Parting:
    """Where hair parts and how it lies beside that; lengths in metres on the reference head.

    Attributes:
        aside: azimuth of the parting's front end, degrees, positive to the left.
        back: where its back end lies, degrees behind the crown.
        temple: azimuth where the front edge leaves the hairline, degrees.
        below: how far under the hairline the front edge comes at the temple.
        root: how high hair stands at the parting; full: on top and at the sides.
        front: how much higher it stands over the forehead, share; sides: likewise where it ends.
        free: how far the front edge leaves the skin below the temple, 0 to 1.
        relief: how deep it is parted into locks, share of its height.
    """

    aside: float
    back: float
    temple: float
    below: float
    root: float
    full: float
    front: float
    sides: float
    free: float
    relief: float


def columns(count: int) -> Floats:
    """Return `count` places from the hairline, 0, to the nape, 1; the first ones close."""
    rest = np.linspace(EDGE[-1], 1.0, count - len(EDGE) + 1)[1:]
    return np.concatenate([np.array(EDGE), rest])


def combed(
    wearer: Wearer, parting: Parting, side: float, place: Floats, end: Floats, steps: int
) -> Floats:
    """Return strands [n, steps, 3] of one side from the parting to `end`.

    Args:
        side: +1 for the left side of the head, -1 for the right.
        place: [n], as `columns` gives.
        end: directions [n, 3] from the skull's centre where strands leave it.
    """
    t = np.linspace(0.0, 1.0, steps)
    ways = arcs(_roots(wearer, parting, place), end, t)
    edge = _front_edge(wearer, parting, side, t, end[0])
    hold = smoothstep(0.34, 0.0, place)[:, None, None]
    ways = unit(ways + hold * (edge - ways[0])[None])
    return on_skull(wearer.skull, ways, _lift(wearer, parting, place, ways, t))


def _roots(wearer: Wearer, parting: Parting, place: Floats) -> Floats:
    """Return directions [n, 3] along the parting, its front end at the hairline."""
    line = hairline(wearer.who.hair.style)
    tip = rim(wearer.skull, wearer.marks, line, np.array([parting.aside]), np.array([-0.006]))[0]
    aside = np.sin(np.radians(parting.aside))
    back = np.radians(parting.back)
    stations = np.array(
        [
            tip,
            [0.62 * aside, -0.30, 0.90],
            [0.40 * aside, 0.15, 0.98],
            [0.0, np.sin(back), np.cos(back)],
        ]
    )
    at = np.clip(place / 0.85, 0.0, 1.0) ** 0.9
    found = [np.interp(at, [0.0, 0.26, 0.52, 1.0], column) for column in unit(stations).T]
    return np.asarray(unit(np.stack(found, 1)), np.float32)


def _front_edge(wearer: Wearer, parting: Parting, side: float, t: Floats, end: Floats) -> Floats:
    """Return directions [s, 3] along the hairline to the temple, and from there to `end` [3]."""
    line = hairline(wearer.who.hair.style)
    azimuth = parting.aside + (side * parting.temple - parting.aside) * np.clip(t / 0.8, 0, 1)
    # The parting's own end lies on the line, so that both sides meet there.
    below = parting.below * np.clip(t / 0.8, 0.0, 1.0) ** 1.5 - 0.006
    along = rim(wearer.skull, wearer.marks, line, azimuth, below)
    leave = smoothstep(0.55, 1.0, t)[:, None]
    return np.asarray(unit(along * (1.0 - leave) + end * leave))


def _lift(wearer: Wearer, parting: Parting, place: Floats, ways: Floats, t: Floats) -> Floats:
    """Return how far strands stand off the skull, [n, s] metres."""
    rise = np.interp(place, EDGE, _RISE)[:, None]
    rise = rise + parting.free * (1.0 - rise) * smoothstep(0.60, 0.95, t)
    root = smoothstep(-0.02, 0.20, t)
    dome = 1.0 + 0.25 * np.sin(np.pi * np.clip(1.2 * t, 0.0, 1.0)) + parting.sides * t**2.2
    ahead = 1.0 + parting.front * smoothstep(0.1, 0.75, -ways[..., 1])
    full = parting.root + (parting.full * dome * ahead - parting.root) * root
    locks = np.sin(62.0 * place + 1.3 * np.sin(23.0 * place))[:, None] * np.sin(np.pi * t) ** 0.5
    full = full * (1.0 + parting.relief * locks)
    return np.asarray(0.0005 + rise * full * wearer.marks.scale)
