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
from avatar.spec import AvatarSpec, SceneSpec
from avatar.spec.scene import LowerThird, Plain, ProductCard, Stage
from motion.pose import POSES_PER_SECOND
from pipeline.configuration import load_configuration
from pipeline.drawing import DrawSettings, make_renderer
from pipeline.folders import avatar_folder, body_folder
from pipeline.library import avatars
from pipeline.options import VideoCodec, VideoFormat
from pipeline.video import VideoEncoder

SIZES: Final = ((512, 512), (720, 1280))
SESSIONS: Final = (1, 2, 4, 8)
FEWEST: Final = 10  # passes that are timed at least
CODECS: Final[tuple[VideoCodec, ...]] = ("h264", "vp8")
BETWEEN: Final = 13  # pictures between two changes of what is around the figure
_CARD: Final = ProductCard(name="Jasmine tea, 250 g", price="12.90", strike="15.90", currency="$")
CHANGES: Final = (
    SceneSpec(card=_CARD),
    SceneSpec(card=_CARD, caption="Picked in April, dried on the same day."),
    SceneSpec(card=_CARD.changed(price="9.90"), caption="今天下单，明天送达。"),
    SceneSpec(background=Stage(), card=_CARD),
    SceneSpec(background=Stage(room="kitchen"), lower_third=LowerThird(name="Mia")),
    SceneSpec(background=Plain(), framing="head", mark=False),
    SceneSpec(),
)
FILM: Final = 25  # different pictures that are encoded


def run(
    size: tuple[int, int] | None = None, pictures: int = 100, config: Path | None = None
) -> dict[str, Any]:
    """Draw talking figures, one and several in a pass, and encode them.

    All cores draw. Of the result, `ms_WxH_N` is the median time of a pass of N sessions, best
    quality, half body; `floor_ratio_WxH` what one session takes beside copying, converting and
    reading back an empty picture, measured between; `floor_ratio` the last size's.
    `change_ms_WxH` is the longest picture while card, captions, background and framing change,
    `change_ratio_WxH` that beside the median of the same pictures, `change_ms_max` the longest of
    all. `sizes` holds quality levels and codecs: `wall_ms` is what passes, `cpu_ms` what all cores
    spend; at 25 pictures a second there are 40 ms for each.
    """
    configuration = load_configuration(config)
    settings = DrawSettings(
        configuration.draw.renderer,
        avatar_folder(configuration.cache),
        body_folder(configuration.cache),
        threads=len(os.sched_getaffinity(0)),
    )
    renderer = make_renderer(settings)
    spec = avatars(configuration.cache).get(configuration.draw.avatar)
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
            changed = changes(renderer, spec, Size(width, height))
            result |= changed
            longest = changed[f"change_ms_{width}x{height}"]
            result["change_ms_max"] = max(longest, result.get("change_ms_max", 0.0))
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


def changes(
    renderer: Renderer, spec: AvatarSpec, size: Size, seconds: float = 1 / POSES_PER_SECOND
) -> dict[str, float]:
    """Time pictures, one every `seconds`, while what is around the figure changes now and then.

    The first change is measured like every other; only the first picture of all is not.
    """
    handle = renderer.open(spec, SceneSpec(), size)
    times = []
    for number in range(BETWEEN * (len(CHANGES) + 1)):
        began = time.perf_counter()
        if number and number % BETWEEN == 0:
            renderer.update(handle, CHANGES[number // BETWEEN - 1])
        renderer.draw([handle], talking(number, 1), number / POSES_PER_SECOND)
        took = time.perf_counter() - began
        times.append(took * 1000)
        # Live, the rest of the picture's time passes: what a change prepares is ready as late.
        time.sleep(max(0.0, seconds - took))
    renderer.close(handle)
    name, longest = f"{size.width}x{size.height}", max(times[1:])
    return {
        f"change_ms_{name}": round(longest, 2),
        f"change_ratio_{name}": round(longest / statistics.median(times), 2),
    }


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
