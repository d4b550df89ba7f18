"""Motion as a video: every pose drawn once, in order, in a file that says what it shows."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import av
import numpy as np
import pytest

from avatar.errors import AvatarError
from avatar.renderer import Picture, Size
from avatar.renderer.base import Handle
from avatar.spec import AvatarSpec, SceneSpec
from motion.formats import Clip
from motion.pose import Pose
from pipeline import preview as module
from pipeline.configuration import Configuration
from pipeline.errors import ConfigurationError
from pipeline.mp4 import AI_NOTICE
from pipeline.preview import preview
from tests.fakes.pictures import counter_picture, read_counter


class Drawn:
    """A renderer that keeps what it was asked for, and numbers its pictures."""

    def __init__(self, fails: bool = False) -> None:
        self.poses: list[Pose] = []
        self.times: list[float] = []
        self.opened: list[tuple[AvatarSpec, SceneSpec, Size]] = []
        self.closed = 0
        self.fails = fails

    def open(self, spec: AvatarSpec, scene: SceneSpec, size: Size) -> Handle:
        self.opened.append((spec, scene, size))
        return Handle(7)

    def draw(self, handles: Sequence[Handle], poses: Pose, at: float) -> list[Picture]:
        if self.fails:
            raise AvatarError("the graphics context was lost")
        assert handles == [7]
        size = self.opened[0][2]
        planes = counter_picture(size.width, size.height, len(self.poses))
        self.poses.append(poses)
        self.times.append(at)
        return [Picture(planes, size)]

    def close(self, handle: Handle) -> None:
        assert handle == 7
        self.closed += 1


def drawing(monkeypatch: pytest.MonkeyPatch, renderer: Drawn) -> Drawn:
    @contextmanager
    def ready(_: Configuration) -> Iterator[Drawn]:
        yield renderer

    monkeypatch.setattr(module, "patient_renderer", ready)
    return renderer


def clip(poses: int) -> Clip:
    raised = np.linspace(0.0, 1.0, poses)[:, None] * np.ones(3)
    return Clip.of(Pose.rest(poses).rotations, raised)


def test_every_pose_is_a_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = drawing(monkeypatch, Drawn())
    told: list[int] = []
    report = preview(
        clip(30),
        tmp_path / "out.mp4",
        configuration=Configuration(cache=tmp_path),
        avatar="leo",
        scene="shop",
        size=(128, 224),
        progress=told.append,
    )
    assert report == {
        "output": str(tmp_path / "out.mp4"), "avatar": "leo", "seconds": 1.2, "pictures": 30,
        "size": "128x224",
    }  # fmt: skip
    assert told == [1] * 30
    heights = [float(pose.translation[0, 2]) for pose in drawn.poses]
    np.testing.assert_allclose(heights, np.linspace(0, 1, 30), atol=1e-6)
    assert drawn.poses[0].rotations.shape == (1, 104, 4)
    np.testing.assert_allclose(drawn.times, np.arange(30) / 25)
    ((spec, scene, size),) = drawn.opened
    assert (spec.name, scene.name, scene.framing, size) == ("leo", "shop", "full", Size(128, 224))
    assert drawn.closed == 1
    with av.open(str(tmp_path / "out.mp4")) as file:
        assert file.metadata["comment"] == AI_NOTICE
        frames = list(file.decode(video=0))
        shown = [read_counter(f.to_ndarray(format="gray").astype(np.uint8)) for f in frames]
        assert shown == list(range(30))
        assert frames[25].time == pytest.approx(1.0)


def test_the_scenes_framing_gives_way_to_the_one_wished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = drawing(monkeypatch, Drawn())
    configuration = Configuration(cache=tmp_path)
    preview(clip(2), tmp_path / "a.mp4", configuration=configuration, framing="head")
    ((spec, scene, size),) = drawn.opened
    assert (spec.name, scene.framing) == (configuration.draw.avatar, "head")
    assert size == Size(720, 1280)


def test_what_goes_wrong_is_named_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing(monkeypatch, Drawn(fails=True))
    configuration = Configuration(cache=tmp_path)
    with pytest.raises(ConfigurationError, match="context was lost"):
        preview(clip(2), tmp_path / "a.mp4", configuration=configuration)
    with pytest.raises(ConfigurationError, match="nobody"):
        preview(clip(2), tmp_path / "a.mp4", configuration=configuration, avatar="nobody")
    assert list(tmp_path.glob("*mp4*")) == []
