"""Shirts and blouses."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.noise import smoothstep
from avatar.body.surface import Surface
from avatar.spec.colour import linear
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.buttons import button
from avatar.wardrobe.collars import collar, neck_seam
from avatar.wardrobe.fitting import Fitting, GarmentResult, Rule, Worn, above
from avatar.wardrobe.folds import Folds
from avatar.wardrobe.seams import Seam
from avatar.wardrobe.sewing import hidden, sewn, strip_of, trimmed, within
from avatar.wardrobe.shell import Drape, creased, draped, long_sleeve, panelled, round_neck
from avatar.wardrobe.tailor import Cloth, joined, offset

Floats = NDArray[np.floating[Any]]


def shirt(fit: Fitting, piece: PieceSpec, worn: Worn) -> GarmentResult:
    """Make a buttoned shirt: collar with a stand, placket, cuffs, yoke and a breast pocket."""
    man = 1.0 - worn.who.body.gender
    drape = Drape(
        slack=0.42 + 0.38 * man,
        sleeve=(0.001, 0.003, 0.003),
        folds=Folds(0.0015, 0.0034, 0.0018),
        tucked=worn.tucked,
    )
    shell = draped(fit, drape, worn.beneath)
    rules = (round_neck(fit, 0.010, 0.007, 0.006), long_sleeve(fit, 0.97), above(fit.hem))
    strips = [
        strip_of(shell, rules, rules[1], 0.058, 0.0022),
        strip_of(shell, rules, rules[2], 0.014),
        _raised(shell, rules, _placket(fit, 0.016), 0.0016),
        _raised(shell, rules, _yoke(fit), 0.0014),
        _raised(shell, rules, _pocket(fit), 0.0012),
    ]
    over = (within(rules[1], 0.058), _placket(fit, 0.016), _yoke(fit), _pocket(fit))
    cloth = joined([hidden(trimmed(shell, rules, 0.002), *over), *strips])
    body = sewn("shirt", panelled(fit, cloth), piece, floor=0.32)
    return GarmentResult(
        [body, _collar(fit, trimmed(shell, rules), piece), *_buttons(fit, shell, piece)],
        fit.covered(rules, 0.012),
    )


def blouse(fit: Fitting, piece: PieceSpec, worn: Worn) -> GarmentResult:
    """Make a blouse: a soft collar, and wide sleeves gathered at the cuffs."""
    drape = Drape(
        slack=0.45,
        sleeve=(0.004, 0.020, 0.030),
        folds=Folds(0.0050, 0.0042, 0.0022),
        tucked=worn.tucked,
    )
    shell = gathered(fit, draped(fit, drape, worn.beneath))
    rules = (round_neck(fit, 0.020, 0.010, 0.008), long_sleeve(fit, 0.97), above(fit.hem))
    strips = [
        strip_of(shell, rules, rules[1], 0.042, 0.0020),
        strip_of(shell, rules, rules[2], 0.014),
        _raised(shell, rules, _placket(fit, 0.012), 0.0014),
    ]
    over = (within(rules[1], 0.042), _placket(fit, 0.012))
    cloth = joined([hidden(trimmed(shell, rules, 0.002), *over), *strips])
    cut = trimmed(shell, rules)
    seam = neck_seam(fit, cut, 0.10)
    ends = np.abs(np.linspace(-1.0, 1.0, len(seam.points)))
    made = collar(
        fit, cut, seam,
        stand=0.012 - 0.006 * ends**3,
        fall=0.046 + 0.012 * np.sin(np.pi * np.clip(ends, 0.5, 1.0)) - 0.010 * ends**12,
        spread=0.020 * ends**4,
        roll=0.004,
    )  # fmt: skip
    surfaces = [
        sewn("blouse", panelled(fit, cloth), piece, floor=0.34),
        sewn("collar", made, piece, plain=True, floor=0.4),
        *_buttons(fit, shell, piece, radius=0.0048),
    ]
    return GarmentResult(surfaces, fit.covered(rules, 0.012))


def gathered(fit: Fitting, shell: Cloth) -> Cloth:
    """Draw wide sleeves in to narrow cuffs, with the small folds that makes."""
    form = fit.fine
    along = form.along_forearm(shell.base)
    arm = (form.arm(shell.base) > 0.0) & (along > 0.2)
    length = float(np.linalg.norm(form.wrist - form.elbow))
    before = (0.97 - along) * length - 0.042
    held = smoothstep(0.035, 0.0, before) * arm
    turn = form.around_sleeve(shell.base)[:, 0] / 0.045
    small = np.exp(-(((before - 0.022) / 0.028) ** 2)) * arm * (before > 0.0)
    close = shell.base + form.cloth.normals * 0.0035
    points = shell.positions + held[:, None] * (close - shell.positions)
    points = points + (0.0022 * small * np.cos(14.0 * turn))[:, None] * shell.normals
    return creased(replace(shell, positions=points.astype(np.float32)))


def _collar(fit: Fitting, cut: Cloth, piece: PieceSpec) -> Surface:
    seam = _closed(neck_seam(fit, cut, 0.035))
    ends = np.abs(np.linspace(-1.0, 1.0, len(seam.points)))
    made = collar(
        fit, cut, seam,
        stand=0.030 - 0.010 * ends**4,
        fall=0.040 + 0.022 * ends**6,
        spread=0.034 * ends**8,
        thickness=0.0025,
    )  # fmt: skip
    return sewn("collar", made, piece, plain=piece.pattern != "pinstripes", floor=0.4)


def _closed(seam: Seam) -> Seam:
    """Draw the ends of a seam together, so that the stand closes at the throat."""
    ends = np.linspace(-1.0, 1.0, len(seam.points))
    middle = 0.5 * (seam.points[0] + seam.points[-1])
    near = np.clip((np.abs(ends) - 0.90) / 0.10, 0.0, 1.0)[:, None]
    moved = np.where(ends[:, None] < 0.0, middle - seam.points[0], middle - seam.points[-1])
    return replace(seam, points=seam.points + near * moved)


def _buttons(fit: Fitting, shell: Cloth, piece: PieceSpec, radius: float = 0.0055) -> list[Surface]:
    """Sew buttons from below the collar to the hem, one every 85 mm."""
    top = float(fit.neck.base[2]) - 0.085 * fit.neck.scale
    heights = np.arange(top, fit.hem + 0.05, -0.085)
    pale = sum(linear(piece.colour)) > 0.35
    colour = (0.62, 0.60, 0.55) if pale else (0.10, 0.10, 0.11)
    raised = sewn("placket", offset(shell, 0.0), piece)
    return [
        button(raised, 0.0, float(height), radius, name=f"button-{i}", colour=colour)
        for i, height in enumerate(heights)
    ]


def _raised(shell: Cloth, rules: tuple[Rule, ...], rule: Rule, rise: float) -> Cloth:
    return trimmed(offset(shell, rise), (*rules, rule), rise + 0.0006)


def _placket(fit: Fitting, half: float) -> Rule:
    """The strip the buttons are on, seen from in front."""
    return lambda p: np.where(p[:, 1] < fit.neck.base[1] + 0.02, half - np.abs(p[:, 0]), -1.0)


def _yoke(fit: Fitting) -> Rule:
    """The piece over the shoulders; its seam lies a little in front of their tops."""
    x1, y1, z1 = fit.form.shoulder

    def rule(points: Floats) -> Floats:
        top = z1 + 0.010 + 0.22 * (abs(x1) - np.abs(points[:, 0]))
        high = points[:, 2] - top
        return np.where(fit.form.arm(points) < 0.0, np.where(points[:, 1] < y1, high, 1.0), -1.0)

    return rule


def _pocket(fit: Fitting) -> Rule:
    """A breast pocket on the wearer's left, its lower edge pointed."""
    middle = 0.50 * float(fit.form.shoulder[0])
    top = float(fit.torso.armpit) + 0.010

    def rule(points: Floats) -> Floats:
        away = np.abs(points[:, 0] - middle)
        low = points[:, 2] - (top - 0.120 + 0.35 * away)
        inside = np.minimum(np.minimum(0.050 - away, top - points[:, 2]), low)
        return np.where(points[:, 1] < fit.neck.base[1] + 0.01, inside, -1.0)

    return rule
