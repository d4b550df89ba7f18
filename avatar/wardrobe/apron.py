"""Aprons."""

from avatar.spec.identity import PieceSpec
from avatar.wardrobe.fitting import Fitting, GarmentResult, Worn


def apron(fit: Fitting, _piece: PieceSpec, _worn: Worn) -> GarmentResult:
    """Make an apron."""
    return fit.nothing()
