"""Shoes enclose the feet, stand flat and follow the ankle."""

from collections.abc import Callable

import numpy as np
import pytest

from avatar.body.source import SKIN_VERTICES
from avatar.body.surface import Surface
from avatar.spec import AvatarSpec
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.fitting import Fitting, GarmentResult, Worn
from avatar.wardrobe.poke import check
from avatar.wardrobe.shoes import shoes, sneakers
from avatar.wardrobe.trial_poses import trial_poses
from motion.skeleton import JOINT_NAMES
from tests.avatar.wardrobe.conftest import Model
from tests.avatar.wardrobe.dressed import asset_of, skin

Make = Callable[[Fitting, PieceSpec, Worn], GarmentResult]
KINDS = [("shoes", "trousers"), ("shoes", "skirt"), ("sneakers", "trousers")]


def made(model: Model, garment: str, lower: str) -> GarmentResult:
    """Return what is on the feet under a garment."""
    make: Make = {"shoes": shoes, "sneakers": sneakers}[garment]
    piece = PieceSpec.model_validate({"garment": garment, "colour": "#3a2a20"})
    over = PieceSpec.model_validate({"garment": lower, "colour": "#333333"})
    top = PieceSpec(garment="t_shirt", colour="#ffffff")
    return make(model.fit, piece, Worn(AvatarSpec(outfit=(top, over, piece))))


def named(result: GarmentResult, name: str) -> Surface:
    """Return one surface."""
    return next(surface for surface in result.surfaces if surface.name == name)


@pytest.mark.parametrize("who", ["woman", "man"])
@pytest.mark.parametrize(("garment", "lower"), KINDS)
def test_no_toe_comes_through(
    who: str, garment: str, lower: str, request: pytest.FixtureRequest
) -> None:
    model: Model = request.getfixturevalue(who)
    result = made(model, garment, lower)
    asset = asset_of(model.body.joints, [skin(model.body, result.covered), named(result, garment)])
    poses = trial_poses(model.body.joints)
    report = check(asset, {name: poses[name] for name in ("rest", "step", "sway left")})
    assert report.worst("skin") < 0.006, report.lines()
    toes = model.body.weight_of("toe") > 0.5
    assert result.covered[toes & (model.body.weight_of("toe1-1", "toe2-1") < 0.5)].all()


@pytest.mark.parametrize(("garment", "lower"), KINDS)
def test_soles_lie_under_the_foot_and_stand_level(woman: Model, garment: str, lower: str) -> None:
    floor = float(woman.body.vertices[:SKIN_VERTICES, 2].min())
    sole = named(made(woman, garment, lower), "soles").positions
    assert -0.035 < sole[:, 2].min() - floor < -0.005
    under = sole[sole[:, 2] < sole[:, 2].min() + 0.0015]
    # It stands on heel and ball.
    assert np.ptp(under[:, 1]) > 0.5 * np.ptp(sole[:, 1])


def test_they_follow_the_feet_alone_and_mirror(woman: Model) -> None:
    for surface in made(woman, "sneakers", "trousers").surfaces:
        moving = {JOINT_NAMES[i] for i in np.flatnonzero(surface.weights.max(0))}
        assert moving == {"foot.L", "foot.R"}
        half = len(surface.positions) // 2
        mirrored = surface.positions[:half] * np.array([-1.0, 1.0, 1.0])
        assert np.allclose(mirrored, surface.positions[half:], atol=1e-6)


def test_laces_under_trousers_and_bare_insteps_under_a_skirt(woman: Model) -> None:
    laced, flat = made(woman, "shoes", "trousers"), made(woman, "shoes", "skirt")
    assert "laces" in {surface.name for surface in laced.surfaces}
    assert "laces" not in {surface.name for surface in flat.surfaces}
    assert flat.covered.sum() < laced.covered.sum()
    above = woman.body.vertices[:, 2] > float(woman.body.joint("foot.L")[2]) + 0.06
    assert not laced.covered[above].any()


def test_sneakers_take_their_second_colour_as_stripes(woman: Model) -> None:
    piece = PieceSpec(garment="sneakers", colour="#ffffff", second="#ff0000")
    who = AvatarSpec(
        outfit=(
            PieceSpec(garment="t_shirt", colour="#ffffff"),
            PieceSpec(garment="trousers", colour="#333333"),
            piece,
        )
    )
    result = sneakers(woman.fit, piece, Worn(who))
    assert named(result, "sneaker-stripes").values["colour"] == [1.0, 0.0, 0.0]
    assert min(named(result, "sneakers").values["colour"]) > 0.99
