"""Diversity: how much a body varies, within a clip and from clip to clip.

More is not better: noise is diverse. Both are read beside the same figure of the corpus.
"""

import numpy as np
from numpy.typing import ArrayLike

from motion.metrics.checks import Array, finite


def l1_diversity(clip: ArrayLike) -> float:
    """Return how far frames are from the clip's mean pose; 0 for a statue.

    The L1 diversity of BEAT and EMAGE (Liu et al. 2022, 2024) as their code has it: absolute
    deviations |x - mean|, summed over coordinates and averaged over frames.

    Args:
        clip: [T, ...], every other axis a coordinate: joint positions [T, J, 3] in metres there.

    Returns:
        In units of the coordinates. Over several clips, average weighted by their frames.

    Raises:
        MotionValueError: no frames, or a value is not finite.
    """
    frames = _flat(clip, "clip")
    return float(np.abs(frames - frames.mean(0)).sum(1).mean())


def clip_diversity(clips: ArrayLike) -> float:
    """Return how far clips are from one another; 0 when all are one.

    The mean over pairs of their L1 distance a frame (Li et al., "Audio2Gestures", 2021): whether
    the same text, or another one, is moved differently.

    Args:
        clips: [N, T, ...], N at least 2, frame t of one compared with frame t of the other.

    Returns:
        Mean over pairs and frames of the sum over coordinates, in units of the coordinates.

    Raises:
        MotionValueError: fewer than two clips, or a value is not finite.
    """
    flat = _flat(clips, "clips", 2)
    number, frames = len(flat), int(np.shape(clips)[1])
    # Sorted, the k-th of N values is added k times and subtracted N - 1 - k times over all pairs.
    weights = 2.0 * np.arange(number) - (number - 1)
    total = float((np.sort(flat, 0) * weights[:, None]).sum())
    return float(total / (number * (number - 1) / 2) / frames)


def _flat(values: ArrayLike, name: str, least: int = 1) -> Array:
    array = np.asarray(values)
    return finite(array.reshape(len(array), -1) if array.ndim > 1 else array, name, "N, C", least)
