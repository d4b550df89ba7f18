"""HumanML3D features against closed forms, and our poses through them and back."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from motion import rotations as r
from motion.errors import MotionError, MotionValueError
from motion.formats import humanml3d as h
from motion.formats.clip import Clip
from motion.formats.positions import body_motion, body_skeleton
from motion.formats.retarget import Retarget
from motion.formats.skeletal import SkeletalMotion, from_our_axes, to_our_axes
from motion.formats.smplx import SMPLX_INDEX, SMPLX_NAMES
from motion.kinematics import joint_positions
from motion.rest import REST_OFFSETS
from motion.skeleton import joint_index
from tests.motion.formats.samples import waving

Array = NDArray[np.float32]

BODY = {name: SMPLX_INDEX[name] for name in SMPLX_NAMES[:22]}


def standing(frames: int) -> NDArray[np.float64]:
    """Return a body in a T-pose that faces the front, on the floor, [frames, 22, 3]."""
    rest = from_our_axes(body_skeleton().rest, "y").astype(np.float64)
    rest[:, 1] -= rest[:, 1].min()
    return np.tile(rest, (frames, 1, 1))


def wild(frames: int = 40, seed: int = 1) -> NDArray[np.float64]:
    """Return a body whose joints all turn, and that walks and turns about, [frames, 22, 3]."""
    random = np.random.default_rng(seed)
    keys = random.normal(size=(2, 22, 3)) * 0.35
    share = np.linspace(0.0, 1.0, frames)[:, None, None]
    turns = r.from_rotation_vector((1 - share) * keys[0] + share * keys[1])
    turns[:, 0] = r.multiply(r.axis_degrees("z", np.linspace(-170, 200, frames)), turns[:, 0])
    way = np.cumsum(random.normal(size=(frames, 3)) * [0.03, 0.03, 0.005], 0).astype(np.float32)
    motion = SkeletalMotion(body_skeleton(), turns, way, 20.0)
    return from_our_axes(motion.positions, "y").astype(np.float64)


def test_somebody_who_stands_still() -> None:
    p = standing(5)
    f = h.encode(p)
    assert f.shape == (4, 263)
    assert f.dtype == np.float32
    np.testing.assert_allclose(f[:, :3], 0.0, atol=1e-6)
    np.testing.assert_allclose(f[:, 3], p[0, 0, 1], atol=1e-6)
    np.testing.assert_allclose(f[:, h.POSITIONS], p[:4, 1:].reshape(4, -1), atol=1e-5)
    np.testing.assert_allclose(f[:, h.VELOCITIES], 0.0, atol=1e-6)
    np.testing.assert_array_equal(f[:, h.CONTACTS], 1.0)


def test_somebody_who_walks_sideways_and_lifts_one_foot() -> None:
    p = standing(6)
    p[..., 0] += 0.03 * np.arange(6)[:, None]
    p[:, BODY["right_foot"], 1] += 0.05 * np.arange(6)
    f = h.encode(p)
    np.testing.assert_allclose(f[:, 1:3], [[0.03, 0.0]] * 5, atol=1e-5)
    velocities = f[:, h.VELOCITIES].reshape(5, 22, 3)
    np.testing.assert_allclose(velocities[:, 0], [[0.03, 0, 0]] * 5, atol=1e-5)
    np.testing.assert_allclose(velocities[:, BODY["right_foot"]], [[0.03, 0.05, 0]] * 5, atol=1e-5)
    # 0.03 m squared is less than 0.002, with 0.05 m upwards it is more.
    np.testing.assert_array_equal(f[:, h.CONTACTS], [[1, 1, 1, 0]] * 5)


def test_somebody_who_turns_left_at_an_even_speed_is_the_same_in_every_frame() -> None:
    frames = 241
    turn = r.axis_degrees("y", 2.0 * np.arange(frames))
    f = h.encode(r.rotate(turn[:, None], standing(frames)))
    inner = slice(85, frames - 86)  # beyond the reach of the bell at both ends
    np.testing.assert_allclose(f[inner, 0], -np.radians(1.0), atol=1e-5)
    np.testing.assert_allclose(f[inner, h.POSITIONS], [f[120, h.POSITIONS]] * 70, atol=1e-4)


def test_rotations_are_those_between_bones_and_the_rest_of_the_set() -> None:
    """Of the set's rest arms hang: to the side, upper and lower arm are turned by a quarter."""
    six = h.encode(standing(2))[0, h.ROTATIONS].reshape(21, 6)
    found = r.to_rotation_vector(r.from_6d(six))
    np.testing.assert_allclose(found[BODY["left_wrist"] - 1], 0.0, atol=1e-3)
    chain = r.IDENTITY
    for name in ("left_collar", "left_shoulder", "left_elbow", "left_wrist"):
        chain = r.multiply(chain, r.from_6d(six[BODY[name] - 1]))
    np.testing.assert_allclose(r.rotate(chain, [0, -1, 0]), [1, 0, 0], atol=1e-5)


@settings(deadline=None, max_examples=25)
@given(st.floats(-180.0, 180.0), st.floats(-50.0, 50.0), st.floats(-5.0, 5.0))
def test_where_and_facing_what_somebody_starts_does_not_matter(
    degrees: float, aside: float, up: float
) -> None:
    p = wild(12)
    moved = r.rotate(r.axis_degrees("y", degrees), p) + np.array([aside, up, -aside])
    np.testing.assert_allclose(h.encode(moved), h.encode(p), atol=2e-4)


def test_joints_come_back_but_for_where_they_started() -> None:
    p = wild(60)
    back = h.decode(h.encode(p))
    assert back.shape == (59, 22, 3)
    p = p[:-1] - p[0, 0] * [1, 0, 1]
    p[..., 1] += back[0, 0, 1] - p[0, 0, 1]
    hips = [BODY["left_hip"], BODY["right_hip"]]
    facing = []
    for joints in (p, back):
        across = joints[0, hips[0]] - joints[0, hips[1]]
        facing.append(np.degrees(np.arctan2(across[0], across[2])))
    p = r.rotate(r.axis_degrees("y", facing[1] - facing[0]), p).astype(np.float64)
    np.testing.assert_allclose(back, p, atol=1e-3)
    np.testing.assert_allclose(
        h.encode(back)[:, h.POSITIONS], h.encode(p)[:, h.POSITIONS], atol=2e-3
    )


def test_bones_point_where_they_did_when_only_places_are_known() -> None:
    """Of a foreign, larger body: every limb of the nominal one takes its direction."""
    p = to_our_axes(1.3 * wild(15), "y")
    motion = body_motion(p, 20.0)
    q = motion.positions
    for name, parent in zip(SMPLX_NAMES[1:22], body_skeleton().parents[1:], strict=True):
        if "hip" in name or "collar" in name or name in ("spine1", "neck"):
            continue  # given by two bones at once
        wanted = p[:, BODY[name]] - p[:, parent]
        got = q[:, BODY[name]] - q[:, parent]
        cosine = (wanted * got).sum(-1) / np.linalg.norm(wanted, axis=-1)
        cosine /= np.linalg.norm(got, axis=-1)
        assert float(cosine.min()) > 1.0 - 1e-5, name
    np.testing.assert_allclose(1.3 * (motion.root - motion.root[0]), p[:, 0] - p[0, 0], atol=1e-4)


def test_a_bent_elbow_says_how_the_arm_is_twisted() -> None:
    """A forearm raised from an arm to the side: the upper arm has turned back by a quarter."""
    p = standing(1)
    elbow, wrist = BODY["left_elbow"], BODY["left_wrist"]
    p[0, wrist] = p[0, elbow] + [0.0, 0.25, 0.0]
    motion = body_motion(to_our_axes(p, "y"), 20.0)
    world = motion.skeleton.world(motion.rotations)[0]
    # At rest an elbow bends to the front; here it bends up.
    turned = r.rotate(world[BODY["left_shoulder"]], [0.0, -1.0, 0.0])
    np.testing.assert_allclose(turned, [0.0, 0.0, 1.0], atol=1e-4)
    turned = r.rotate(world[elbow], [1.0, 0.0, 0.0])
    np.testing.assert_allclose(turned, [0.0, 0.0, 1.0], atol=1e-4)


def test_our_poses_survive_the_features() -> None:
    clip = waving(101)
    f = h.features_of(clip)
    assert f.shape == (80, 263)
    back = h.clip_of(f)
    count = len(back.rotations)
    assert count == 99
    at = slice(0, count, 5)
    for start, end in (
        ("upperarm01.L", "lowerarm01.L"), ("lowerarm01.L", "wrist.L"), ("upperarm01.R", "wrist.R"),
        ("upperleg01.L", "lowerleg01.L"), ("lowerleg01.R", "foot.R"), ("clavicle.L", "clavicle.R"),
    ):  # fmt: skip
        wanted, got = (direction(c, start, end)[:count][at] for c in (clip, back))
        # Frames of the set face where their first does; ours keep what it faces.
        turn = np.arctan2(*(wanted[0, [1, 0]])) - np.arctan2(*(got[0, [1, 0]]))
        assert abs(np.degrees(turn)) < 6.0, (start, end)
        angle = np.degrees(np.arccos(np.clip((wanted * got).sum(-1), -1, 1)))
        assert float(angle.max()) < 6.0, (start, end, angle.max())
    np.testing.assert_array_equal(back.face, 0.0)


def direction(clip: Clip, start: str, end: str) -> Array:
    placed = joint_positions(clip.rotations, REST_OFFSETS)
    way = placed[:, joint_index(end)] - placed[:, joint_index(start)]
    return np.asarray(way / np.linalg.norm(way, axis=-1, keepdims=True), np.float32)


def test_files_come_back(tmp_path: Path) -> None:
    f = h.encode(wild(9))
    h.write_features(f, tmp_path / "a.npy")
    np.testing.assert_array_equal(h.read_features(tmp_path / "a.npy"), f)
    np.save(tmp_path / "joints.npy", wild(9))
    np.testing.assert_allclose(h.read_features(tmp_path / "joints.npy"), f, atol=1e-6)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((4, 262)), r"features are \[4, 262\]; accepted"),
        (np.zeros((0, 263)), r"features are \[0, 263\]"),
        (np.full((4, 263), np.inf), "feature 0 of frame 0 is not finite"),
        (np.zeros((4, 21, 3)), r"positions are \[4, 21, 3\]"),
        (np.zeros((1, 22, 3)), r"positions are \[1, 22, 3\]; accepted: \[2 to"),
        (np.zeros((4, 22, 3)), "hips are as wide as shoulders"),
        (np.full((4, 22, 3), np.nan), "a position of frame 0 is not finite"),
        (np.array(["a"]), "no array of numbers"),
        (np.array([{}], object), "no npy of plain arrays"),
    ],
)
def test_arrays_that_are_none_are_named(
    array: NDArray[np.float64], message: str, tmp_path: Path
) -> None:
    np.save(tmp_path / "a.npy", array)
    with pytest.raises(MotionValueError, match=message):
        h.read_features(tmp_path / "a.npy")


def test_joints_in_one_place_are_named() -> None:
    p = standing(3)
    p[1, BODY["left_wrist"]] = p[1, BODY["left_elbow"]]
    with pytest.raises(MotionValueError, match="direction is zero"):
        h.encode(p)
    with pytest.raises(MotionValueError, match="left_elbow and left_wrist are in one place"):
        body_motion(to_our_axes(p, "y"), 20.0)
    with pytest.raises(MotionValueError, match="positions are"):
        body_motion(p[:, :21], 20.0)
    with pytest.raises(MotionValueError, match="positions are"):
        h.features_of(waving(1))


@settings(deadline=None, max_examples=100)
@given(st.data())
def test_spoilt_bytes_are_refused_or_read(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.npy"
        h.write_features(np.zeros((2, 263)), path)
        whole = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(1, 4))):
            whole[data.draw(st.integers(0, 200))] = data.draw(st.integers(0, 255))
        path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
        try:
            back = h.read_features(path)
        except (MotionError, MotionValueError):
            return
    assert np.isfinite(back).all()


def test_files_that_are_missing_or_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(MotionError, match="cannot be read"):
        h.read_features(tmp_path / "none.npy")
    with pytest.raises(MotionError, match="cannot be written"):
        h.write_features(np.zeros((2, 263)), tmp_path / "none" / "a.npy")


def test_a_skeleton_that_faces_another_way_is_turned_to_ours() -> None:
    whole = body_skeleton()
    turned = type(whole)(
        whole.names, whole.parents, r.rotate(r.axis_degrees("z", 90), whole.offsets)
    )
    rest = np.tile(r.IDENTITY, (1, 22, 1))
    there = Retarget(turned, BODY)
    rotations, _ = there.to_rig(SkeletalMotion(turned, rest, np.zeros((1, 3), np.float32), 25.0))
    placed = joint_positions(rotations, REST_OFFSETS)[0]
    arm = placed[joint_index("wrist.L")] - placed[joint_index("upperarm01.L")]
    np.testing.assert_allclose(arm / np.linalg.norm(arm), [1, 0, 0], atol=0.03)
    back = there.from_rig(Clip.of(rotations, np.zeros((1, 3))))
    assert float(r.angle_between(back.rotations, rest).max()) < 1e-3
