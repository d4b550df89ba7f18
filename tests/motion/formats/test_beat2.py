"""BEAT2: SMPL-X poses on our rig and back, and files that are none."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from motion import rotations as r
from motion.errors import MotionError, MotionValueError
from motion.formats.beat2 import Beat2, read_beat2, write_beat2
from motion.formats.clip import Clip
from motion.formats.retarget import Retarget
from motion.formats.skeletal import SkeletalMotion
from motion.formats.smplx import SMPLX_INDEX, SMPLX_NAMES, SMPLX_REST, smplx_skeleton
from motion.kinematics import joint_positions
from motion.rest import REST_OFFSETS, REST_POSITIONS
from motion.skeleton import face_index, joint_index
from tests.motion.formats.samples import waving

Array = NDArray[np.float32]


def motion(
    frames: int = 1, trans: Array | None = None, **joints: tuple[float, float, float]
) -> Beat2:
    """Return frames alike, the joints named turned by degrees in the axes of the set."""
    poses = np.zeros((frames, 55, 3), np.float32)
    for name, degrees in joints.items():
        poses[:, SMPLX_INDEX[name]] = np.radians(degrees)
    where = np.zeros((frames, 3), np.float32) if trans is None else trans
    return Beat2(
        poses.reshape(frames, -1), where, np.zeros((frames, 100), np.float32),
        np.zeros(300, np.float32),
    )  # fmt: skip


def direction(clip: Clip, start: str, end: str) -> Array:
    """Return where the bone from `start` to `end` points in the first pose."""
    placed = joint_positions(clip.rotations, REST_OFFSETS)[0]
    way = placed[joint_index(end)] - placed[joint_index(start)]
    return np.asarray(way / np.linalg.norm(way), np.float32)


ARM = (("upperarm01.L", "lowerarm01.L"), ("lowerarm01.L", "wrist.L"), ("wrist.L", "finger3-1.L"))


def test_no_turns_are_a_t_pose_with_the_palms_down() -> None:
    clip = motion().to_clip()
    for start, end in ARM:
        np.testing.assert_allclose(direction(clip, start, end), [1, 0, 0], atol=0.05)
        right = direction(clip, start.replace(".L", ".R"), end.replace(".L", ".R"))
        np.testing.assert_allclose(right, [-1, 0, 0], atol=0.05)
    # The thumb's side of the hand is in front.
    np.testing.assert_allclose(
        direction(clip, "finger5-1.L", "finger2-1.L"), [0.2, -0.98, 0], atol=0.1
    )
    np.testing.assert_allclose(direction(clip, "upperleg01.L", "foot.L"), [0.07, 0, -1], atol=0.05)
    np.testing.assert_allclose(clip.translation, 0.0, atol=2e-3)


def test_turns_are_about_the_axes_of_the_set() -> None:
    """Y is up and z to the front: a turn about z lowers an arm, about y brings it forward."""
    down = motion(left_shoulder=(0, 0, -90)).to_clip()
    for start, end in ARM:
        np.testing.assert_allclose(direction(down, start, end), [0, 0, -1], atol=0.05)
    bent = motion(left_elbow=(0, -90, 0)).to_clip()
    np.testing.assert_allclose(direction(bent, *ARM[0]), [1, 0, 0], atol=0.05)
    np.testing.assert_allclose(direction(bent, *ARM[1]), [0, -1, 0], atol=0.05)
    fist = motion(left_index1=(0, 0, -90)).to_clip()
    np.testing.assert_allclose(direction(fist, "finger2-1.L", "finger2-2.L"), [0, 0, -1], atol=0.05)
    turned = motion(pelvis=(0, 90, 0)).to_clip()
    np.testing.assert_allclose(direction(turned, *ARM[0]), [0, 1, 0], atol=0.05)


def test_a_chest_and_a_head_turn_by_what_their_joints_add_up_to() -> None:
    clip = motion(spine1=(0, 10, 0), spine3=(0, 20, 0), neck=(10, 0, 0), head=(10, 0, 0)).to_clip()
    world = r.IDENTITY
    for name in ("spine05", "spine04", "spine03", "spine02", "spine01"):
        world = r.multiply(world, clip.rotations[0, joint_index(name)])
    np.testing.assert_allclose(r.to_rotation_vector(world), np.radians([0, 0, 30]), atol=1e-4)
    for name in ("neck01", "neck02", "neck03", "head"):
        world = r.multiply(world, clip.rotations[0, joint_index(name)])
    nodded = r.multiply(r.axis_degrees("z", 30), r.axis_degrees("x", 20))
    assert float(r.angle_between(world, nodded)) < 1e-3


def test_twists_are_shared_along_the_arm() -> None:
    clip = motion(left_wrist=(60, 0, 0), left_shoulder=(40, 0, 0)).to_clip()
    for name, least in (("upperarm01.L", 10), ("upperarm02.L", 15), ("lowerarm02.L", 20)):
        turn = r.angle_between(r.IDENTITY, clip.rotations[0, joint_index(name)])
        assert np.degrees(turn) > least, name


def test_poses_of_the_set_survive_our_rig() -> None:
    random = np.random.default_rng(4)
    keys = random.normal(size=(4, 55, 3)) * 0.5
    keys[:, SMPLX_INDEX["jaw"]] = [0.1, 0, 0]
    share = np.abs(np.arange(25) % 24 / 12 - 1.0)[:, None, None]
    poses = ((1 - share) * keys[0] + share * keys[1]).astype(np.float32).reshape(25, -1)
    zero = np.zeros((25, 100), np.float32)
    there = Beat2(poses, np.zeros((25, 3), np.float32), zero, np.zeros(300, np.float32), fps=25.0)
    retarget = Retarget(smplx_skeleton(), SMPLX_INDEX)
    back = retarget.from_rig(there.to_clip())
    turns = r.from_rotation_vector(poses.reshape(25, 55, 3))
    wanted = turns[..., [0, 1, 3, 2]] * np.array([1, 1, -1, 1], np.float32)
    off = np.degrees(r.angle_between(back.rotations, wanted))
    off[:, SMPLX_INDEX["jaw"]] = 0.0  # of the face, tested below
    assert float(off.max()) < 0.1


def test_our_poses_survive_the_set() -> None:
    clip = waving(76)
    back = Beat2.of(clip).to_clip()
    at = slice(0, 76, 5)  # every fifth of ours is a frame of theirs
    assert len(back.rotations) == 76
    wanted = joint_positions(clip.rotations, REST_OFFSETS, clip.translation)[at]
    got = joint_positions(back.rotations, REST_OFFSETS, back.translation)[at]
    np.testing.assert_allclose(got, wanted, atol=4e-3)
    jaw = face_index("jawOpen")
    np.testing.assert_allclose(back.face[at, jaw], clip.face[at, jaw], atol=1e-3)


def test_steps_and_seconds_are_kept_and_the_first_frame_is_home() -> None:
    at = np.arange(31, dtype=np.float32)[:, None] / 30
    clip = motion(31, np.concatenate([5 + at, 0 * at - 3, 2 - at], 1)).to_clip()
    assert len(clip.rotations) == 26
    scale = Retarget(smplx_skeleton(), SMPLX_INDEX).scale
    np.testing.assert_allclose(clip.translation[-1] / scale, [1, 1, 0], atol=5e-3)
    np.testing.assert_allclose(clip.translation[0], 0, atol=5e-3)


def test_the_lowest_step_stands_on_the_floor() -> None:
    """Knees bent by the same angle as the hips lower the body; the feet stay flat."""
    bent = {
        f"{s}_{j}": (d, 0, 0)
        for s in ("left", "right")
        for j, d in (("hip", -50), ("knee", 100), ("ankle", -50))
    }
    clip = motion(**bent).to_clip()  # type: ignore[arg-type]
    placed = joint_positions(clip.rotations, REST_OFFSETS, clip.translation)[0]
    assert float(placed[:, 2].min()) == pytest.approx(float(REST_POSITIONS[:, 2].min()), abs=1e-4)
    assert float(clip.translation[0, 2]) < -0.2


def test_joints_of_a_body_model_are_taken() -> None:
    """A model at rest with its arms hanging: no turns are then arms that hang."""
    rest = SMPLX_REST[:, [0, 2, 1]] * np.array([1, 1, -1], np.float32)
    for name in SMPLX_NAMES:
        if name.startswith("left_") and rest[SMPLX_INDEX[name], 0] > 0.2:
            x, _, z = rest[SMPLX_INDEX[name]]
            rest[SMPLX_INDEX[name]] = [0.17, 0.46 - (x - 0.17), z]
    clip = motion().to_clip(joints=rest)
    np.testing.assert_allclose(direction(clip, *ARM[0]), [0, 0, -1], atol=0.02)
    np.testing.assert_allclose(direction(clip, "upperarm01.R", "wrist.R"), [-1, 0, 0], atol=0.02)


def test_mean_hands_are_added_and_taken_away() -> None:
    mean = np.zeros(90, np.float32)
    mean[2] = np.radians(-90)  # left_index1 about z
    clip = motion().to_clip(hand_mean=mean)
    np.testing.assert_allclose(direction(clip, "finger2-1.L", "finger2-2.L"), [0, 0, -1], atol=0.05)
    np.testing.assert_allclose(Beat2.of(clip, hand_mean=mean).poses[:, 75:], 0.0, atol=1e-3)
    with pytest.raises(MotionValueError, match="hand_mean"):
        motion().to_clip(hand_mean=mean[:45])
    with pytest.raises(MotionValueError, match="joints are"):
        motion().to_clip(joints=np.zeros((24, 3)))


def test_a_file_comes_back(tmp_path: Path) -> None:
    made = Beat2.of(waving(30))
    write_beat2(made, tmp_path / "a.npz")
    back = read_beat2(tmp_path / "a.npz")
    for name in ("poses", "trans", "expressions", "betas"):
        np.testing.assert_array_equal(getattr(back, name), getattr(made, name))
    assert (back.gender, back.model, back.fps) == ("neutral", "smplx2020", 30.0)
    with np.load(tmp_path / "a.npz") as file:
        assert set(file.files) == {
            "betas", "poses", "expressions", "trans", "model", "gender", "mocap_frame_rate",
        }  # fmt: skip
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]


def test_what_other_tools_write_is_read(tmp_path: Path) -> None:
    """Double precision, ten expressions, no rate: as the add-on for Blender writes them."""
    path = tmp_path / "a.npz"
    np.savez(path, poses=np.zeros((3, 165)), trans=np.ones((3, 3)), expressions=np.ones((3, 10)))
    back = read_beat2(path)
    assert (back.fps, back.gender, back.betas.shape) == (30.0, "neutral", (300,))
    assert back.poses.dtype == np.float32
    np.testing.assert_array_equal(back.expressions.sum(1), [10.0] * 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"poses": np.zeros((3, 156))}, r"poses is \[3, 156\]; accepted: finite \[3, 165\]"),
        ({"poses": np.full((3, 165), np.nan)}, "poses is"),
        ({"poses": np.zeros(())}, "poses hold 0 frames"),
        ({"poses": np.zeros((0, 165))}, "0 frames"),
        ({"poses": np.array(["a"] * 3)}, "accepted: numbers"),
        ({"trans": np.zeros((2, 3))}, r"trans is \[2, 3\]; accepted: finite \[3, 3\]"),
        ({"expressions": np.zeros((3, 200))}, "expressions is"),
        ({"gender": np.zeros(3)}, "gender is float64"),
        ({"mocap_frame_rate": np.array(0.0)}, "0.0 frames a second"),
        ({"mocap_frame_rate": np.zeros(2)}, "mocap_frame_rate is"),
        ({"poses": np.array([{}, {}, {}], object)}, "no npz of plain arrays"),
    ],
)
def test_arrays_that_are_none_are_named(
    change: dict[str, NDArray[np.float64]], message: str, tmp_path: Path
) -> None:
    good = {"poses": np.zeros((3, 165)), "trans": np.zeros((3, 3))}
    np.savez(tmp_path / "a.npz", **(good | change))  # type: ignore[arg-type]
    with pytest.raises(MotionValueError, match=message):
        read_beat2(tmp_path / "a.npz")


def test_files_that_are_none_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    with pytest.raises(MotionError, match="cannot be read"):
        read_beat2(path)
    path.write_bytes(b"no archive")
    with pytest.raises(MotionValueError, match="no npz"):
        read_beat2(path)
    np.savez(path, trans=np.zeros((3, 3)))
    with pytest.raises(MotionValueError, match="no 'poses'"):
        read_beat2(path)
    with pytest.raises(MotionError, match="cannot be written"):
        write_beat2(motion(), tmp_path / "none" / "a.npz")


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_spoilt_bytes_are_refused_or_read(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.npz"
        write_beat2(motion(2), path)
        whole = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(1, 4))):
            whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
        path.write_bytes(whole[: data.draw(st.integers(len(whole) // 2, len(whole)))])
        try:
            back = read_beat2(path)
        except (MotionError, MotionValueError):
            return
    assert isinstance(back, Beat2)


def test_a_motion_of_another_skeleton_is_refused() -> None:
    retarget = Retarget(smplx_skeleton(), SMPLX_INDEX)
    other = retarget.from_rig(waving(2))
    body = {name: index for name, index in SMPLX_INDEX.items() if index < 22}
    skeleton = type(other.skeleton)(
        SMPLX_NAMES[:22], other.skeleton.parents[:22], other.skeleton.offsets[:22]
    )
    with pytest.raises(MotionValueError, match="another skeleton"):
        Retarget(skeleton, body).to_rig(other)
    with pytest.raises(MotionValueError, match="no joint for left_knee"):
        Retarget(skeleton, {name: i for name, i in body.items() if name != "left_knee"})
    with pytest.raises(MotionValueError, match="rotations are"):
        SkeletalMotion(skeleton, other.rotations, other.root, 25.0)
