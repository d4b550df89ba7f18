"""Our own file of motion: what is written comes back, and what is broken is named."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from motion import rotations as r
from motion.errors import MotionError, MotionValueError
from motion.formats.clip import Clip, Label, read_clip, write_clip
from motion.pose import Pose
from motion.skeleton import joint_index
from tests.motion.formats.samples import anyhow, waving

Array = NDArray[np.float32]


def test_a_clip_comes_back_bit_by_bit(tmp_path: Path) -> None:
    clip = waving()
    path = tmp_path / "clip.safetensors"
    write_clip(clip, path)
    back = read_clip(path)
    np.testing.assert_array_equal(back.rotations, clip.rotations)
    np.testing.assert_array_equal(back.translation, clip.translation)
    np.testing.assert_array_equal(back.face, clip.face)
    assert (back.language, back.labels, back.metadata) == (
        "en", (Label("wave", 0.2, 1.4),), {"source": "a test", "名": "值"},
    )  # fmt: skip
    assert back.seconds == 2.4
    assert list(tmp_path.iterdir()) == [path]


def test_the_same_clip_is_the_same_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_clip(waving(5), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_half_precision_halves_the_file_and_stays_near(tmp_path: Path) -> None:
    clip = anyhow(200)
    write_clip(clip, tmp_path / "full")
    write_clip(clip, tmp_path / "half", half=True)
    assert (tmp_path / "half").stat().st_size < 0.52 * (tmp_path / "full").stat().st_size
    back = read_clip(tmp_path / "half")
    assert float(np.degrees(r.angle_between(back.rotations, clip.rotations).max())) < 0.1
    np.testing.assert_array_equal(back.translation, clip.translation)
    np.testing.assert_allclose(back.face, clip.face, atol=5e-4)


def test_any_signs_and_lengths_become_continuous_units() -> None:
    turn = r.axis_degrees("z", np.arange(0, 720, 10))
    q = Pose.rest(72).rotations.copy()
    q[:, joint_index("head")] = turn * np.where(np.arange(72) % 2, -3.0, 2.0)[:, None]
    clip = Clip.of(q, np.zeros((72, 3)))
    head = clip.rotations[:, joint_index("head")]
    np.testing.assert_allclose(r.to_matrix(head), r.to_matrix(turn), atol=1e-6)
    assert float(np.abs(np.diff(head, axis=0)).max()) < 0.1


@pytest.mark.parametrize("fps", [20.0, 30.0, 60.0, 119.88])
def test_other_rates_show_the_same_seconds(fps: float) -> None:
    at = np.arange(round(2.0 * fps) + 1) / fps
    q = Pose.rest(len(at)).rotations.copy()
    head = joint_index("head")
    q[:, head] = r.from_axis_angle([0.0, 0.0, 1.0], 0.8 * at)
    clip = Clip.of(q, np.stack([at, 2 * at, -at], -1), fps=fps)
    assert len(clip.rotations) == 51
    seconds = np.arange(51) / 25
    wanted = r.from_axis_angle([0.0, 0.0, 1.0], 0.8 * seconds)
    assert float(r.angle_between(clip.rotations[:, head], wanted).max()) < 1e-3
    np.testing.assert_allclose(clip.translation[:, 1], 2 * seconds, atol=1e-5)


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 40), st.floats(1.0, 240.0))
def test_no_rate_makes_poses_beyond_the_last(frames: int, fps: float) -> None:
    moved = np.arange(frames)[:, None] * np.ones(3)
    clip = Clip.of(Pose.rest(frames).rotations, moved, fps=fps)
    last = (len(clip.rotations) - 1) / 25
    assert last <= (frames - 1) / fps + 1e-5 < last + 1 / 25 + 1e-4
    assert float(clip.translation.max()) <= frames - 1 + 1e-4


def test_poses_that_are_none_are_named() -> None:
    clip = waving(10)
    wrong = {
        "float64": {"translation": clip.translation.astype(np.float64)},
        r"\[9, 3\]": {"translation": clip.translation[:9]},
        "pose 3 is not finite": {"face": spoil(clip.face, (3, 0), np.nan)},
        "jawOpen is 1.5": {"face": spoil(clip.face, (2, 24), 1.5)},
        "head at pose 4": {"rotations": spoil(clip.rotations, (4, 101), 0.1)},
        "change sign at pose 6": {
            "rotations": spoil(clip.rotations, (6, 101), -clip.rotations[6, 101])
        },
    }
    for message, arrays in wrong.items():
        with pytest.raises(MotionValueError, match=message):
            replace(clip, **arrays)  # type: ignore[arg-type]
    with pytest.raises(MotionValueError, match="0 poses"):
        Clip.of(np.zeros((0, 104, 4)), np.zeros((0, 3)))
    for broken, message in (
        (clip.rotations[0], r"rotations are \[104, 4\]"),
        (spoil(clip.rotations, (1, 2), 0.0), "a rotation is zero or not finite"),
        (spoil(clip.rotations, (1, 2, 3), np.nan), "a rotation is zero or not finite"),
        (spoil(clip.rotations, (1, 2, 3), np.inf), "a rotation is zero or not finite"),
    ):
        with pytest.raises(MotionValueError, match=message):
            Clip.of(broken, clip.translation)
    with pytest.raises(MotionValueError, match="frames a second"):
        Clip.of(clip.rotations, clip.translation, fps=0.0)
    with pytest.raises(MotionValueError, match="label 'x'"):
        Label("x", 2.0, 1.0)


def spoil(array: Array, at: tuple[int, ...], value: float | Array) -> Array:
    spoilt = array.copy()
    spoilt[at] = value
    return spoilt


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "format is 'other'"),
        ({"version": 99}, "version is 99"),
        ({"fps": 30}, "fps is 30"),
        ({"labels": [["wave", 0.0]]}, "label"),
        ({"labels": [["wave", "a", 1.0]]}, "label"),
        ({"labels": "wave"}, "labels are 'wave'"),
        ({"language": 3}, "language is 3"),
        ({"metadata": {"a": 1}}, "metadata 'a'"),
    ],
)
def test_headers_that_are_none_are_named(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    path = tmp_path / "clip"
    write_clip(replace(waving(3), metadata={}), path)
    described = {"format": "vivant-motion", "version": 1, "fps": 25} | change
    save_file(load_file(path), path, {"clip": json.dumps(described)})
    with pytest.raises(MotionValueError, match=message):
        read_clip(path)


def test_files_that_are_none_are_named(tmp_path: Path) -> None:
    path = tmp_path / "clip"
    with pytest.raises(MotionError, match="cannot be read"):
        read_clip(path)
    write_clip(waving(3), path)
    whole = path.read_bytes()
    for length in (0, 7, 100, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(MotionError, match="cannot be read"):
            read_clip(path)
    save_file({"rotations": np.zeros((2, 2), np.float16)}, path)
    with pytest.raises(MotionValueError, match="format is None"):
        read_clip(path)
    with pytest.raises(MotionError, match="cannot be written"):
        write_clip(waving(3), tmp_path / "no such folder" / "clip")


def test_tensors_of_other_kinds_are_named(tmp_path: Path) -> None:
    path = tmp_path / "clip"
    head = {"clip": json.dumps({"format": "vivant-motion", "version": 1, "fps": 25})}
    write_clip(waving(3), path)
    good = load_file(path)
    for name, tensor, message in (
        ("rotations", good["rotations"].astype(np.float16)[:, :9], r"\[3, 9, 4\]"),
        ("rotations", np.zeros((3, 104, 4), np.float16), "unit quaternions"),
        ("face", np.zeros((3, 52), np.int32), "face is int32"),
        ("other", np.zeros(3, np.float32), "tensors"),
    ):
        save_file(good | {name: tensor}, path, head)
        with pytest.raises(MotionValueError, match=message):
            read_clip(path)
