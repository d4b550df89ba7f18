"""Hair that falls from a parting: long, in waves, and to the chin."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import unit
from avatar.body.noise import smoothstep
from avatar.body.surface import Surface, stack
from avatar.hair.combed import Parting, columns, combed
from avatar.hair.fringe import hairline_strip
from avatar.hair.parts import Wearer
from avatar.hair.ribbons import ROW, ribbons, sheet

Floats = NDArray[np.floating[Any]]
Triangles = NDArray[np.int32]

_COLUMNS: Final = 30
_OVER: Final = 12
_DOWN: Final = 13
_TIPS: Final = 2


@dataclass(frozen=True, slots=True)
class Fall:
    """How hair hangs below the temples; lengths in metres on the reference head.

    Attributes:
        length: height of the ends above the eye (negative). nape: how much shorter it is behind.
        wave: metres to either side. turns: waves between temple and end.
        body: how much wider it hangs than the head. inward: how far its ends turn in.
        forward: how far the side hair comes to the front of the shoulder, share.
        locks: how many single locks a side stand off it.
    """

    parting: Parting
    length: float
    nape: float
    wave: float
    turns: float
    body: float
    inward: float
    forward: float
    locks: int


_LONG: Final = Fall(
    Parting(10.0, 106.0, 62.0, 0.020, 0.0035, 0.0100, 0.15, 0.5, 1.0, 0.08),
    -0.245, 0.0, 0.0035, 1.1, 0.020, 0.010, 1.0, 0,
)  # fmt: skip
_WAVES: Final = Fall(
    Parting(-22.0, 106.0, 62.0, 0.022, 0.0060, 0.0120, 0.25, 0.7, 1.0, 0.14),
    -0.285, 0.0, 0.0190, 1.9, 0.036, 0.0, 1.0, 12,
)  # fmt: skip
_BOB: Final = Fall(
    Parting(24.0, 106.0, 61.0, 0.024, 0.0050, 0.0120, 0.25, 0.5, 1.0, 0.06),
    -0.126, 0.020, 0.0010, 0.6, 0.016, 0.026, 0.5, 0,
)  # fmt: skip


def long(wearer: Wearer) -> list[Surface]:
    """Straight past the shoulders."""
    return _fallen(wearer, _LONG)


def waves(wearer: Wearer) -> list[Surface]:
    """To the chest in wide waves, from a parting at the side."""
    return _fallen(wearer, _WAVES)


def bob(wearer: Wearer) -> list[Surface]:
    """To the chin, full, tips turned in."""
    return _fallen(wearer, _BOB)


def _fallen(wearer: Wearer, fall: Fall) -> list[Surface]:
    centre = wearer.skull.centre
    closed, frayed, loose = [], [], []
    for side in (1.0, -1.0):
        paths = _paths(wearer, fall, side, columns(_COLUMNS))
        rows, whole, ends = _sheet(wearer, paths, side)
        closed.append((rows, whole))
        frayed += [(rows, ends), _front(wearer, rows, side)]
        if fall.locks:
            locks = _locks(wearer, paths, fall.locks)
            loose.append(ribbons(locks, centre, wearer.rng, 0.008))
    parts = [wearer.closed(*stack(closed)), wearer.frayed(*stack(frayed))]
    return [*parts, wearer.loose(*stack(loose))] if loose else parts


def _front(wearer: Wearer, rows: Floats, side: float) -> tuple[Floats, Triangles]:
    """Return the soft edge of one side's `rows` over forehead and temple."""
    strands = rows.reshape(_COLUMNS, -1, ROW)[:, : _OVER - 1]
    edge = strands[0, :, :3]
    reach = 0.009 * smoothstep(0.95, 0.55, np.linspace(0.0, 1.0, len(edge)))
    return hairline_strip(wearer, strands[1], edge, edge, reach, side * 0.028)


def _sheet(wearer: Wearer, paths: Floats, side: float) -> tuple[Floats, Triangles, Triangles]:
    """Return rows, closed and frayed triangles of one side [n, s, 3]."""
    rows, whole, frayed = sheet(paths, wearer.skull.centre, mirrored=side < 0.0, tips=_TIPS)
    # Where both sides meet their highlights must agree: strands start along the parting.
    parting = np.repeat(unit(np.gradient(paths[:, 0], axis=0)), paths.shape[1], axis=0)
    share = smoothstep(0.0, 0.16, rows[:, 11])[:, None]
    rows[:, 6:9] = unit(parting * (1.0 - share) + rows[:, 6:9] * share)
    return rows, whole, frayed


def _paths(wearer: Wearer, fall: Fall, side: float, place: Floats) -> Floats:
    """Return one side's strands [n, 25, 3] from forehead to nape."""
    over = combed(wearer, fall.parting, side, place, _leaving(side, place), _OVER)
    paths = np.concatenate([over, _hanging(wearer, fall, side, over[:, -1], place)], 1)
    for _ in range(8):
        middle = 0.25 * paths[:, _OVER - 5 : _OVER + 2] + 0.25 * paths[:, _OVER - 3 : _OVER + 4]
        paths[:, _OVER - 4 : _OVER + 3] = 0.5 * paths[:, _OVER - 4 : _OVER + 3] + middle
    return paths


def _leaving(side: float, place: Floats) -> Floats:
    """Return directions [n, 3] where strands leave the skull, by their place."""
    azimuth = np.radians(np.interp(place, [0.0, 0.3, 0.55, 0.8, 1.0], [66, 84, 116, 152, 180]))
    polar = np.radians(np.interp(np.degrees(azimuth), [66, 90, 180], [92, 93, 86]))
    sideways = side * np.sin(azimuth) * np.sin(polar)
    ways = [sideways, -np.cos(azimuth) * np.sin(polar), np.cos(polar)]
    return np.stack(ways, 1).astype(np.float32)


def _hanging(wearer: Wearer, fall: Fall, side: float, start: Floats, place: Floats) -> Floats:
    """Return the free part [n, 13, 3]: outside the ears, on the shoulders, ends turned in."""
    marks, shoulders = wearer.marks, wearer.shoulders
    around = np.abs(marks.azimuth(start))
    radius = np.hypot(start[:, 0], start[:, 1] - marks.axis)
    # In front of the shoulder or behind it; a parting runs between the two.
    ahead = 0.64 + 0.40 * np.clip((around - 1.15) / 0.9, 0.0, 1.0)
    goal = np.where(around < 1.95, around + fall.forward * (ahead - around), around)
    u = np.linspace(0.0, 1.0, _DOWN + 1)[1:][None]
    turned = around[:, None] + (goal - around)[:, None] * smoothstep(0.15, 0.9, u)
    end = _ends(wearer, fall, place, around)
    end = shoulders.resting(side * goal, radius + 0.4 * fall.body, start[:, 2], end)
    height = start[:, 2:3] + (end - start[:, 2])[:, None] * u
    swing = smoothstep(0.05, 0.5, u) * np.sin(2 * np.pi * fall.turns * u + _phase(place, side))
    full = fall.body * np.sin(np.pi * np.clip(0.15 + 0.75 * u, 0, 1)) - fall.inward * u**3
    wide = radius[:, None] + (full + fall.wave * swing) * marks.scale
    turned = turned + 8.0 * fall.wave * np.cos(2 * np.pi * fall.turns * u + _phase(place, side)) * u
    beneath = shoulders.radius(side * turned, height) + 0.006
    wide = np.maximum(wide, np.minimum(beneath, wide + 0.07))
    for _ in range(2):
        wide[:, 1:-1] = np.maximum(
            0.25 * wide[:, :-2] + 0.5 * wide[:, 1:-1] + 0.25 * wide[:, 2:], wide[:, 1:-1] - 0.002
        )
    points = [side * np.sin(turned) * wide, marks.axis - np.cos(turned) * wide, height]
    return np.stack(points, -1).astype(np.float32)


def _ends(wearer: Wearer, fall: Fall, place: Floats, around: Floats) -> Floats:
    """Return the height of each strand's end [n]: uneven, and longer in front for a bob."""
    lowest = (fall.length + 0.03) * wearer.length - 0.03
    below = lowest + fall.nape * smoothstep(1.6, 2.9, around)
    uneven = 0.006 * np.sin(61.0 * place) + 0.004 * np.sin(143.0 * place + 1.0)
    share = 0.4 if fall.length > -0.16 else 1.4
    return np.asarray(wearer.marks.eye[2] + (below + share * uneven) * wearer.marks.scale)


def _phase(place: Floats, side: float) -> Floats:
    """Return the phase of the wave of strands [n, 1], so that neighbours wave together."""
    return np.asarray(0.7 * np.sin(5.0 * place) + 0.35 * np.sin(19.0 * place) + 0.4 * side)[:, None]


def _locks(wearer: Wearer, paths: Floats, count: int) -> Floats:
    """Return thin locks [count, 9, 3] that stand a little off the outline of `paths`."""
    rng = wearer.rng
    chosen = paths[rng.integers(4, len(paths) - 6, count)]
    first = rng.integers(1, paths.shape[1] - 9, count)
    parts = np.stack([path[begin : begin + 9] for path, begin in zip(chosen, first, strict=True)])
    out = unit(parts - np.array([0.0, wearer.marks.axis, 0.0]) - parts[..., 2:] * [0.0, 0.0, 1.0])
    bow = np.sin(np.pi * np.linspace(0.0, 1.0, 9))[None, :, None]
    stand = 0.0004 + 0.0018 * rng.random((count, 1, 1)) * bow
    return np.asarray(parts + out * stand, np.float32)
