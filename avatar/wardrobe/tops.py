"""Tops and T-shirts."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.spec.identity import PieceSpec
from avatar.wardrobe.fitting import Fitting, GarmentResult, Worn, above
from avatar.wardrobe.folds import Folds
from avatar.wardrobe.sewing import ribbed, sewn, strip_of, trimmed
from avatar.wardrobe.shell import (
    Drape,
    draped,
    long_sleeve,
    panelled,
    round_neck,
    short_sleeve,
)
from avatar.wardrobe.tailor import joined

Floats = NDArray[np.floating[Any]]


def top(fit: Fitting, piece: PieceSpec, worn: Worn) -> GarmentResult:
    """Make a close top with a scooped neck and long sleeves."""
    rules = (
        round_neck(fit, 0.034 * fit.neck.scale, 0.020, 0.008),
        long_sleeve(fit, 0.93),
        above(worn.hem(fit)),
    )
    drape = Drape(slack=0.70, folds=Folds(0.0018, 0.0014, 0.0022), tucked=worn.tucked)
    cloth = trimmed(draped(fit, drape, worn.beneath), rules, 0.003)
    surfaces = [sewn("top", panelled(fit, cloth), piece, floor=0.4)]
    return GarmentResult(surfaces, fit.covered((*rules[:2], above(fit.hem))))


def t_shirt(fit: Fitting, piece: PieceSpec, worn: Worn) -> GarmentResult:
    """Make a T-shirt with a ribbed round neck and short sleeves."""
    slack = 0.75 + 0.10 * (1.0 - worn.who.body.gender)
    drape = Drape(
        slack=slack,
        sleeve=(0.002, 0.010, 0.012),
        folds=Folds(0.0022, 0.0032, 0.001),
        tucked=worn.tucked,
    )
    shell = draped(fit, drape, worn.beneath)
    rules = (round_neck(fit, 0.011, 0.014, 0.010), short_sleeve(fit), above(worn.hem(fit)))
    sewn_up = rules[1:2] if worn.tucked else rules[1:]
    strips = [strip_of(shell, rules, rule, 0.018) for rule in sewn_up]
    cloth = joined([trimmed(shell, rules, 0.002), *strips])
    surfaces = [
        sewn("t-shirt", panelled(fit, cloth), piece, floor=0.35),
        ribbed("neck-band", trimmed(shell, rules), fit.marks.neck, 0.016, piece, keep=fit.skin),
    ]
    return GarmentResult(surfaces, fit.covered((*rules[:2], above(fit.hem))))
