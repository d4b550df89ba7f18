"""Smoothness: speed, jerk, jerk where chunks meet, and turns beyond the limits of joints.

Jerk is the third derivative of position, by differences: d3 p = p3 - 3 p2 + 3 p1 - p0, times the
cube of the frame rate (the measure of smoothness of Flash and Hogan 1985, as co-speech work takes
it). It grows with the cube of the frame rate for motion that is not smooth, so figures compare at
one frame rate only.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from motion.errors import MotionValueError
from motion.metrics.checks import Array, count, finite, positive


@dataclass(frozen=True, slots=True)
class SpeedStatistics:
    """Speeds of joints over a clip, metres a second."""

    mean: float
    deviation: float
    median: float
    fast: float  # 95 of 100 are slower
    highest: float


@dataclass(frozen=True, slots=True)
class BoundaryJerk:
    """Jerk in metres a second cubed across the boundaries of chunks, and elsewhere."""

    boundary: float
    interior: float

    @property
    def ratio(self) -> float:
        """1 where boundaries cannot be told; infinite when only boundaries jerk."""
        if self.boundary == self.interior:
            return 1.0
        return self.boundary / self.interior if self.interior > 0.0 else float("inf")


def speeds(positions: ArrayLike, fps: float) -> Array:
    """Return the speed [T, J] in metres a second, central differences, one-sided at both ends.

    Args:
        positions: [T, J, 3], metres; T at least 3.
        fps: frames a second.

    Raises:
        MotionValueError: other shapes, too few frames, or a value is not finite or not positive.
    """
    points = finite(positions, "positions", "T, J, 3", 3)
    rates = np.gradient(points, 1.0 / positive(fps, "fps"), axis=0)
    return np.asarray(np.linalg.norm(rates, axis=-1), np.float64)


def speed_statistics(positions: ArrayLike, fps: float) -> SpeedStatistics:
    """Return statistics over all joints and frames; arguments as for `speeds`."""
    values = speeds(positions, fps)
    median, fast = np.quantile(values, (0.5, 0.95))
    return SpeedStatistics(
        mean=float(values.mean()),
        deviation=float(values.std()),
        median=float(median),
        fast=float(fast),
        highest=float(values.max()),
    )


def jerks(positions: ArrayLike, fps: float) -> Array:
    """Return ||d3 p|| * fps^3 [T - 3, J] in metres a second cubed; entry t spans t to t + 3.

    Args:
        positions: [T, J, 3], metres; T at least 4.
        fps: frames a second.

    Raises:
        MotionValueError: other shapes, too few frames, or a value is not finite or not positive.
    """
    points = finite(positions, "positions", "T, J, 3", 4)
    third = np.diff(points, 3, axis=0) * positive(fps, "fps") ** 3
    return np.asarray(np.linalg.norm(third, axis=-1), np.float64)


def mean_jerk(positions: ArrayLike, fps: float) -> float:
    """Return the mean over frames and joints; arguments as for `jerks`."""
    return float(jerks(positions, fps).mean())


def boundary_jerk(positions: ArrayLike, fps: float, chunk: int, *, first: int = 0) -> BoundaryJerk:
    """Return the mean jerk of what spans a boundary of chunks, and of what does not.

    Args:
        positions: [T, J, 3], metres.
        fps: frames a second.
        chunk: frames a chunk, at least 4, so that some differences lie within one.
        first: the frame with which a chunk begins.

    Raises:
        MotionValueError: `positions` or `chunk` are not accepted, or no boundary lies in them.
    """
    values = jerks(positions, fps).mean(1)
    start = np.arange(len(values)) - first
    spans = start // count(chunk, "chunk", 4) != (start + 3) // chunk
    if not spans.any() or spans.all():
        raise MotionValueError(
            f"{len(values) + 3} frames in chunks of {chunk} from {first}; "
            "accepted: frames within a chunk and across a boundary"
        )
    return BoundaryJerk(float(values[spans].mean()), float(values[~spans].mean()))


def limit_violations(
    angles: ArrayLike, low: ArrayLike, high: ArrayLike, *, slack: float = 0.0
) -> Array:
    """Return for each frame [T] the share of joints turned beyond a limit, 0 to 1.

    Args:
        angles: [T, J, A], A angles a joint, in the units of the limits. Controls [T, C] are
            joints of one angle: `controls[..., None]`, with limits [C, 1].
        low, high: [J, A]; an infinite limit allows everything.
        slack: how far beyond a limit is still accepted, same units.

    Raises:
        MotionValueError: shapes do not agree, a low limit above its high one, or not finite.
    """
    turns = finite(angles, "angles", "T, J, A")
    lower, upper = (np.asarray(limit, np.float64) for limit in (low, high))
    if lower.shape != turns.shape[1:] or upper.shape != turns.shape[1:]:
        raise MotionValueError(
            f"limits are {list(lower.shape)} and {list(upper.shape)}; "
            f"accepted: {list(turns.shape[1:])}"
        )
    if not (lower <= upper).all() or slack < 0.0:
        raise MotionValueError(f"limits or slack {slack}; accepted: low <= high and slack >= 0")
    beyond = (turns < lower - slack) | (turns > upper + slack)
    return np.asarray(beyond.any(-1).mean(-1), np.float64)
