"""Other frame rates: values between frames, on the same seconds."""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motion.errors import MotionValueError
from motion.rotations import continuous, slerp

Array = NDArray[np.float32]

SLOWEST: Final = 1.0  # frames a second
FASTEST: Final = 1000.0

# Whole rotations at once would take some gigabytes for an hour.
_BLOCK: Final = 4096


def check_rate(fps: float) -> float:
    """Return `fps` when it is a rate that files may have.

    Raises:
        MotionValueError: it is not a number from 1 to 1000.
    """
    if not SLOWEST <= fps <= FASTEST:
        raise MotionValueError(f"{fps!r} frames a second; accepted: {SLOWEST:g} to {FASTEST:g}")
    return float(fps)


def resample_rotations(rotations: ArrayLike, fps: float, to: float) -> Array:
    """Return quaternions [T, ..., 4] at `fps` as [T', ..., 4] at `to`, sign-continuous.

    Frame i stands at i / fps; the first is kept, and none lies beyond the last. Between frames
    joints turn at an even speed (slerp).
    """
    q = continuous(rotations)
    if _same(len(q), fps, to):
        return q
    before, after, share = _between(len(q), fps, to)
    out = np.empty((len(before), *q.shape[1:]), np.float32)
    lead = (slice(None), *(None,) * (q.ndim - 2))
    for start in range(0, len(out), _BLOCK):
        part = slice(start, start + _BLOCK)
        out[part] = slerp(q[before[part]], q[after[part]], share[part][lead])
    return continuous(out)


def resample(values: ArrayLike, fps: float, to: float) -> Array:
    """Return values [T, ...] at `fps` as [T', ...] at `to`, in straight lines between frames."""
    v = np.asarray(values, np.float32)
    if _same(len(v), fps, to):
        return v
    before, after, share = _between(len(v), fps, to)
    weight = share[(slice(None), *(None,) * (v.ndim - 1))].astype(np.float32)
    return np.asarray(v[before] + weight * (v[after] - v[before]), np.float32)


def _same(frames: int, fps: float, to: float) -> bool:
    """Whether nothing is to be done. Raises MotionValueError for a rate outside its range."""
    return check_rate(fps) == check_rate(to) or frames == 0


def _between(
    frames: int, fps: float, to: float
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """Return the frames before and after each new one, and its share of the way between."""
    # A millionth of a frame is rounding: thirty frames at 30 fps hold 25 at 25 fps.
    count = int(np.floor((frames - 1) * to / fps + 1e-6)) + 1
    at = np.arange(count) * fps / to
    before = np.minimum(np.floor(at + 1e-6).astype(np.intp), frames - 1)
    return before, np.minimum(before + 1, frames - 1), np.clip(at - before, 0.0, 1.0)
