"""Who somebody is and how they stand are apart: no pose changes a bit of the identity."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset, load_asset
from avatar.body.prepare import asset_path
from avatar.renderer.base import Size
from avatar.renderer.opengl import OpenGLRenderer
from avatar.spec import SceneSpec, ready
from avatar.wardrobe.trial_poses import trial_poses
from motion.pose import Pose
from tests.avatar.pictures import batch

SIZE = Size(272, 480)


def test_no_pose_changes_a_bit_of_who_it_is(
    renderer: OpenGLRenderer, avatars: Path, mia: AvatarAsset
) -> None:
    who = ready("mia")
    before, kept = fingerprint(mia), asset_path(who, avatars).read_bytes()
    handle = renderer.open(who, SceneSpec(), SIZE, asset=mia)
    renderer.draw([handle], Pose.rest(1), 0.0)
    rest = renderer.look(handle)
    rng = np.random.default_rng(3)
    for pose in trial_poses(mia.joints).values():
        face = rng.random(pose.face.shape, np.float32)
        renderer.draw([handle], batch(Pose(pose.rotations, pose.translation, face)), 0.0)
        assert not np.array_equal(renderer.look(handle), rest)
    renderer.draw([handle], Pose.rest(1), 0.0)
    assert np.array_equal(renderer.look(handle), rest)
    renderer.close(handle)
    assert fingerprint(mia) == before
    assert asset_path(who, avatars).read_bytes() == kept
    assert fingerprint(load_asset(asset_path(who, avatars))) == before


def fingerprint(asset: AvatarAsset) -> str:
    """Return a digest of every array and value of an avatar."""
    digest = hashlib.sha256()
    textures = [asset.textures[name] for name in sorted(asset.textures)]
    arrays: list[NDArray[Any]] = [asset.joints, asset.morphs, *textures]
    for part in asset.parts:
        digest.update(repr((part.name, part.material, part.texture, part.values)).encode())
        arrays += [part.positions, part.normals, part.tangents, part.uv, part.baked]
        arrays += [part.joints, part.weights, part.triangles, part.morphs]
    for array in arrays:
        digest.update(f"{array.dtype}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    digest.update(repr(sorted(asset.values.items())).encode())
    return digest.hexdigest()
