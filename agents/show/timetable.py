"""When the item on air should be over: durations add up without drift.

An item that has begun late is due early by as much, so that what breaks in makes later items'
spare time shorter and not the whole round longer. What cannot be caught up within one item's
spare time is carried to the next, up to five minutes; more than that is forgotten, since the
script itself is then longer than its durations.
"""

from typing import Final

_MOST_DEBT: Final = 300.0


class Timetable:
    """Plans the ends of items. All times are seconds since the epoch."""

    def __init__(self) -> None:
        self._due: float | None = None  # when the item before should have been over
        self._ends: float | None = None
        self.late = 0.0  # by how much the current item began late; negative for early

    def begin(self, now: float, duration: float | None) -> None:
        """An item goes on air."""
        self.late = 0.0 if self._due is None else now - self._due
        if abs(self.late) > _MOST_DEBT:
            self.late = 0.0
        self._ends = None if duration is None else now - self.late + duration
        self._due = self._ends

    def left(self, at: float) -> float | None:
        """Return how much of the item's time is left at a moment; None where it has none set."""
        return None if self._ends is None else self._ends - at

    def shift(self, seconds: float) -> None:
        """Stand still for a while: all that is to come is later by as much."""
        if self._ends is not None:
            self._ends += seconds
            self._due = self._ends

    def restart(self) -> None:
        """Forget what should have been, since an operator has decided otherwise."""
        self._due = None
        self._ends = None
        self.late = 0.0

    def snapshot(self) -> list[float | None]:
        """Return what `restore` takes."""
        return [self._due, self._ends, self.late]

    def restore(self, due: float | None, ends: float | None, late: float) -> None:
        """Go on as an earlier process would have."""
        self._due, self._ends, self.late = due, ends, late
