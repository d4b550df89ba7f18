"""Gestures over recorded speech: StreamingTalk and what it is compared with, from the same net."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from motion.streaming.checkpoint import Checkpoint
from motion.streaming.conditions import Conditions, stacked
from motion.streaming.dataset import MotionSequence, cut_window
from motion.streaming.smoothing import BEFORE, DELAY, smoothing
from motion.streaming.stream import GestureStream
from motion.streaming.tick import Guidance

Array = NDArray[np.float32]

LOOK_AHEAD: Final = 5  # poses of sound behind the chunk being made: 0.2 s
_WHOLE_STEPS: Final = 12  # evaluations of a whole window, as many as its slots take in a stream


def stream_over(
    checkpoint: Checkpoint,
    sequences: list[MotionSequence],
    seed: int = 1,
    guidance: Guidance | None = None,
    tell: Callable[[], object] = lambda: None,
) -> list[Array]:
    """Return what StreamingTalk makes of each sequence's conditions, float32 [T, D] each.

    All bodies are moved as one batch; of the sound no more is known than `LOOK_AHEAD` behind the
    chunk. `tell` is called after each chunk.
    """
    stream = GestureStream(checkpoint, guidance)
    schedule = stream.schedule
    states = [
        stream.open(sequence.body[0].astype(np.float32), seed + number)
        for number, sequence in enumerate(sequences)
    ]
    longest = max(len(sequence) for sequence in sequences)
    known = schedule.anchored + schedule.chunk + LOOK_AHEAD
    made: list[Array] = []
    for start in range(0, longest + DELAY, schedule.chunk):
        told = _told(sequences, start - schedule.anchored, schedule.window, known)
        made.append(stream.commit(states, told))
        tell()
    whole = np.concatenate(made, 1)[:, DELAY:]
    return [whole[number, : len(sequence)] for number, sequence in enumerate(sequences)]


def windows_over(
    checkpoint: Checkpoint,
    sequences: list[MotionSequence],
    seed: int = 1,
    *,
    anchored: bool,
    tell: Callable[[], object] = lambda: None,
) -> list[Array]:
    """Return what a network makes window by window, all poses of one at a common time.

    With `anchored`, each window looks back on the one before it and all its sound is known: the
    whole-sequence baseline. Without, windows know nothing of each other.
    """
    schedule = checkpoint.schedule
    random = torch.Generator().manual_seed(seed)
    longest = max(len(sequence) for sequence in sequences)
    first = torch.stack([torch.from_numpy(s.body[0].astype(np.float32)) for s in sequences])
    scaled = (first - checkpoint.mean) / checkpoint.spread
    anchor = scaled[:, None].expand(-1, schedule.anchored, -1)
    if not anchored:
        anchor = torch.zeros_like(anchor)
    before = BEFORE if anchored else 0
    smooth = torch.as_tensor(
        smoothing(np.ones(schedule.active), schedule.active, before=before), dtype=torch.float32
    )
    made: list[Array] = []
    for start in range(0, longest, schedule.active):
        told = _told(sequences, start - schedule.anchored, schedule.window, schedule.window)
        window = _integrated(checkpoint, anchor, told, random)
        window = smooth @ torch.cat([anchor[:, schedule.anchored - before :], window], 1)
        made.append((window * checkpoint.spread + checkpoint.mean).numpy())
        if anchored:
            anchor = window[:, -schedule.anchored :]
        tell()
    whole = np.concatenate(made, 1)
    return [whole[number, : len(sequence)] for number, sequence in enumerate(sequences)]


@torch.inference_mode()
def _integrated(
    checkpoint: Checkpoint, anchor: Tensor, told: Conditions, random: torch.Generator
) -> Tensor:
    """Carry a window of noise to data by Euler's steps."""
    net, poses = checkpoint.net, checkpoint.schedule.active
    x = torch.randn(len(anchor), poses, anchor.shape[-1], generator=random)
    prepared = net.tell(told)
    memory = net.remember(anchor, prepared)
    for step in range(_WHOLE_STEPS):
        times = torch.full((len(anchor), poses), step / _WHOLE_STEPS)
        x = x + net.move(x, times, prepared, memory) / _WHOLE_STEPS
    return x


def _told(sequences: list[MotionSequence], start: int, poses: int, known: int) -> Conditions:
    joined = stacked([cut_window(sequence, start, poses)[1] for sequence in sequences])
    return replace(joined, known=torch.full_like(joined.known, known))
