"""How often somebody may ask: token buckets in a table that does not grow."""

from collections import OrderedDict
from typing import Final

from pipeline.clock import Clock

MINUTE_S: Final = 60.0


class Rates:
    """A token bucket for each of the names asked for last; the longest unasked is forgotten.

    Args:
        clock: the monotonic time buckets fill by.
        most: names remembered.
    """

    def __init__(self, clock: Clock, most: int = 4096) -> None:
        self._clock = clock
        self._most = most
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        """Return the number of names remembered."""
        return len(self._buckets)

    def take(self, name: str, a_minute: int) -> float:
        """Count one of `name`, and return 0, or the seconds until the next is allowed.

        A bucket holds `a_minute`, and fills in a minute.
        """
        now, whole = self._clock.now(), float(a_minute)
        left, since = self._buckets.pop(name, (whole, now))
        left = min(whole, left + (now - since) * a_minute / MINUTE_S)
        allowed = left >= 1.0
        self._buckets[name] = (left - 1.0 if allowed else left, now)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1.0 - left) * MINUTE_S / a_minute
