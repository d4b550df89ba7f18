"""Shoes."""

from avatar.spec.identity import PieceSpec
from avatar.wardrobe.fitting import Fitting, GarmentResult, Worn


def shoes(fit: Fitting, _piece: PieceSpec, _worn: Worn) -> GarmentResult:
    """Make shoes."""
    return fit.nothing()


def sneakers(fit: Fitting, _piece: PieceSpec, _worn: Worn) -> GarmentResult:
    """Make sneakers."""
    return fit.nothing()
