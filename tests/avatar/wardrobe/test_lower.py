"""Trousers cover the legs, fall outside them and keep to their own side."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from avatar.body.source import SKIN_VERTICES
from avatar.body.surface import Surface
from avatar.spec import AvatarSpec
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.fitting import GarmentResult, Worn
from avatar.wardrobe.lower import trousers
from avatar.wardrobe.poke import check
from avatar.wardrobe.trial_poses import trial_poses
from motion.skeleton import JOINT_NAMES
from tests.avatar.wardrobe.conftest import Model
from tests.avatar.wardrobe.dressed import asset_of, skin

LEGS = ("rest", "sway left", "sway right", "step", "bow", "turn left")


def made(model: Model, fabric: str = "twill", upper: str = "t_shirt") -> GarmentResult:
    """Return trousers on `model`."""
    piece = PieceSpec.model_validate({"garment": "trousers", "colour": "#3b4a63", "fabric": fabric})
    who = AvatarSpec(
        outfit=(
            PieceSpec.model_validate({"garment": upper, "colour": "#eeeeee"}),
            piece,
            PieceSpec(garment="shoes", colour="#222222"),
        )
    )
    return trousers(model.fit, piece, Worn(who))


def named(result: GarmentResult, name: str) -> Surface:
    """Return one surface of a garment."""
    return next(surface for surface in result.surfaces if surface.name == name)


@pytest.mark.parametrize("who", ["woman", "man"])
def test_legs_stay_inside_in_every_stance(who: str, request: pytest.FixtureRequest) -> None:
    model: Model = request.getfixturevalue(who)
    result = made(model)
    legs = model.body.weight_of("upperleg", "lowerleg") > 0.9
    # Only legs: arms and trunk are other garments' concern.
    asset = asset_of(model.body.joints, [skin(model.body, ~legs), named(result, "trousers")])
    poses = trial_poses(model.body.joints)
    report = check(asset, {name: poses[name] for name in LEGS})
    assert report.covered > 500
    # Three millimetres: between the legs, where both sides meet, nothing is seen.
    assert report.worst("skin") < 0.003, report.lines()


def test_they_reach_from_the_waist_to_the_shoe(woman: Model) -> None:
    points = named(made(woman), "trousers").positions
    floor = float(woman.body.vertices[:SKIN_VERTICES, 2].min())
    assert 0.03 < points[:, 2].min() - floor < 0.11
    # A loose top hides the waist; one that is tucked in shows it.
    assert points[:, 2].max() > woman.fit.hem + 0.02
    tucked = named(made(woman, upper="blouse"), "waistband").positions
    assert tucked[:, 2].max() > woman.fit.waist_seam


def test_each_leg_keeps_to_its_side_and_mirrors_the_other(woman: Model) -> None:
    cloth = named(made(woman), "trousers")
    half = len(cloth.positions) // 2
    left, right = cloth.positions[:half], cloth.positions[half:]
    assert left[:, 0].min() >= -0.003
    assert np.allclose(left * [-1.0, 1.0, 1.0], right, atol=1e-6)
    below = left[:, 2] < float(woman.marks.hip[2]) - 0.25
    assert on_side(cloth.weights[:half][below], ".R").max() < 0.02
    assert on_side(cloth.weights[half:][below], ".L").max() < 0.02


def on_side(weights: NDArray[np.floating[Any]], side: str) -> NDArray[np.floating[Any]]:
    """Return the summed weight [n] of the joints of one side."""
    chosen = [number for number, name in enumerate(JOINT_NAMES) if name.endswith(side)]
    return np.asarray(weights[:, chosen].sum(1))


def test_faces_look_outwards(woman: Model) -> None:
    cloth = named(made(woman), "trousers")
    corners = cloth.positions[cloth.triangles]
    facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    agree = (facing * cloth.normals[cloth.triangles].mean(1)).sum(1) > 0.0
    assert agree.mean() > 0.97
    # In front of the thighs outside is towards the camera.
    front = (corners[..., 1].mean(1) < float(woman.marks.hip[1]) - 0.06) & (
        np.abs(corners[..., 2].mean(1) - float(woman.marks.hip[2]) + 0.2) < 0.1
    )
    assert front.sum() > 50
    assert (facing[front, 1] < 0.0).mean() > 0.98


def test_the_waistband_shows_only_where_a_top_is_tucked_in(woman: Model) -> None:
    tucked = {surface.name for surface in made(woman, upper="blouse").surfaces}
    loose = {surface.name for surface in made(woman, upper="t_shirt").surfaces}
    assert {"waistband", "loops", "trouser-button"} <= tucked
    assert not {"waistband", "loops", "trouser-button"} & loose


def test_denim_has_contrasting_stitches_and_wool_a_crease(woman: Model) -> None:
    denim, wool = (made(woman, fabric, upper="blouse") for fabric in ("denim", "twill"))
    thread = named(denim, "stitches").values["colour"]
    assert thread[0] > 2.0 * thread[2]
    assert len(named(denim, "stitches").positions) > 3 * len(named(wool, "stitches").positions)
    knee = float(woman.body.joint("lowerleg01.L")[2]) + 0.12
    assert sharpness(named(wool, "trousers"), knee) > 1.5 * sharpness(
        named(denim, "trousers"), knee
    )


def sharpness(cloth: Surface, height: float) -> float:
    """Return how far the left leg's front stands out over its neighbourhood, metres."""
    points = cloth.positions[: len(cloth.positions) // 2]
    near = points[np.abs(points[:, 2] - height) < 0.007]
    front = near[near[:, 1].argmin()]
    beside = near[
        (np.abs(np.abs(near[:, 0] - front[0]) - 0.02) < 0.008) & (near[:, 1] < front[1] + 0.03)
    ]
    return float(beside[:, 1].mean() - front[1])


def test_covered_skin_lies_between_waist_and_ankle(woman: Model) -> None:
    covered = made(woman).covered
    z = woman.body.vertices[: len(covered), 2]
    knee = woman.body.weight_of("lowerleg01") > 0.9
    assert covered[knee & (z < float(woman.body.joint("lowerleg01.L")[2]))].all()
    assert not covered[woman.body.weight_of("wrist", "finger", "head", "toe") > 0.5].any()
