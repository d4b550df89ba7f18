"""Where a heard contact counts as one: decided on speech that was not learnt from."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from motion.audio import MELS
from motion.lips.closure import OPEN, gap
from motion.lips.net import CONTACTS, LOOK_AHEAD, LipNet
from motion.lips.stream import shapes_of
from motion.lips.training import LipSequence

FALSE_CLOSURES: Final = 0.04  # share of open poses at which lips may be closed for nothing
_APART: Final = 0.1
_FIRM: Final = 2.5  # logit at which a contact seals whatever lies under it
_STEEP: Final = 2.0  # so much sooner than as learnt is a contact whole or none

Vector = NDArray[np.float64]


@torch.no_grad()
def decide(net: LipNet, held: Sequence[LipSequence], share: float = FALSE_CLOSURES) -> Vector:
    """Set the last layer so that contacts are made in vain at `share` of the poses that are open.

    A missed closure is worse than one too many, and how often both happen is one decision: of how
    sure the net has to be. Voices count alike, however much they say.

    Args:
        net: is changed.
        held: speech that `net` has not learnt from.

    Returns: the logits, as learnt, from which on contacts are made, float64 [contacts].
    """
    raw: list[list[Vector]] = [[] for _ in range(CONTACTS)]
    weights: list[list[Vector]] = [[] for _ in range(CONTACTS)]
    said: dict[str, int] = {}
    for sequence in held:
        said[sequence.voice] = said.get(sequence.voice, 0) + len(sequence)
    for sequence in held:
        logits = _logits(net, sequence)
        wanted = sequence.mouth[: len(logits)].astype(np.float64)
        plainly = gap(shapes_of(wanted)) > OPEN
        for contact in range(CONTACTS):
            column = contact - CONTACTS
            chosen = logits[plainly & (wanted[:, column] <= _APART), column]
            raw[contact].append(chosen)
            weights[contact].append(np.full(len(chosen), 1.0 / said[sequence.voice]))
    points = np.array([_quantile(*both, 1.0 - share) for both in zip(raw, weights, strict=True)])
    last = net.out[-1]
    assert isinstance(last, torch.nn.Linear)
    last.weight[-CONTACTS:] *= _STEEP
    last.bias[-CONTACTS:] = _STEEP * (last.bias[-CONTACTS:] - torch.from_numpy(points).float())
    last.bias[-CONTACTS:] += _FIRM
    return points


def _logits(net: LipNet, sequence: LipSequence) -> Vector:
    frames = torch.from_numpy(sequence.audio.astype(np.float32)).reshape(1, -1, MELS)
    return np.asarray(net.logits(frames)[0][0, LOOK_AHEAD - 1 :].numpy(), np.float64)


def _quantile(values: list[Vector], weights: list[Vector], share: float) -> float:
    every, weight = np.concatenate(values), np.concatenate(weights)
    order = np.argsort(every)
    reached = np.cumsum(weight[order])
    return float(every[order][np.searchsorted(reached, share * reached[-1])])
