"""What a change of scene costs is the longest picture, wherever in the film it comes."""

from collections.abc import Sequence

import pytest

from avatar.renderer import Picture, Size
from avatar.renderer.base import Handle
from avatar.spec import SceneSpec, ready
from motion.pose import Pose
from pipeline import bench_render
from pipeline.bench_render import CHANGES, changes
from pipeline.probe import FlashRenderer


class Clock:
    """Stands still but for what is drawn and changed."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds >= 0.0


class Slow(FlashRenderer):
    """10 ms a picture, and 30 ms for every change, which the next picture pays for."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.clock = clock
        self.scenes: list[SceneSpec] = []

    def draw(self, handles: Sequence[Handle], poses: Pose, at: float) -> list[Picture]:
        self.clock.now += 0.01
        return super().draw(handles, poses, at)

    def update(self, handle: Handle, scene: SceneSpec) -> None:
        self.clock.now += 0.03
        self.scenes.append(scene)
        super().update(handle, scene)


def test_the_longest_picture_is_the_one_that_pays_for_a_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    monkeypatch.setattr(bench_render, "time", clock)
    renderer = Slow(clock)
    found = changes(renderer, ready("mia"), Size(64, 96))
    assert renderer.scenes == list(CHANGES)
    assert found == {"change_ms_64x96": 40.0, "change_ratio_64x96": 4.0}
