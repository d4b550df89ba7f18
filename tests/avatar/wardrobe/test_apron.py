"""Aprons lie over what is worn, from the chest to the middle of the thighs."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

from avatar.body.surface import Surface
from avatar.spec import AvatarSpec
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.apron import apron
from avatar.wardrobe.fitting import GarmentResult, Worn
from avatar.wardrobe.lower import trousers
from avatar.wardrobe.poke import check
from avatar.wardrobe.skirt import skirt
from avatar.wardrobe.trial_poses import trial_poses
from tests.avatar.wardrobe.conftest import Model
from tests.avatar.wardrobe.dressed import asset_of

PIECE = PieceSpec(garment="apron", colour="#3d6b4f")
SHOES = PieceSpec(garment="shoes", colour="#222222")


def outfit(lower: str) -> tuple[PieceSpec, Worn]:
    """Return the lower garment and the whole outfit."""
    piece = PieceSpec.model_validate({"garment": lower, "colour": "#333333"})
    shirt = PieceSpec(garment="shirt", colour="#ffffff")
    return piece, Worn(AvatarSpec(outfit=(shirt, piece, SHOES, PIECE)))


def made(model: Model, lower: str = "trousers") -> GarmentResult:
    """Return an apron over a lower garment."""
    piece, worn = outfit(lower)
    make = {"trousers": trousers, "skirt": skirt}[lower]
    beneath = tuple(make(model.fit, piece, worn).surfaces)
    return apron(model.fit, PIECE, Worn(worn.who, beneath))


def named(result: GarmentResult, name: str) -> Surface:
    """Return one surface."""
    return next(surface for surface in result.surfaces if surface.name == name)


@pytest.mark.parametrize("who", ["woman", "man"])
@pytest.mark.parametrize("lower", ["trousers", "skirt"])
def test_what_is_worn_under_it_stays_under_it(
    who: str, lower: str, request: pytest.FixtureRequest
) -> None:
    model: Model = request.getfixturevalue(who)
    piece, worn = outfit(lower)
    make = {"trousers": trousers, "skirt": skirt}[lower]
    under = make(model.fit, piece, worn).surfaces[0]
    asset = asset_of(model.body.joints, [under, named(made(model, lower), "apron")])
    poses = trial_poses(model.body.joints)
    report = check(asset, {name: poses[name] for name in ("rest", "sway left", "bow", "turn left")})
    assert report.covered > 100
    assert report.worst("cloth") < 0.004, report.lines()


def test_it_hangs_from_the_chest_to_the_middle_of_the_thighs(woman: Model) -> None:
    z = named(made(woman), "apron").positions[:, 2]
    hip, knee = (float(woman.body.joint(name)[2]) for name in ("upperleg01.L", "lowerleg01.L"))
    assert knee + 0.05 < z.min() < hip - 0.1
    assert 0.08 < float(woman.marks.neck[2]) - z.max() < 0.2


def test_the_bib_is_narrower_than_the_skirt(woman: Model) -> None:
    points = named(made(woman), "apron").positions
    high = points[points[:, 2] > points[:, 2].max() - 0.05]
    low = points[points[:, 2] < points[:, 2].min() + 0.05]
    assert 0.15 < np.ptp(high[:, 0]) < 0.7 * np.ptp(low[:, 0])


def test_strap_and_ties_lead_from_the_apron_around_the_body(woman: Model) -> None:
    result = made(woman)
    cloth = cKDTree(named(result, "apron").positions)
    strap, ties = named(result, "apron-strap").positions, named(result, "apron-ties").positions
    assert cloth.query(strap)[0].min() < 0.012
    assert cloth.query(ties)[0].min() < 0.012
    # The strap meets behind the neck, the ties behind the waist.
    assert strap[:, 1].max() > float(woman.marks.neck[1]) + 0.03
    assert ties[:, 1].max() > float(woman.marks.waist[1]) + 0.05
    skin = cKDTree(woman.fit.form.cloth.positions)
    assert np.quantile(skin.query(strap)[0], 0.9) < 0.05


def test_the_pocket_lies_on_the_front(woman: Model) -> None:
    result = made(woman)
    pocket = named(result, "apron-pocket").positions
    distance, _ = cKDTree(named(result, "apron").positions).query(pocket)
    assert distance.max() < 0.02
    assert abs(pocket[:, 0].mean()) < 0.005
    assert pocket[:, 1].max() < float(woman.marks.hip[1])


def test_nothing_under_it_is_left_out(woman: Model) -> None:
    assert not made(woman).covered.any()
