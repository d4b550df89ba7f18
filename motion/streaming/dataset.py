"""Sequences the network learns from, their file, and the windows that are drawn from them."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from motion.audio import silence
from motion.errors import MotionValueError
from motion.streaming.conditions import Conditions, stacked

Array = NDArray[np.float32]

_VERSION: Final = "1"


@dataclass(frozen=True, slots=True)
class MotionSequence:
    """A body that was moved to speech, T poses at 25 a second. Floats are stored in half precision.

    Attributes:
        audio: [T, AUDIO_DIM] log mel frames.
        body: [T, BODY_DIM] controls in degrees and centimetres.
        face: [T, 52] coefficients.
        action: int16 [T], 0 none.
        since: [T] seconds since the stroke of the action began.
        parameters: [T, PARAMETER_DIM].
        posture: int16 [T].
        style: [STYLE_DIM].
        speech: bool [T], whether somebody speaks.
    """

    audio: NDArray[np.float16]
    body: NDArray[np.float16]
    face: NDArray[np.float16]
    action: NDArray[np.int16]
    since: NDArray[np.float16]
    parameters: NDArray[np.float16]
    posture: NDArray[np.int16]
    style: NDArray[np.float16]
    speech: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.body)


def write_sequence(sequence: MotionSequence, path: Path, about: dict[str, str]) -> None:
    """Write a sequence with what is to be known about it; the file appears when it is whole."""
    partial = path.with_suffix(".part")
    tensors = {
        f.name: np.ascontiguousarray(getattr(sequence, f.name)) for f in fields(MotionSequence)
    }
    save_file(tensors, partial, about | {"version": _VERSION})
    partial.replace(path)


def read_sequence(path: Path) -> tuple[MotionSequence, dict[str, str]]:
    """Read what `write_sequence` wrote.

    Raises:
        MotionValueError: it is no such file.
    """
    try:
        with safe_open(path, "numpy") as file:
            about = dict(file.metadata() or {})
            if about.get("version") != _VERSION:
                raise MotionValueError(
                    f"{path.name}: version {about.get('version')}; accepted: {_VERSION}"
                )
            return MotionSequence(*(file.get_tensor(f.name) for f in fields(MotionSequence))), about
    except (OSError, SafetensorError) as error:
        raise MotionValueError(f"{path.name}: {error}; accepted: a training sequence") from error


def poses_of(path: Path) -> int:
    """Return how many poses a sequence's file holds, without reading them."""
    with safe_open(path, "numpy") as file:
        return int(file.get_slice("body").get_shape()[0])


class Windows:
    """Draws windows of equal length from sequences.

    Args:
        sequences: at least one.
        poses: length of a window. A window may begin before its sequence does: the body then
            stands in its first pose, in silence.
        action_share: share of windows in which an action is made to occur.
        tail_bias: share of windows drawn from the last third of a sequence beyond its own share,
            0 to 1: long after a start is where errors of streaming show.
    """

    def __init__(
        self,
        sequences: Sequence[MotionSequence],
        poses: int,
        seed: int,
        *,
        action_share: float = 0.4,
        tail_bias: float = 0.2,
    ) -> None:
        if not sequences:
            raise MotionValueError("no sequences; accepted: at least one")
        self._sequences = list(sequences)
        self._poses = poses
        self._rng = np.random.default_rng(seed)
        self._action_share, self._tail_bias = action_share, tail_bias
        lengths = np.array([len(s) for s in sequences], np.float64)
        self._weights = lengths / lengths.sum()
        self._starts = [_stroke_starts(s) for s in sequences]
        self._acting = [i for i, starts in enumerate(self._starts) if len(starts)]

    def draw(self, count: int) -> tuple[torch.Tensor, Conditions]:
        """Return bodies float32 [count, poses, BODY_DIM] and their conditions."""
        parts = [self._window() for _ in range(count)]
        bodies = torch.stack([body for body, _ in parts])
        return bodies, stacked([conditions for _, conditions in parts])

    def _window(self) -> tuple[torch.Tensor, Conditions]:
        rng, poses = self._rng, self._poses
        if self._acting and rng.random() < self._action_share:
            number = int(rng.choice(self._acting))
            stroke = int(rng.choice(self._starts[number]))
            # The stroke falls somewhere in the second half of the window, where poses are made.
            start = stroke - int(rng.integers(poses // 2 - 10, poses))
        else:
            number = int(rng.choice(len(self._sequences), p=self._weights))
            length = len(self._sequences[number])
            low = -poses // 2 if rng.random() >= self._tail_bias else 2 * length // 3 - poses
            start = int(rng.integers(min(low, length - poses), length - poses + 1))
        return cut_window(self._sequences[number], start, poses)


def cut_window(sequence: MotionSequence, start: int, poses: int) -> tuple[torch.Tensor, Conditions]:
    """Return the body [poses, BODY_DIM] and the conditions (of one) from pose `start` on.

    Before its first pose and after its last a sequence stands still and is silent.
    """
    wanted = np.arange(start, start + poses)
    at = np.clip(wanted, 0, len(sequence) - 1)
    inside = (wanted >= 0) & (wanted < len(sequence))
    audio = sequence.audio[at].astype(np.float32)
    audio[~inside] = np.tile(silence(), audio.shape[-1] // len(silence()))
    action = np.where(inside, sequence.action[at], 0).astype(np.int64)
    posture = np.where(inside, sequence.posture[at], 0).astype(np.int64)

    def one(values: NDArray[np.generic]) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(values))[None]

    conditions = Conditions(
        one(audio),
        torch.tensor([poses]),
        one(action),
        one(sequence.since[at].astype(np.float32)),
        one(sequence.parameters[at].astype(np.float32)),
        one(posture),
        one(sequence.style.astype(np.float32)),
        torch.ones(1),
    )
    return torch.from_numpy(sequence.body[at].astype(np.float32)), conditions


def _stroke_starts(sequence: MotionSequence) -> NDArray[np.intp]:
    """Return the poses at which a stroke begins."""
    since = sequence.since.astype(np.float32)
    acting = sequence.action > 0
    crossing = acting[1:] & acting[:-1] & (since[1:] >= 0.0) & (since[:-1] < 0.0)
    return np.flatnonzero(crossing) + 1
