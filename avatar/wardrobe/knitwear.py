"""Sweaters and hoodies."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.face_parts import skin_normals
from avatar.body.noise import smoothstep
from avatar.body.source import SKIN_VERTICES
from avatar.body.surface import Surface
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.chart import Chart
from avatar.wardrobe.collars import collar, lapped, neckline, outline
from avatar.wardrobe.cords import cord, on_cloth
from avatar.wardrobe.fitting import LAYERS, Fitting, GarmentResult, Rule, Worn, above
from avatar.wardrobe.folds import Folds
from avatar.wardrobe.seams import Ground
from avatar.wardrobe.sewing import hidden, ribbed, seam_line, sewn, trimmed
from avatar.wardrobe.shell import Drape, draped, long_sleeve, panelled, round_neck
from avatar.wardrobe.tailor import Cloth, joined, offset

Floats = NDArray[np.floating[Any]]


def sweater(fit: Fitting, piece: PieceSpec, worn: Worn) -> GarmentResult:
    """Make a sweater with ribbing at neck, cuffs and hem."""
    drape = Drape(
        LAYERS["upper"] + 0.003, _slack(worn), (0.0, 0.003, 0.003), Folds(0.0042, 0.0040, 0.0026)
    )
    shell = draped(fit, drape, worn.beneath)
    rules = (round_neck(fit, 0.013, 0.016, 0.012), long_sleeve(fit, 0.80), above(fit.hem + 0.045))
    cloth = trimmed(shell, rules)
    surfaces = [
        sewn("sweater", panelled(fit, cloth), piece, floor=0.32),
        ribbed("neck-band", cloth, _top(fit), 0.022, piece, keep=fit.skin, thickness=0.004),
        *_bands(fit, worn, cloth, piece),
    ]
    return GarmentResult(surfaces, fit.covered((*rules[:1], long_sleeve(fit), above(fit.hem))))


def hoodie(fit: Fitting, piece: PieceSpec, worn: Worn) -> GarmentResult:
    """Make a hoodie: the hood lies on shoulders and back; drawstrings, pocket, ribbing."""
    drape = Drape(
        LAYERS["upper"] + 0.004, _slack(worn), (0.001, 0.005, 0.004), Folds(0.0052, 0.0046, 0.0034)
    )
    shell = draped(fit, drape, worn.beneath)
    rules = (
        round_neck(fit, 0.016 * fit.neck.scale, 0.018, 0.012),
        long_sleeve(fit, 0.80),
        above(fit.hem + 0.045),
    )
    cloth = trimmed(shell, rules)
    pocket = trimmed(offset(shell, 0.0035), (*rules, _kangaroo(fit)), 0.0042)
    line = seam_line(shell, rules, _kangaroo(fit), 0.0044)
    body = panelled(fit, joined([hidden(cloth, _kangaroo(fit)), pocket, line]))
    surfaces = [
        sewn("hoodie", body, piece, floor=0.32, edge=0.55),
        *_bands(fit, worn, cloth, piece),
        _hood(fit, shell, rules[0], piece),
        *_strings(fit, cloth, piece),
    ]
    covered = (rules[0], long_sleeve(fit), above(fit.hem))
    return GarmentResult(surfaces, fit.covered(covered))


def _slack(worn: Worn) -> float:
    return 0.92 + 0.03 * (1.0 - worn.who.body.gender)


def _top(fit: Fitting) -> Floats:
    return np.asarray(fit.neck.base + 0.03 * fit.neck.axis)


def _bands(fit: Fitting, worn: Worn, cloth: Cloth, piece: PieceSpec) -> list[Surface]:
    """Return the ribbing at both wrists and the hem."""
    middle = np.array([0.0, 0.0, fit.hem + 0.045])
    places = [
        ("cuff-left", fit.form.wrist, 0.055, True),
        ("cuff-right", fit.form.wrist * [-1.0, 1.0, 1.0], 0.055, True),
        ("hem-band", middle, 0.050, False),
    ]
    keep = under(fit, worn)
    return [
        ribbed(
            name,
            cloth,
            np.asarray(at),
            width,
            piece,
            keep=keep,
            thickness=0.004,
            snug=snug,
            draw=0.0 if snug else 0.004,
        )
        for name, at, width, snug in places
    ]


def under(fit: Fitting, worn: Worn) -> Ground:
    """Return the skin and what is worn over it so far."""
    normals = skin_normals(fit.body)[:SKIN_VERTICES]
    points = [fit.body.vertices[:SKIN_VERTICES], *(s.positions for s in worn.beneath)]
    return Ground(
        np.concatenate(points), np.concatenate([normals, *(s.normals for s in worn.beneath)])
    )


def _kangaroo(fit: Fitting) -> Rule:
    """A pocket over the belly with slanted openings."""
    low, high = fit.hem + 0.050, fit.hem + 0.205
    wide = 0.80 * float(fit.form.shoulder[0])

    def rule(points: Floats) -> Floats:
        x, y, z = np.abs(points[:, 0]), points[:, 1], points[:, 2]
        slant = wide - 0.55 * np.maximum(z - low - 0.05, 0.0) - x
        inside = np.minimum(np.minimum(z - low, high - z), slant)
        return np.where(y < fit.neck.base[1] + 0.03, inside, -1.0)

    return rule


def _hood(fit: Fitting, shell: Cloth, neck: Rule, piece: PieceSpec) -> Surface:
    """The hood's rim crosses at the throat, and its bag lies over shoulders and back."""
    chart = Chart.of(fit, shell)
    seam = lapped(neckline(fit, shell, (neck,), 72), 3)
    turn = np.abs(fit.neck.angle(seam.points))
    behind, size = smoothstep(0.5, 2.2, turn), fit.neck.scale
    edge = outline(fit, chart, seam, size * (0.014 + 0.036 * behind), [], 0.0)
    over = smoothstep(0.6, 1.0, np.linspace(0.0, 1.0, len(turn)))
    made = collar(
        fit, chart, seam, edge,
        stand=size * (0.010 + 0.003 * behind), lean=0.05 - 0.55 * behind,
        roll=size * (0.0065 + 0.005 * behind),
        puff=size * (0.005 + 0.010 * behind) + 0.004 * over,
        thickness=0.0028, lift=(0.008, -0.0025),
    )  # fmt: skip
    return sewn("hood", made, piece, plain=True, floor=0.3)


def _strings(fit: Fitting, cloth: Cloth, piece: PieceSpec) -> list[Surface]:
    """Two drawstrings that hang from the hood, with a tip each."""
    top = float(fit.neck.base[2]) - 0.050 * fit.neck.scale
    surfaces = []
    for side, length in ((1.0, 0.170), (-1.0, 0.150)):
        t = np.linspace(0.0, 1.0, 26)
        x = side * (0.030 + 0.008 * np.sin(2.4 * t)) * fit.neck.scale
        line = on_cloth(cloth, np.stack([x, top - length * t], 1), 0.0045)
        line[:, 1] -= 0.006 * (1.0 - t)
        name = "left" if side > 0.0 else "right"
        surfaces.append(sewn(f"string-{name}", cord(cloth, line, 0.0024), piece, trim=True))
        surfaces.append(sewn(f"tip-{name}", cord(cloth, line[-4:], 0.0031), piece, trim=True))
    return surfaces
