"""Upper garments: what they cover, how they look, and that they keep apart."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from avatar.body.asset import AvatarAsset
from avatar.renderer.opengl import OpenGLRenderer
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.outfit import dress
from motion.pose import Pose
from tests.avatar.pictures import full, is_part, project
from tests.avatar.poses import hosts
from tests.avatar.wardrobe.conftest import Model
from tests.avatar.wardrobe.fitted import a_piece, drawn, fitted, wearing

TRIED = (
    ("woman", "top"), ("man", "t_shirt"), ("man", "shirt"), ("woman", "blouse"),
    ("man", "sweater"), ("woman", "hoodie"), ("woman", "qipao_top"), ("woman", "dress"),
)  # fmt: skip


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[OpenGLRenderer, Path]]:
    """Return a renderer of flat colours and the folder of its avatars."""
    folder = tmp_path_factory.mktemp("flat")
    made = OpenGLRenderer(folder, folder, shading="parts")
    yield made, folder
    made.release()


@pytest.fixture(scope="module")
def lit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[OpenGLRenderer, Path]]:
    """Return a renderer with light and the folder of its avatars."""
    folder = tmp_path_factory.mktemp("lit")
    made = OpenGLRenderer(folder, folder)
    yield made, folder
    made.release()


def trunk(model: Model, asset: AvatarAsset, lift: float = 0.0) -> tuple[slice, slice]:
    """Return the rows and columns of a small picture that show nothing but the trunk."""
    shoulder = model.fit.form.shoulder
    high = np.array([0.62 * shoulder[0], shoulder[1], shoulder[2] - 0.05 + lift])
    low = np.array([-0.62 * shoulder[0], shoulder[1], model.fit.hem + 0.03])
    (right, top), (left, bottom) = project(asset, np.stack([high, low])).astype(int)
    return slice(top, bottom), slice(left, right)


@pytest.mark.parametrize(("who", "garment"), TRIED)
def test_no_skin_of_the_trunk_shows(
    parts: tuple[OpenGLRenderer, Path], request: pytest.FixtureRequest, who: str, garment: str
) -> None:
    model: Model = request.getfixturevalue(who)
    spec = wearing(a_piece(garment), name=f"{who}-{garment}")
    asset = fitted(model, spec)
    planes = drawn(*parts, spec, asset, Pose.rest())
    box = trunk(model, asset)
    assert not is_part(planes, "skin", "studio")[box].any()
    assert is_part(planes, "cloth")[box].mean() > 0.99
    palms = drawn(*parts, spec, asset, hosts(asset)["palms"])
    assert not is_part(palms, "skin")[box].any()
    assert is_part(palms, "skin").sum() > 300
    names = [part.name for part in asset.parts]
    assert len(names) == len(set(names))
    assert all(np.isfinite(part.positions).all() for part in asset.parts)


def test_sleeves_end_where_they_should(woman: Model) -> None:
    for garment, arms_bare in (("t_shirt", True), ("qipao_top", True), ("shirt", False)):
        spec = wearing(a_piece(garment))
        _, covered = dress(woman.body, woman.marks, spec)
        middle = 0.5 * (woman.fit.form.elbow + woman.fit.form.wrist)
        away = np.linalg.norm(woman.body.vertices - middle, axis=1)
        assert covered[away < 0.05].any() != arms_bare


def test_colours_and_patterns_show_and_leave_the_cut_alone(
    woman: Model, lit: tuple[OpenGLRenderer, Path]
) -> None:
    looks = (("#b02020", "plain"), ("#2030b0", "plain"), ("#2030b0", "floral"))
    assets, seen = [], []
    for colour, pattern in looks:
        piece = PieceSpec.model_validate(
            {"garment": "top", "colour": colour, "second": "#f4f0e0", "pattern": pattern}
        )
        spec = wearing(piece, name=f"look-{colour[1:]}-{pattern}")
        assets.append(fitted(woman, spec))
        planes = drawn(*lit, spec, assets[-1], Pose.rest())
        seen.append(full(planes)[trunk(woman, assets[-1])])
    red, blue, floral = seen
    assert red[..., 2].mean() > 150 > blue[..., 2].mean()
    assert blue[..., 1].mean() > 150 > red[..., 1].mean()
    assert floral[..., 0].std() > 1.5 * blue[..., 0].std()
    assert floral[..., 0].mean() > blue[..., 0].mean() + 4
    for before, after in zip(assets[0].parts, assets[1].parts, strict=True):
        assert np.array_equal(before.positions, after.positions)
        assert np.array_equal(before.uv, after.uv)


def test_dressing_twice_gives_the_same(man: Model) -> None:
    spec = wearing(
        PieceSpec(garment="shirt", colour="#eeeeee"), PieceSpec(garment="blazer", colour="#223344")
    )
    (first, bare), (second, again) = (dress(man.body, man.marks, spec) for _ in range(2))
    assert np.array_equal(bare, again)
    for one, other in zip(first, second, strict=True):
        assert one.name == other.name
        assert np.array_equal(one.positions, other.positions)
        assert np.array_equal(one.triangles, other.triangles)


def test_a_shirt_under_a_blazer_shows_only_in_its_opening(
    lit: tuple[OpenGLRenderer, Path], man: Model
) -> None:
    model = man
    spec = wearing(
        PieceSpec(garment="shirt", colour="#10e010"),
        PieceSpec(garment="blazer", colour="#b01010"),
        name="layers",
    )
    asset = fitted(model, spec)
    for pose in (Pose.rest(), hosts(asset)["palms"], hosts(asset)["point"]):
        pixels = full(drawn(*lit, spec, asset, pose))
        green = (pixels[..., 2] < 105) & (pixels[..., 1] < 115)
        shoulder = model.fit.form.shoulder
        middle = np.array([0.0, shoulder[1], shoulder[2]])
        beside = middle + np.array([0.75 * shoulder[0], 0.0, 0.0])
        (x, _), (edge, _) = project(asset, np.stack([middle, beside]))
        columns = np.abs(np.arange(pixels.shape[1]) - x)
        assert green[:, columns < edge - x].sum() > 150
        assert green[:, columns > edge - x].sum() == 0
