"""Trend: does a series rise or fall, as the time or memory of every chunk of endless motion?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from motion.errors import MotionValueError
from motion.metrics.checks import Array, count, finite


@dataclass(frozen=True, slots=True)
class Trend:
    """The straight line through a series.

    Attributes:
        slope: units of the series a step (or a unit of `at`).
        low, high: confidence interval of the slope.
        level: value of the line at the middle of the series.
        change: what the line rises by from the first to the last step.
    """

    slope: float
    low: float
    high: float
    level: float
    change: float

    @property
    def slope_is_zero(self) -> bool:
        """Whether zero lies in the confidence interval of the slope."""
        return self.low <= 0.0 <= self.high


def trend(
    values: ArrayLike,
    at: ArrayLike | None = None,
    *,
    confidence: float = 0.95,
    batches: int | None = 100,
) -> Trend:
    """Return the trend of a series by ordinary least squares, its interval by Student's t.

    Least squares takes the values for independent. Times of successive chunks are not: a busy
    moment slows a hundred of them, and the interval would come out far too narrow. So a long series
    is first averaged in batches, which are nearly independent (batch means: Conway 1963).

    Args:
        values: [N], N at least 3.
        at: [N], where each was taken, not all at one place; 0, 1, 2, ... when omitted.
        confidence: of the interval, between 0 and 1.
        batches: averages of neighbours that the line is drawn through, at least 3; None takes the
            values as they are, and so does a series no longer than that.

    Raises:
        MotionValueError: too few values, shapes that do not agree, or a value not accepted.
    """
    y = finite(values, "values", "N", 3)
    x = np.arange(len(y), dtype=np.float64) if at is None else finite(at, "at", str(len(y)), 3)
    if not 0.0 < confidence < 1.0:
        raise MotionValueError(f"confidence: {confidence}; accepted: between 0 and 1")
    reach = float(np.ptp(x))
    if batches is not None and count(batches, "batches", 3) < len(y):
        x, y = _means(x, batches), _means(y, batches)
    spread = x - x.mean()
    if not spread.any():
        raise MotionValueError(f"at: all at {x[0]:g}; accepted: at least two places")
    square = float(spread @ spread)
    slope = float(spread @ (y - y.mean())) / square
    rest = y - y.mean() - slope * spread
    error = np.sqrt(float(rest @ rest) / (len(y) - 2) / square)
    margin = float(stats.t.ppf(0.5 + confidence / 2.0, len(y) - 2)) * error
    return Trend(slope, slope - margin, slope + margin, float(y.mean()), slope * reach)


def _means(values: Array, batches: int) -> Array:
    return np.array([part.mean() for part in np.array_split(values, batches)])
