"""Ornaments sit where they are worn, follow that part of the body and clear the face."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

from avatar.body.masks import vertex_mask
from avatar.body.mesh import vertex_normals
from avatar.body.source import SKIN_VERTICES
from avatar.body.surface import Surface
from avatar.spec import AvatarSpec
from avatar.spec.colour import linear
from avatar.spec.identity import HairSpec, OrnamentSpec
from avatar.wardrobe.ornaments import ornament_surfaces
from motion.skeleton import FACE_NAMES, JOINT_NAMES
from tests.avatar.wardrobe.conftest import Model

GOLD = "#d9b45c"


# Hair that leaves the ears free.
BARE_EARS = "bun"


def worn(model: Model, *kinds: str, style: str = BARE_EARS) -> list[Surface]:
    """Return ornaments on a bare body with hair of `style`."""
    ornaments = tuple(OrnamentSpec.model_validate({"kind": k, "colour": GOLD}) for k in kinds)
    hair = HairSpec.model_validate({"style": style})
    who = AvatarSpec(ornaments=ornaments, hair=hair)
    return ornament_surfaces(model.body, model.marks, who, [])


def joints_of(surface: Surface) -> set[str]:
    """Return the names of the joints that move a surface by a tenth or more."""
    return {JOINT_NAMES[i] for i in np.flatnonzero(surface.weights.max(0) > 0.1)}


@pytest.mark.parametrize("who", ["woman", "man"])
@pytest.mark.parametrize("kind", ["glasses", "round_glasses"])
@pytest.mark.parametrize("face", ["", "mouthSmile", "browInnerUp", "cheekPuff"])
def test_glasses_clear_the_face(
    who: str, kind: str, face: str, request: pytest.FixtureRequest
) -> None:
    model: Model = request.getfixturevalue(who)
    body = model.body
    chosen = [i for i, name in enumerate(FACE_NAMES) if face and name.startswith(face)]
    vertices = body.vertices + body.shapes[chosen].sum(0)
    normals = vertex_normals(vertices, body.groups["body"].triangles)[:SKIN_VERTICES]
    hidden = vertex_mask(body, "mpfb_ears.jpg")[:SKIN_VERTICES] > 0.05
    usable = np.flatnonzero(~hidden & (body.weight_of("head")[:SKIN_VERTICES] > 0.3))
    frame, lenses = worn(model, kind)
    for surface in (frame, lenses):
        front = surface.positions[surface.positions[:, 1] < float(model.marks.eye[1]) + 0.01]
        distance, near = cKDTree(vertices[usable]).query(front)
        close = distance < 0.02
        away = front - vertices[usable[near]]
        above = (away * normals[usable[near]]).sum(1)
        assert above[close].min() > 0.0


@pytest.mark.parametrize("kind", ["glasses", "round_glasses"])
def test_lenses_are_before_the_eyes_and_drawn_last(woman: Model, kind: str) -> None:
    surfaces = worn(woman, kind, "studs", "watch")
    assert [surface.material for surface in surfaces][-1] == "glass"
    assert {surface.material for surface in surfaces[:-1]} == {"metal"}
    lenses, eye = surfaces[-1].positions, woman.marks.eye
    left = lenses[lenses[:, 0] > 0.0]
    low, high = left.min(0), left.max(0)
    assert low[0] + 0.008 < eye[0] < high[0] - 0.008
    assert low[2] + 0.008 < eye[2] < high[2] - 0.008
    assert high[1] < eye[1]


def test_glasses_reach_the_ears_and_follow_the_head(woman: Model) -> None:
    frame, lenses = worn(woman, "glasses")
    ears = vertex_mask(woman.body, "mpfb_ears.jpg") > 0.5
    assert frame.positions[:, 1].max() > woman.body.vertices[ears, 1].min()
    assert joints_of(frame) == joints_of(lenses) == {"head"}
    assert frame.values["colour"] == list(linear(GOLD))


@pytest.mark.parametrize("kind", ["studs", "hoops"])
def test_ear_rings_hang_at_both_lobes(woman: Model, kind: str) -> None:
    (surface,) = worn(woman, kind)
    assert joints_of(surface) == {"head"}
    ears = vertex_mask(woman.body, "mpfb_ears.jpg") > 0.5
    ear = woman.body.vertices[ears & (woman.body.vertices[:, 0] > 0.0)]
    for sign in (1.0, -1.0):
        mine = surface.positions[sign * surface.positions[:, 0] > 0.0] * [sign, 1.0, 1.0]
        assert len(mine) == len(surface.positions) // 2
        assert cKDTree(ear).query(mine)[0].min() < 0.004
        assert abs(mine[:, 2].max() - ear[:, 2].min()) < 0.018
    assert np.ptp(surface.positions[:, 2]) < (0.03 if kind == "hoops" else 0.01)


def test_hair_over_the_ears_hides_studs_and_leaves_hoops(woman: Model) -> None:
    assert not worn(woman, "studs", style="bob")
    assert [surface.name for surface in worn(woman, "hoops", style="bob")] == ["hoops"]


def test_a_watch_encircles_the_left_wrist(woman: Model) -> None:
    strap, case, dial = worn(woman, "watch")
    wrist, elbow = woman.body.joint("wrist.L"), woman.body.joint("lowerarm01.L")
    along = (wrist - elbow) / np.linalg.norm(wrist - elbow)
    for surface in (strap, case, dial):
        assert np.linalg.norm(surface.positions - wrist, axis=1).max() < 0.08
        assert joints_of(surface) <= {"lowerarm01.L", "lowerarm02.L", "wrist.L"}
        assert np.allclose(surface.weights.sum(1), 1.0, atol=1e-3)
    near = np.abs((woman.body.vertices - strap.positions.mean(0)) @ along) < 0.008
    near &= np.linalg.norm(woman.body.vertices - strap.positions.mean(0), axis=1) < 0.06
    ring = cKDTree(strap.positions)
    # Every part of the wrist's skin there has the strap outside it, close by.
    assert ring.query(woman.body.vertices[near])[0].max() < 0.014
    assert dial.values["metal"] == [0.0]
    assert case.values["metal"] == [1.0]


def test_a_watch_sits_below_a_sleeve(woman: Model) -> None:
    bare = worn(woman, "watch")[0].positions
    wrist, elbow = woman.body.joint("wrist.L"), woman.body.joint("lowerarm01.L")
    along = (wrist - elbow) / np.linalg.norm(wrist - elbow)
    form = woman.fit.form.cloth
    sleeve = (woman.fit.form.along_forearm(form.positions) < 0.97) & (
        woman.fit.form.arm(form.positions) > 0.0
    )
    cloth = worn(woman, "studs")[0]
    cloth.positions, cloth.weights = form.positions[sleeve], form.weights[sleeve]
    spec = AvatarSpec(ornaments=(OrnamentSpec(kind="watch"),))
    lower = ornament_surfaces(woman.body, woman.marks, spec, [cloth])[0].positions
    assert ((lower - wrist) @ along).min() > ((bare - wrist) @ along).min() + 0.004


@pytest.mark.parametrize("who", ["woman", "man"])
def test_a_necklace_lies_on_the_skin(who: str, request: pytest.FixtureRequest) -> None:
    model: Model = request.getfixturevalue(who)
    (surface,) = worn(model, "necklace")
    body = model.body
    normals = vertex_normals(body.vertices, body.groups["body"].triangles)[:SKIN_VERTICES]
    distance, near = cKDTree(body.vertices[:SKIN_VERTICES]).query(surface.positions, k=3)
    above = (surface.positions[:, None] - body.vertices[near]) * normals[near]
    height = above.sum(2).mean(1)
    assert height.min() > -0.004
    assert np.median(height) < 0.006
    assert np.quantile(height, 0.95) < 0.025
    # It hangs in front, its lowest point in the middle, and goes around behind.
    lowest = surface.positions[surface.positions[:, 2].argmin()]
    assert abs(lowest[0]) < 0.006
    assert 0.02 < float(model.marks.neck[2]) - lowest[2] < 0.16
    assert surface.positions[:, 1].max() > float(model.marks.neck[1])
    assert np.allclose(surface.weights.sum(1), 1.0, atol=1e-3)
    assert distance.max() < 0.05


def test_no_ornaments_no_surfaces(woman: Model) -> None:
    assert worn(woman) == []
