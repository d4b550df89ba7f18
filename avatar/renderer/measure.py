"""Times the renderer: what one picture costs, on the clock and in processor time."""

import time
from dataclasses import dataclass
from statistics import median

import numpy as np

from avatar.renderer.base import Renderer, Size
from avatar.renderer.context import create_context, is_software
from avatar.renderer.planes import Planes, PlaneShaders
from avatar.spec import AvatarSpec, SceneSpec, ready
from avatar.spec.scene import Framing
from motion.pose import Pose
from motion.rotations import axis_degrees
from motion.skeleton import face_index, joint_index


@dataclass(frozen=True, slots=True)
class RenderTimes:
    """Medians over the measured pictures, milliseconds.

    Attributes:
        sessions: pictures drawn in one pass.
        wall_ms: from `draw` to its planes, for the whole pass.
        cpu_ms: processor time of the whole process meanwhile, all cores added.
        open_ms: opening one session, with the avatar already prepared on disk.
    """

    size: Size
    framing: Framing
    sessions: int
    wall_ms: float
    cpu_ms: float
    open_ms: float


def measure(
    renderer: Renderer,
    size: Size,
    *,
    spec: AvatarSpec | None = None,
    framing: Framing = "half",
    sessions: int = 1,
    pictures: int = 50,
) -> RenderTimes:
    """Draw a moving, talking figure `pictures` times and return what it cost.

    Args:
        renderer: any renderer; its quality is left as it is.
        size: of the pictures.
        spec: who; the default avatar when omitted.
        framing: as in `SceneSpec`.
        sessions: how many are drawn in one pass.
        pictures: how many passes are timed, after three that are not.
    """
    scene = SceneSpec(framing=framing)
    start = time.perf_counter()
    handles = [renderer.open(spec or ready("mia"), scene, size)]
    open_ms = (time.perf_counter() - start) * 1000.0
    handles += [renderer.open(spec or ready("mia"), scene, size) for _ in range(sessions - 1)]
    wall, cpu = [], []
    for number in range(-3, pictures):
        poses = talking(number, sessions)
        clock, work = time.perf_counter(), time.process_time()
        renderer.draw(handles, poses, number / 25.0)
        if number >= 0:
            wall.append((time.perf_counter() - clock) * 1000.0)
            cpu.append((time.process_time() - work) * 1000.0)
    for handle in handles:
        renderer.close(handle)
    return RenderTimes(size, framing, sessions, median(wall), median(cpu), open_ms)


def measure_floor(size: Size, *, sessions: int = 1, pictures: int = 50) -> float:
    """Return what pictures cost without a figure: the median milliseconds of a pass.

    For each of `sessions` a backdrop is copied with its depth, turned into planes and read back,
    by the same driver and the same code as with a figure; nothing that draws can be faster.
    """
    context = create_context()
    shaders = PlaneShaders(context)
    pixels = size.width, size.height
    frames = [
        context.framebuffer([context.texture(pixels, 4)], context.depth_renderbuffer(pixels))
        for _ in range(2)
    ]
    frames[1].use()
    frames[1].clear(0.5, 0.5, 0.5, 1.0, depth=1.0)
    planes = [
        Planes(context, shaders, size, asynchronous=not is_software(context))
        for _ in range(sessions)
    ]
    wall = []
    for number in range(-3, pictures):
        clock = time.perf_counter()
        for each in planes:
            context.copy_framebuffer(frames[0], frames[1])
            each.convert(frames[0].color_attachments[0], edges=False)
        for each in planes:
            each.read()
        if number >= 0:
            wall.append((time.perf_counter() - clock) * 1000.0)
    for each in planes:
        each.release()
    shaders.release()
    context.release()
    return median(wall)


def talking(number: int, sessions: int) -> Pose:
    """Return a batch of poses of a swaying, talking figure with its arms down, for timing."""
    pose = Pose.rest(sessions)
    phase = number / 25.0 + np.arange(sessions)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        swing = sign * (28.0 + 3.0 * np.sin(2.0 * phase))
        pose.rotations[:, joint_index(f"upperarm01.{side}")] = axis_degrees("y", swing)
    pose.rotations[:, joint_index("head")] = axis_degrees("z", 6.0 * np.sin(1.3 * phase))
    pose.face[:, face_index("jawOpen")] = 0.15 + 0.15 * np.sin(20.0 * phase)
    pose.face[:, face_index("mouthSmileLeft")] = 0.1
    pose.face[:, face_index("mouthSmileRight")] = 0.1
    return pose
