"""Trousers."""

from avatar.spec.identity import PieceSpec
from avatar.wardrobe.fitting import LAYERS, Fitting, GarmentResult, Worn, above, below
from avatar.wardrobe.sewing import sewn, trimmed
from avatar.wardrobe.tailor import offset


def trousers(fit: Fitting, piece: PieceSpec, _worn: Worn) -> GarmentResult:
    """Make trousers."""
    ankle = float(fit.body.joint("foot.L")[2]) - 0.01
    rules = (below(fit.waist_seam + 0.02), above(ankle), lambda p: -fit.form.arm(p))
    cloth = trimmed(offset(fit.form.cloth, LAYERS["lower"]), rules, 0.002)
    return GarmentResult([sewn("trousers", cloth, piece)], fit.covered(rules))
