"""Any format to any other by the ending of its name; foreign bodies are recognised."""

from pathlib import Path

import numpy as np
import pytest

from motion import rotations as r
from motion.errors import MotionError, MotionValueError
from motion.formats import read_motion, write_clip, write_motion
from motion.formats.bodies import find_body
from motion.formats.bvh import parse_bvh, write_bvh
from motion.formats.conversion import clip_from, rig_motion
from motion.formats.retarget import Retarget
from motion.formats.skeletal import SkeletalMotion, Skeleton
from motion.formats.smplx import SMPLX_INDEX, SMPLX_NAMES, smplx_skeleton
from motion.kinematics import joint_positions
from motion.rest import REST_OFFSETS
from motion.skeleton import JOINT_NAMES, joint_index
from tests.motion.formats.samples import anyhow, waving

# A body in a T-pose, in centimetres, its left arm lowered to the front by one turn each.
TINY = """HIERARCHY
ROOT {0}Hips
{{
  OFFSET 0 100 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT {0}Spine {{ OFFSET 0 20 0 CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT {0}Spine1 {{ OFFSET 0 20 0 CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT {0}Neck {{ OFFSET 0 15 0 CHANNELS 3 Zrotation Xrotation Yrotation
        JOINT {0}Head {{ OFFSET 0 10 0 CHANNELS 3 Zrotation Xrotation Yrotation }} }}
      JOINT {0}LeftShoulder {{ OFFSET 5 10 0 CHANNELS 3 Zrotation Xrotation Yrotation
        JOINT {0}LeftArm {{ OFFSET 12 0 0 CHANNELS 3 Zrotation Xrotation Yrotation
          JOINT {0}LeftForeArm {{ OFFSET 28 0 0 CHANNELS 3 Zrotation Xrotation Yrotation
            JOINT {0}LeftHand {{ OFFSET 25 0 0 CHANNELS 3 Zrotation Xrotation Yrotation }} }} }} }}
      JOINT {0}RightShoulder {{ OFFSET -5 10 0 CHANNELS 3 Zrotation Xrotation Yrotation
        JOINT {0}RightArm {{ OFFSET -12 0 0 CHANNELS 3 Zrotation Xrotation Yrotation
          JOINT {0}RightForeArm {{ OFFSET -28 0 0 CHANNELS 3 Zrotation Xrotation Yrotation
            JOINT {0}RightHand {{ OFFSET -25 0 0 CHANNELS 3 Zrotation Xrotation Yrotation }}
    }} }} }} }} }}
  JOINT {0}LeftUpLeg {{ OFFSET 9 -5 0 CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT {0}LeftLeg {{ OFFSET 0 -45 0 CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT {0}LeftFoot {{ OFFSET 0 -43 0 CHANNELS 3 Zrotation Xrotation Yrotation }} }} }}
  JOINT {0}RightUpLeg {{ OFFSET -9 -5 0 CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT {0}RightLeg {{ OFFSET 0 -45 0 CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT {0}RightFoot {{ OFFSET 0 -43 0 CHANNELS 3 Zrotation Xrotation Yrotation }} }} }}
}}
MOTION
Frames: 2
Frame Time: 0.04
"""
JOINTS = 19
LEFT_ARM = 3 + 3 * 6  # where its three angles stand in a row


def tiny(prefix: str = "", turn: float = 0.0) -> SkeletalMotion:
    row = np.zeros((2, 3 + 3 * JOINTS))
    row[:, 1] = 100
    row[1, :3] += [20, 0, 40]
    row[:, LEFT_ARM] = -60  # about z: down
    row[:, LEFT_ARM + 3 + 2] = -90  # the forearm about y: to the front
    row[:, 5] = turn  # the hips about y
    text = TINY.format(prefix) + "\n".join(" ".join(map(str, values)) for values in row)
    return parse_bvh(text)


def bone(rotations: np.ndarray, start: str, end: str) -> np.ndarray:
    placed = joint_positions(rotations, REST_OFFSETS)
    way = placed[..., joint_index(end), :] - placed[..., joint_index(start), :]
    return np.asarray(way / np.linalg.norm(way, axis=-1, keepdims=True))


@pytest.mark.parametrize("prefix", ["", "mixamorig:", "Character1_"])
def test_limbs_of_a_foreign_body_point_where_they_did(prefix: str) -> None:
    clip = clip_from(tiny(prefix))
    down = [0.5, 0, -np.sin(np.pi / 3)]
    np.testing.assert_allclose(
        bone(clip.rotations[0], "upperarm01.L", "lowerarm01.L"), down, atol=1e-3
    )
    np.testing.assert_allclose(
        bone(clip.rotations[0], "lowerarm01.L", "wrist.L"), [0, -1, 0], atol=1e-3
    )
    np.testing.assert_allclose(
        bone(clip.rotations[0], "upperarm01.R", "wrist.R"), [-1, 0, 0], atol=1e-3
    )
    np.testing.assert_allclose(
        bone(clip.rotations[0], "upperleg01.L", "foot.L"), [0, 0, -1], atol=1e-3
    )
    # Steps are scaled by the thighs, 45 cm to ours; z is to the front, and ours is y to the back.
    thigh = np.linalg.norm(
        REST_OFFSETS[[joint_index("upperleg02.L"), joint_index("lowerleg01.L")]].sum(0)
    )
    step = clip.translation[1] - clip.translation[0]
    np.testing.assert_allclose(step, np.array([0.2, -0.4, 0]) * thigh / 0.45, atol=1e-5)


def test_a_body_that_turns_takes_its_arms_along() -> None:
    clip = clip_from(tiny(turn=90))
    np.testing.assert_allclose(
        bone(clip.rotations[0], "lowerarm01.L", "wrist.L"), [1, 0, 0], atol=1e-3
    )


_LIMBS = ("hip", "knee", "ankle", "foot", "collar", "shoulder", "elbow", "wrist")
STYLES = {
    "smplx": _LIMBS,
    "biped": ("Thigh", "Calf", "Foot", "Toe0", "Clavicle", "UpperArm", "Forearm", "Hand"),
    "engine": ("thigh", "calf", "foot", "ball", "clavicle", "upperarm", "lowerarm", "hand"),
    "cmu": ("UpLeg", "Leg", "Foot", "ToeBase", "Shoulder", "Arm", "ForeArm", "Hand"),
}
_FINGERS = ("thumb", "index", "middle", "ring", "pinky")


def renamed(name: str, style: str) -> str:
    """Return what a joint with an SMPL-X name is called in files of another kind."""
    side, _, joint = name.partition("_")
    if style == "smplx" or side not in ("left", "right"):
        return name.capitalize() if style == "cmu" else name
    table = dict(zip(_LIMBS, STYLES[style], strict=True))
    finger, part = joint[:-1], joint[-1:]
    if finger in _FINGERS:
        number = _FINGERS.index(finger)
        return {
            "biped": f"Bip01 {side[0].upper()} Finger{number}"
            + (f"{int(part) - 1}" if part != "1" else ""),
            "engine": f"{finger}_0{part}_{side[0]}",
            "cmu": f"{side.capitalize()}Hand{finger.capitalize()}{part}",
        }[style]
    stem = table.get(joint, joint)
    return {
        "biped": f"Bip01 {side[0].upper()} {stem}",
        "engine": f"{stem}_{side[0]}",
        "cmu": f"{side.capitalize()}{stem}",
    }[style]


@pytest.mark.parametrize("style", STYLES)
def test_names_of_many_programs_are_known(style: str) -> None:
    whole = smplx_skeleton()
    skeleton = Skeleton(tuple(renamed(n, style) for n in whole.names), whole.parents, whole.offsets)
    found = find_body(skeleton)
    assert {name for name in SMPLX_NAMES if name not in found} == {"jaw"}
    assert all(SMPLX_INDEX[name] == index for name, index in found.items())


def test_a_body_of_other_names_axes_and_size_moves_alike(tmp_path: Path) -> None:
    """As BVH with z up, in inches, facing aside, and with the joints called otherwise."""
    clip = waving(40)
    whole = smplx_skeleton()
    aside = r.axis_degrees("z", 90)
    skeleton = Skeleton(
        tuple(renamed(name, "biped") for name in whole.names),
        whole.parents,
        r.rotate(aside, whole.offsets) * np.float32(1.7),
    )
    motion = Retarget(skeleton, find_body(skeleton)).from_rig(clip)
    write_bvh(motion, tmp_path / "a.bvh", scale=0.0254, up="z")
    back = read_motion(tmp_path / "a.bvh", scale=0.0254, up="z")
    wanted = Retarget(whole, SMPLX_INDEX).to_rig(Retarget(whole, SMPLX_INDEX).from_rig(clip))
    assert float(np.degrees(r.angle_between(back.rotations, wanted[0]).max())) < 0.1
    np.testing.assert_allclose(back.translation, wanted[1], atol=1e-3)


def test_bodies_without_some_joints_still_move() -> None:
    keep = [
        n
        for n in SMPLX_NAMES[:22]
        if n not in ("spine1", "spine2", "left_collar", "neck", "left_foot")
    ]
    whole = smplx_skeleton()
    parents = []
    for name in keep:
        parent = whole.parents[SMPLX_INDEX[name]]
        while parent >= 0 and SMPLX_NAMES[parent] not in keep:
            parent = whole.parents[parent]
        parents.append(keep.index(SMPLX_NAMES[parent]) if parent >= 0 else -1)
    rest = whole.rest[[SMPLX_INDEX[name] for name in keep]]
    offsets = rest - rest[parents] * (np.array(parents) >= 0)[:, None]
    skeleton = Skeleton(tuple(keep), tuple(parents), offsets.astype(np.float32))
    found = find_body(skeleton)
    assert found["spine3"] == keep.index("spine3")
    turns = np.tile(r.IDENTITY, (1, len(keep), 1))
    turns[0, keep.index("spine3")] = r.axis_degrees("z", 30)
    motion = SkeletalMotion(skeleton, turns, np.zeros((1, 3), np.float32), 25.0)
    clip = clip_from(motion)
    shares = [np.degrees(r.to_rotation_vector(clip.rotations[0, joint_index(n)])[2])
              for n in ("spine05", "spine04", "spine03", "spine02", "spine01")]  # fmt: skip
    assert sum(shares) == pytest.approx(30.0, abs=0.01)
    assert max(shares) < 12.0


def test_every_format_is_known_by_its_ending(tmp_path: Path) -> None:
    clip = waving(51)
    for ending, poses, tolerance in (
        (".safetensors", 51, 1e-6),
        (".bvh", 51, 1e-5),
        (".npz", 51, 0.02),
    ):
        path = tmp_path / f"a{ending.upper()}"
        write_motion(clip, path)
        back = read_motion(path)
        assert len(back.rotations) == poses
        at = slice(0, 51, 5)
        wanted = joint_positions(clip.rotations, REST_OFFSETS, clip.translation)[at]
        got = joint_positions(back.rotations, REST_OFFSETS, back.translation)[at]
        np.testing.assert_allclose(got, wanted, atol=tolerance)
    write_motion(clip, tmp_path / "a.npy")
    assert len(read_motion(tmp_path / "a.npy").rotations) == 49
    write_motion(clip, tmp_path / "half.safetensors", half=True)
    assert (tmp_path / "half.safetensors").stat().st_size < 60_000
    assert len(list(tmp_path.iterdir())) == 5


def test_our_rig_is_known_in_any_order_of_its_joints() -> None:
    clip = anyhow(5)
    motion = rig_motion(clip)
    assert clip_from(motion).translation == pytest.approx(clip.translation, abs=1e-6)
    # Right leg before the left one.
    left, right = JOINT_NAMES.index("pelvis.L"), JOINT_NAMES.index("pelvis.R")
    width = right - left
    order = [0, *range(right, right + width), *range(left, right), *range(right + width, 104)]
    place = {joint: index for index, joint in enumerate(order)}
    parents = tuple(place.get(motion.skeleton.parents[joint], -1) for joint in order)
    other = Skeleton(tuple(JOINT_NAMES[j] for j in order), parents, REST_OFFSETS[order])
    back = clip_from(SkeletalMotion(other, motion.rotations[:, order], motion.root, 25.0))
    np.testing.assert_allclose(back.rotations, clip.rotations, atol=1e-6)


def test_what_cannot_be_read_or_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(MotionValueError, match=r"ends in '\.fbx'; accepted: \.safetensors .*\.npy"):
        read_motion(tmp_path / "a.fbx")
    with pytest.raises(MotionValueError, match=r"ends in ''"):
        write_motion(waving(2), tmp_path / "a")
    with pytest.raises(MotionError, match="cannot be read"):
        read_motion(tmp_path / "a.safetensors")
    text = TINY.format("").replace("LeftUpLeg", "Tail") + "\n".join(["0 " * (3 + 3 * JOINTS)] * 2)
    (tmp_path / "a.bvh").write_text(text)
    with pytest.raises(MotionValueError, match=r"a\.bvh: .*no joint for pelvis, left_hip"):
        read_motion(tmp_path / "a.bvh")
    write_clip(waving(2), tmp_path / "a.npz")
    with pytest.raises(MotionValueError, match="no npz"):
        read_motion(tmp_path / "a.npz")


def test_both_hips_in_one_place_are_named() -> None:
    whole = smplx_skeleton()
    offsets = whole.offsets.copy()
    offsets[SMPLX_INDEX["right_hip"]] = offsets[SMPLX_INDEX["left_hip"]]
    with pytest.raises(MotionValueError, match="both hips are in one place"):
        Retarget(Skeleton(whole.names, whole.parents, offsets), SMPLX_INDEX)
    offsets = whole.offsets.copy()
    offsets[SMPLX_INDEX["left_elbow"]] = 0.0
    with pytest.raises(MotionValueError, match="in one place"):
        Retarget(Skeleton(whole.names, whole.parents, offsets), SMPLX_INDEX)
