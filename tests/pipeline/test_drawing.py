"""The drawing process: pictures come back encoded, in order; it is started again if it dies."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import av
import numpy as np
import pytest

from avatar.spec import AvatarSpec, SceneSpec
from motion.pose import Pose
from motion.skeleton import face_index
from pipeline.draw_worker import MOST_IN_FLIGHT, DrawError, DrawWorker
from pipeline.drawing import Drawn, DrawSettings
from pipeline.options import VideoFormat

FORMAT = VideoFormat("vp8", 96, 128)


class Pictures:
    """Collects what is drawn."""

    def __init__(self) -> None:
        self.drawn: list[Drawn] = []
        self.failures: list[str] = []
        self.changed = asyncio.Event()

    def take(self, drawn: Drawn) -> None:
        self.drawn.append(drawn)
        self.changed.set()

    def fail(self, message: str) -> None:
        self.failures.append(message)
        self.changed.set()

    async def count(self, count: int) -> list[Drawn]:
        async with asyncio.timeout(30):
            while len(self.drawn) < count:
                self.changed.clear()
                await self.changed.wait()
        return self.drawn

    def brightness(self) -> list[float]:
        decoder = av.CodecContext.create("libvpx", "r")
        frames = [decoder.decode(av.Packet(d.data))[0] for d in self.drawn]
        return [float(frame.to_ndarray(format="gray").mean()) for frame in frames]


@pytest.fixture
async def worker(tmp_path: Path) -> AsyncIterator[DrawWorker]:
    worker = DrawWorker(DrawSettings("flash", tmp_path, tmp_path))
    await asyncio.to_thread(worker.start)
    yield worker
    await worker.close()
    await worker.close()


def pose(jaw: float) -> Pose:
    pose = Pose.rest()
    pose.face[face_index("jawOpen")] = jaw
    return pose


def open_view(worker: DrawWorker) -> tuple[int, Pictures]:
    pictures = Pictures()
    view = worker.open(AvatarSpec(), SceneSpec(), FORMAT, pictures.take, pictures.fail)
    return view, pictures


async def test_poses_become_pictures_in_order(worker: DrawWorker) -> None:
    view, pictures = open_view(worker)
    for index, jaw in enumerate((0.0, 1.0, 0.0, 1.0)):
        assert worker.draw(view, pose(jaw), index * 1920, index * 0.04)
        await pictures.count(index + 1)
    assert [d.position for d in pictures.drawn] == [0, 1920, 3840, 5760]
    assert [d.keyframe for d in pictures.drawn] == [True, False, False, False]
    dark, bright, dark2, bright2 = pictures.brightness()
    assert bright - dark > 100
    assert bright2 - dark2 > 100


async def test_two_views_do_not_mix(worker: DrawWorker) -> None:
    (one, dark), (two, bright) = open_view(worker), open_view(worker)
    for index in range(3):
        worker.draw(one, pose(0.0), index, 0.0)
        worker.draw(two, pose(1.0), index, 0.0)
    await dark.count(3)
    await bright.count(3)
    assert max(dark.brightness()) + 100 < min(bright.brightness())


async def test_too_many_at_once_are_left_out(worker: DrawWorker) -> None:
    view, pictures = open_view(worker)
    taken = [worker.draw(view, pose(0.0), index, 0.0) for index in range(MOST_IN_FLIGHT + 3)]
    assert taken == [True] * MOST_IN_FLIGHT + [False] * 3
    assert worker.skipped == 3
    await pictures.count(MOST_IN_FLIGHT)
    assert worker.draw(view, pose(0.0), 99, 0.0)
    await pictures.count(MOST_IN_FLIGHT + 1)


async def test_a_keyframe_comes_when_asked_for(worker: DrawWorker) -> None:
    view, pictures = open_view(worker)
    worker.draw(view, pose(0.0), 0, 0.0)
    worker.draw(view, pose(0.0), 1, 0.0)
    await pictures.count(2)
    worker.request_keyframe(view)
    worker.draw(view, pose(0.0), 2, 0.0)
    assert [d.keyframe for d in await pictures.count(3)] == [True, False, True]


async def test_a_closed_view_gets_nothing_more(worker: DrawWorker) -> None:
    view, pictures = open_view(worker)
    other, others = open_view(worker)
    worker.draw(view, pose(0.0), 0, 0.0)
    worker.close_view(view)
    worker.close_view(view)
    worker.draw(other, pose(0.0), 0, 0.0)
    await others.count(1)
    assert not pictures.drawn


async def test_a_process_that_dies_is_started_again(worker: DrawWorker) -> None:
    view, pictures = open_view(worker)
    worker.draw(view, pose(0.0), 0, 0.0)
    await pictures.count(1)
    first = worker.process
    assert first is not None
    os.kill(first, signal.SIGKILL)
    async with asyncio.timeout(30):
        await worker.restarted.wait()
    assert worker.process != first
    worker.draw(view, pose(1.0), 1920, 0.0)
    drawn = await pictures.count(2)
    assert drawn[1].keyframe
    assert not pictures.failures


async def test_a_renderer_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    worker = DrawWorker(DrawSettings("crayon", tmp_path, tmp_path))
    with pytest.raises(DrawError, match="crayon"):
        await asyncio.to_thread(worker.start)
    await worker.close()


def test_pictures_are_limited_range(tmp_path: Path) -> None:
    from pipeline.drawing import make_renderer

    renderer = make_renderer(DrawSettings("flash", tmp_path, tmp_path))
    from avatar.renderer import Size

    handle = renderer.open(AvatarSpec(), SceneSpec(), Size(64, 64))
    batch = Pose.rest(1)
    planes = renderer.draw([handle], batch, 0.0)[0].planes
    assert planes.shape == (96, 64)
    assert planes.dtype == np.uint8
    assert 16 <= planes.min() <= planes.max() <= 235


async def test_closing_while_pictures_are_encoded_harms_nobody(worker: DrawWorker) -> None:
    other, others = open_view(worker)
    for round_ in range(10):
        view, _ = open_view(worker)
        for index in range(MOST_IN_FLIGHT):
            worker.draw(view, pose(0.0), index, 0.0)
        worker.close_view(view)
        worker.draw(other, pose(0.0), round_, 0.0)
        await others.count(round_ + 1)
    assert not others.failures
    assert not worker.restarted.is_set()
