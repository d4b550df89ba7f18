"""Skirts hang from the hips, follow both legs and do not tear."""

from dataclasses import replace

import numpy as np
import pytest

from avatar.body.skinning import joint_moves, skinned
from avatar.body.surface import Surface
from avatar.spec import AvatarSpec
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.fitting import GarmentResult, Worn
from avatar.wardrobe.poke import check
from avatar.wardrobe.skirt import dress_skirt, skirt
from avatar.wardrobe.trial_poses import trial_poses
from tests.avatar.wardrobe.conftest import Model
from tests.avatar.wardrobe.dressed import asset_of, skin

SHOES = PieceSpec(garment="shoes", colour="#222222")


def made(model: Model, fabric: str) -> GarmentResult:
    """Return a skirt under a blouse."""
    piece = PieceSpec.model_validate({"garment": "skirt", "colour": "#7a2f45", "fabric": fabric})
    blouse = PieceSpec(garment="blouse", colour="#ffffff")
    return skirt(model.fit, piece, Worn(AvatarSpec(outfit=(blouse, piece, SHOES))))


def dress(model: Model) -> GarmentResult:
    """Return the skirt of a dress."""
    piece = PieceSpec(garment="dress", colour="#2f5d8a")
    return dress_skirt(model.fit, piece, Worn(AvatarSpec(outfit=(piece, SHOES))))


def width(cloth: Surface, height: float) -> float:
    """Return how wide cloth is at a height, metres."""
    near = np.abs(cloth.positions[:, 2] - height) < 0.012
    return float(np.ptp(cloth.positions[near, 0]))


@pytest.mark.parametrize("who", ["woman", "man"])
@pytest.mark.parametrize("kind", ["twill", "cotton", "dress"])
def test_legs_stay_inside_and_nothing_tears(
    who: str, kind: str, request: pytest.FixtureRequest
) -> None:
    model: Model = request.getfixturevalue(who)
    cloth = (dress(model) if kind == "dress" else made(model, kind)).surfaces[0]
    legs = model.body.weight_of("upperleg", "lowerleg") > 0.9
    asset = asset_of(model.body.joints, [skin(model.body, ~legs), cloth])
    poses = trial_poses(model.body.joints)
    chosen = {name: poses[name] for name in ("rest", "sway left", "sway right", "step", "bow")}
    report = check(asset, chosen)
    assert report.worst("skin") < 0.003, report.lines()
    edges = cloth.triangles[:, [0, 1]]
    rest = np.linalg.norm(np.diff(cloth.positions[edges], axis=1)[:, 0], axis=1)
    long = rest > 0.004
    for pose in chosen.values():
        moved = skinned(asset.parts[1], joint_moves(asset, pose))
        now = np.linalg.norm(np.diff(moved[edges], axis=1)[:, 0], axis=1)
        assert (now[long] / rest[long]).max() < 1.6


def test_a_pencil_is_narrow_and_an_a_line_wide_at_the_hem(woman: Model) -> None:
    hip = float(woman.marks.hip[2])
    for fabric, least, most in (("twill", 0.8, 1.15), ("cotton", 1.3, 2.2)):
        cloth = made(woman, fabric).surfaces[0]
        hem = float(cloth.positions[:, 2].min()) + 0.01
        assert least < width(cloth, hem) / width(cloth, hip) < most


def test_it_ends_about_the_knee_and_begins_at_the_waist(woman: Model) -> None:
    knee = float(woman.body.joint("lowerleg01.L")[2])
    for result in (made(woman, "twill"), made(woman, "cotton"), dress(woman)):
        z = np.concatenate([surface.positions[:, 2] for surface in result.surfaces])
        assert abs(z.min() - knee) < 0.06
        assert abs(z.max() - woman.fit.waist_seam) < 0.03


def test_it_closes_behind(woman: Model) -> None:
    sheet = made(woman, "cotton").surfaces[0]
    back = sheet.positions[np.abs(sheet.positions[:, 0]) < 1e-3]
    back = back[back[:, 1] > 0.0]
    heights = np.unique(np.round(back[:, 2], 4))
    assert len(heights) > 20
    for height in heights:
        beside = back[np.abs(back[:, 2] - height) < 1e-4]
        assert np.ptp(beside[:, 1]) < 0.004


def test_skin_below_the_hem_is_drawn(woman: Model) -> None:
    covered = made(woman, "cotton").covered
    below = woman.body.vertices[:, 2] < float(woman.body.joint("lowerleg01.L")[2]) - 0.05
    assert not covered[below].any()
    thigh = (woman.body.weight_of("upperleg") > 0.95) & (
        woman.body.vertices[:, 2] > float(woman.body.joint("lowerleg01.L")[2]) + 0.10
    )
    assert covered[thigh].all()


def test_folds_follow_the_seed(woman: Model) -> None:
    other = replace(woman, fit=replace(woman.fit, seed=7))
    assert not np.allclose(
        made(woman, "cotton").surfaces[0].positions, made(other, "cotton").surfaces[0].positions
    )
    assert np.array_equal(
        made(woman, "cotton").surfaces[0].positions, made(woman, "cotton").surfaces[0].positions
    )
