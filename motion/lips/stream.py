"""Lips beside the sound: samples in, mouth shapes out, and the weights' file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

from motion.audio import FRAMES_PER_POSE, MELS, FrontEnd, silence
from motion.lips.net import LOOK_AHEAD, OUTPUTS, LipNet
from motion.lips.track import touched
from motion.lips.visemes import PARTS
from motion.weights import read_weights, write_weights

Vector = NDArray[np.float64]

_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class LipCheckpoint:
    """A trained `LipNet` and what is to be known of its training."""

    net: LipNet
    trained: dict[str, object]


def save_lips(checkpoint: LipCheckpoint, path: Path) -> None:
    """Write the weights in half precision."""
    weights = {name: weight.half() for name, weight in checkpoint.net.state_dict().items()}
    about = {"version": _VERSION, "dim": checkpoint.net.dim, "trained": checkpoint.trained}
    write_weights(weights, about, path)


def load_lips(path: Path) -> LipCheckpoint:
    """Read what `save_lips` wrote.

    Raises:
        MotionValueError: it is no such file, or of another version.
    """
    about, weights = read_weights(path, _VERSION, "a lip checkpoint")
    net = LipNet(about["dim"])
    net.load_state_dict({name: weight.float() for name, weight in weights.items()})
    net.eval().requires_grad_(False)
    return LipCheckpoint(net, about["trained"])


class LipStream:
    """Hears the mouth in sound that comes piece by piece.

    What it holds is fixed in size: the front end's last 15 ms, the net's state, and frames that
    do not make a pose yet.
    """

    def __init__(self, checkpoint: LipCheckpoint) -> None:
        self._net = checkpoint.net
        self._front = FrontEnd()
        self._state = self._net.start(1)
        self._frames = np.zeros((0, MELS), np.float32)
        self._ahead = LOOK_AHEAD - 1

    def __call__(self, samples: ArrayLike) -> Vector:
        """Return the shapes [m, parts] of the poses that `samples` (16 kHz) complete.

        The first shape belongs to the time of the first sample, each next one 1/25 s later; a
        shape comes when the sound 120 ms behind its time is in.
        """
        return shapes_of(self.hear(samples))

    def hear(self, samples: ArrayLike) -> NDArray[np.float32]:
        """Return what `__call__` does, shapes and contacts apart: [m, parts + contacts]."""
        frames = np.concatenate([self._frames, self._front(samples)])
        count = len(frames) // FRAMES_PER_POSE
        self._frames = frames[count * FRAMES_PER_POSE :]
        return self._rows(frames[: count * FRAMES_PER_POSE])

    def finish(self) -> Vector:
        """Return the shapes that still lack their look-ahead, as if silence followed."""
        return shapes_of(self.rest())

    def rest(self) -> NDArray[np.float32]:
        """Return what `finish` does, shapes and contacts apart."""
        missing = -len(self._frames) % FRAMES_PER_POSE + LOOK_AHEAD * FRAMES_PER_POSE
        frames = np.concatenate([self._frames, np.tile(silence(), (missing, 1))])
        self._frames = self._frames[:0]
        return self._rows(frames[: len(frames) // FRAMES_PER_POSE * FRAMES_PER_POSE])

    @torch.inference_mode()
    def _rows(self, frames: NDArray[np.float32]) -> NDArray[np.float32]:
        if not len(frames):
            return np.zeros((0, OUTPUTS), np.float32)
        heard, self._state = self._net(torch.from_numpy(frames)[None], self._state)
        skipped = min(self._ahead, heard.shape[1])
        self._ahead -= skipped
        rows: NDArray[np.float32] = heard[0, skipped:].numpy()
        return rows


def heard_mouth(checkpoint: LipCheckpoint, samples: ArrayLike) -> NDArray[np.float32]:
    """Return the mouth of a whole sound, float32 [T, parts + contacts], for `SpokenPassage`."""
    stream = LipStream(checkpoint)
    return np.concatenate([stream.hear(samples), stream.rest()])


def shapes_of(heard: ArrayLike) -> Vector:
    """Return mouth shapes float64 [T, parts] of the net's outputs [T, parts + contacts]."""
    rows = np.asarray(heard, np.float64)
    count = len(PARTS)
    made = [touched(row[:count], float(row[count]), float(row[count + 1])) for row in rows]
    return np.array(made).reshape(-1, count)
