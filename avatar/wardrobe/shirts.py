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
from avatar.wardrobe.chart import Chart
from avatar.wardrobe.collars import band, charted, collar, neckline, outline
from avatar.wardrobe.fitting import Fitting, GarmentResult, Rule, Worn, above
from avatar.wardrobe.folds import Folds
from avatar.wardrobe.sewing import hidden, seam_line, sewn, strip_of, trimmed, within
from avatar.wardrobe.shell import Drape, closed_neck, creased, draped, long_sleeve, panelled
from avatar.wardrobe.tailor import Cloth, joined, offset

Floats = NDArray[np.floating[Any]]


def shirt(fit: Fitting, piece: PieceSpec, worn: Worn) -> GarmentResult:
    """Make a buttoned shirt: collar with a stand, placket, cuffs, yoke and a breast pocket."""
    man = 1.0 - worn.who.body.gender
    drape = Drape(
        slack=0.70 + 0.10 * man,
        sleeve=(0.001, 0.003, 0.003),
        folds=Folds(0.0015, 0.0034, 0.0018),
        tucked=worn.tucked,
    )
    shell = draped(fit, drape, worn.beneath)
    rules = (closed_neck(fit), long_sleeve(fit, 0.97), above(worn.hem(fit)))
    strips = [
        strip_of(shell, rules, rules[1], 0.058, 0.0022),
        *([] if worn.tucked else [strip_of(shell, rules, rules[2], 0.014)]),
        _raised(shell, rules, _placket(fit, 0.016), 0.0016),
        _raised(shell, rules, _yoke(fit), 0.0014),
        _raised(shell, rules, _pocket(fit), 0.0012),
    ]
    over = (within(rules[1], 0.058), _placket(fit, 0.016), _yoke(fit), _pocket(fit))
    cloth = joined([hidden(trimmed(shell, rules, 0.002), *over), *strips])
    body = sewn("shirt", panelled(fit, cloth), piece, floor=0.32)
    return GarmentResult(
        [body, _collar(fit, shell, rules[0], piece, worn), *_buttons(fit, shell, piece, worn)],
        fit.covered((*rules[:2], above(fit.hem)), 0.012),
    )


def blouse(fit: Fitting, piece: PieceSpec, worn: Worn) -> GarmentResult:
    """Make a blouse: a soft collar, and wide sleeves gathered at the cuffs."""
    drape = Drape(
        slack=0.75,
        sleeve=(0.002, 0.008, 0.012),
        folds=Folds(0.0034, 0.0036, 0.0020),
        tucked=worn.tucked,
    )
    shell = gathered(fit, draped(fit, drape, worn.beneath))
    rules = (closed_neck(fit), long_sleeve(fit, 0.97), above(worn.hem(fit)))
    strips = [
        strip_of(shell, rules, rules[1], 0.042, 0.0020),
        *([] if worn.tucked else [strip_of(shell, rules, rules[2], 0.014)]),
        _raised(shell, rules, _placket(fit, 0.012), 0.0014),
    ]
    over = (within(rules[1], 0.042), _placket(fit, 0.012))
    cloth = joined([hidden(trimmed(shell, rules, 0.002), *over), *strips])
    lift = 0.0065 if worn.piece("over") else 0.0032
    made = turned_down(
        fit, shell, rules[0], points=(0.050, 0.052), stand=0.015, wide=0.026, lift=lift
    )
    surfaces = [
        sewn("blouse", panelled(fit, cloth), piece, floor=0.34),
        sewn("collar", made, piece, plain=True, floor=0.4),
        *_buttons(fit, shell, piece, worn, 0.0048),
    ]
    covered = fit.covered((*rules[:2], above(fit.hem)), 0.012)
    return GarmentResult(surfaces, covered)


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


def _collar(fit: Fitting, shell: Cloth, neck: Rule, piece: PieceSpec, worn: Worn) -> Surface:
    # Under a jacket a collar is pressed flat; over an apron's strap it stands off.
    high = 0.0065 if worn.piece("over") else 0.0032
    high = 0.0012 if worn.piece("outer") else high
    made = turned_down(fit, shell, neck, points=(0.045, 0.066), stand=0.024, wide=0.022, lift=high)
    return sewn("collar", made, piece, plain=piece.pattern != "pinstripes", floor=0.4)


def turned_down(
    fit: Fitting,
    shell: Cloth,
    neck: Rule,
    *,
    points: tuple[float, float],
    stand: float,
    wide: float,
    lift: float = 0.0032,
) -> Cloth:
    """Return a collar with points that is closed at the throat, and the band it stands on.

    Args:
        points: how far its points lie from the middle, and under the throat, for a neck of
            55 mm, metres.
        stand: height of its fold at the back. wide: from there to its edge at the side.
        lift: how far it stands off the garment.
    """
    chart = Chart.of(fit, shell)
    seam = neckline(fit, shell, (neck,), 72)
    ends = np.abs(np.linspace(-1.0, 1.0, len(seam.points)))
    size = fit.neck.scale**0.7
    behind = smoothstep(1.8, 2.7, np.abs(fit.neck.angle(seam.points)))
    point = np.array([[points[0] * size, seam.points[0, 2] - points[1] * size]])
    corners = charted(shell, point)
    edge = outline(fit, chart, seam, size * (wide - 0.45 * wide * behind), corners, 1.3)
    height = size * stand * (1.0 - 0.40 * ends**2 - 0.2 * ends**12)
    leaf = collar(
        fit, chart, seam, edge, stand=height, snug=0.6, roll=0.002,
        thickness=0.0018, lift=(lift, lift),
    )  # fmt: skip
    fore, _ = band(fit, chart, seam, 0.7 * height, thickness=0.001, snug=0.8)
    fore = trimmed(fore, (lambda p: fit.neck.base[1] - 0.02 - p[:, 1],))
    return joined([leaf, fore])


def _buttons(
    fit: Fitting, shell: Cloth, piece: PieceSpec, worn: Worn, radius: float = 0.0055
) -> list[Surface]:
    """Sew buttons from below the collar to the hem, one every 85 mm."""
    top = float(fit.neck.base[2]) - 0.085 * fit.neck.scale
    heights = np.arange(top, worn.hem(fit) + 0.05, -0.085)
    pale = sum(linear(piece.colour)) > 0.35
    colour = (0.62, 0.60, 0.55) if pale else (0.10, 0.10, 0.11)
    raised = sewn("placket", offset(shell, 0.0), piece)
    return [
        button(raised, 0.0, float(height), radius, name=f"button-{i}", colour=colour)
        for i, height in enumerate(heights)
    ]


def _raised(shell: Cloth, rules: tuple[Rule, ...], rule: Rule, rise: float) -> Cloth:
    # Drawn by its seam: the rim of so thin a piece breaks up in dashes.
    line = seam_line(shell, rules, rule, rise + 0.0005)
    return joined([trimmed(offset(shell, rise), (*rules, rule)), line])


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
