"""`vivant bench render`: what a picture costs, drawn and encoded."""

import os
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.renderer import Renderer, Size
from avatar.renderer.measure import measure, talking
from avatar.spec import AvatarSpec, SceneSpec, ready
from motion.pose import POSES_PER_SECOND
from pipeline.configuration import load_configuration
from pipeline.drawing import DrawSettings, live_threads, make_renderer
from pipeline.options import VideoCodec, VideoFormat
from pipeline.video import VideoEncoder

SIZES: Final = ((540, 960), (720, 1280))
CODECS: Final[tuple[VideoCodec, ...]] = ("h264", "vp8")
FILM: Final = 25  # different pictures that are encoded


def run(
    size: tuple[int, int] | None = None, pictures: int = 100, config: Path | None = None
) -> dict[str, Any]:
    """Draw a talking figure as a live engine does, and encode it; milliseconds by size, quality
    level and codec.

    `wall` is what passes (median), `cpu` what all cores spend; at 25 pictures a second there are
    40 ms for each.
    """
    configuration = load_configuration(config)
    settings = DrawSettings(
        configuration.draw.renderer,
        configuration.cache / "avatars",
        configuration.cache / "anny",
        threads=live_threads(),
    )
    renderer = make_renderer(settings)
    spec = ready(configuration.draw.avatar)
    sizes = {
        f"{width}x{height}": _size(renderer, spec, Size(width, height), pictures)
        for width, height in ((size,) if size else SIZES)
    }
    return {
        "budget_ms": 1000 / POSES_PER_SECOND,
        "threads": settings.threads or len(os.sched_getaffinity(0)),
        "pictures": pictures,
        "sizes": sizes,
    }


def _size(renderer: Renderer, spec: AvatarSpec, size: Size, pictures: int) -> dict[str, Any]:
    drawn = {}
    for level in range(renderer.levels):
        renderer.quality = level
        times = measure(renderer, size, spec=spec, pictures=pictures)
        drawn[f"quality_{level}"] = _entry(times.wall_ms, times.cpu_ms)
    renderer.quality = 0
    film = _film(renderer, spec, size)
    encoded = {
        codec: _encode(VideoFormat(codec, size.width, size.height), film, pictures)
        for codec in CODECS
    }
    return {"draw": drawn, "encode": encoded}


def _film(renderer: Renderer, spec: AvatarSpec, size: Size) -> list[NDArray[np.uint8]]:
    handle = renderer.open(spec, SceneSpec(), size)
    film = [
        renderer.draw([handle], talking(number, 1), number / POSES_PER_SECOND)[0].planes.copy()
        for number in range(FILM)
    ]
    renderer.close(handle)
    return film


def _encode(
    video: VideoFormat, film: Sequence[NDArray[np.uint8]], pictures: int
) -> dict[str, float]:
    encoder = VideoEncoder(video)
    encoder.encode(film[0])
    walls, cpu, length = [], time.process_time(), 0
    for index in range(pictures):
        began = time.perf_counter()
        length += len(encoder.encode(film[index % len(film)]).data)
        walls.append((time.perf_counter() - began) * 1000)
    cpu = (time.process_time() - cpu) * 1000 / pictures
    encoder.close()
    kilobits = length * 8 * POSES_PER_SECOND / pictures / 1000
    return {**_entry(statistics.median(walls), cpu), "kbit_s": round(kilobits)}


def _entry(wall_ms: float, cpu_ms: float) -> dict[str, float]:
    return {"wall_ms": round(wall_ms, 2), "cpu_ms": round(cpu_ms, 2)}
