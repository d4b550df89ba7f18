"""How many questions one viewer may ask, so that one who floods does not take the room."""

from collections import OrderedDict, deque
from typing import Final

from agents.show.recent import is_recent

_MOST_VIEWERS: Final = 5000
_MINUTE: Final = 60.0


class Limits:
    """Counts questions of each viewer over a minute; of 5000 viewers at most, the latest ones."""

    def __init__(self, per_minute: int = 4) -> None:
        self.per_minute = per_minute
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def wait(self, viewer: str, now: float) -> float:
        """Count a question; return 0, or, uncounted, for how many seconds none is taken."""
        self._forget(now)
        times = self._times.setdefault(viewer, deque(maxlen=60))
        self._times.move_to_end(viewer)
        while times and not is_recent(times[0], now, _MINUTE):
            times.popleft()
        if len(times) >= self.per_minute:
            return _MINUTE - (now - times[0])
        times.append(now)
        return 0.0

    def _forget(self, now: float) -> None:
        """Forget viewers who have not asked for a minute, and the first of too many."""
        while self._times:
            viewer, times = next(iter(self._times.items()))
            recent = bool(times) and is_recent(times[-1], now, _MINUTE)
            if recent and len(self._times) < _MOST_VIEWERS:
                return
            del self._times[viewer]
