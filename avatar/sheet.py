"""The contact sheet of an identity: face, gaze, hands and the whole figure at a glance."""

from collections.abc import Mapping
from typing import Final

from PIL import Image

from avatar.body.asset import AvatarAsset
from avatar.renderer.base import Size
from avatar.renderer.opengl import OpenGLRenderer
from avatar.renderer.planes import to_rgb
from avatar.spec import AvatarSpec, SceneSpec
from avatar.spec.scene import Framing
from avatar.wardrobe.trial_poses import trial_poses
from motion.pose import Pose
from motion.rotations import axis_degrees, multiply
from motion.skeleton import face_index, joint_index

_AWAY: Final = 22.0  # degrees the eyes turn to look aside

# What each picture shows: framing, trial pose, face coefficients.
VIEWS: Final[Mapping[str, tuple[Framing, str, Mapping[str, float]]]] = {
    "neutral": ("head", "idle", {}),
    "smile": (
        "head",
        "idle",
        {"mouthSmileLeft": 0.6, "mouthSmileRight": 0.6, "cheekSquintLeft": 0.3,
         "cheekSquintRight": 0.3, "jawOpen": 0.05},
    ),
    "ah": ("head", "idle", {"jawOpen": 0.42}),
    "oo": ("head", "idle", {"mouthPucker": 0.8, "mouthFunnel": 0.3, "jawOpen": 0.1}),
    "m": ("head", "idle", {"mouthPressLeft": 0.5, "mouthPressRight": 0.5, "mouthClose": 0.1}),
    "blink": ("head", "idle", {"eyeBlinkLeft": 1.0, "eyeBlinkRight": 1.0}),
    "look left": ("head", "idle", {"eyeLookOutLeft": 0.6, "eyeLookInRight": 0.6}),
    "point": ("half", "point beside", {}),
    "both hands up": ("half", "both hands up", {"mouthSmileLeft": 0.4, "mouthSmileRight": 0.4}),
    "full body": ("full", "hanging", {}),
}  # fmt: skip


def pose_of(view: str, poses: Mapping[str, Pose]) -> Pose:
    """Return the pose of one of `VIEWS`, without leading axes, from the body's trial poses."""
    _, name, face = VIEWS[view]
    base = poses[name]
    pose = Pose(base.rotations.copy(), base.translation.copy(), base.face.copy())
    for coefficient, value in face.items():
        pose.face[face_index(coefficient)] = value
    if view == "look left":
        for eye in ("eye.L", "eye.R"):
            index = joint_index(eye)
            pose.rotations[index] = multiply(axis_degrees("z", _AWAY), pose.rotations[index])
    return pose


def contact_sheet(
    renderer: OpenGLRenderer,
    spec: AvatarSpec,
    asset: AvatarAsset,
    scene: SceneSpec,
    size: Size,
    *,
    columns: int = 5,
) -> Image.Image:
    """Draw all `VIEWS` of `spec`, each of `size`, `columns` in a row.

    Args:
        renderer: what draws; a patient one, since the framing changes from picture to picture.
        spec: who. asset: prepared of it.
        scene: where; its framing is replaced by each view's.
        size: of one picture.

    Raises:
        AvatarError, AvatarValueError: as `OpenGLRenderer.open`.
    """
    poses = trial_poses(asset.joints)
    rows = -(-len(VIEWS) // columns)
    sheet = Image.new("RGB", (columns * size.width, rows * size.height))
    handle = renderer.open(spec, scene, size, asset=asset)
    for number, (view, (framing, _, _)) in enumerate(VIEWS.items()):
        renderer.update(handle, scene.changed(framing=framing))
        pose = pose_of(view, poses)
        batch = Pose(pose.rotations[None], pose.translation[None], pose.face[None])
        picture = renderer.draw([handle], batch, 0.0)[0]
        place = number % columns * size.width, number // columns * size.height
        sheet.paste(Image.fromarray(to_rgb(picture.planes)), place)
    renderer.close(handle)
    return sheet
