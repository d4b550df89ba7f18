"""Skirts, and the skirt of a dress."""

from avatar.spec.identity import PieceSpec
from avatar.wardrobe.fitting import Fitting, GarmentResult, Worn


def skirt(fit: Fitting, _piece: PieceSpec, _worn: Worn) -> GarmentResult:
    """Make a skirt."""
    return fit.nothing()


def dress_skirt(fit: Fitting, _piece: PieceSpec, _worn: Worn) -> GarmentResult:
    """Make the lower half of a dress, from `fit.waist_seam` down."""
    return fit.nothing()
