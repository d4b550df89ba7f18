"""Dresses: the bodice; its skirt is made by `avatar.wardrobe.skirt.dress_skirt`."""

from avatar.spec.identity import PieceSpec
from avatar.wardrobe.fitting import Fitting, GarmentResult, Worn, above
from avatar.wardrobe.folds import Folds
from avatar.wardrobe.sewing import sewn, strip_of, trimmed
from avatar.wardrobe.shell import Drape, draped, panelled, round_neck, short_sleeve
from avatar.wardrobe.skirt import dress_skirt
from avatar.wardrobe.tailor import joined, offset


def dress(fit: Fitting, piece: PieceSpec, worn: Worn) -> GarmentResult:
    """Make a dress: close bodice, scooped neck, short sleeves, a belt over the waist seam."""
    drape = Drape(slack=0.55, sleeve=(0.002, 0.007, 0.008), folds=Folds(0.0022, 0.0012, 0.0020))
    shell = draped(fit, drape)
    rules = (
        round_neck(fit, 0.032 * fit.neck.scale, 0.040, 0.014),
        short_sleeve(fit, 0.48),
        above(fit.waist_seam - 0.004),
    )
    strips = [strip_of(shell, rules, rule, 0.010, 0.0012) for rule in rules[:2]]
    cloth = panelled(fit, joined([trimmed(shell, rules, 0.002), *strips]))
    around = trimmed(
        offset(shell, 0.0080),
        (lambda p: 0.014 - abs(p[:, 2] - fit.waist_seam), lambda p: -fit.form.arm(p)),
        0.004,
    )
    skirt = dress_skirt(fit, piece, worn)
    surfaces = [
        sewn("bodice", cloth, piece, floor=0.32),
        sewn("belt", around, piece, trim=True),
        *skirt.surfaces,
    ]
    covered = fit.covered((*rules[:2], above(fit.waist_seam - 0.03))) | skirt.covered
    return GarmentResult(surfaces, covered)
