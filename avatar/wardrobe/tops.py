"""Tops and T-shirts."""

import numpy as np

from avatar.body.noise import smoothstep
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.fitting import (
    LAYERS,
    Fitting,
    Floats,
    GarmentResult,
    Rule,
    Worn,
    above,
)
from avatar.wardrobe.sewing import sewn, trimmed
from avatar.wardrobe.tailor import offset


def top(fit: Fitting, piece: PieceSpec, _worn: Worn) -> GarmentResult:
    """Make a top with a scooped neck and long sleeves."""
    rules = (scoop(fit), above(fit.hem), long_sleeve(fit))
    cloth = offset(fit.fine.cloth, LAYERS["upper"] + 0.0012 * fit.fine.folds(fit.seed + 4))
    return GarmentResult(
        [sewn("top", trimmed(cloth, rules, 0.003), piece, floor=0.4)], fit.covered(rules)
    )


def scoop(fit: Fitting) -> Rule:
    """Scoop neck."""
    neck = fit.marks.neck

    def rule(points: Floats) -> Floats:
        x, y, z = points.T
        front = smoothstep(0.01, 0.09, neck[1] - y)
        dip = 0.082 * front * np.exp(-((x / 0.052) ** 2))
        return np.where(np.abs(x) < 0.13, neck[2] - 0.004 - dip - z, 1.0)

    return rule


def long_sleeve(fit: Fitting, end: float = 0.95) -> Rule:
    """Sleeves that end at a share of the forearm."""
    length = float(np.linalg.norm(fit.form.wrist - fit.form.elbow))

    def rule(points: Floats) -> Floats:
        along = (end - fit.form.along_forearm(points)) * length
        return np.where(fit.form.arm(points) > 0.0, along, 1.0)

    return rule
