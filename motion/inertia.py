"""Inertia: a jump in what a body should do becomes a smooth change of what it does.

When the plan changes at an instant, the difference between the old plan and the new one, and its
rate, are carried on and faded out (inertialisation; Bollo, "Inertialization: high-performance
animation transitions in Gears of War", 2018). Nothing of the old plan needs to be kept: the state
is four vectors, however many changes follow on one another.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

STEP: Final = 0.004  # seconds over which rates are measured
_SAME: Final = 1e-9


class Inertia:
    """The remainder of past changes of plan, to be added to the present plan."""

    def __init__(self, size: int) -> None:
        self._since = np.zeros(size)
        self._time = np.ones(size)
        self._offset = np.zeros(size)
        self._rate = np.zeros(size)

    def __call__(self, at: float) -> Vector:
        """Return the remainder [size] at `at`."""
        share = np.minimum((at - self._since) / self._time, 1.0)
        left = 1.0 - share
        # The quintics with value and slope (1, 0) and (0, 1) at 0, and rest at 1.
        value = left * left * left * (1.0 + share * (3.0 + 6.0 * share))
        slope = share * left * left * left * (1.0 + 3.0 * share)
        return np.asarray(self._offset * value + self._rate * self._time * slope, np.float64)

    def change(
        self,
        at: float,
        old: tuple[Vector, Vector],
        new: tuple[Vector, Vector],
        seconds: Vector,
    ) -> None:
        """Take up a change of plan. Values whose plan stays the same keep their remainder.

        Args:
            at: seconds.
            old: the plan that ends, `STEP` seconds earlier and at `at`; no remainder included.
            new: the plan that begins, likewise.
            seconds: [size], the time in which each value's remainder is gone.
        """
        earlier, now = old[0] - new[0], old[1] - new[1]
        changed = (np.abs(earlier) > _SAME) | (np.abs(now) > _SAME)
        earlier, now = earlier + self(at - STEP), now + self(at)
        self._rate = np.where(changed, (now - earlier) / STEP, self._rate)
        self._offset = np.where(changed, now, self._offset)
        self._since = np.where(changed, at, self._since)
        self._time = np.where(changed, seconds, self._time)
