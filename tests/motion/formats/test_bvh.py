"""BVH: our poses through text and back, foreign skeletons, and text that is none."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motion import rotations as r
from motion.errors import MotionError, MotionValueError
from motion.formats.bvh import bvh_text, parse_bvh, read_bvh, write_bvh
from motion.formats.clip import Clip
from motion.formats.skeletal import SkeletalMotion, Skeleton
from motion.kinematics import joint_positions
from motion.rest import REST_OFFSETS
from motion.skeleton import JOINT_NAMES, JOINT_PARENTS
from tests.motion.formats.samples import anyhow, waving

# A hip, a knee below it to the left and a nose in front; y up, z to the front, in inches.
SMALL = """HIERARCHY
ROOT Hips
{
  OFFSET 0 40 0
  CHANNELS 5 Yposition Zrotation Xposition Yrotation Xrotation
  JOINT left knee
  {
    OFFSET 4 -20 0
    CHANNELS 1 Xrotation
    End Site
    {
      OFFSET 0 -20 0
    }
  }
  JOINT Nose
  {
    OFFSET 0 30 3
    CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
    End Site
    {
      OFFSET 0 0 1
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.0333333
38 0 1 90 0 0 0 0 0 0 0 0
39 90 2 0 0 -90 5 5 5 0 0 0
"""
INCH = 0.0254


def ours(clip: Clip) -> SkeletalMotion:
    skeleton = Skeleton(JOINT_NAMES, JOINT_PARENTS, REST_OFFSETS)
    return SkeletalMotion(skeleton, clip.rotations, clip.translation, 25.0)


@pytest.mark.parametrize("clip", [waving(), anyhow(60)], ids=["waving", "anyhow"])
@pytest.mark.parametrize("up", ["y", "z"])
def test_our_rig_survives_within_a_millimetre(clip: Clip, up: str, tmp_path: Path) -> None:
    path = tmp_path / "clip.bvh"
    write_bvh(ours(clip), path, up=up)  # type: ignore[arg-type]
    back = read_bvh(path, up=up)  # type: ignore[arg-type]
    assert back.fps == 25.0
    assert back.skeleton.names == JOINT_NAMES
    np.testing.assert_allclose(back.skeleton.offsets, REST_OFFSETS, atol=1e-6)
    assert float(np.degrees(r.angle_between(back.rotations, clip.rotations).max())) < 0.1
    wanted = joint_positions(clip.rotations, REST_OFFSETS, clip.translation)
    np.testing.assert_allclose(back.positions, wanted, atol=1e-3)


def test_quarter_turns_where_two_axes_meet_survive() -> None:
    turns = [r.from_degrees(x, y, z) for x in (90, -90, 89.99) for y in (0, 50) for z in (0, -70)]
    skeleton = Skeleton(("a", "b"), (-1, 0), np.array([[0, 0, 0], [0, 0, 1]], np.float32))
    rotations = np.stack([np.stack([turn, turn]) for turn in turns])
    motion = SkeletalMotion(skeleton, rotations, np.zeros((len(turns), 3), np.float32), 25.0)
    back = parse_bvh(bvh_text(motion, up="z"), up="z")
    assert float(np.degrees(r.angle_between(back.rotations, rotations).max())) < 0.01


def test_a_foreign_skeleton_with_channels_in_any_order() -> None:
    motion = parse_bvh(SMALL, scale=INCH)
    assert motion.skeleton.names == ("Hips", "left knee", "Nose")
    assert motion.skeleton.parents == (-1, 0, 0)
    assert motion.fps == 30.0
    # Ours: x left, y back, z up. Without a Zposition the hips stay at their offset's 0.
    np.testing.assert_allclose(
        motion.skeleton.offsets / INCH, [[0, 0, 40], [4, 0, -20], [0, -3, 30]], atol=1e-4
    )
    np.testing.assert_allclose(motion.root / INCH, [[1, 0, 38], [2, 0, 39]], atol=1e-4)
    first, second = motion.positions / INCH
    # A quarter turn about the vertical brings the front to the left, and the left to the back.
    np.testing.assert_allclose(first[2], [1 + 3, 0, 38 + 30], atol=1e-4)
    np.testing.assert_allclose(first[1], [1, 4, 38 - 20], atol=1e-4)
    # A quarter turn about the axis to the front brings the top to the right, the left up.
    np.testing.assert_allclose(second[2], [2 - 30, -3, 39], atol=1e-4)
    np.testing.assert_allclose(second[1], [2 + 20, 0, 39 + 4], atol=1e-4)


def test_turns_compose_in_the_order_of_the_channels() -> None:
    text = SMALL.replace("39 90 2 0 0", "39 90 2 0 90")  # about z, then about the turned x
    turned = parse_bvh(text).rotations[1, 0]
    # In the file's axes x goes to y by the turn about z; z, turned about x first, to -y, then to x.
    np.testing.assert_allclose(r.rotate(turned, [1, 0, 0]), [0, 0, 1], atol=1e-6)
    np.testing.assert_allclose(r.rotate(turned, [0, -1, 0]), [1, 0, 0], atol=1e-6)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends_tabs_and_case_do_not_matter(newline: str, tmp_path: Path) -> None:
    path = tmp_path / "a.bvh"
    text = SMALL.replace("  ", "\t").replace("End Site", "END SITE").replace("\n", newline)
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    np.testing.assert_array_equal(read_bvh(path).root, parse_bvh(SMALL).root)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("HIERARCHY", "HIERARCHIE", "line 1: 'HIERARCHIE'; accepted: HIERARCHY"),
        ("ROOT Hips", "ROOT", "line 2: no name"),
        ("OFFSET 0 40 0", "OFFSET 0 forty 0", "line 4: 'forty' is no number"),
        ("OFFSET 0 40 0", "OFFSET 0 nan 0", "line 4: 'nan' is no number"),
        ("CHANNELS 5", "CHANNELS 7", "line 5: 7 channels; accepted: 0 to 6"),
        ("CHANNELS 5", "CHANNELS 0.5", "line 5: 0.5 channels; accepted: 0 to 6"),
        ("Yposition", "Wposition", "line 5: channel 'Wposition'; accepted"),
        ("Yposition", "Xrotation", "line 5: channel 'Xrotation'; accepted, each once"),
        ("JOINT Nose", "JOINT left knee", "line 15: a second joint 'left knee'"),
        ("JOINT Nose", "NOSE", "line 15: 'nose'; accepted: JOINT, End Site or }"),
        ("Frames: 2", "Frames: 0", "line 26: 0 frames"),
        ("Frames: 2", "Frames: 3", "line 29: 2 frames in the file; accepted: 3"),
        ("Time: 0.0333333", "Time: 0", "line 27: a frame lasts 0 s"),
        ("39 90 2", "39 90", "line 29: 11 numbers; accepted: 12"),
        ("39 90 2", "39 ninety 2", "line 29: .*ninety"),
        ("39 90 2", "39 inf 2", "line 29: a number is not finite"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(old: str, new: str, message: str) -> None:
    assert old in SMALL
    with pytest.raises(MotionValueError, match=message):
        parse_bvh(SMALL.replace(old, new, 1))


@settings(deadline=None, max_examples=200)
@given(st.integers(0, len(SMALL) - 3))
def test_text_that_is_cut_is_refused(length: int) -> None:
    with pytest.raises(MotionValueError, match=r"line \d+: "):
        parse_bvh(SMALL[:length])


_WORDS = st.sampled_from(
    [*SMALL.split(), "{", "}", "JOINT", "End", "-1", "1e400", "nan", "\n", "é", "\x00", "0x1"]
)


@settings(deadline=None, max_examples=200)
@given(st.integers(0, len(SMALL.split()) - 1), st.lists(_WORDS, max_size=4), st.integers(0, 4))
def test_words_that_are_lost_or_strange_never_break_the_reader(
    at: int, strange: list[str], lost: int
) -> None:
    rows, count = [], 0
    for line in SMALL.splitlines():
        words = line.split()
        if count <= at < count + len(words):
            words[at - count : at - count + lost] = strange
        count += len(line.split())
        rows.append(" ".join(words))
    try:
        motion = parse_bvh("\n".join(rows))
    except MotionValueError:
        return
    assert np.isfinite(motion.positions).all()
    np.testing.assert_allclose(np.linalg.norm(motion.rotations, axis=-1), 1.0, atol=1e-5)


def test_deep_trees_are_read_and_far_too_large_ones_refused() -> None:
    def chain(joints: int) -> str:
        heads = "".join(f"JOINT j{i}\n{{ OFFSET 0 1 0 CHANNELS 0\n" for i in range(joints))
        root = "HIERARCHY ROOT r\n{ OFFSET 0 0 0 CHANNELS 1 Xposition\n"
        return f"{root}{heads}{'} ' * (joints + 1)}MOTION Frames: 1 Frame Time: 0.04\n0"

    assert float(parse_bvh(chain(1500)).positions[0, -1, 2]) == pytest.approx(15.0, rel=1e-4)
    with pytest.raises(MotionValueError, match="one more joint; accepted: 2048"):
        parse_bvh(chain(3000))


def test_files_that_are_missing_or_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(MotionError, match="cannot be read"):
        read_bvh(tmp_path / "none.bvh")
    with pytest.raises(MotionError, match="cannot be written"):
        write_bvh(ours(waving(2)), tmp_path / "no such folder" / "a.bvh")
    (tmp_path / "a.bvh").write_text("HIERARCHY\nROOT")
    with pytest.raises(MotionValueError, match=r"a\.bvh, line 2: no name"):
        read_bvh(tmp_path / "a.bvh")
    with pytest.raises(MotionValueError, match="metres a unit"):
        parse_bvh(SMALL, scale=0.0)
    with pytest.raises(MotionValueError, match="'x'"):
        parse_bvh(SMALL, up="x")  # type: ignore[arg-type]
