"""Blazers."""

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import compact
from avatar.body.noise import smoothstep
from avatar.body.surface import Surface
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.buttons import button
from avatar.wardrobe.chart import Chart
from avatar.wardrobe.collars import charted, collar, neckline, open_seam, outline
from avatar.wardrobe.fitting import LAYERS, Fitting, GarmentResult, Rule, Worn, above, below
from avatar.wardrobe.folds import Folds
from avatar.wardrobe.sewing import hidden, seam_line, sewn, trimmed
from avatar.wardrobe.shell import Drape, draped, long_sleeve, panelled, round_neck
from avatar.wardrobe.tailor import Cloth, joined, offset

Floats = NDArray[np.floating[Any]]

# How far the fronts lie over each other, and how far what lies under another piece goes on, metres.
_LAP: Final = 0.017
_GOES_ON: Final = 0.012
# Where the plain part of the lower front begins, from the middle.
_STRIP: Final = 0.05
# Slope of the seam between lapel and collar, and the share of it that they have in common.
_GORGE: Final = 0.42
_NOTCH: Final = 0.55


@dataclass(frozen=True, slots=True)
class Front:
    """The front of a blazer, seen from in front: one side lies over the other.

    Attributes:
        over: 1 where the wearer's left lies on top, -1 where the right does.
        button: height of the upper button, where the lapels' folds begin.
        top: height where the folds meet the neck. half: half the opening's width there.
        gorge: height on the folds where the collar is sewn to the lapels.
        lapel: width of the lapels, metres along x.
        neck: y of the neck's base. Metres.
    """

    over: float
    button: float
    top: float
    half: float
    gorge: float
    lapel: float
    neck: float

    @classmethod
    def of(cls, fit: Fitting, worn: Worn) -> "Front":
        """Lay out the front for a person."""
        side = float(fit.neck.radius[[9, 27]].mean()) + 0.010 + _beside(worn)
        button = fit.waist_seam + 0.055
        top = float(fit.neck.base[2]) + 0.004
        over = 1.0 if worn.who.body.gender < 0.5 else -1.0
        gorge = button + 0.88 * (top - button)
        lapel = 0.44 * float(fit.form.shoulder[0])
        return cls(over, button, top, side, gorge, lapel, float(fit.neck.base[1]))

    def fold(self, z: Floats) -> Floats:
        """How far from the middle, on its own side, a front's edge lies at height `z`."""
        up = np.clip((z - self.button) / (self.top - self.button), 0.0, 1.1)
        down = np.clip(self.button - 0.115 - z, 0.0, 0.3)
        return np.asarray(-_LAP + (self.half + _LAP) * up + 1.5 * down**2)

    def within(self, points: Floats, side: float) -> Floats:
        """How far points lie inside one front's edge: 1 the wearer's left, -1 the right."""
        return np.asarray(side * points[:, 0] - self.fold(points[:, 2]))

    def inside(self, side: float) -> Rule:
        """Return `within` of one front as a rule."""
        return lambda points: self.within(points, side)

    def facing(self, points: Floats) -> NDArray[np.bool_]:
        """Whether points [n] are of the front."""
        return np.asarray(points[:, 1] < self.neck + 0.01)

    def opening(self, points: Floats) -> Floats:
        """Open between both folds."""
        wide = np.abs(points[:, 0]) - self.fold(points[:, 2])
        return np.where(self.facing(points), wide, 1.0)

    def upper_side(self, points: Floats) -> Floats:
        """All but the strip of the other front that goes on under it."""
        other = -self.over * points[:, 0] - np.maximum(_STRIP, self.fold(points[:, 2]))
        kept = np.maximum(self.within(points, self.over), other)
        return np.where(self.facing(points), kept, 1.0)

    def buttoned(self, points: Floats) -> Floats:
        """What lies on the upper front's side of the strip."""
        return np.asarray(self.over * points[:, 0] + _STRIP - 0.01)

    def under_strip(self, points: Floats) -> Floats:
        """That strip, as far as it is needed."""
        kept = np.minimum(self.within(points, -self.over), self.over * points[:, 0] + _STRIP)
        return np.where(self.facing(points), np.minimum(kept, self.uncovered(points)), -1.0)

    def uncovered(self, points: Floats) -> Floats:
        """What of the other front shows past the upper one, or lies just under its edge."""
        return _GOES_ON - self.within(points, self.over)

    def under_lapel(self, points: Floats) -> Floats:
        """What of the other lapel shows, or lies well under the upper one."""
        _, long = self.lapel_edges(self.over)
        return np.asarray(np.maximum(long(points) - 0.003, -self.within(points, self.over)))

    def raised(self, points: Floats) -> Floats:
        """How far the upper front stands off to lie over the other, metres [n]."""
        mine = self.over * points[:, 0]
        near = smoothstep(0.10, 0.03, mine) * smoothstep(-0.045, -0.030, mine)
        return np.asarray(0.0028 * near * self.facing(points))

    def turned_back(self, side: float) -> Rule:
        """The lapel of one side, without its fold."""
        edges = self.lapel_edges(side)

        def rule(points: Floats) -> Floats:
            inside = np.minimum.reduce([edge(points) for edge in edges])
            fold = side * points[:, 0] - self.fold(points[:, 2]) + 0.001
            return np.where(self.facing(points), np.minimum(inside, fold), -1.0)

        return rule

    def lapel_edges(self, side: float) -> tuple[Rule, Rule]:
        """The two edges of one side's lapel: along the collar's seam, and the long one."""

        def top(points: Floats) -> Floats:
            along = side * points[:, 0] - self.fold(np.array(self.gorge))
            inside = self.gorge - _GORGE * along - points[:, 2]
            return np.where(self.facing(points), inside, -1.0)

        def long(points: Floats) -> Floats:
            z = points[:, 2]
            up = (z - self.button - 0.008) / (self.tip()[1] - self.button - 0.008)
            wide = self.fold(z) + self.lapel * up * (1.2 - 0.2 * up)
            return np.asarray(wide - side * points[:, 0])

        return top, long

    def tip(self) -> tuple[float, float]:
        """Where a lapel is widest: from the middle, and height."""
        slope = (self.half + _LAP) / (self.top - self.button)
        down = _GORGE * self.lapel / (1.0 + _GORGE * slope)
        z = self.gorge - down
        return float(self.fold(np.array(z))) + self.lapel, z

    def collar_corners(self) -> Floats:
        """Where the collar leaves the lapel, and its own tip: x and z, float [2, 2]."""
        start = np.array([float(self.fold(np.array(self.gorge))), self.gorge - 0.003])
        notch = start + _NOTCH * (np.array(self.tip()) - start)
        return np.stack([notch, notch + 0.42 * self.lapel * np.array([0.72, 0.66])])

    def seen(self, points: Floats) -> NDArray[np.bool_]:
        """Return what [n] of the clothes beneath can be seen past the blazer."""
        x, z = points[:, 0], points[:, 2]
        front = np.abs(x) < self.fold(z) + 0.030
        front |= (z > self.top - 0.045) & (np.abs(x) < self.half + 0.02)
        return np.asarray(front & self.facing(points))


def blazer(fit: Fitting, piece: PieceSpec, worn: Worn) -> GarmentResult:
    """Make a blazer with notched lapels, two buttons, pockets and a padded shoulder."""
    front = Front.of(fit, worn)
    drape = Drape(
        LAYERS["outer"], 0.72, (-0.002, -0.005, -0.004), Folds(0.0016, 0.0010, 0.0012),
        pad=0.017,
    )  # fmt: skip
    shell = draped(fit, drape, _under(fit, worn))
    upper = offset(shell, front.raised(shell.base))
    beside = _beside(worn)
    neck = round_neck(fit, 0.012, 0.010 + beside, 0.008 + 0.6 * beside)
    ends = (neck, long_sleeve(fit, 0.95), above(fit.hem - 0.045))
    pockets = (_flaps(fit, front), _breast(fit, front))
    covers = [front.turned_back(side) for side in (1.0, -1.0)]
    pieces = [
        # No rim at the neck: the collar is sewn on there.
        hidden(
            trimmed(trimmed(upper, (*ends[1:], front.upper_side), 0.0045), ends[:1]),
            *covers,
            *pockets,
        ),
        hidden(trimmed(trimmed(shell, (*ends[1:], front.under_strip), 0.0045), ends[:1]), *covers),
        *(trimmed(offset(upper, 0.0022), (rule, *ends), 0.0024) for rule in pockets),
        *(seam_line(upper, ends, rule, 0.0029) for rule in pockets),
        seam_line(upper, (*ends, below(front.button), front.buttoned), front.upper_side, 0.0005),
    ]
    body = sewn("jacket", panelled(fit, joined(pieces)), piece, edge=0.5)
    outside = sewn("front", upper, piece)
    surfaces = [
        body,
        *_lapels(front, {front.over: upper, -front.over: shell}, piece),
        sewn("jacket-collar", _collar(fit, front, shell, neck, 0.0 if beside else 0.75), piece),
        button(outside, 0.0, front.button - 0.012, 0.0085),
        button(outside, 0.0, front.button - 0.105, 0.0085, name="lower-button"),
    ]
    covered = fit.covered((front.opening, *ends))
    return GarmentResult(surfaces, covered)


def shown_past_blazer(fit: Fitting, worn: Worn, surface: Surface) -> Surface | None:
    """Return what of a surface beneath can be seen past a blazer, None when nothing can."""
    points = surface.positions
    front = Front.of(fit, worn)
    if _at_neck(fit, surface):
        seen = front.opening(points) < 0.010
        seen |= (fit.neck.away(points) < 0.018) | ~front.facing(points)
    else:
        seen = front.seen(points)
        seen |= (points[:, 2] < fit.hem - 0.02) & (fit.form.arm(points) < 0.0)
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
    return [s for s in worn.beneath if not _at_neck(fit, s)]


def _beside(worn: Worn) -> float:
    """Return the room that a collar beneath takes beside the neck, metres."""
    upper = worn.piece("upper")
    return 0.010 if upper is not None and upper.garment in ("shirt", "blouse") else 0.0


def _at_neck(fit: Fitting, surface: Surface) -> bool:
    high = float(surface.positions[:, 2].min()) > fit.torso.armpit - 0.03
    return high and bool(fit.neck.away(surface.positions).mean() < 0.06)


def _lapels(front: Front, fronts: dict[float, Cloth], piece: PieceSpec) -> list[Surface]:
    """Return the two lapels: each front's own cloth, turned back over it at the fold."""
    surfaces = []
    for side, name in ((1.0, "left"), (-1.0, "right")):
        cloth = fronts[side]
        inside = front.within(cloth.base, side)
        # Cloth that is folded is round there, and lies flat farther out.
        height = 0.0052 + 0.0030 * np.exp(-((inside / 0.014) ** 2))
        rules = [front.inside(side), *front.lapel_edges(side)]
        if side != front.over:
            rules += [front.uncovered, front.under_lapel]
        lapel = trimmed(offset(cloth, height), rules, 0.0052)
        surfaces.append(
            sewn(f"lapel-{name}", _along_fold(front, lapel, side), piece, tint=1.18, edge=0.75)
        )
    return surfaces


def _along_fold(front: Front, lapel: Cloth, side: float) -> Cloth:
    """Let the grain of a lapel run along its fold."""
    across = front.within(lapel.base, side)
    return replace(lapel, uv=np.stack([across, lapel.base[:, 2]], 1).astype(np.float32))


def _collar(fit: Fitting, front: Front, shell: Cloth, neck: Rule, snug: float) -> Cloth:
    chart = Chart.of(fit, shell)
    whole = neckline(fit, shell, (front.opening, neck), 160)
    high = (whole.points[:, 2] > front.gorge - 0.003) | ~front.facing(whole.points)
    seam = open_seam(whole, high, 64)
    ends = np.abs(np.linspace(-1.0, 1.0, len(seam.points)))
    behind = smoothstep(1.6, 2.6, np.abs(fit.neck.angle(seam.points)))
    wide = fit.neck.scale**0.5 * (0.036 - 0.016 * behind)
    corners = charted(shell, front.collar_corners())
    edge = outline(fit, chart, seam, wide, corners, 1.5)
    return collar(
        fit, chart, seam, edge,
        stand=0.024 * fit.neck.scale**0.5 * (1.0 - ends**2.5),
        roll=0.0012 + 0.0018 * (1.0 - ends**4),
        thickness=0.0036, lift=(0.0085, 0.0062), snug=snug * behind,
    )  # fmt: skip


def _flaps(fit: Fitting, front: Front) -> Rule:
    """Two pocket flaps, a little aslant."""
    middle = 0.66 * float(fit.form.shoulder[0])

    def rule(points: Floats) -> Floats:
        x, y, z = np.abs(points[:, 0]), points[:, 1], points[:, 2]
        height = z - (front.button - 0.135) + 0.10 * (x - middle)
        flap = np.minimum(0.021 - np.abs(height), 0.058 - np.abs(x - middle))
        return np.where(y < front.neck + 0.04, flap, -1.0)

    return rule


def _breast(fit: Fitting, front: Front) -> Rule:
    """A welt on the wearer's left breast."""
    middle = 0.66 * float(fit.form.shoulder[0])

    def rule(points: Floats) -> Floats:
        x, y, z = points.T
        height = z - float(fit.torso.armpit) + 0.010 - 0.14 * (x - middle)
        flap = np.minimum(0.009 - np.abs(height), 0.040 - np.abs(x - middle))
        return np.where(y < front.neck + 0.02, flap, -1.0)

    return rule
