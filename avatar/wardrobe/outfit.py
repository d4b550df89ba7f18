"""The outfit: what an identity wears, layer over layer."""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.landmarks import Landmarks
from avatar.body.source import Body
from avatar.body.surface import Surface
from avatar.spec.identity import AvatarSpec
from avatar.wardrobe.apron import apron
from avatar.wardrobe.blazer import blazer, shown_past_blazer
from avatar.wardrobe.fitting import Fitting, Maker, Worn
from avatar.wardrobe.gowns import dress as gown
from avatar.wardrobe.ground import contact_shadow
from avatar.wardrobe.knitwear import hoodie, sweater
from avatar.wardrobe.lower import trousers
from avatar.wardrobe.qipao import qipao_top
from avatar.wardrobe.shirts import blouse, shirt
from avatar.wardrobe.shoes import shoes, sneakers
from avatar.wardrobe.skirt import skirt
from avatar.wardrobe.tops import t_shirt, top

# One maker for each garment of `avatar.spec.identity.Garment`.
MAKERS: Final[Mapping[str, Maker]] = {
    "top": top, "t_shirt": t_shirt, "shirt": shirt, "blouse": blouse, "sweater": sweater,
    "hoodie": hoodie, "qipao_top": qipao_top, "dress": gown, "blazer": blazer, "apron": apron,
    "trousers": trousers, "skirt": skirt, "shoes": shoes, "sneakers": sneakers,
}  # fmt: skip


# From the skin outwards.
_ORDER: Final = ("feet", "lower", "upper", "outer", "over")


def dress(body: Body, marks: Landmarks, who: AvatarSpec) -> tuple[list[Surface], NDArray[np.bool_]]:
    """Return the outfit's surfaces and its shadow on the floor, and which body vertices [v] it
    covers.
    """
    fit = Fitting.of(body, marks, who.seed)
    surfaces: list[Surface] = []
    covered = np.zeros(len(body.vertices), bool)
    for piece in sorted(who.outfit, key=lambda piece: _ORDER.index(piece.place)):
        worn = Worn(who, tuple(surfaces))
        made = MAKERS[piece.garment](fit, piece, worn)
        if piece.place == "outer":
            shown = (shown_past_blazer(fit, worn, s) for s in surfaces)
            surfaces = [part for part in shown if part is not None]
        surfaces += made.surfaces
        covered |= made.covered
    return [*surfaces, contact_shadow(body, surfaces)], covered
