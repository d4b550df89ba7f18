"""Inertia: a jump in what a body should do becomes a smooth change of what it does.

When the plan changes at an instant, the difference between the old plan and the new one, and its
rate, are carried on and faded out (inertialisation; Bollo, "Inertialization: high-performance
animation transitions in Gears of War", 2018). Nothing of the old plan needs to be kept: the state
is three vectors, however many changes follow on one another.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

STEP: Final = 0.004  # seconds over which rates are measured


class Inertia:
    """The remainder of past changes of plan, to be added to the present plan."""

    def __init__(self, seconds: Vector) -> None:
        """`seconds` [n]: the time in which each value's remainder is gone."""
        self._seconds = seconds
        self._since = 0.0
        self._offset = np.zeros(len(seconds))
        self._rate = np.zeros(len(seconds))
        self._time = seconds

    def __call__(self, at: float) -> Vector:
        """Return the remainder [n] at `at`."""
        share = np.minimum((at - self._since) / self._time, 1.0)
        left = 1.0 - share
        # The quintics with value and slope (1, 0) and (0, 1) at 0, and rest at 1.
        value = left * left * left * (1.0 + share * (3.0 + 6.0 * share))
        slope = share * left * left * left * (1.0 + 3.0 * share)
        return np.asarray(self._offset * value + self._rate * self._time * slope, np.float64)

    def change(
        self,
        at: float,
        before: tuple[Vector, Vector],
        after: tuple[Vector, Vector],
        stretch: float = 1.0,
    ) -> None:
        """Take up a change of plan at `at`.

        Args:
            at: seconds.
            before: what the body did `STEP` earlier and does at `at`, remainder included.
            after: the new plan `STEP` earlier and at `at`, without a remainder.
            stretch: by how much longer than usual the change takes.
        """
        self._offset = before[1] - after[1]
        earlier = before[0] - after[0]
        self._rate = (self._offset - earlier) / STEP
        self._since = at
        self._time = self._seconds * stretch
