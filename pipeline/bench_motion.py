"""`vivant bench motion`: what a chunk of gestures and lips costs, and that it stays so for ever."""

import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from tqdm import tqdm

from motion.audio import AUDIO_RATE, SAMPLES_PER_POSE
from motion.lips.net import LipNet
from motion.lips.stream import LipCheckpoint, LipStream
from motion.metrics.trend import trend
from motion.pose import POSES_PER_SECOND
from motion.streaming.checkpoint import Checkpoint, load_checkpoint
from motion.streaming.conditions import Conditions, stacked
from motion.streaming.net import PATCH, GestureNet, NetSize
from motion.streaming.representation import BODY_DIM
from motion.streaming.schedule import Schedule
from motion.streaming.stream import GestureStream
from motion.streaming.telling import SoundTrack
from motion.trained import trained_gestures, trained_lips

_Report = dict[str, object]

# The size of published networks of this kind, timed in the same run for comparison.
PUBLISHED: Final = NetSize(dim=512, layers=8, heads=8)
SMALL: Final = NetSize(dim=24, layers=1, heads=2)
_WARM: Final = 5
_BUSY: Final = 0.8  # share of a core that gestures may take before sessions wait for each other
_MOST: Final = 64


@dataclass(frozen=True, slots=True)
class _Cost:
    """Multiplications and additions of one chunk, and the milliseconds they take at best."""

    gigaflops: float
    least_ms: float


def run(
    chunks: int = 1000, simulated: int = 100_000, weights: Path | None = None
) -> dict[str, object]:
    """Measure on one core.

    Args:
        chunks: of 0.4 s each, one after another in one stream, timed with the weights.
        simulated: chunks of one stream that is watched for growth. A small network goes through
            the same stream, sound track and lips: what grew would be state, not arithmetic, and
            shows the more beside little of it.
        weights: a checkpoint; the one that ships otherwise.

    Returns: chunk_ms (median, gestures and lips), gesture_ms, lips_ms, chunk_ms_p95; of the
        simulated chunks time_slope (share of their median processor time that a chunk gains per
        1000 chunks) and memory_slope (bytes a chunk), each with whether zero lies in its 95 %
        interval, and time_change and memory_change (share, bytes) from the first to the last;
        sessions_per_core; least_ms and its share; published_ms.
    """
    torch.set_num_threads(1)
    checkpoint = load_checkpoint(weights) if weights else trained_gestures()
    speech = _speech(16.0)
    parts, _ = _timed(chunks, checkpoint, trained_lips(), speech, time.perf_counter)
    times = parts.sum(1)
    usual, gesture, lip = (float(np.median(each)) for each in (times, *parts.T))
    cost = _cost(checkpoint)
    seconds = checkpoint.schedule.chunk / POSES_PER_SECOND
    return {
        "chunks": chunks,
        "chunk_ms": round(usual, 2),
        "chunk_ms_p95": round(float(np.percentile(times, 95)), 2),
        "gesture_ms": round(gesture, 2),
        "lips_ms": round(lip, 2),
        "sessions_per_core": _sessions(checkpoint, speech, seconds),
        "parameters_m": round(_parameters(checkpoint.net) / 1e6, 2),
        "gigaflops": round(cost.gigaflops, 3),
        "least_ms": round(cost.least_ms, 2),
        "of_least": round(gesture / cost.least_ms, 2),
        "published_ms": round(_published(speech), 2),
        **_constancy(simulated, speech),
    }


def _constancy(chunks: int, speech: "np.ndarray[tuple[int], np.dtype[np.float32]]") -> _Report:
    """Return how time and memory of a chunk change over an endless stream."""
    torch.manual_seed(1)
    net = LipNet(SMALL.dim)
    net.eval().requires_grad_(False)
    lips = LipCheckpoint(net, {})
    parts, memory = _timed(chunks, _new(SMALL), lips, speech, time.thread_time)
    times = parts.sum(1)
    usual, slope, growth = float(np.median(times)), trend(times), trend(memory)
    return {
        "simulated_chunks": chunks,
        "simulated_ms": round(usual, 2),
        "time_slope": round(1000.0 * slope.slope / usual, 6),
        "time_slope_is_zero": bool(slope.slope_is_zero),
        "time_change": round(slope.change / usual, 4),
        "memory_slope": round(growth.slope, 2),
        "memory_slope_is_zero": bool(growth.slope_is_zero),
        "memory_change": round(growth.change),
    }


def _timed(
    chunks: int,
    checkpoint: Checkpoint,
    lips: LipCheckpoint,
    speech: "np.ndarray[tuple[int], np.dtype[np.float32]]",
    clock: Callable[[], float],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return milliseconds [chunks, 2] of gestures and lips, and resident bytes [chunks]."""
    gestures, mouths = _gestures(checkpoint, speech), _lips(lips, speech)
    # Made beforehand, and touched, so that measuring memory takes none.
    parts, memory = np.ones((chunks, 2)), np.ones(chunks)
    for chunk in tqdm(range(-_WARM, chunks), file=sys.stderr, unit=" chunks", leave=False):
        began = clock()
        gestures(chunk)
        made = clock()
        mouths(chunk)
        ended = clock()
        if chunk >= 0:
            parts[chunk] = 1e3 * (made - began), 1e3 * (ended - made)
            memory[chunk] = _resident()
    return parts, memory


def _new(size: NetSize) -> Checkpoint:
    torch.manual_seed(1)
    net = GestureNet(size)
    net.eval().requires_grad_(False)
    return Checkpoint(net, Schedule(), torch.zeros(BODY_DIM), torch.ones(BODY_DIM), {})


def _speech(seconds: float) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    """Return noise that rises and falls as syllables do; costs what speech costs."""
    random = np.random.default_rng(1)
    count = round(seconds * AUDIO_RATE)
    loudness = np.abs(np.sin(np.arange(count) * (np.pi * 4.0 / AUDIO_RATE)))
    return np.asarray(0.1 * loudness * random.standard_normal(count), np.float32)


def _gestures(
    checkpoint: Checkpoint, speech: "np.ndarray[tuple[int], np.dtype[np.float32]]"
) -> Callable[[int], None]:
    stream = GestureStream(checkpoint)
    state = stream.open(np.zeros(BODY_DIM, np.float32), 1)
    schedule = stream.schedule
    length = len(speech) / AUDIO_RATE

    def step(chunk: int) -> None:
        at = (chunk + _WARM) * schedule.chunk / POSES_PER_SECOND
        track = SoundTrack()
        # The speech comes round again and again.
        first = int(at // length) * length
        for start in (first - length, first, first + length):
            track.add(start, speech)
        stream.commit([state], _told(track, at, schedule))

    return step


def _told(track: SoundTrack, at: float, schedule: Schedule) -> Conditions:
    start = at - schedule.anchored / POSES_PER_SECOND
    given = Conditions.empty(1, schedule.window)
    given.audio[0] = torch.from_numpy(track.frames(start, schedule.window))
    return given


def _lips(
    checkpoint: LipCheckpoint, speech: "np.ndarray[tuple[int], np.dtype[np.float32]]"
) -> Callable[[int], None]:
    stream = LipStream(checkpoint)
    size = Schedule().chunk * SAMPLES_PER_POSE

    def step(chunk: int) -> None:
        start = (chunk + _WARM) * size % (len(speech) - size)
        stream(speech[start : start + size])

    return step


def _sessions(
    checkpoint: Checkpoint,
    speech: "np.ndarray[tuple[int], np.dtype[np.float32]]",
    seconds: float,
) -> int:
    """Return how many bodies one core moves: the largest batch made in `_BUSY` of its time."""
    stream, track = GestureStream(checkpoint), SoundTrack()
    track.add(0.0, speech)
    one = _told(track, 4.0, stream.schedule)
    fit, batch = 0, 1
    while batch <= _MOST:
        states = [stream.open(np.zeros(BODY_DIM, np.float32), seed) for seed in range(batch)]
        taken = _median_ms(partial(stream.commit, states, stacked([one] * batch)), 5)
        if taken > 1e3 * _BUSY * seconds:
            break
        fit = batch
        batch += max(1, batch // 4)
    return fit


def _published(speech: "np.ndarray[tuple[int], np.dtype[np.float32]]") -> float:
    step = _gestures(_new(PUBLISHED), speech)
    return _median_ms(lambda: step(0), 9)


def _median_ms(call: Callable[[], object], times: int) -> float:
    call()
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        taken.append(1e3 * (time.perf_counter() - began))
    return median(taken)


def _cost(checkpoint: Checkpoint) -> _Cost:
    """Return what the products of one chunk cost, at the speed of a large product on this core."""
    size, schedule = checkpoint.net.size, checkpoint.schedule
    dim, active, anchored = size.dim, schedule.active // PATCH, schedule.anchored // PATCH
    window = active + anchored
    layer = 2 * dim * dim * (3 + 1 + 1 + 1 + 8)  # attention's four, hearing's two, the MLP's eight
    passes = anchored + schedule.steps * active
    hearing = 2 * window * dim * 2 * dim * size.layers
    attention = (
        4
        * dim
        * size.layers
        * (anchored * (anchored + window) + schedule.steps * active * 2 * window)
    )
    flops = size.layers * layer * passes + hearing + attention
    a, b = torch.randn(256, 1024), torch.randn(1024, 1024)
    rate = 2 * 256 * 1024 * 1024 / (1e-3 * _median_ms(lambda: a @ b, 15))
    return _Cost(flops / 1e9, 1e3 * flops / rate)


def _parameters(net: GestureNet) -> int:
    return sum(parameter.numel() for parameter in net.parameters())


def _resident() -> int:
    """Return the process's resident memory in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()
