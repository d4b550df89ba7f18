"""Blazers."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import compact, unit
from avatar.body.surface import Surface
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.buttons import button
from avatar.wardrobe.collars import collar
from avatar.wardrobe.fitting import LAYERS, Fitting, GarmentResult, Rule, Worn, above
from avatar.wardrobe.folds import Folds
from avatar.wardrobe.seams import Seam, edge_seam
from avatar.wardrobe.sewing import hidden, sewn, trimmed
from avatar.wardrobe.shell import Drape, draped, long_sleeve, panelled, round_neck
from avatar.wardrobe.tailor import Cloth, joined, offset

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Front:
    """The front of a blazer: where it closes, and how far it opens above.

    Attributes:
        button: height of the upper button. top: height where the roll line meets the neck.
        half: half the opening's width there. neck: y of the neck's base. Metres.
    """

    button: float
    top: float
    half: float
    neck: float

    @classmethod
    def of(cls, fit: Fitting) -> "Front":
        """Lay out the front for a person."""
        side = float(fit.neck.radius[[9, 27]].mean()) + 0.012
        button = fit.waist_seam + 0.055
        return cls(button, float(fit.neck.base[2]) + 0.004, side, float(fit.neck.base[1]))

    def opening(self, points: Floats) -> Floats:
        """Open above the button, and rounded away below it."""
        x, y, z = points.T
        return np.where(y < self.neck + 0.01, np.abs(x) - self.half_opening(z), 1.0)

    def half_opening(self, z: Floats) -> Floats:
        """Half the width of the opening at height `z`."""
        up = np.clip((z - self.button) / (self.top - self.button), 0.0, 1.1)
        down = np.clip(self.button - 0.10 - z, 0.0, 0.3)
        return np.asarray(np.where(z > self.button, self.half * up**0.92, 1.3 * down**2) - 0.002)

    def seen(self, points: Floats) -> NDArray[np.bool_]:
        """Return what [n] of the clothes beneath can be seen past the blazer."""
        x, y, z = points.T
        front = (np.abs(x) < self.half_opening(z) + 0.035) & (y < self.neck + 0.03)
        return np.asarray(front | ((z > self.top - 0.045) & (np.abs(x) < self.half + 0.02)))

    def overlap(self, points: Floats) -> Floats:
        """The strip of the right front that lies over the left one."""
        x, y, z = points.T
        strip = np.minimum(0.022 - x, x + 0.030)
        return np.where(y < self.neck, np.minimum(strip, self.button + 0.004 - z), -1.0)


def blazer(fit: Fitting, piece: PieceSpec, worn: Worn) -> GarmentResult:
    """Make a blazer with notched lapels, a button, pockets and a padded shoulder."""
    front = Front.of(fit)
    man = 1.0 - worn.who.body.gender
    drape = Drape(
        LAYERS["outer"], 0.30 + 0.35 * man, (0.0, -0.001, 0.0), Folds(0.0012, 0.0010, 0.0012),
        pad=0.007,
    )  # fmt: skip
    shell = draped(fit, drape, _under(fit, worn))
    hem = above(fit.hem - 0.045)
    rules = (front.opening, round_neck(fit, 0.012, 0.012, 0.010), long_sleeve(fit, 0.95), hem)
    cut = trimmed(shell, rules)
    pieces = [
        hidden(trimmed(shell, rules, 0.0045), front.overlap, _flaps(fit, front)),
        trimmed(offset(shell, 0.0024), (front.opening, front.overlap, hem), 0.0026),
    ]
    flaps = [
        trimmed(offset(shell, rise), (pocket, hem), rise)
        for rise, pocket in ((0.0026, _flaps(fit, front)), (0.0022, _breast(fit, front)))
    ]
    body = sewn("jacket", panelled(fit, joined(pieces)), piece)
    surfaces = [
        body,
        sewn("pockets", panelled(fit, joined(flaps)), piece, tint=0.9, edge=0.7),
        *_lapels(fit, front, cut, piece),
        button(body, 0.004, front.button - 0.012, 0.0085),
        button(body, 0.004, front.button - 0.105, 0.0085, name="lower-button"),
    ]
    return GarmentResult(surfaces, fit.covered(rules))


def shown_past_blazer(fit: Fitting, surface: Surface) -> Surface | None:
    """Return what of a surface beneath can be seen past a blazer, None when nothing can."""
    points = surface.positions
    front = Front.of(fit)
    seen = front.seen(points) | (points[:, 2] < fit.hem - 0.02) & (fit.form.arm(points) < 0.0)
    triangles = surface.triangles[seen[surface.triangles].any(1)]
    if not len(triangles):
        return None
    used, numbered = compact(triangles)
    columns = {
        name: column[used]
        for name in ("positions", "normals", "uv", "weights", "shade", "tangents")
        if (column := getattr(surface, name)) is not None
    }
    return replace(surface, triangles=numbered, **columns)


def _under(fit: Fitting, worn: Worn) -> list[Surface]:
    """Return the surfaces to keep clear of: all but what stands up at the neck."""
    return [s for s in worn.beneath if fit.neck.away(s.positions).mean() > 0.03]


def _lapels(fit: Fitting, front: Front, cut: Cloth, piece: PieceSpec) -> list[Surface]:
    """Return the two lapels, and the collar that joins them at a notch."""
    middle = np.array([0.0, front.neck - 0.05, 0.5 * (front.top + front.button)])
    ring = edge_seam(cut, middle, 320, rounds=10)
    whole = ring.between(ring.points[:, 2] > front.button + 0.004, 230)
    gorge = front.button + 0.90 * (front.top - front.button)
    facing = whole.points[:, 1] < front.neck + 0.03
    low = (whole.points[:, 2] < gorge) & facing
    # The collar's ends lie over the lapels' upper edges, and leave them at the notch.
    lowest = (whole.points[:, 2] < gorge - 0.010) & facing
    surfaces = []
    for name, chosen in (("left", whole.points[:, 0] > 0.0), ("right", whole.points[:, 0] < 0.0)):
        part = _stretch(whole, low & chosen)
        lapel = _lapel(fit, front, gorge, cut, part)
        # The stripes of a lapel run along it.
        lapel = replace(lapel, uv=lapel.uv[:, ::-1])
        surfaces.append(sewn(f"lapel-{name}", lapel, piece, tint=1.06))
    surfaces.append(sewn("jacket-collar", _collar(fit, cut, _stretch(whole, ~lowest)), piece))
    return surfaces


def _lapel(fit: Fitting, front: Front, gorge: float, cut: Cloth, seam: Seam) -> Cloth:
    up = (seam.points[:, 2] - front.button) / (gorge - front.button)
    share = np.clip(up, 0.0, 1.0)
    return collar(
        fit, cut, seam,
        stand=0.003 + 0.004 * share,
        fall=0.004 + 0.47 * float(fit.form.shoulder[0]) * share,
        spread=-0.004 * share**8,
        margin=0.006,
        up=unit(0.7 * seam.away + 0.7 * seam.normals),
        out=-seam.away,
        roll=0.0022, thickness=0.0042, lift=(0.0040, 0.0058),
    )  # fmt: skip


def _collar(fit: Fitting, cut: Cloth, seam: Seam) -> Cloth:
    ends = np.abs(np.linspace(-1.0, 1.0, len(seam.points)))
    return collar(
        fit, cut, seam,
        stand=0.028 - 0.020 * ends**2.5,
        fall=0.037 + 0.010 * ends**6,
        spread=-0.012 * ends**6,
        margin=0.006,
        roll=0.003, thickness=0.0038, lift=(0.0060, 0.0080),
    )  # fmt: skip


def _stretch(seam: Seam, chosen: NDArray[np.bool_]) -> Seam:
    """Return a stretch of an open seam."""
    index = np.flatnonzero(chosen)
    part = slice(index[0], index[-1] + 1)
    return Seam(seam.points[part], seam.normals[part], seam.away[part], closed=False)


def _flaps(fit: Fitting, front: Front) -> Rule:
    """Two pocket flaps, a little aslant."""
    middle = 0.68 * float(fit.form.shoulder[0])

    def rule(points: Floats) -> Floats:
        x, y, z = np.abs(points[:, 0]), points[:, 1], points[:, 2]
        height = z - (front.button - 0.135) + 0.10 * (x - middle)
        flap = np.minimum(0.022 - np.abs(height), 0.062 - np.abs(x - middle))
        return np.where(y < front.neck + 0.04, flap, -1.0)

    return rule


def _breast(fit: Fitting, front: Front) -> Rule:
    """A welt on the wearer's left breast."""
    middle = 0.64 * float(fit.form.shoulder[0])

    def rule(points: Floats) -> Floats:
        x, y, z = points.T
        height = z - float(fit.torso.armpit) + 0.010 - 0.14 * (x - middle)
        flap = np.minimum(0.011 - np.abs(height), 0.046 - np.abs(x - middle))
        return np.where(y < front.neck + 0.02, flap, -1.0)

    return rule
