"""A watch at the left wrist."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import unit
from avatar.body.source import SKIN_VERTICES, Body
from avatar.body.surface import Surface
from avatar.wardrobe.ornaments_solids import Solid, joined, tube, turned

Floats = NDArray[np.floating[Any]]

_AROUND: Final = 48
_STRAP: Final = 0.0085  # half its width, metres
_CASE: Final = 0.0165  # radius


class Wrist:
    """Axes and outline of the left wrist, where a strap lies."""

    def __init__(self, body: Body, clothes: Sequence[Surface]) -> None:
        elbow, wrist = body.joint("lowerarm01.L"), body.joint("wrist.L")
        self.along = unit(wrist - elbow)
        hand = unit(body.joint("finger3-1.L") - wrist)
        self.back = -unit(np.cross(hand, body.joint("finger2-1.L") - body.joint("finger5-1.L")))
        self.back = unit(self.back - (self.back @ self.along) * self.along)
        self.side = np.cross(self.along, self.back)
        start = max(-0.030, _sleeve(clothes, wrist, self.along) + _STRAP + 0.002)
        self.middle = wrist + min(start, 0.006) * self.along
        skin = body.vertices[:SKIN_VERTICES]
        away = skin - self.middle
        axial = away @ self.along
        off = away - axial[:, None] * self.along
        near = (np.abs(axial) < _STRAP + 0.004) & (np.linalg.norm(off, axis=1) < 0.06)
        self.weights = body.weights[:SKIN_VERTICES][near].mean(0)
        centre = off[near].mean(0)
        self.middle = self.middle + centre
        self.radius = self._outline(off[near] - centre)

    def _outline(self, points: Floats) -> Floats:
        """Return the strap's distance [48] from the middle: convex, as a strap under tension."""
        angle = 2.0 * np.pi * np.arange(_AROUND) / _AROUND
        flat = np.stack([points @ self.back, points @ self.side], 1)
        directions = np.stack([np.cos(angle), np.sin(angle)], 1)
        reach = (flat @ directions.T).max(0) + 0.0012
        # The convex outline is where the half planes of all directions meet.
        facing = directions @ directions.T
        limits = np.where(facing > 0.05, reach[:, None] / np.maximum(facing, 0.05), np.inf)
        return np.asarray(limits.min(0))

    def ring(self, grow: float, shift: float) -> Floats:
        """Return the outline [48, 3] grown outwards and moved along the arm."""
        angle = 2.0 * np.pi * np.arange(_AROUND) / _AROUND
        directions = np.cos(angle)[:, None] * self.back + np.sin(angle)[:, None] * self.side
        return np.asarray(
            self.middle + (self.radius + grow)[:, None] * directions + shift * self.along
        )

    @property
    def dial(self) -> Floats:
        """Return the place [3] of the case's underside."""
        return np.asarray(self.middle + self.radius[0] * self.back)


def _sleeve(clothes: Sequence[Surface], wrist: Floats, along: Floats) -> float:
    """Return where the left sleeve ends along the forearm, metres from the wrist."""
    end = -np.inf
    for surface in clothes:
        away = surface.positions - wrist
        axial = away @ along
        off = np.linalg.norm(away - axial[:, None] * along, axis=1)
        near = (off < 0.07) & (np.abs(axial) < 0.12) & (surface.positions[:, 0] > 0.0)
        if near.any():
            end = max(end, float(axial[near].max()))
    return end


def watch(body: Body, clothes: Sequence[Surface]) -> tuple[Solid, Solid, Solid, Floats]:
    """Return strap, case and dial, and the weights [104] that all of it follows."""
    wrist = Wrist(body, clothes)
    strap = tube(wrist.ring(0.0006, 0.0), wrist.along, (_STRAP, 0.0011), closed=True, sides=12)
    r = _CASE
    case = turned(
        (
            (0.8 * r, -0.0015), (r, 0.0), (1.03 * r, 0.003), (r, 0.0058),
            (0.93 * r, 0.0070), (0.86 * r, 0.0070), (0.84 * r, 0.0056),
        ),
        wrist.dial, wrist.back, 36, flat=True,
    )  # fmt: skip
    crown = turned(
        ((0.0, -0.002), (0.0021, -0.002), (0.0021, 0.002), (0.0012, 0.0026), (0.0, 0.0026)),
        wrist.dial + 0.0032 * wrist.back + 1.1 * r * wrist.along,
        wrist.along, 12, flat=True,
    )  # fmt: skip
    lugs = [_lug(wrist, a, b) for a in (-1.0, 1.0) for b in (-1.0, 1.0)]
    return strap, joined([case, crown, *lugs, *_hands(wrist)]), _face(wrist), wrist.weights


def _lug(wrist: Wrist, side: float, end: float) -> Solid:
    base = wrist.dial + end * 0.0068 * wrist.along + 0.0030 * wrist.back
    path = np.stack(
        [
            base + side * share * _CASE * wrist.side - drop * wrist.back
            for share, drop in ((0.80, 0.0), (1.05, 0.0008), (1.22, 0.0034))
        ]
    )
    return tube(path, wrist.along, (0.0017, 0.0017), sides=6)


def _face(wrist: Wrist) -> Solid:
    r = 0.86 * _CASE
    return turned(((r, 0.0057), (0.5 * r, 0.0058), (0.0, 0.0058)), wrist.dial, wrist.back, 32)


def _hands(wrist: Wrist) -> list[Solid]:
    """Return the hands at ten past ten, and twelve marks."""
    face = wrist.dial + 0.0061 * wrist.back
    # Twelve o'clock points away from the thumb's side of the strap.
    up, right = wrist.side, -np.cross(wrist.back, wrist.side)
    out = []
    for minutes, inner, outer, half in (
        (50.8, -0.15, 0.46, 0.00075), (10.0, -0.18, 0.70, 0.00055),
        *((5.0 * hour, 0.70, 0.80, 0.00045) for hour in range(12)),
    ):  # fmt: skip
        angle = 2.0 * np.pi * minutes / 60.0
        way = np.cos(angle) * up + np.sin(angle) * right
        path = np.stack([face + share * _CASE * way for share in (inner, outer)])
        out.append(tube(path, np.cross(wrist.back, way), (half, 0.0003), sides=4))
    return out
