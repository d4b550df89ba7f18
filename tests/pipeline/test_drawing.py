"""The drawing process: pictures come back encoded, in order; it is started again if it dies."""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest

from avatar.errors import AvatarValueError
from avatar.renderer import Picture
from avatar.renderer.base import Handle
from avatar.spec import SceneSpec, ready
from motion.pose import Pose
from motion.skeleton import face_index
from pipeline.draw_worker import MOST_IN_FLIGHT, MOST_RESTARTS, DrawError, DrawWorker
from pipeline.drawing import (
    ChangeScene,
    Drawn,
    DrawPose,
    DrawSettings,
    OpenView,
    Request,
    SceneRefused,
    Stop,
    Studio,
    ViewFailed,
)
from pipeline.options import VideoFormat
from pipeline.probe import FlashRenderer

FORMAT = VideoFormat("vp8", 96, 128)
MISSHAPEN = 66  # the width of views that the renderer below gets wrong


class Misshapen(FlashRenderer):
    """Hands out pictures of one width in the wrong shape."""

    def draw(self, handles: Sequence[Handle], poses: Pose, at: float) -> list[Picture]:
        drawn = super().draw(handles, poses, at)
        return [
            replace(picture, planes=picture.planes[:-3])
            if picture.planes.shape[1] == MISSHAPEN
            else picture
            for picture in drawn
        ]


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
    view = worker.open(ready("mia"), SceneSpec(), FORMAT, pictures.take, pictures.fail)
    return view, pictures


async def restarted_or_failed(worker: DrawWorker, pictures: Pictures) -> None:
    waiting = [asyncio.create_task(event.wait()) for event in (worker.restarted, pictures.changed)]
    done, rest = await asyncio.wait(waiting, timeout=30, return_when=asyncio.FIRST_COMPLETED)
    assert done
    for task in rest:
        task.cancel()


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


class Choosy(FlashRenderer):
    """Shows no scene that is called "nowhere"."""

    def update(self, handle: Handle, scene: SceneSpec) -> None:
        super().update(handle, scene)
        if scene.name == "nowhere":
            raise AvatarValueError("no file 'x.png'; accepted: a picture")


async def test_a_scene_that_cannot_be_shown_is_told_and_pictures_go_on() -> None:
    ours, theirs = multiprocessing.Pipe()
    studio = Studio(theirs, Choosy())
    serving = asyncio.create_task(asyncio.to_thread(studio.serve))
    ours.send(OpenView(1, ready("mia"), SceneSpec(), FORMAT))
    ours.send(ChangeScene(1, SceneSpec(name="nowhere")))
    ours.send(ChangeScene(2, SceneSpec(name="nowhere")))  # no such view
    rest = Pose.rest()
    ours.send(DrawPose(1, 0, 0.0, rest.rotations, rest.translation, rest.face, False))
    replies = [await asyncio.to_thread(ours.recv) for _ in range(2)]
    ours.send(Stop())
    await serving
    studio.close()
    assert replies[0] == SceneRefused(1, "no file 'x.png'; accepted: a picture")
    assert isinstance(replies[1], Drawn)


async def test_a_changed_scene_is_what_another_process_opens(
    worker: DrawWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, pictures = open_view(worker)
    worker.change_scene(view, SceneSpec(name="second"))
    worker.draw(view, pose(0.0), 0, 0.0)
    await pictures.count(1)
    sent: list[object] = []
    monkeypatch.setattr(worker, "_send", sent.append)
    assert worker.process is not None
    pictures.changed.clear()
    os.kill(worker.process, signal.SIGKILL)
    await restarted_or_failed(worker, pictures)
    assert [r.scene.name for r in sent if isinstance(r, OpenView)] == ["second"]
    worker.change_scene(view + 1, SceneSpec())  # a view that is gone
    assert not any(isinstance(request, ChangeScene) for request in sent)


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


async def test_a_process_that_hangs_is_ended_and_started_again(tmp_path: Path) -> None:
    worker = DrawWorker(DrawSettings("flash", tmp_path, tmp_path), hanging=0.5)
    await asyncio.to_thread(worker.start)
    view, pictures = open_view(worker)
    worker.draw(view, pose(0.0), 0, 0.0)
    await pictures.count(1)
    assert worker.process is not None
    os.kill(worker.process, signal.SIGSTOP)
    worker.draw(view, pose(0.0), 1920, 0.0)
    async with asyncio.timeout(30):
        await worker.restarted.wait()
    worker.draw(view, pose(1.0), 3840, 0.0)
    await pictures.count(2)
    assert worker.restarts == 1
    assert not pictures.failures
    await worker.close()


async def test_deaths_beyond_the_limit_end_the_views(worker: DrawWorker) -> None:
    _, pictures = open_view(worker)
    for _ in range(MOST_RESTARTS + 1):
        assert worker.process is not None
        worker.restarted.clear()
        os.kill(worker.process, signal.SIGKILL)
        await restarted_or_failed(worker, pictures)
    assert pictures.failures == ["the drawing process died too often"]
    assert not worker.working
    _, later = open_view(worker)
    async with asyncio.timeout(5):
        await later.changed.wait()
    assert "has died" in later.failures[0]


async def test_a_new_view_brings_drawing_back_once_the_deaths_are_forgotten(
    worker: DrawWorker,
) -> None:
    _, pictures = open_view(worker)
    for _ in range(MOST_RESTARTS + 1):
        assert worker.process is not None
        worker.restarted.clear()
        os.kill(worker.process, signal.SIGKILL)
        await restarted_or_failed(worker, pictures)
    worker._deaths.clear()
    sent: list[Request] = []
    send = worker._send

    def noted(request: Request) -> None:
        sent.append(request)
        send(request)

    worker._send = noted  # type: ignore[method-assign]
    view, later = open_view(worker)
    assert [request.view for request in sent if isinstance(request, OpenView)].count(view) == 1
    worker.draw(view, pose(0.0), 0, 0.0)
    await later.count(1)
    assert worker.working


async def test_one_view_that_cannot_be_encoded_leaves_the_others_alone() -> None:
    ours, theirs = multiprocessing.Pipe()
    studio = Studio(theirs, Misshapen())
    serving = asyncio.create_task(asyncio.to_thread(studio.serve))
    for number, side in enumerate((MISSHAPEN, 96)):
        video = VideoFormat("vp8", side, 128)
        ours.send(OpenView(number, ready("mia"), SceneSpec(), video))
    rest = Pose.rest()
    for position in range(3):
        for number in range(2):
            arrays = (rest.rotations, rest.translation, rest.face)
            ours.send(DrawPose(number, position, 0.0, *arrays, False))
    replies = [await asyncio.to_thread(ours.recv) for _ in range(4)]
    ours.send(Stop())
    await serving
    studio.close()
    failed = [reply for reply in replies if isinstance(reply, ViewFailed)]
    assert [reply.view for reply in failed] == [0]
    assert [reply.position for reply in replies if isinstance(reply, Drawn)] == [0, 1, 2]


async def test_a_view_that_is_gone_can_be_asked_for_anything(worker: DrawWorker) -> None:
    view, _ = open_view(worker)
    worker.close_view(view)
    worker.request_keyframe(view)
    worker.set_bitrate(view, 100_000)
    assert not worker.draw(view, pose(0.0), 0, 0.0)


async def test_a_new_bitrate_goes_with_the_next_picture(worker: DrawWorker) -> None:
    view, pictures = open_view(worker)
    for index in range(4):
        if index == 2:
            worker.set_bitrate(view, 100_000)
        worker.draw(view, pose(0.0), index * 1920, 0.0)
        await pictures.count(index + 1)
    # An encoder of VP8 has to be opened anew for it, and begins with a keyframe.
    assert [drawn.keyframe for drawn in pictures.drawn] == [True, False, True, False]


async def test_a_view_opened_before_the_process_can_draw_is_drawn_when_it_can(
    tmp_path: Path,
) -> None:
    worker = DrawWorker(DrawSettings("flash", tmp_path, tmp_path))
    worker.start(wait=False)
    view, pictures = open_view(worker)
    assert worker.draw(view, pose(1.0), 0, 0.0)
    (drawn,) = await pictures.count(1)
    assert drawn.keyframe
    await worker.close()


async def test_that_nothing_can_be_drawn_is_told_to_who_did_not_wait(tmp_path: Path) -> None:
    worker = DrawWorker(DrawSettings("crayon", tmp_path, tmp_path))
    worker.start(wait=False)
    _, pictures = open_view(worker)
    async with asyncio.timeout(60):
        while not pictures.failures:
            pictures.changed.clear()
            await pictures.changed.wait()
    await worker.close()


async def test_a_renderer_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    worker = DrawWorker(DrawSettings("crayon", tmp_path, tmp_path))
    with pytest.raises(DrawError, match="crayon"):
        await asyncio.to_thread(worker.start)
    await worker.close()


def test_pictures_are_limited_range(tmp_path: Path) -> None:
    from pipeline.drawing import make_renderer

    renderer = make_renderer(DrawSettings("flash", tmp_path, tmp_path))
    from avatar.renderer import Size

    handle = renderer.open(ready("mia"), SceneSpec(), Size(64, 64))
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


async def test_a_holding_card_covers_the_next_picture_and_goes_again(worker: DrawWorker) -> None:
    view, pictures = open_view(worker)
    worker.draw(view, pose(1.0), 0, 0.0)
    await pictures.count(1)
    worker.hold(view, "Back soon")
    for index in (1, 2):
        worker.draw(view, pose(1.0), 1920 * index, 0.04 * index)
        await pictures.count(index + 1)
    worker.hold(view, None)
    worker.draw(view, pose(1.0), 5760, 0.12)
    await pictures.count(4)
    bright, covered, card, bright_again = pictures.brightness()
    assert bright - covered > 100
    assert bright - card > 100
    assert bright_again - card > 100


async def test_a_process_that_is_started_again_shows_the_holding_card(worker: DrawWorker) -> None:
    view, pictures = open_view(worker)
    worker.hold(view, "Back soon")
    worker.draw(view, pose(1.0), 0, 0.0)
    await pictures.count(1)
    assert worker.process is not None
    pictures.changed.clear()
    os.kill(worker.process, signal.SIGKILL)
    await restarted_or_failed(worker, pictures)
    worker.draw(view, pose(1.0), 1920, 0.04)
    await pictures.count(2)
    assert pictures.drawn[1].keyframe
    decoder = av.CodecContext.create("libvpx", "r")
    frame = decoder.decode(av.Packet(pictures.drawn[1].data))[0]
    assert float(frame.to_ndarray(format="gray").mean()) < 60
