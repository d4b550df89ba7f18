"""Where a heard contact counts as one: decided on speech that was not learnt from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from motion.audio import MELS
from motion.lips.closure import CLOSED, gap, plainly_open
from motion.lips.net import CONTACTS, LOOK_AHEAD, LipNet
from motion.lips.stream import shapes_of
from motion.lips.training import LipSequence

# Share of open poses at which lips may be closed for nothing. The words of talk that is held aside
# were learnt, if not from there; in words that were not, lips close in vain twice as often.
FALSE_CLOSURES: Final = 0.03
_STEEP: Final = 3.0  # so much sooner than as learnt is a contact whole or none
_TOUCHING: Final = 0.5
_WIDEST: Final = 12.0  # no logit lies further from 0
_HALVINGS: Final = 16

Vector = NDArray[np.float64]


@torch.no_grad()
def decide(net: LipNet, held: Sequence[LipSequence], share: float = FALSE_CLOSURES) -> Vector:
    """Set the last layer so that contacts are made in vain at `share` of the poses that are open.

    A missed closure is worse than one too many, and how often both happen is one decision: of how
    sure the net has to be. Voices count alike, however much they say.

    Args:
        net: is changed; no longer in training.
        held: speech that `net` has not learnt from.

    Returns: the logits, as learnt, at which contacts are half made, float64 [contacts].
    """
    net.eval()
    poses = [_open_poses(net, sequence) for sequence in held]
    weights = _weights([sequence.voice for sequence in held], [len(each.logits) for each in poses])
    every = _Poses(
        np.concatenate([each.logits for each in poses]),
        np.concatenate([each.teeth for each in poses]),
    )
    points = np.zeros(CONTACTS)
    points[1] = _point(lambda point: float(weights @ every.touching(point)), share)
    points[0] = _point(lambda point: float(weights @ every.closed(point, points[1])), share)
    last = net.out[-1]
    assert isinstance(last, torch.nn.Linear)
    last.weight[-CONTACTS:] *= _STEEP
    last.bias[-CONTACTS:] = _STEEP * (last.bias[-CONTACTS:] - torch.from_numpy(points).float())
    return points


@dataclass(frozen=True, slots=True)
class _Poses:
    """Poses that should be open: what was heard, [n, parts + contacts], where teeth touch, [n]."""

    logits: Vector
    teeth: NDArray[np.bool_]

    def closed(self, lips: float, teeth: float) -> NDArray[np.bool_]:
        """Return at which of them lips would meet, were contacts half made at these logits."""
        heard = self.logits.copy()
        heard[:, -CONTACTS:] = _STEEP * (heard[:, -CONTACTS:] - (lips, teeth))
        return np.asarray(gap(shapes_of(_sigmoid(heard))) <= CLOSED)

    def touching(self, point: float) -> NDArray[np.bool_]:
        """Return at which of them the lower lip would touch the teeth and should not."""
        return np.asarray((self.logits[:, -1] > point) & ~self.teeth)


def _open_poses(net: LipNet, sequence: LipSequence) -> _Poses:
    frames = torch.from_numpy(sequence.audio.astype(np.float32)).reshape(1, -1, MELS)
    logits = net.logits(frames)[0][0, LOOK_AHEAD - 1 :].numpy().astype(np.float64)
    wanted = sequence.mouth[: len(logits)].astype(np.float64)
    plainly = plainly_open(shapes_of(wanted))
    return _Poses(logits[plainly], wanted[plainly, -1] > _TOUCHING)


def _weights(voices: Sequence[str], counts: Sequence[int]) -> Vector:
    """Return the weight of every pose, of which those of a voice have as much as another's."""
    said = dict.fromkeys(voices, 0)
    for voice, count in zip(voices, counts, strict=True):
        said[voice] += count
    each = [1.0 / (max(said[voice], 1) * len(said)) for voice in voices]
    return np.repeat(each, counts)


def _point(made: Callable[[float], float], share: float) -> float:
    """Return the least logit at which no more than `share` is made; fewer are, the higher it is."""
    low, high = -_WIDEST, _WIDEST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if made(middle) <= share else (middle, high)
    return high


def _sigmoid(logits: Vector) -> Vector:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logits, -30.0, 30.0))), np.float64)
