"""Times the video encoder on a mostly still, talking figure; the last line is JSON.

Run: python -m tests.benchmarks.video_encoder
"""

import json
import sys
import time

import numpy as np

from pipeline.options import VideoCodec, VideoFormat
from pipeline.video import VideoEncoder
from tests.fakes.pictures import figure_picture

SIZES = ((540, 960), (720, 1280))
CODECS: tuple[VideoCodec, ...] = ("vp8", "h264")
PICTURES = 50
ROUNDS = 3


def milliseconds(codec: VideoCodec, size: tuple[int, int], threads: int) -> dict[str, float]:
    """Return the time a picture takes (CPU of all threads, median and 95th percentile of the wall
    clock), and the kbit/s at 25 pictures a second.
    """
    pictures = [figure_picture(*size, index) for index in range(PICTURES)]
    encoder = VideoEncoder(VideoFormat(codec, *size), threads=threads)
    encoder.encode(pictures[0])
    times, length = [], 0
    cpu = time.process_time()
    for index in range(ROUNDS * PICTURES):
        start = time.perf_counter()
        coded = encoder.encode(pictures[index % PICTURES])
        times.append(time.perf_counter() - start)
        length += len(coded.data)
    cpu = time.process_time() - cpu
    return {
        "cpu_ms": round(1000 * cpu / len(times), 2),
        "median_ms": round(1000 * float(np.median(times)), 2),
        "p95_ms": round(1000 * float(np.percentile(times, 95)), 2),
        "kbit_s": round(length * 8 * 25 / len(times) / 1000),
    }


def main() -> None:
    """Print one line for each codec, size and number of threads, then all of them as JSON."""
    results = {}
    for codec in CODECS:
        for size in SIZES:
            for threads in (1, 2):
                name = f"{codec} {size[0]}x{size[1]} threads={threads}"
                results[name] = milliseconds(codec, size, threads)
                sys.stdout.write(f"{name}: {results[name]}\n")
    sys.stdout.write(json.dumps(results) + "\n")


if __name__ == "__main__":
    main()
