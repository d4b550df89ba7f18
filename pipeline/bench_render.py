"""`vivant bench render`: what a picture costs, drawn and encoded."""

import statistics
import time
from pathlib import Path
from typing import Any, Final

import numpy as np

from avatar.renderer import Size
from avatar.spec import AvatarSpec, SceneSpec
from motion.pose import POSES_PER_SECOND, Pose
from motion.procedural import ProceduralMover
from motion.speech import SpokenPassage, SpokenPhone
from pipeline.configuration import load_configuration
from pipeline.drawing import DrawSettings, make_renderer
from pipeline.options import VideoCodec, VideoFormat
from pipeline.video import VideoEncoder

SIZES: Final = ((540, 960), (720, 1280))
CODECS: Final[tuple[VideoCodec, ...]] = ("vp8", "h264")
WARM: Final = 5


def run(
    size: tuple[int, int] | None = None, pictures: int = 100, config: Path | None = None
) -> dict[str, Any]:
    """Draw a talking figure and encode it; medians in ms by size and quality level.

    `wall` is what passes, `cpu` what all cores spend; `budget` is 40 ms at 25 pictures a second.
    """
    configuration = load_configuration(config)
    renderer = make_renderer(
        DrawSettings(
            configuration.draw.renderer,
            configuration.cache / "avatars",
            configuration.cache / "anny",
        )
    )
    measured: dict[str, Any] = {}
    for width, height in (size,) if size else SIZES:
        handle = renderer.open(
            AvatarSpec(configuration.draw.avatar), SceneSpec(), Size(width, height)
        )
        levels = {}
        for level in range(renderer.levels):
            renderer.quality = level
            levels[f"quality_{level}"] = _draw(renderer, handle, pictures)
        renderer.quality = 0
        entry: dict[str, Any] = {"draw": levels}
        planes = renderer.draw([handle], _batch(Pose.rest()), 0.0)[0].planes.copy()
        entry["encode"] = {
            codec: _encode(VideoFormat(codec, width, height), planes, pictures) for codec in CODECS
        }
        measured[f"{width}x{height}"] = entry
        renderer.close(handle)
    return {"budget_ms": 1000 / POSES_PER_SECOND, "pictures": pictures, "sizes": measured}


def _draw(renderer: Any, handle: Any, pictures: int) -> dict[str, float]:
    mover = ProceduralMover(1)
    mover.passage(_talk(pictures / POSES_PER_SECOND))
    walls, cpus = [], []
    for index in range(pictures + WARM):
        at = index / POSES_PER_SECOND
        pose = _batch(mover.pose(at))
        wall, cpu = time.perf_counter(), time.process_time()
        renderer.draw([handle], pose, at)
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return _medians(walls[WARM:], cpus[WARM:])


def _encode(video: VideoFormat, planes: Any, pictures: int) -> dict[str, float]:
    encoder = VideoEncoder(video)
    noise = np.random.default_rng(1).integers(-2, 3, planes.shape, np.int16)
    walls, cpus = [], []
    for index in range(pictures + WARM):
        # A figure that talks changes a little everywhere from picture to picture.
        picture = np.clip(planes + np.roll(noise, index, 1), 16, 235).astype(np.uint8)
        wall, cpu = time.perf_counter(), time.process_time()
        encoder.encode(picture)
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    encoder.close()
    return _medians(walls[WARM:], cpus[WARM:])


def _medians(walls: list[float], cpus: list[float]) -> dict[str, float]:
    return {
        "wall_ms": round(statistics.median(walls) * 1000, 2),
        "cpu_ms": round(statistics.fmean(cpus) * 1000, 2),
    }


def _talk(seconds: float) -> SpokenPassage:
    phones = tuple(
        SpokenPhone("am"[index % 2], index * 0.1, (index + 1) * 0.1, int(index % 6 == 0))
        for index in range(round(seconds * 10))
    )
    return SpokenPassage(0.0, seconds, phones, "en")


def _batch(pose: Pose) -> Pose:
    return Pose(pose.rotations[None], pose.translation[None], pose.face[None])
