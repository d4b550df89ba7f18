"""Posed vertices of a prepared avatar, on the CPU, without a face."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset, Part
from motion.kinematics import joint_transforms, rest_offsets, skinning_transforms
from motion.pose import Pose

Floats = NDArray[np.floating[Any]]


def joint_moves(asset: AvatarAsset, pose: Pose) -> Floats:
    """Return what each joint does to points at rest, float32 [104, 3, 4]."""
    placed = joint_transforms(pose.rotations, rest_offsets(asset.joints), pose.translation)
    return np.asarray(skinning_transforms(placed, asset.joints)[:, :3], np.float32)


def skinned(part: Part, moves: Floats) -> Floats:
    """Return the vertices [n, 3] of `part`, moved by linear blend skinning."""
    blend = np.einsum("nk,nkab->nab", part.weights, moves[part.joints])
    moved = np.einsum("nab,nb->na", blend[:, :, :3], part.positions) + blend[:, :, 3]
    return np.asarray(moved, np.float32)
