"""Where body, hands and face are in a picture, from poses: the points OpenPose names."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset
from avatar.renderer.base import Size
from avatar.renderer.camera import camera
from motion.kinematics import joint_transforms, rest_offsets, skinning_transforms
from motion.pose import Pose
from motion.skeleton import joint_index

Floats = NDArray[np.float32]

# OpenPose's 18 points; None is worked out from others.
_BODY: Final = (
    None, None, "upperarm01.R", "lowerarm01.R", "wrist.R", "upperarm01.L", "lowerarm01.L",
    "wrist.L", "upperleg01.R", "lowerleg01.R", "foot.R", "upperleg01.L", "lowerleg01.L", "foot.L",
    "eye.R", "eye.L", None, None,
)  # fmt: skip
NOSE, NECK, RIGHT_EAR, LEFT_EAR = 0, 1, 16, 17
# From the middle between the eyes, metres on the reference head: x to the left, y to the back.
_ON_HEAD: Final = {
    NOSE: (0.0, -0.045, -0.038), RIGHT_EAR: (-0.072, 0.070, -0.012),
    LEFT_EAR: (0.072, 0.070, -0.012),
}  # fmt: skip
_CHIN: Final = (0.0, -0.020, -0.105)


@dataclass(frozen=True, slots=True)
class Keypoints:
    """Pixels from the top left, over t poses.

    Attributes:
        body: float32 [t, 18, 2]. hands: float32 [t, 2, 21, 2], right first: wrist, then thumb to
            little finger from the knuckle to the tip. face: float32 [t, 4, 2]: nose, the ears,
            chin.
    """

    body: Floats
    hands: Floats
    face: Floats


def keypoints(asset: AvatarAsset, framing: str, poses: Pose, size: Size) -> Keypoints:
    """Project the poses (one leading axis t) as the camera of a framing sees them at rest."""
    joints = asset.joints
    placed = joint_transforms(poses.rotations, rest_offsets(joints), poses.translation)
    at = np.asarray(placed[..., :3, 3], np.float32)
    moves = skinning_transforms(placed, joints)[:, joint_index("head")]
    body = np.zeros((len(at), 18, 3), np.float32)
    for index, name in enumerate(_BODY):
        if name is not None:
            body[:, index] = at[:, joint_index(name)]
    body[:, NECK] = (body[:, 2] + body[:, 5]) / 2.0
    for index, offset in _ON_HEAD.items():
        body[:, index] = _on_head(asset, moves, offset)
    chin = _on_head(asset, moves, _CHIN)
    face = np.concatenate([body[:, [NOSE, RIGHT_EAR, LEFT_EAR]], chin[:, None]], 1)
    hands = np.stack([_hand(at, side) for side in ("R", "L")], 1)
    view, _ = camera(asset, framing, size)
    return Keypoints(*(_projected(points, view, size) for points in (body, hands, face)))


def _on_head(asset: AvatarAsset, moves: Floats, offset: tuple[float, float, float]) -> Floats:
    middle = np.array([0.0, *asset.values["eye"][1:]])
    rest = middle + np.array(offset) * asset.values["scale"][0]
    return np.asarray(moves[:, :3, :3] @ rest + moves[:, :3, 3], np.float32)


def _hand(at: Floats, side: str) -> Floats:
    points = [at[:, joint_index(f"wrist.{side}")]]
    for finger in range(1, 6):
        chain = [at[:, joint_index(f"finger{finger}-{phalanx}.{side}")] for phalanx in (1, 2, 3)]
        # The rig ends at the last joint; the tip lies a little less than a phalanx further.
        points += [*chain, chain[2] + 0.85 * (chain[2] - chain[1])]
    return np.stack(points, 1)


def _projected(points: NDArray[Any], view: Floats, size: Size) -> Floats:
    seen = points @ view[:, :3].T + view[:, 3]
    place = seen[..., :2] / seen[..., 3:]
    pixels = (place * np.array([0.5, -0.5]) + 0.5) * np.array([size.width, size.height])
    return np.asarray(pixels, np.float32)
