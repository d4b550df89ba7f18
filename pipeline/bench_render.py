"""`vivant bench render`: what a picture costs, drawn and encoded."""

import os
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from avatar.renderer import Renderer, Size
from avatar.renderer.measure import measure, measure_floor, talking
from avatar.spec import AvatarSpec, SceneSpec, ready
from motion.pose import POSES_PER_SECOND
from pipeline.configuration import load_configuration
from pipeline.drawing import DrawSettings, make_renderer
from pipeline.folders import avatar_folder, body_folder
from pipeline.options import VideoCodec, VideoFormat
from pipeline.video import VideoEncoder

SIZES: Final = ((512, 512), (720, 1280))
SESSIONS: Final = (1, 2, 4, 8)
FEWEST: Final = 10  # passes that are timed at least
CODECS: Final[tuple[VideoCodec, ...]] = ("h264", "vp8")
FILM: Final = 25  # different pictures that are encoded


def run(
    size: tuple[int, int] | None = None, pictures: int = 100, config: Path | None = None
) -> dict[str, Any]:
    """Draw talking figures, one and several in a pass, and encode them.

    All cores draw. Of the result, `ms_WxH_N` is the median time of a pass of N sessions, best
    quality, half body; `floor_ratio_WxH` what one session takes beside copying, converting and
    reading back an empty picture, measured between; `floor_ratio` the last size's. `sizes` holds
    quality levels and codecs: `wall_ms` is what passes, `cpu_ms` what all cores spend; at 25
    pictures a second there are 40 ms for each.
    """
    configuration = load_configuration(config)
    settings = DrawSettings(
        configuration.draw.renderer,
        avatar_folder(configuration.cache),
        body_folder(configuration.cache),
        threads=len(os.sched_getaffinity(0)),
    )
    renderer = make_renderer(settings)
    spec = ready(configuration.draw.avatar)
    chosen = (size,) if size else SIZES
    result: dict[str, Any] = {
        "budget_ms": 1000 / POSES_PER_SECOND,
        "threads": settings.threads,
        "pictures": pictures,
        "avatar": spec.name,
    }
    with tqdm(total=len(chosen) * (len(SESSIONS) + renderer.levels), file=sys.stderr) as bar:
        for width, height in chosen:
            result |= _passes(renderer, spec, Size(width, height), pictures, bar)
        result["sizes"] = {
            f"{width}x{height}": _size(renderer, spec, Size(width, height), pictures, bar)
            for width, height in chosen
        }
    return result


def _passes(
    renderer: Renderer, spec: AvatarSpec, size: Size, pictures: int, bar: Any
) -> dict[str, float]:
    name = f"{size.width}x{size.height}"
    found: dict[str, float] = {}
    for sessions in SESSIONS:
        passes = max(FEWEST, pictures // sessions)
        drawn = measure(renderer, size, spec=spec, sessions=sessions, pictures=passes).wall_ms
        found[f"ms_{name}_{sessions}"] = round(drawn, 2)
        if sessions == 1:
            # Between the passes, so that both meet the same machine.
            floor = measure_floor(size, pictures=pictures)
            again = measure(renderer, size, spec=spec, pictures=passes).wall_ms
            found[f"floor_ms_{name}"] = round(floor, 2)
            ratio = round(0.5 * (drawn + again) / floor, 2)
            found[f"floor_ratio_{name}"] = found["floor_ratio"] = ratio
        bar.update()
    found[f"batch_ratio_{name}"] = round(found[f"ms_{name}_4"] / found[f"ms_{name}_1"], 2)
    return found


def _size(
    renderer: Renderer, spec: AvatarSpec, size: Size, pictures: int, bar: Any
) -> dict[str, Any]:
    drawn = {}
    for level in range(renderer.levels):
        renderer.quality = level
        times = measure(renderer, size, spec=spec, pictures=pictures)
        drawn[f"quality_{level}"] = _entry(times.wall_ms, times.cpu_ms)
        bar.update()
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
