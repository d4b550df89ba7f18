"""The try-on finds what comes through cloth, and how far."""

import numpy as np
import pytest
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset
from avatar.body.skinning import joint_moves, skinned
from avatar.body.surface import Surface, rigid
from avatar.wardrobe.poke import check, covered_skin
from avatar.wardrobe.sheet import sheet_faces
from avatar.wardrobe.trial_poses import trial_poses
from motion.kinematics import joint_positions, rest_offsets
from motion.pose import Pose
from motion.rotations import axis_degrees
from motion.skeleton import JOINT_NAMES, joint_index
from tests.avatar.wardrobe.conftest import Model
from tests.avatar.wardrobe.dressed import asset_of

SIDE = 21
JOINT = "wrist.L"


def plate(name: str, material: str, depth: float, joint: str, half: float = 0.05) -> Surface:
    """Return a square that faces the camera `depth` metres before y = 0, beside the joint."""
    x, z = np.meshgrid(np.linspace(0.1 - half, 0.1 + half, SIDE), np.linspace(half, -half, SIDE))
    points = np.stack([x, np.full_like(x, -depth), z], -1).reshape(-1, 3).astype(np.float32)
    count = len(points)
    return Surface(
        name=name,
        material=material,
        texture="",
        positions=points,
        normals=np.repeat(np.array([[0.0, -1.0, 0.0]], np.float32), count, 0),
        uv=np.zeros((count, 2), np.float32),
        weights=rigid(count, joint_index(joint)),
        triangles=sheet_faces(SIDE, SIDE),
    )


def avatar(*surfaces: Surface) -> AvatarAsset:
    """Return surfaces as an avatar whose joints all stand at the origin."""
    return asset_of(np.zeros((len(JOINT_NAMES), 3), np.float32), surfaces)


def turned(degrees: float) -> Pose:
    """Return a pose that turns what follows the joint about the z axis, its outside forwards."""
    pose = Pose.rest()
    pose.rotations[joint_index(JOINT)] = axis_degrees("z", -degrees)
    return pose


@pytest.mark.parametrize(("kind", "material"), [("skin", "skin"), ("cloth", "cloth")])
def test_what_moves_out_of_its_cloth_is_found_with_its_depth(kind: str, material: str) -> None:
    inner = plate("inner", material, 0.0, JOINT, half=0.03)
    asset = avatar(inner, plate("outer", "cloth", 0.005, "root"))
    report = check(asset, {"still": Pose.rest(), "turned": turned(8.0)})
    assert {(f.pose, f.kind, f.inner, f.outer) for f in report.findings} == {
        ("turned", kind, "inner", "outer")
    }
    # The far edge, 130 mm from the joint, comes forward by 130 sin 8 = 18.1 mm; 5 are covered.
    assert report.worst(kind) == pytest.approx(0.0131, abs=0.0004)
    moved = skinned(asset.parts[0], joint_moves(asset, turned(8.0)))
    centres = moved[asset.parts[0].triangles].mean(1)
    points = np.concatenate([moved, centres]) if kind == "skin" else moved
    assert report.count(kind) == (points[:, 1] < -0.006).sum()


def test_a_fault_at_rest_is_found() -> None:
    asset = avatar(
        plate("skin", "skin", 0.008, "root", half=0.03), plate("cloth", "cloth", 0.005, "root")
    )
    report = check(asset, {"still": Pose.rest()})
    assert report.worst("skin") == pytest.approx(0.003, abs=1e-4)


def test_skin_beside_an_edge_is_not_through_it() -> None:
    asset = avatar(
        plate("skin", "skin", 0.008, "root", half=0.09),
        plate("cloth", "cloth", 0.005, "root", half=0.009),
    )
    assert check(asset, {"still": Pose.rest()}).findings == ()


def test_hair_inside_cloth_is_found() -> None:
    asset = avatar(
        plate("hair", "hair", 0.0, "root", half=0.02), plate("cloth", "cloth", 0.006, "root")
    )
    report = check(asset, {"still": Pose.rest()})
    assert report.worst("hair") == pytest.approx(0.006, abs=1e-4)
    assert "hair / cloth" in "\n".join(report.lines())


def test_only_skin_under_cloth_is_covered() -> None:
    asset = avatar(
        plate("skin", "skin", 0.0, "root", half=0.08), plate("cloth", "cloth", 0.005, "root")
    )
    part, under = asset.parts[0], covered_skin(asset)["skin"]
    away = np.abs(part.positions[part.triangles] - [0.1, 0.0, 0.0]).max(1)[:, [0, 2]].max(1)
    assert under[away < 0.038].all()
    assert not under[away > 0.052].any()


def test_poses_are_many_and_all_different(woman: Model) -> None:
    poses = trial_poses(woman.body.joints)
    assert len(poses) >= 40
    flat = np.stack([pose.rotations.ravel() for pose in poses.values()])
    for number, row in enumerate(flat):
        distance = np.abs(flat - row).max(1)
        assert (np.delete(distance, number) > 0.02).all()
    norms: NDArray[np.float32] = np.linalg.norm(flat.reshape(-1, 4), axis=1)
    assert np.allclose(norms, 1.0, atol=1e-5)


def test_both_hands_up_are_up_and_a_bow_bows(woman: Model) -> None:
    offsets, poses = rest_offsets(woman.body.joints), trial_poses(woman.body.joints)
    up = joint_positions(poses["both hands up"].rotations, offsets)
    for side in "LR":
        assert up[joint_index(f"wrist.{side}"), 2] > up[joint_index(f"upperarm01.{side}"), 2]
    head = joint_index("head")
    bow = joint_positions(poses["bow"].rotations, offsets)
    assert bow[head, 1] < woman.body.joints[head, 1] - 0.1
    mirrored = up[joint_index("wrist.R")] * [-1.0, 1.0, 1.0]
    assert np.allclose(up[joint_index("wrist.L")], mirrored, atol=2e-3)
