"""Hair styles: they cover the scalp, leave the face free and are told apart by outline."""

from itertools import combinations
from typing import Any, get_args

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from avatar.body.landmarks import hairline_distance
from avatar.body.masks import vertex_mask
from avatar.body.mesh import unit, vertex_normals
from avatar.body.source import SKIN_VERTICES, Body
from avatar.hair import covers_ears
from avatar.hair.styles import STYLES
from avatar.spec.identity import HairStyle
from tests.avatar.hair.worn import Worn, identity, silhouette, turned, wear

Floats = NDArray[np.floating[Any]]
Wardrobe = dict[tuple[str, str], Worn]

EVERY = [(style, body) for style in STYLES for body in ("woman", "man")]


def test_every_style_an_identity_may_name_is_made() -> None:
    assert set(STYLES) == set(get_args(HairStyle))


@pytest.mark.parametrize("key", EVERY)
def test_no_scalp_shows_through(worn: Wardrobe, key: tuple[str, str]) -> None:
    on = worn[key]
    skin = on.body.vertices[:SKIN_VERTICES]
    head = on.body.weight_of("head")[:SKIN_VERTICES] > 0.9
    ears = vertex_mask(on.body, "mpfb_ears.jpg")[:SKIN_VERTICES] > 0.05
    scalp = skin[head & ~ears & (hairline_distance(on.marks, skin, key[0]) > 0.012)]
    centre = np.array([0.0, on.marks.axis, on.marks.eye[2] + 0.01])
    reach = _reach(on, centre, unit(scalp - centre))
    assert len(scalp) > 100
    assert (reach > np.linalg.norm(scalp - centre, axis=1)).all()


@pytest.mark.parametrize("style", STYLES)
def test_hair_is_cheap_to_draw(worn: Wardrobe, style: str) -> None:
    parts = {part.name: len(part.triangles) for part in worn[style, "woman"].surfaces}
    assert sum(parts.values()) <= 5200
    assert parts["tips"] <= 500


@pytest.mark.parametrize("key", EVERY)
def test_eyes_and_mouth_stay_clear(worn: Wardrobe, key: tuple[str, str]) -> None:
    on = worn[key]
    points = np.concatenate([surface.positions for surface in on.surfaces])
    ahead = points[points[:, 1] < on.marks.eye[1]]
    aside, above = np.abs(ahead[:, 0]), on.marks.above_eye(ahead[:, 2])
    eye = np.hypot(aside - on.marks.eye[0], above) < 0.020
    mouth = (aside < 0.030) & (np.abs(above + 0.070) < 0.020)
    assert not (eye | mouth).any()


@pytest.mark.parametrize("pair", list(combinations(STYLES, 2)))
def test_styles_differ_in_outline(worn: Wardrobe, pair: tuple[str, str]) -> None:
    shares = []
    for yaw in (0.0, 35.0):
        one, other = (silhouette(worn[style, "woman"], yaw) for style in pair)
        shares.append((one ^ other).sum() / (one | other).sum())
    assert max(shares) > 0.08


@pytest.mark.parametrize("style", ["long", "waves", "bob", "ponytail", "curls"])
@pytest.mark.parametrize("turn", [(35, 0, 0), (-35, 0, 0), (0, 25, 0), (0, -25, 0), (0, 0, 15)])
def test_hair_stays_out_of_the_body(
    worn: Wardrobe, style: str, turn: tuple[float, float, float]
) -> None:
    on = worn[style, "woman"]
    hair, skin = turned(on, *turn)
    normals = vertex_normals(skin, on.body.groups["body"].triangles)
    near = np.flatnonzero(
        on.body.weight_of("head", "neck", "spine01", "clavicle")[:SKIN_VERTICES] > 0.3
    )
    distance, nearest = cKDTree(skin[near]).query(hair)
    height = ((hair - skin[near][nearest]) * normals[near][nearest]).sum(1)
    low = on.marks.above_eye(on.part("hair").positions[:, 2]) < -0.03
    sunk = low & (height < -0.004) & (distance < 0.03)
    assert sunk.sum() < 0.02 * max(low.sum(), 1)


def test_the_same_identity_has_the_same_hair(bodies: dict[str, Body]) -> None:
    for style in ("waves", "pixie", "bun"):
        first, again, other = (wear(bodies["woman"], identity(style, seed)) for seed in (3, 3, 4))
        for one, same in zip(first.surfaces, again.surfaces, strict=True):
            np.testing.assert_array_equal(one.positions, same.positions)
        assert not np.array_equal(first.part("locks").positions, other.part("locks").positions)


@pytest.mark.parametrize("style", ["long", "bob", "ponytail", "waves"])
def test_length_lengthens(bodies: dict[str, Body], style: str) -> None:
    short, long = (
        wear(bodies["woman"], identity(style, length=factor)).part("tips").positions[:, 2].min()
        for factor in (0.7, 1.3)
    )
    assert short > long + 0.02


def test_ears_lie_flat_only_under_hair() -> None:
    assert [style for style in STYLES if covers_ears(style)] == ["long", "waves", "bob", "curls"]


def _reach(on: Worn, origin: Floats, ways: Floats) -> Floats:
    """Return how far out along `ways` [n, 3] hair is met last, metres; 0 where it is not."""
    reach = np.zeros(len(ways))
    for surface in on.surfaces:
        if surface.name == "locks":
            continue
        a, b, c = (surface.positions[surface.triangles[:, i]] - origin for i in range(3))
        for chosen in np.array_split(np.arange(len(ways)), max(1, len(ways) // 50)):
            d = ways[chosen][:, None]
            u, v, w = ((np.cross(p, q)[None] * d).sum(-1) for p, q in ((b, c), (c, a), (a, b)))
            total = u + v + w
            inside = ((u * total >= 0) & (v * total >= 0) & (w * total >= 0)) & (total != 0)
            volume = (a * np.cross(b, c)).sum(-1)[None]
            far = np.where(inside, volume / np.where(total == 0, 1.0, total), 0.0)
            reach[chosen] = np.maximum(reach[chosen], far.max(1))
    return reach
