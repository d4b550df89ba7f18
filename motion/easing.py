"""How a movement passes from one value to the next: smooth curves of one number."""

import math
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Value = TypeVar("Value", float, NDArray[np.float64])


def minimum_jerk(share: float) -> float:
    """Return how far a movement has come after `share` of its time; 0 before, 1 after.

    The straight reach of a hand at least jerk: 10 s^3 - 15 s^4 + 6 s^5 (Flash and Hogan, 1985).
    Speed and acceleration are zero at both ends; the greatest speed is 1.875 times the mean.
    """
    if share <= 0.0:
        return 0.0
    if share >= 1.0:
        return 1.0
    return share * share * share * (10.0 + share * (-15.0 + 6.0 * share))


def quintic(share: float, start: Value, end: Value, begun: Value, left: Value) -> Value:
    """Return the curve of fifth degree from `start` (share 0) to `end` (share 1).

    `begun` and `left`: its slopes there, per unit of share; its curvature is zero at both ends.
    With slopes of zero it is the minimum-jerk reach.
    """
    s2 = share * share
    s3 = s2 * share
    over = s3 * (10.0 + share * (-15.0 + 6.0 * share))
    out = share + s3 * (-6.0 + share * (8.0 - 3.0 * share))
    into = s3 * (-4.0 + share * (7.0 - 3.0 * share))
    return start + over * (end - start) + out * begun + into * left


def rise(at: float, start: float, end: float) -> float:
    """Return 0 before `start`, 1 after `end`, and a minimum-jerk step between (seconds)."""
    if end <= start:
        return 1.0 if at >= end else 0.0
    return minimum_jerk((at - start) / (end - start))


def plateau(at: float, start: float, full: float, fade: float, end: float) -> float:
    """Return a curve that rises from `start` to `full`, holds, and falls from `fade` to `end`."""
    return rise(at, start, full) * (1.0 - rise(at, fade, end))


def bell(offset: float, width: float) -> float:
    """Return a Gaussian of standard deviation `width`, 1 at offset 0."""
    ratio = offset / width
    return math.exp(-0.5 * ratio * ratio) if abs(ratio) < 8.0 else 0.0
